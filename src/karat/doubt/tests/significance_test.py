"""What a significance test is: the p-value of a difference, and what it is computed from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from karat.numeric.arrays import FloatArray

Basis = Literal["counts", "discordant", "resamples", "clusters", "queries", "scores"]
"""What a test is computed from.

counts: successes and trials of both systems, as if they had no item in common.
discordant: of the same items, how many only the first has right and how many only the second.
resamples: every system's value in each resample of the items, or of clusters of them.
clusters: every system's value, and that without one cluster of items after the other.
queries: the difference of two rankings of documents for every query.
scores: the scores of both systems on the same items, which are positive or negative.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class SignificanceTest:
    """A test by which `karat compare --test NAME` compares; NAME is its entry in the index `TESTS`.

    Other packages add theirs by the entry points `karat.tests`.
    """

    method: Callable[..., Any]
    """Takes the arrays that its basis names, and returns p-values, or what has them as `p_value`.

    Of resamples and clusters it returns the systems' values; how surprising a difference is follows from these.
    """
    basis: Basis = "counts"

    def __post_init__(self) -> None:
        """Show the method's docstring as the test's own."""
        object.__setattr__(self, "__doc__", self.method.__doc__)

    @property
    def needs_items(self) -> bool:
        """Whether it must be known which system was right on which item, and not only how often."""
        return self.basis != "counts"

    def p_values(self, *counts: FloatArray) -> FloatArray:
        """Return the p-value of each pair of systems.

        >>> half = SignificanceTest(method=lambda *counts: np.full(len(counts[0]), 0.5))
        >>> half.p_values(np.array([3.0, 4.0]), np.array([9.0, 9.0]))
        array([0.5, 0.5])
        """
        tested = self.method(*counts)
        return np.asarray(getattr(tested, "p_value", tested), float)


def as_test(entry: SignificanceTest | Callable[..., Any]) -> SignificanceTest:
    """Return an entry of `TESTS` as a test: a plain function is one of four counts."""
    if isinstance(entry, SignificanceTest):
        return entry
    return SignificanceTest(method=entry)
