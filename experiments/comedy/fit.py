#!/usr/bin/env python3
"""Fits the weights of `crates/debug/src/rank.rs` on a dump of the study.

    ./x experiment comedy --half 0 --every 6 --dump dev.jsonl
    ./x experiment comedy --half 1 --every 6 --dump held.jsonl
    python3 experiments/comedy/fit.py dev.jsonl held.jsonl      (needs NumPy and SciPy)

A logistic choice among the branch statements of a failing trace: a change has a linear score, a statement that of its changes (a
smooth maximum) and its own; the loss is how unlikely the statements of distance 0 are. Programs count by the square root of their
mutants, so that none decides alone. Prints the weights, and how far the first-named statement is from the fault in each file, with
programs left out of the fit one at a time for the first.
"""

import collections
import json
import math
import sys

import numpy as np
from scipy.optimize import minimize

KINDS = ["negate", "always", "operator", "right", "result", "variable", "number", "source", "skip", "assign"]
CHANGE = ["ln distinct", "distinct", "whole", "ln fixed*harmless", "ln general", "ln fresh_fixed", "same_work", "one_sided",
          "kept", "fresh_kept", "not judged", "ln alike", "covered", "whole*covered", "whole*kept",
          "whole*one_sided", "covered = 1", "kept = 1"] + KINDS
STATEMENT = ["ln tried", "ln fixing", "fixing/tried", "partings", "parting", "spectrum", "switched", "only_failing", "no change"]
SHARP, RIDGE = 10.0, 3.0


def ln(share, least):
    return math.log(max(share, least))


def change(tried):
    w = tried["worth"]
    judged = w["general"] > 0
    whole = w["general"] == 1 and w["fixed"] == 1 and w["harmless"] == 1
    fresh = [ln(w["distinct"], 0.1), w["distinct"]] if judged else [0, 0]
    more = [ln(w["general"], 0.05), ln(w["fresh_fixed"], 0.05)] if judged else [0, 0]
    alike = math.log(max(1, tried.get("alike", 1))) if judged else 0
    return (fresh + [float(whole), ln(w["fixed"] * w["harmless"], 0.01)] + more
            + [w["same_work"], w["one_sided"], w["kept"], w["fresh_kept"], float(not judged), alike,
               w["covered"] if judged else 0, whole * w["covered"], whole * w["kept"],
               whole * w["one_sided"], float(judged and w["covered"] == 1), float(w["kept"] == 1)]
            + [float(tried["kind"] == kind) for kind in KINDS])


def load(path):
    reports = []
    for line in open(path):
        test, _, studied = json.loads(line)
        if not studied or not studied["ranking"]:
            continue
        changes = collections.defaultdict(list)
        for tried in studied["tried"]:
            changes[tuple(tried["statement"])].append(change(tried))
        own, rows, distances = [], [], []
        for ranked in studied["ranking"]:
            e = ranked["evidence"]
            mine = changes[tuple(ranked["statement"])]
            own.append([math.log(1 + e["tried"]), math.log(1 + e["fixing"]), e["fixing"] / max(1, e["tried"]), e["partings"],
                        float(e["parting"]), e["spectrum"], e["switched"], float(e["only_failing"]), float(not mine)])
            rows.append(np.array(mine).reshape(-1, len(CHANGE)))
            distances.append(99 if ranked["distance"] is None else ranked["distance"])
        reports.append((test["program"], rows, np.array(own), np.array(distances)))
    return reports


class Fit:
    def __init__(self, reports):
        self.reports = reports
        count = collections.Counter(program for program, *_ in reports)
        self.weight = np.array([1 / math.sqrt(count[program]) for program, *_ in reports])
        self.weight *= len(reports) / self.weight.sum()

    def scores(self, weights, rows, own):
        of_change, of_statement = weights[: len(CHANGE)], weights[len(CHANGE):]
        scores, shares = own @ of_statement, []
        for index, mine in enumerate(rows):
            if len(mine):
                u = SHARP * (mine @ of_change)
                top = u.max()
                e = np.exp(u - top)
                scores[index] += (top + math.log(e.sum())) / SHARP
                shares.append((e / e.sum()) @ mine)
            else:
                shares.append(np.zeros(len(CHANGE)))
        return scores, np.array(shares)

    def loss(self, weights):
        loss, gradient = RIDGE * weights @ weights, 2 * RIDGE * weights
        for weight, (_, rows, own, distances) in zip(self.weight, self.reports):
            right = distances == 0
            if not right.any():
                continue
            scores, shares = self.scores(weights, rows, own)
            e = np.exp(scores - scores.max())
            likely, posterior = e / e.sum(), e * right / (e * right).sum()
            loss -= weight * math.log((e * right).sum() / e.sum())
            off = weight * (likely - posterior)
            gradient += np.concatenate([off @ shares, off @ own])
        return loss, gradient

    def weights(self):
        start = np.zeros(len(CHANGE) + len(STATEMENT))
        return minimize(self.loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x

    def first(self, weights):
        return [distances[int(np.argmax(self.scores(weights, rows, own)[0]))] for _, rows, own, distances in self.reports]


def say(what, distances):
    distances = np.array(distances)
    print(f"{what}: {len(distances)} mutants, mean distance {distances.mean():.2f}, exact {100 * (distances == 0).mean():.0f} %")


if __name__ == "__main__":
    development = load(sys.argv[1])
    weights = Fit(development).weights()
    for name, weight in zip(CHANGE + STATEMENT, weights):
        print(f"{name:20} {weight:6.2f}")
    say("fitted", Fit(development).first(weights))
    left_out = []
    for program in sorted({program for program, *_ in development}):
        others = Fit([report for report in development if report[0] != program]).weights()
        left_out += Fit([report for report in development if report[0] == program]).first(others)
    say("each program left out of the fit", left_out)
    for path in sys.argv[2:]:
        say(path, Fit(load(path)).first(weights))
