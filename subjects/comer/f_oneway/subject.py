"""scipy.stats.f_oneway: the order of the samples does not matter."""

import math
import random

from scipy import stats


def sample(theta, mean, length, data):
    # The content depends on the sample's own description alone, so that exchanged samples are the same samples.
    draw = random.Random("%g %g %d %d" % (theta, mean, length, data))
    return [draw.gauss(mean, math.sqrt(theta)) for _ in range(int(length))]


def run(test):
    theta, mean_a, mean_b, mean_c, len_a, len_b, len_c, data = test
    groups = [sample(theta, mean, length, data) for mean, length in ((mean_a, len_a), (mean_b, len_b), (mean_c, len_c))]
    statistic, p = stats.f_oneway(*groups)
    return [statistic, p]


def near(a, b):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    # Within rounding of a correct sum of squares; an infinite ratio is infinite in any order.
    return a == b or abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))


def same(first, second):
    return all(near(a, b) for a, b in zip(first, second))


RULES = [same, same, same, same]
