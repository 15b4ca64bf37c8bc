"""Which share of the labels is wrong: from a check of some, from a second annotator, and what that does to an order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.pair_order import OrderKept
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

_ENDS = 7.0  # normal scores: 3e-12 of a belief is beyond
_CLOSE = 1e-6  # the largest difference between the means at half a step and at the whole step
_FINEST = 2.0**-12  # the step that is not halved again


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """The share of wrong labels: None if no share explains the counts, and its exact interval."""

    value: float | None
    low: float
    high: float
    level: float
    method: str


class Belief(Protocol):
    """A distribution of an error rate that is not known exactly: its quantiles, and its name."""

    @property
    def method(self) -> str:
        """How to call it in a report."""

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return the quantiles of the error rate at these probabilities."""


@dataclass(frozen=True, slots=True)
class BetaBelief:
    """An error rate that is distributed as Beta(a, b)."""

    a: float
    b: float

    @property
    def method(self) -> str:
        """Return its name and parameters."""
        return f"Beta({self.a:g}, {self.b:g})"

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return BetaInv(share; a, b)."""
        return np.asarray(special.betaincinv(self.a, self.b, share))


@dataclass(frozen=True, slots=True)
class GaussBelief:
    """An error rate that is normally distributed, truncated to [0, 1]."""

    mean: float
    deviation: float

    @property
    def method(self) -> str:
        """Return its name and parameters."""
        return f"Normal({self.mean:g}, {self.deviation:g}) within [0, 1]"

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return the quantile of the normal distribution truncated to [0, 1]."""
        below_0 = special.ndtr(-self.mean / self.deviation)
        below_1 = special.ndtr((1 - self.mean) / self.deviation)
        z = special.ndtri(below_0 + (below_1 - below_0) * share)
        rate = self.mean + self.deviation * z
        return np.asarray(np.clip(rate, 0.0, 1.0))


def from_check(wrong: int, checked: int, *, level: float = 0.95) -> ErrorRate:
    """Which share of the labels is wrong, given that k of m checked ones are?

    e = k/m, with Clopper and Pearson's interval. Assumes that the checked labels were drawn at random and that the
    check itself is always right. m = 0 gives no value and [0, 1].
    Reference: Clopper & Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404
    >>> rate = from_check(3, 100)
    >>> round(rate.low, 4), rate.value, round(rate.high, 4)
    (0.0062, 0.03, 0.0852)
    """
    interval = exact(wrong, checked, level=level)
    value = wrong / checked if checked else None
    method = f"check({wrong}/{checked}), exact"
    return ErrorRate(value, float(interval.low), float(interval.high), level, method)


def from_double(table: npt.ArrayLike, *, level: float = 0.95) -> ErrorRate:
    """How often is one annotator wrong, given how often two disagree?

    The share of disagreement d = 2e - e^2 K/(K-1), so e = (K-1)/K (1 - sqrt(1 - d K/(K-1))); for K = 2 d = 2e(1-e).
    `table` counts the items by both annotators' labels, K rows and K columns. Clopper and Pearson's interval for d
    gives that for e, which rises with d. Assumes two equally good annotators, each wrong with probability e < (K-1)/K,
    independently of the other and of the item, all other labels equally likely; errors that both make are not seen.
    More disagreement than by chance, d > (K-1)/K, has no such e: the value is None.
    Reference: Dawid & Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> rate = from_double([[45, 5], [4, 46]])
    >>> round(rate.low, 4), round(rate.value, 4), round(rate.high, 4)
    (0.0215, 0.0472, 0.0901)
    """
    counts = _square(table)
    classes = len(counts)
    items = int(counts.sum())
    differ = int(counts.sum() - np.trace(counts))
    interval = exact(differ, items, level=level)
    value = None
    if items and differ / items <= 1 - 1 / classes:
        value = _of_one(differ / items, classes)
    low = _of_one(float(interval.low), classes)
    high = _of_one(float(interval.high), classes)
    method = f"double annotation({differ}/{items} differ, {classes} classes), exact"
    return ErrorRate(value, low, high, level, method)


def belief(wrong: int, checked: int) -> BetaBelief:
    """Return the distribution of the error rate after k of m checked labels were wrong.

    Beta(k + 1/2, m - k + 1/2), Jeffreys' posterior. Assumes what `from_check` does.
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> belief(3, 100)
    BetaBelief(a=3.5, b=97.5)
    """
    exact(wrong, checked)
    return BetaBelief(wrong + 0.5, checked - wrong + 0.5)


