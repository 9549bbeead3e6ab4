"""scipy.sparse.csgraph.shortest_path: every algorithm gives the same distances."""

import random

import numpy as np
from scipy.sparse.csgraph import shortest_path

METHODS = ["FW", "D", "BF", "J"]


def run(test):
    scale, directed, kind, share, method, data = test
    size = int(scale)
    draw = random.Random(int(data))
    graph = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            # A share of the entries are edges; `kind` 1 has none, 2 and 3 only those above or below the diagonal.
            weight, edge = draw.randint(1, 50), draw.random() < share
            inside = kind == 0 or (kind == 2 and j > i) or (kind == 3 and j < i)
            if i != j and edge and inside:
                graph[i, j] = weight
    distances = shortest_path(graph, method=METHODS[int(method)], directed=bool(directed))
    return np.nan_to_num(distances, posinf=1e18).ravel()


def same(first, second):
    return len(first) == len(second) and all(abs(a - b) <= 1e-6 * max(1.0, abs(a)) for a, b in zip(first, second))


RULES = [same]
