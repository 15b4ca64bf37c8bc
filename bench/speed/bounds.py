"""Exact lower bounds for 1e6 shares at once, against a loop of SciPy's binomtest."""

import sys
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

from karat.doubt.bounds.exact import exact

SHARES, LOOPED = 1_000_000, 2_000

header(f"exact lower bounds of {SHARES:.0e} shares", "scipy")
random = np.random.default_rng(0)
for most in (200, 10_000):
    trials = random.integers(1, most, SHARES)
    successes = random.binomial(trials, random.random(SHARES))
    ours = clock(lambda x=successes, n=trials: exact(x, n, side="lower"))
    looped = clock(
        lambda x=successes, n=trials: [
            binomtest(int(x[k]), int(n[k]), alternative="greater").proportion_ci(0.95).low
            for k in range(LOOPED)
        ],
        times=1,
    )
    whole = (looped[0] * SHARES / LOOPED, looped[1] * SHARES / LOOPED)
    print(f" up to {most:,} trials")
    line(f"loop of binomtest (of {LOOPED:,}, scaled up)", whole)
    line("karat.doubt.bounds.exact", ours, f"{whole[0] / ours[0]:.0f}x faster (claim: 20x)")
