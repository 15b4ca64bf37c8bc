"""What all comparisons have in common: the evidence of each pair, and the places of its two systems."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.verdict.compare.comparison_options import ComparisonOptions

Pair = tuple[int, int]
Sides = tuple[FloatArray, FloatArray] | None
"""The p-values of each pair if the first, or if the second, is worse by the margin or more; None without a margin."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """For each pair: the difference with its interval, the p-value, and the counts under it."""

    difference: FloatArray
    """Of what the test compares: on the same items, if it needs those. NaN where it is undefined."""
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    no_worse: Sides
    test: str
    only: tuple[FloatArray, FloatArray] | None = None
    items: FloatArray | None = None


def sides(
    worse: Callable[[bool], FloatArray], quantity: Quantity, options: ComparisonOptions
) -> Sides:
    """Return the p-values of no worse both ways, from those of being smaller by the margin; `True` swaps the two."""
    if options.margin is None:
        return None
    return worse(quantity.lower_is_better), worse(not quantity.lower_is_better)


def places(pairs: Sequence[Pair]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the first and the second system of every pair."""
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def gaps_of(known: Sequence[float | None], pairs: Sequence[Pair]) -> FloatArray:
    """Return the differences of the values, NaN where one of them is undefined."""
    values = np.array([math.nan if value is None else value for value in known])
    first, second = places(pairs)
    return np.asarray(values[first] - values[second])
