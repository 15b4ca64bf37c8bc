"""Does a 95 % interval of an area hold 95 % of the time, also where positives are far rarer than in the data?

Normal scores, positives `apart` standard deviations above negatives; the interval beside that of plain resamples, which
know nothing of what no item has shown.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.skew_bootstrap import area_draws, area_interval
from karat.tally.packed_curve import curve_of

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
    print(f"  {'apart':>5} {'positives':>9} {'negatives':>9}  {shown}   (coverage, mean width; plain resamples)")
    random = np.random.default_rng(0)
    for apart in (2.0, 3.0, 4.0):
        exact = truth(apart)
        for positives, negatives in ((145, 1352), (30, 300), (3, 200), (200, 200)):
            held, plain, width = np.zeros((3, len(SKEWS)))
            labels = np.arange(positives + negatives) < positives
            for run in range(RUNS):
                curve = curve_of(labels, random.normal(labels * apart))
                found = area_interval(curve, SKEWS, draws=DRAWS, seed=run)
                low, high = np.quantile(area_draws(curve, SKEWS, draws=DRAWS, seed=run), [0.025, 0.975], axis=0)
                held += (found.low <= exact) & (exact <= found.high)
                plain += (low <= exact) & (exact <= high)
                width += found.high - found.low
            cells = zip(held / RUNS, width / RUNS, plain / RUNS, strict=True)
            print(
                f"  {apart:5} {positives:9} {negatives:9}  "
                + "  ".join(f"{a:.2f}, {b:.2f}; {c:.2f}" for a, b, c in cells)
            )


main()
