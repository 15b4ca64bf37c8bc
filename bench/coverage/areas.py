"""Does a 95 % interval of an area hold 95 % of the time, also where positives are far rarer than in the data?

Normal scores, positives `apart` standard deviations above negatives; the interval beside that of plain resamples, which
know nothing of what no item has shown. Then the mean over groups, whose draws are the means of theirs.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.prevalence.area_bootstrap import area_draws, area_interval
from karat.doubt.prevalence.joint_areas import joint_areas
from karat.tally.scores.packed_curve import curve_of

RUNS, DRAWS = 200, 200
SKEWS = np.array([0.001, 0.01, 0.1, 0.5])


def truth(apart: float) -> np.ndarray:
    """The areas of endless data, by the trapezoid rule on a fine grid of recalls."""
    recall = np.linspace(0, 1, 200_001)[1:-1]
    false = ndtr(ndtri(recall) - apart)
    precision = [pi * recall / (pi * recall + (1 - pi) * false) for pi in SKEWS]
    return np.array([np.trapezoid(each, recall) for each in precision])


def main() -> None:
    header(f"coverage of area_interval at level 0.95, {RUNS} simulated data sets each (+- 0.03)")
    shown = "  ".join(f"pi = {pi:<6g}     " for pi in SKEWS)
    print(
        f"  {'apart':>5} {'positives':>9} {'negatives':>9}  {shown}   (coverage, mean width; plain resamples)"
    )
    random = np.random.default_rng(0)
    for apart in (2.0, 3.0, 4.0):
        exact = truth(apart)
        for positives, negatives in ((145, 1352), (30, 300), (3, 200), (200, 200)):
            held, plain, width = np.zeros((3, len(SKEWS)))
            labels = np.arange(positives + negatives) < positives
            for run in range(RUNS):
                curve = curve_of(labels, random.normal(labels * apart))
                found = area_interval(curve, SKEWS, draws=DRAWS, seed=run)
                low, high = np.quantile(
                    area_draws(curve, SKEWS, draws=DRAWS, seed=run), [0.025, 0.975], axis=0
                )
                held += (found.low <= exact) & (exact <= found.high)
                plain += (low <= exact) & (exact <= high)
                width += found.high - found.low
            cells = zip(held / RUNS, width / RUNS, plain / RUNS, strict=True)
            print(
                f"  {apart:5} {positives:9} {negatives:9}  "
                + "  ".join(f"{a:.2f}, {b:.2f}; {c:.2f}" for a, b, c in cells)
            )


def groups() -> None:
    """Means over groups, each group with positives as far above its negatives as the last one or a little farther."""
    header(
        f"coverage of the mean over groups at level 0.95, {RUNS} simulated data sets each (+- 0.03)"
    )
    shown = "  ".join(f"pi = {pi:<6g}" for pi in SKEWS)
    print(f"  {'groups':>6} {'positives':>9} {'negatives':>9}  {shown}   (coverage, mean width)")
    random = np.random.default_rng(0)
    for number, positives, negatives in ((4, 30, 300), (12, 10, 60), (40, 3, 20)):
        apart = np.linspace(1, 3, number)
        exact = np.mean([truth(each) for each in apart], axis=0)
        labels = np.arange(positives + negatives) < positives
        held, width = np.zeros((2, len(SKEWS)))
        for run in range(RUNS):
            low, high = _mean(labels, apart, random, seed=run * number)
            held += (low <= exact) & (exact <= high)
            width += high - low
        cells = zip(held / RUNS, width / RUNS, strict=True)
        print(
            f"  {number:6} {positives:9} {negatives:9}  "
            + "  ".join(f"{a:.2f}, {b:.2f}" for a, b in cells)
        )


def _mean(
    labels: np.ndarray, apart: np.ndarray, random: np.random.Generator, *, seed: int
) -> tuple:
    drawn = []
    for place, each in enumerate(apart):
        score = random.normal(labels * each)
        found = joint_areas(labels, {"a": score}, SKEWS, ends=SKEWS, draws=DRAWS, seed=seed + place)
        drawn.append((found.low[:, 0], found.high[:, 0]))
    low, high = np.mean(drawn, axis=0)
    return np.quantile(low, 0.025, axis=0), np.quantile(high, 0.975, axis=0)


if __name__ == "__main__":
    main()
    groups()
