"""Whether two ratios of sums differ, unit by unit: either system could have had either text's or item's counts."""

import numpy as np

from karat.doubt.tests.over_queries import ALL_SIGNS, AT_ONCE, SAME, all_signs
from karat.measure.ratios import Ratios
from karat.numeric.arrays import BoolArray, FloatArray


def swapped_ratios(
    ratios: Ratios, one: int, other: int, *, draws: int = 100_000, seed: int = 0
) -> float:
    """How surprising is the difference of two ratios of sums, if either system could have had either value of a unit?

    The share of all ways to swap the two systems' counts in some units in which the ratios differ by as much as
    observed. With more than 15 units swaps are drawn: p = (1 + those as far) / (1 + draws). Assumes independent units
    and nothing about their distribution.
    Reference: Noreen, Computer-Intensive Methods for Testing Hypotheses, Wiley 1989.
    >>> rates = Ratios(np.array([[1.0, 2.0], [0.0, 3.0], [4.0, 9.0]]), np.full((3, 2), 50.0))
    >>> swapped_ratios(rates, 0, 1)
    0.25
    """
    above = ratios.above[:, [one, other]]
    below = ratios.below[:, [one, other]]
    differs = (above[:, 0] != above[:, 1]) | (below[:, 0] != below[:, 1])
    if not differs.any():
        return 1.0
    sums = _HalfSums(above, below, differs)
    number = int(differs.sum())
    observed = float(sums.differences(np.ones((1, number)))[0])
    least = observed - SAME * max(1.0, abs(observed))
    if number <= ALL_SIGNS:
        return float((sums.differences(all_signs(number)) >= least).mean())
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // number)
    as_far = 0
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        signs = np.asarray(2.0 * random.integers(0, 2, size=(size, number)) - 1, np.float64)
        as_far += int((sums.differences(signs) >= least).sum())
    return (1 + as_far) / (1 + draws)


class _HalfSums:
    """The sums of two systems after swaps: half of both together, and half of their signed differences added."""

    def __init__(self, above: FloatArray, below: FloatArray, differs: BoolArray) -> None:
        self._above = above.sum() / 2
        self._below = below.sum() / 2
        # Units that do not differ are the same for both, however they are swapped.
        self._differ_above = (above[differs, 0] - above[differs, 1]) / 2
        self._differ_below = (below[differs, 0] - below[differs, 1]) / 2

    def differences(self, signs: FloatArray) -> FloatArray:
        """Return how far the two ratios differ, for each row of signs."""
        above = signs @ self._differ_above
        below = signs @ self._differ_below
        with np.errstate(invalid="ignore", divide="ignore"):
            first = (self._above + above) / (self._below + below)
            second = (self._above - above) / (self._below - below)
        differences = np.abs(first - second)
        return np.asarray(np.where(np.isnan(differences), 0.0, differences))
