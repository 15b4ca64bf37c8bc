"""Two systems on the same resamples: the interval and p-value of their difference, also for few items."""

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
class ResampledUnits:
    """What is resampled: the items with truth, or the clusters that they are in."""

    answers: npt.NDArray[Any]
    """What each system answers in each row, or what each row adds for it."""
    size: npt.NDArray[np.int64]
    cluster: Codes | None
    number: int
    effective: float | None = None
    """How many items of equal weight would be worth as much, (Σ w)² / Σ w²; None where all weigh the same."""

    @property
    def freedom(self) -> float:
        """Student's degrees of freedom: one less than there are, or than there would be of equal weight."""
        return _freedom(self.number if self.effective is None else self.effective)

    @classmethod
    def of(cls, patterns: Patterns) -> "ResampledUnits":
        """Return the units to resample of these patterns."""
        patterns = patterns.filled()
        has_truth = patterns.truth != MISSING
        answers = patterns.answers[has_truth]
        size = patterns.number[has_truth]
        if "c" not in patterns.keys:
            effective = None
            if "w" in patterns.keys:
                weight = patterns.keys["w"][has_truth].astype(float)
                effective = float((size @ weight) ** 2 / (size @ weight**2))
            return cls(answers, size, None, int(size.sum()), effective)
        cluster, names = factorise(patterns.keys["c"][has_truth])
        return cls(answers, size, cluster, len(names))

    def differ(self, one: int, other: int) -> int:
        """Return the number of items, or clusters, on which two systems differ."""
        differ = self.answers[:, one] != self.answers[:, other]
        if self.cluster is None:
            return int(self.size[differ].sum())
        return len(np.unique(self.cluster[differ]))


def _freedom(units: float) -> float:
    return max(1.0, units - 1)


def freedom_of_differing(freedom: float, differ: int) -> float:
    """Return the degrees of freedom of a difference, no more than items, or clusters, that differ can show.

    >>> freedom_of_differing(99, 12), freedom_of_differing(99, 0), freedom_of_differing(4.5, 12)
    (11, 1, 4.5)
    """
    return min(freedom, max(1, differ - 1))


def least(units: int) -> float:
    """Smallest possible p-value, if two systems differ on so many items, or clusters.

    min(1, 2^(1-n)): the probability that all n of them favour the same system by chance. Resamples of few items hardly
    ever show another order than the items do, so that the p-value of a bootstrap would be too small.
    >>> least(1), least(3), least(6)
    (1.0, 0.25, 0.03125)
    """
    return float(min(1.0, 2.0 ** (1 - units)))


@dataclass(frozen=True, slots=True)
class ResampledDifference:
    """The interval of the difference of two systems, and its p-value."""

    low: float
    high: float
    p_value: float


def difference_of_resamples(
    gap: float,
    gaps: FloatArray,
    *,
    units: int,
    differ: int,
    freedom: float | None = None,
    level: float = 0.95,
    width: float = 1.0,
) -> ResampledDifference:
    """Interval and p-value of the difference of two systems, given it and the differences in resamples.

    d ± t s, s the standard deviation of the resampled differences, t Student's quantile with n - 1 degrees of freedom,
    n the items, or clusters, on which the two differ, as the others hardly show s; with fewer if fewer are given. Cut
    at the ends of the range; the p-value is that of d / s, but no less than `least`. Quantiles of the resamples would
    be too narrow for few items. Where `least` is not significant, the interval includes 0; if the two never differ it
    is ±z²/(n + z²) of the range's width, n all of them, as Tango's; a single item, or cluster, gives the whole range.
    Approximate.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 12.
    """
    spread = float(gaps.std(ddof=1))
    if freedom is None:
        freedom = _freedom(units)
    freedom = freedom_of_differing(freedom, differ)
    return difference_of_spread(
        gap, spread, freedom=freedom, units=units, differ=differ, level=level, width=width
    )


def difference_of_spread(
    gap: float,
    spread: float,
    *,
    freedom: float,
    units: int,
    differ: int,
    level: float = 0.95,
    width: float = 1.0,
) -> ResampledDifference:
    """Interval and p-value of the difference of two systems, given it and its standard deviation.

    As `difference_of_resamples`, with Student's quantile of so many degrees of freedom; infinitely many are the normal
    distribution.
    """
    from scipy.special import ndtri, stdtr, stdtrit  # noqa: PLC0415 (wanted only here)

    tail = (1 - level) / 2
    if units < 2:
        return ResampledDifference(-width, width, 1.0)
    if not differ:
        z_squared = ndtri(tail) ** 2
        high = width * float(z_squared / (units + z_squared))
        return ResampledDifference(-high, high, 1.0)
    reach = -float(stdtrit(freedom, tail)) * spread
    low = max(-width, gap - reach)
    high = min(width, gap + reach)
    p_value = 1.0
    if gap:
        distance = abs(gap) / spread if spread else np.inf
        p_value = float(np.clip(2 * stdtr(freedom, -distance), least(differ), 1.0))
    if not significant(least(differ), level=level):
        low = min(low, 0.0)
        high = max(high, 0.0)
    return ResampledDifference(low, high, p_value)


def no_worse_of_resamples(
    gap: float,
    gaps: FloatArray,
    *,
    units: int,
    margin: float,
    freedom: float | None = None,
    width: float = 1.0,
) -> float:
    """One-sided p-value of the difference of two systems, if the first is smaller by the margin or more.

    Student's *t* of (d + m) / s, as in `difference_of_resamples`, m the margin; but no less than (1 - m)^n, m as a part
    of the range: the probability that n items, or clusters, show no loss that a share m of all of them has.
    Approximate.
    """
    spread = float(gaps.std(ddof=1))
    if freedom is None:
        freedom = _freedom(units)
    return no_worse_of_spread(gap, spread, freedom=freedom, units=units, margin=margin, width=width)


def no_worse_of_spread(
    gap: float, spread: float, *, freedom: float, units: int, margin: float, width: float = 1.0
) -> float:
    """One-sided p-value as `no_worse_of_resamples`, given the difference and its standard deviation."""
    from scipy.special import stdtr  # noqa: PLC0415 (wanted only here)

    if units < 2:
        return 1.0
    above_margin = gap + margin
    distance = above_margin / spread if spread else np.copysign(np.inf, above_margin)
    smallest = (1 - margin / width) ** units
    return float(max(stdtr(freedom, -distance), smallest))