def gauss_belief(mean: float, deviation: float) -> GaussBelief:
    """Return the distribution of an error rate that is a guess, give or take a standard deviation.

    Normal(mean, deviation^2), truncated to [0, 1]: the paper's "approximate guess with Gaussian uncertainty".
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> gauss_belief(0.03, 0.01).quantile(np.array(0.5)).round(4)
    np.float64(0.03)
    """
    if not 0 <= mean <= 1 or not 0 < deviation < np.inf:
        raise OptionError(
            f"mean is {mean}, deviation {deviation}; the first must be in [0, 1], the second above 0"
        )
    return GaussBelief(mean, deviation)


def kept_believed(kept: Callable[[float], OrderKept], about: Belief) -> OrderKept:
    """How likely is the order kept, averaged over the distribution of an error rate that is not known exactly?

    The mean of kept(e): by the trapezoidal rule over the normal scores z of the quantiles, e = Q(Phi(z)), |z| <= 7,
    whose step is halved until halving it changes nothing that matters.
    `kept` is a function of the error rate, as `partial(kept_uniform, 1, 3)`. The error rate is one unknown number for
    all labels: so their errors are not independent of each other.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> from functools import partial
    >>> from karat.doubt.label_noise.pair_order import kept_uniform
    >>> round(kept_believed(partial(kept_uniform, 10, 30), belief(5, 50)).kept, 4)
    0.9976
    """
    methods: dict[str, None] = {}

    def at(rates: FloatArray) -> FloatArray:
        rows = []
        for rate in rates.tolist():
            order = kept(rate)
            methods[order.method] = None
            rows.append([order.kept, order.tie, order.reversed])
        return np.array(rows)

    order = _averaged(at, about)
    return _believed(order, list(methods)[-1], about)


def kept_believed_at(
    kept: Callable[[FloatArray], FloatArray], about: Belief, method: str
) -> OrderKept:
    """How likely is the order kept, averaged as in `kept_believed`, from a function of many error rates at once?

    `kept` returns a row of kept, tied and reversed for each rate; `method` says how.
    """
    return _believed(_averaged(kept, about), method, about)


def _believed(mean: FloatArray, method: str, about: Belief) -> OrderKept:
    order, tie, reverse = mean.tolist()
    how = f"{method}, averaged over {about.method} by the trapezoidal rule"
    return OrderKept(order, tie, reverse, how)


def _averaged(kept: Callable[[FloatArray], FloatArray], about: Belief) -> FloatArray:
    """Return the mean of kept, tied and reversed over a belief.

    The rule converges so fast that its error at half the step is about the square of the error at the whole one: 1e-6
    between the two leaves less than 1e-9.
    """
    z = np.arange(-_ENDS, _ENDS + 0.5)
    step = 1.0
    sums, total = _weighted(kept, about, z)
    mean = sums / total
    while step > _FINEST:
        between = z[:-1] + step / 2
        more, weight = _weighted(kept, about, between)
        sums = sums + more
        total += weight
        last = mean
        mean = sums / total
        if np.nan_to_num(np.abs(mean - last)).max() <= _CLOSE:
            break
        z = np.sort(np.concatenate([z, between]))
        step /= 2
    return mean


def _weighted(
    kept: Callable[[FloatArray], FloatArray], about: Belief, z: FloatArray
) -> tuple[FloatArray, float]:
    """Return the sum of kept, tied and reversed at these normal scores, with their weights, and the sum of these."""
    weights = np.exp(-(z**2) / 2)
    rates = about.quantile(special.ndtr(z))
    return weights @ kept(rates), float(weights.sum())


def _square(table: npt.ArrayLike) -> FloatArray:
    """Return a table of whole counts with a row and a column per label, or refuse it."""
    counts = np.asarray(table, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise OptionError(
            f"the table has the shape {counts.shape}; it needs a row and a column per label"
        )
    if not np.all((counts >= 0) & (counts == np.floor(counts))):
        raise OptionError("the table holds something other than whole counts")
    return counts


def _of_one(d: float, classes: int) -> float:
    """Return the error rate of one annotator, given the share of disagreement of two."""
    by_chance = 1 - 1 / classes
    return float(by_chance * (1 - np.sqrt(max(0.0, 1 - d / by_chance))))
