"""scipy.ndimage.rotate: N and N + 360 degrees give the same image."""

import random

import numpy as np
from scipy import ndimage


def run(test):
    scale, shape, share, angle, data = test
    size = int(scale)
    draw = random.Random(int(data))
    image = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            # A share of the entries differ from 0; shapes are upper, lower triangular and diagonal.
            value, kept = draw.randint(1, 100), draw.random() < share
            inside = shape == 0 or (shape == 1 and j >= i) or (shape == 2 and j <= i) or (shape == 3 and i == j)
            if kept and inside:
                image[i, j] = value
    turned = ndimage.rotate(image, angle)
    return [float(side) for side in turned.shape] + list(turned.ravel())


def same(first, second):
    return len(first) == len(second) and all(abs(a - b) <= 1e-6 * max(1.0, abs(a)) for a, b in zip(first, second))


RULES = [same]
