"""Two systems on the same resamples: how far they lie apart, however few the items are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.tests.two_samples import significant
from karat.numeric.arrays import FloatArray
from karat.table.labels import Codes, factorise
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What is drawn: the items with truth, or the clusters that they are in."""

    answers: npt.NDArray[Any]
    """What each system says of each row, or what each row adds for it."""
    size: npt.NDArray[np.int64]
    cluster: Codes | None
    number: int

    @classmethod
    def of(cls, patterns: Patterns) -> "Drawn":
        """Return what is drawn of these patterns."""
        patterns = patterns.filled()
        told = patterns.truth != MISSING
        answers, size = patterns.answers[told], patterns.number[told]
        if "c" not in patterns.keys:
            return cls(answers, size, None, int(size.sum()))
        cluster, names = factorise(patterns.keys["c"][told])
        return cls(answers, size, cluster, len(names))

    def differ(self, one: int, other: int) -> int:
        """Return on how many of them two systems do not say the same."""
        apart = self.answers[:, one] != self.answers[:, other]
        return (
            int(self.size[apart].sum())
            if self.cluster is None
            else len(np.unique(self.cluster[apart]))
        )


def least(units: int) -> float:
    """How small can a p-value be, if two systems differ on so many items, or clusters?

    min(1, 2^(1-n)): by chance alone all n of them favour one of the two. A resample of few has hardly any other order
    than theirs, so that a bootstrap alone would be too sure.
    >>> least(1), least(3), least(6)
    (1.0, 0.25, 0.03125)
    """
    return float(min(1.0, 2.0 ** (1 - units)))


@dataclass(frozen=True, slots=True)
class DrawnDifference:
    """Where the difference of two systems lies, and how surprising it is if they are equally good."""

    low: float
    high: float
    p_value: float


def drawn_difference(
    gaps: FloatArray, *, units: int, differ: int, level: float = 0.95, width: float = 1.0
) -> DrawnDifference:
    """How far do two systems lie apart, given their differences in resamples of so many items, or clusters?

    Quantiles, and twice the smaller share of resamples on either side of 0, but no less than `least`. Where this
    settles nothing, 0 is in the interval; if the two never differ it is ±z²/(n + z²) of the range's width, as Tango's;
    of a single unit nothing is known. Approximate.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    tail = (1 - level) / 2
    low, high = np.quantile(gaps, [tail, 1 - tail]).tolist()
    below, above = (((side).sum() + 1) / (len(gaps) + 1) for side in (gaps <= 0, gaps >= 0))
    p_value = float(np.clip(2 * min(below, above), least(differ), 1.0))
    if units < 2:
        low, high = -width, width
    elif not differ:
        high = width * float(ndtri(tail) ** 2 / (units + ndtri(tail) ** 2))
        low = -high
    elif not significant(least(differ), level=level):
        low, high = min(low, 0.0), max(high, 0.0)
    return DrawnDifference(low, high, p_value)


def drawn_no_worse(gaps: FloatArray, *, units: int, margin: float, width: float = 1.0) -> float:
    """How surprising are these differences in resamples, if the first system is smaller by the margin or more?

    The share of resamples in which it is, but no less than (1 - m)^n, m the margin as a part of the range: so likely is
    it that n items, or clusters, show nothing of a loss on that share of all. Approximate.
    """
    smaller = ((gaps <= -margin).sum() + 1) / (len(gaps) + 1)
    return float(max(smaller, (1 - margin / width) ** units))
