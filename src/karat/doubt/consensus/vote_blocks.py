"""How far the vote would move with other items: from its sums in blocks of items, without looking at a row again."""

from dataclasses import replace

import numpy as np
from scipy import special

from karat.doubt.interval import Interval, tails
from karat.errors import OptionError
from karat.measure.consensus.votes import Consensus


def consensus_blocks(blocks: Consensus, *, beta: float = 1.0, level: float = 0.95) -> Interval:
    """Where does the F of the vote lie, if other items might have been drawn?

    F ± t √(B/(B-1) Σ_b u_b²), u_b = ((1+β²) Σ P S_k - F (β² Σ P + Σ S_k)) / D, sums over block b, D that of the second
    bracket over all B blocks: what the block adds to F, to first order; t Student's quantile, B - 1 degrees of freedom.
    Assumes many items, independent of each other, that came into blocks by chance alone. NaN where F is undefined.
    Reference: Wolter, Introduction to Variance Estimation, Springer 2007, chapters 2 and 6.
    """
    number = len(blocks.retrieved)
    if number < 2:
        raise OptionError(f"{number} block of items has no spread; two or more are needed")
    whole = replace(
        blocks,
        retrieved=blocks.retrieved.sum(axis=0),
        agreed=blocks.agreed.sum(axis=0),
        relevant=blocks.relevant.sum(axis=0),
    )
    f = whole.f(beta)
    above = (1 + beta**2) * blocks.agreed
    below = beta**2 * blocks.relevant + blocks.retrieved
    with np.errstate(invalid="ignore", divide="ignore"):
        added = (above - f * below) / below.sum(axis=0)
    error = np.sqrt(number / (number - 1) * (added**2).sum(axis=0))
    tail, _ = tails(level, "both")
    margin = -special.stdtrit(number - 1, tail) * error
    low = np.clip(f - margin, 0, 1)
    high = np.clip(f + margin, 0, 1)
    method = f"linearised, Student's t over {number:,} blocks of items"
    return Interval(low, high, level, method)
