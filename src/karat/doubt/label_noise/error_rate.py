"""How many of the labels are wrong: from a check of some, from a second annotator, and what that does to an order."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.pair_order import Kept
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_ENDS = 7.0  # normal scores: 3e-12 of a belief lies beyond
_FINE = 1e-10  # how far the sum over the halves of a stretch may be from that over the whole
_DEPTH = 12


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """The share of wrong labels: None if no share explains the counts, and its exact interval."""

    value: float | None
    low: float
    high: float
    level: float
    method: str


class Belief(Protocol):
    """What is held possible about an error rate: its quantiles, and its name."""

    @property
    def method(self) -> str:
        """How to call it in a report."""

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return the error rates below which the rate lies with these probabilities."""


@dataclass(frozen=True, slots=True)
class BetaBelief:
    """An error rate held to be distributed as Beta(a, b)."""

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
    """An error rate held to be normal, cut off below 0 and above 1."""

    mean: float
    deviation: float

    @property
    def method(self) -> str:
        """Return its name and parameters."""
        return f"Normal({self.mean:g}, {self.deviation:g}) within [0, 1]"

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return the normal quantile, counted from the share of the normal law below 0 to that below 1."""
        low, high = (
            special.ndtr(-self.mean / self.deviation),
            special.ndtr((1 - self.mean) / self.deviation),
        )
        found = self.mean + self.deviation * special.ndtri(low + (high - low) * share)
        return np.asarray(np.clip(found, 0.0, 1.0))


def from_check(wrong: int, checked: int, *, level: float = 0.95) -> ErrorRate:
    """How many labels are wrong, given that k of m checked ones are?

    e = k/m, with Clopper and Pearson's interval. Assumes that the checked labels were drawn at random and that the
    check itself does not err. Of nothing nothing is known: m = 0 gives no value and [0, 1].
    Reference: Clopper & Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404
    >>> found = from_check(3, 100)
    >>> round(found.low, 4), found.value, round(found.high, 4)
    (0.0062, 0.03, 0.0852)
    """
    found = exact(wrong, checked, level=level)
    value = wrong / checked if checked else None
    return ErrorRate(
        value, float(found.low), float(found.high), level, f"check({wrong}/{checked}), exact"
    )


def from_double(table: npt.ArrayLike, *, level: float = 0.95) -> ErrorRate:
    """How often does one annotator err, given how often two disagree?

    The share of disagreement d = 2e - e^2 K/(K-1), so e = (K-1)/K (1 - sqrt(1 - d K/(K-1))); for K = 2 d = 2e(1-e).
    `table` counts the items by both annotators' labels, K rows and K columns. Clopper and Pearson's interval for d is
    carried through, as e rises with d. Assumes two equally good annotators, each wrong with probability e < (K-1)/K,
    independently of the other and of the item, all other labels equally likely; errors they share are not seen.
    More disagreement than by chance, d > (K-1)/K, has no such e: the value is None.
    Reference: Dawid & Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> found = from_double([[45, 5], [4, 46]])
    >>> round(found.low, 4), round(found.value, 4), round(found.high, 4)
    (0.0215, 0.0472, 0.0901)
    """
    counts = np.asarray(table, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise OptionError(
            f"the table has the shape {counts.shape}; it needs a row and a column per label"
        )
    if not np.all((counts >= 0) & (counts == np.floor(counts))):
        raise OptionError("the table holds something else than whole counts")
    items, differ, classes = int(counts.sum()), int(counts.sum() - np.trace(counts)), len(counts)
    found = exact(differ, items, level=level)
    value = (
        _of_one(differ / items, classes) if items and differ / items <= 1 - 1 / classes else None
    )
    low, high = _of_one(float(found.low), classes), _of_one(float(found.high), classes)
    method = f"double annotation({differ}/{items} differ, {classes} classes), exact"
    return ErrorRate(value, low, high, level, method)


def belief(wrong: int, checked: int) -> BetaBelief:
    """What may be believed of the error rate after k of m checked labels were found wrong?

    Beta(k + 1/2, m - k + 1/2), Jeffreys' posterior. Assumes what `from_check` does.
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> belief(3, 100)
    BetaBelief(a=3.5, b=97.5)
    """
    exact(wrong, checked)
    return BetaBelief(wrong + 0.5, checked - wrong + 0.5)


def gauss_belief(mean: float, deviation: float) -> GaussBelief:
    """What may be believed of the error rate if it is a guess, give or take a standard deviation?

    Normal(mean, deviation^2), cut off below 0 and above 1: the paper's "approximate guess with Gaussian uncertainty".
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> gauss_belief(0.03, 0.01).quantile(np.array(0.5)).round(4)
    np.float64(0.03)
    """
    if not 0 <= mean <= 1 or not 0 < deviation < np.inf:
        raise OptionError(
            f"mean is {mean}, deviation {deviation}; the first must lie in [0, 1], the second above 0"
        )
    return GaussBelief(mean, deviation)


def kept_believed(kept: Callable[[float], Kept], about: Belief) -> Kept:
    """Would the order stay, given all that is held possible about the error rate?

    The mean of kept(e) over the belief: by 12-point Gauss-Legendre quadrature over the normal scores z of its
    quantiles, e = Q(Phi(z)), |z| <= 7, stretches halved until the sum stays the same to ten digits.
    `kept` is a law with everything but the error given, as `partial(kept_uniform, 1, 3)`. The error rate is one
    unknown number for all labels: then their errors are no longer independent of each other.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> from functools import partial
    >>> from karat.doubt.label_noise.pair_order import kept_uniform
    >>> round(kept_believed(partial(kept_uniform, 10, 30), belief(5, 50)).kept, 4)
    0.9976
    """
    last = ""

    def stretch(low: float, high: float) -> FloatArray:
        nonlocal last
        z = low + (high - low) * (_NODES + 1) / 2
        weights = _WEIGHTS * np.exp(-(z**2) / 2) * (high - low) / 2
        total = np.zeros(4)
        for e, weight in zip(
            about.quantile(special.ndtr(z)).tolist(), weights.tolist(), strict=True
        ):
            found = kept(e)
            last = found.method
            total += weight * np.array([found.kept, found.tie, found.reversed, 1.0])
        return total

    ends = np.linspace(-_ENDS, _ENDS, 5).tolist()
    total = sum((_halved(stretch, a, b, stretch(a, b), 0) for a, b in pairwise(ends)), np.zeros(4))
    order, tie, reverse = (total[:3] / total[3]).tolist()
    return Kept(
        order, tie, reverse, f"{last}, averaged over {about.method} by Gauss-Legendre quadrature"
    )


def _halved(
    stretch: Callable[[float, float], FloatArray],
    low: float,
    high: float,
    whole: FloatArray,
    depth: int,
) -> FloatArray:
    middle = (low + high) / 2
    left, right = stretch(low, middle), stretch(middle, high)
    off = np.nan_to_num(np.abs(left + right - whole)).max()
    if off <= _FINE or depth >= _DEPTH:
        return left + right
    return _halved(stretch, low, middle, left, depth + 1) + _halved(
        stretch, middle, high, right, depth + 1
    )


def _of_one(d: float, classes: int) -> float:
    chance = 1 - 1 / classes
    return float(chance * (1 - np.sqrt(max(0.0, 1 - d / chance))))
