"""Which class balances are to be expected, and how often each: the skews a mean runs over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_skew, precision_at
from karat.numeric.arrays import FloatArray

Function = Callable[[FloatArray], FloatArray]
NODES = 64
_FINE, _PANELS, _MOST = 1e-12, 8, 4000
_RATIOS = (
    1e-6,
    1e-3,
    1.0,
    1e3,
)  # FPR / TPR of the precisions that a rule must integrate; 1 is the skew itself
_X, _W = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Skews and their weights, which sum to 1: the mean of anything over the skews is its weighted sum."""

    pi: FloatArray
    weight: FloatArray
    low: float
    high: float
    name: str


def single(pi: float) -> Spread:
    """Return one skew, known.

    >>> single(0.2).pi.tolist()
    [0.2]
    """
    return Spread(np.array([pi]), np.ones(1), *_limits(pi, pi), f"skew({pi:g})")


def uniform(low: float, high: float, *, nodes: int = NODES) -> Spread:
    """Return the skews from low to high, each as likely as any other.

    Gauss-Legendre in x, pi = low + (high - low) x⁴ (35 - 84x + 70x² - 20x³): nodes crowd at both ends, where an area
    bends most. Of an area it misses at most 1e-10, also from 0 or to 1 and with false positive rates down to 1e-12.
    >>> spread = uniform(0.0, 0.5)
    >>> float((spread.weight * spread.pi).sum().round(12))
    0.25
    """
    _limits(low, high)
    share, weight = _crowded(nodes)
    if low == high:
        return single(low)
    return Spread(low + (high - low) * share, weight, low, high, f"uniform({low:g}, {high:g})")


def landgrebe(low: float, high: float, *, nodes: int = NODES) -> Spread:
    """Return the skews from low to high, the ratio of negatives to positives evenly spread.

    Weight 1/pi², normalised: its integral is 1/low - 1/high, so it must not begin at 0. Heavy on rare positives.
    Reference: Landgrebe, Paclik, Duin, Bradley, ICPR 2006. doi:10.1109/ICPR.2006.941
    >>> spread = landgrebe(1 / 101, 0.5)
    >>> float((spread.weight * spread.pi).sum().round(6))  # ln(101 / 2) / 99
    0.039616
    """
    _limits(low, high)
    if low == 0:
        raise OptionError(
            "Landgrebe's weight 1/pi² has no finite sum from skew 0; give a lower limit above 0"
        )
    share, weight = _crowded(nodes)
    first, last = 1 / high, 1 / low
    return Spread(
        1 / (first + (last - first) * share), weight, low, high, f"landgrebe({low:g}, {high:g})"
    )


def gaussian(mean: float, deviation: float, *, low: float = 0.0, high: float = 1.0) -> Spread:
    """Return the skews of a normal law, cut off at low and high and normalised there.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 5.1. doi:10.1007/s10994-013-5432-x
    >>> spread = gaussian(0.3, 0.05)
    >>> float((spread.weight * spread.pi).sum().round(9))
    0.3
    """
    if not deviation > 0:
        raise OptionError(f"the standard deviation is {deviation:g}; it must be above 0")
    nearest = min(
        max(mean, low), high
    )  # so that the largest weight is 1 also where the mean lies outside
    scale = deviation**2 / (abs(mean - nearest) + deviation)
    breaks = [nearest + step * scale for step in (-36, -12, -6, -3, -1, 0, 1, 3, 6, 12, 36)]

    def density(pi: FloatArray) -> FloatArray:
        return np.asarray(np.exp((nearest - pi) * (nearest + pi - 2 * mean) / (2 * deviation**2)))

    found = weighted(density, low=low, high=high, breaks=breaks)
    return Spread(
        found.pi, found.weight, low, high, f"normal({mean:g}, {deviation:g}) in [{low:g}, {high:g}]"
    )


def weighted(
    density: Function, *, low: float = 0.0, high: float = 1.0, breaks: Sequence[float] = ()
) -> Spread:
    """Return the skews from low to high, each with the weight that a function gives it.

    The weights are normalised once, unlike in the paper: the mean is the integral of w f over that of w, so any
    multiple of w serves. Where the function jumps or has a narrow peak, name the place in `breaks`.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3.2. doi:10.1007/s10994-013-5432-x
    >>> spread = weighted(lambda pi: 1 - pi)
    >>> float((spread.weight * spread.pi).sum().round(12))  # one third
    0.333333333333
    """
    _limits(low, high)
    if low == high:
        return single(low)

    def moments(pi: FloatArray) -> FloatArray:
        given = np.broadcast_to(np.asarray(density(pi), np.float64), pi.shape)
        if (bad := pi[~(given >= 0) | np.isinf(given)]).size:
            raise OptionError(
                f"the weight at skew {bad[0]:g} is no number from 0 up; weights must be finite"
            )
        return np.concatenate([given[None], given * precisions(pi)])

    pi, width = adaptive(moments, low, high, breaks)
    weight = width * moments(pi)[0]
    if not weight.sum() > 0:
        raise OptionError(
            f"the weight is 0 everywhere between {low:g} and {high:g}; choose other limits"
        )
    return Spread(pi, weight / weight.sum(), low, high, f"weighted({low:g}, {high:g})")


def precisions(pi: FloatArray) -> FloatArray:
    """Return the precision at each skew of systems from very good to very bad: what a rule must be able to integrate.

    >>> precisions(np.array([0.5])).round(3).ravel().tolist()
    [1.0, 0.999, 0.5, 0.001]
    """
    return np.stack([precision_at(min(1, 1 / ratio), min(1, ratio), pi=pi) for ratio in _RATIOS])


def adaptive(
    rows: Function, start: float, end: float, breaks: Sequence[float] = ()
) -> tuple[FloatArray, FloatArray]:
    """Return places and widths so that every row of a function is integrated by its sum over places times widths.

    Gauss-Legendre with 16 nodes on stretches that are halved until halving moves no integral by 1e-12 of its sum.
    >>> place, width = adaptive(lambda x: np.abs(x - 1 / 3)[None], 0.0, 1.0)
    >>> float((np.abs(place - 1 / 3) * width).sum().round(9))  # 5 / 18
    0.277777778
    """
    edges = np.unique(
        np.concatenate([np.linspace(start, end, _PANELS + 1), np.clip(breaks, start, end)])
    )
    left, right = edges[:-1], edges[1:]
    done: list[tuple[FloatArray, FloatArray]] = []
    scale = np.abs(_sums(rows, left, right)).sum(axis=1, keepdims=True)
    while len(left):
        middle = (left + right) / 2
        halves = _sums(rows, left, middle) + _sums(rows, middle, right)
        off = np.abs(_sums(rows, left, right) - halves) > _FINE * np.maximum(scale, 1e-300)
        split = (
            off.any(axis=0)
            & (right - left > 1e-13 * (end - start))
            & (len(left) + len(done) < _MOST)
        )
        done.append((left[~split], right[~split]))
        left, right = (
            np.concatenate([left[split], middle[split]]),
            np.concatenate([middle[split], right[split]]),
        )
    first, last = (np.sort(np.concatenate(part)) for part in zip(*done, strict=True))
    return _places(first, last), np.outer(last - first, _W / 2).ravel()


def _places(left: FloatArray, right: FloatArray) -> FloatArray:
    return np.asarray((left + right)[:, None] / 2 + np.outer((right - left) / 2, _X)).ravel()


def _sums(rows: Function, left: FloatArray, right: FloatArray) -> FloatArray:
    heights = rows(_places(left, right))
    return np.asarray(heights.reshape(len(heights), len(left), -1) @ (_W / 2) * (right - left))


def _crowded(nodes: int) -> tuple[FloatArray, FloatArray]:
    place, weight = np.polynomial.legendre.leggauss(nodes)
    x = (place + 1) / 2
    return x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3), weight / 2 * 140 * (x * (1 - x)) ** 3


def _limits(low: float, high: float) -> tuple[float, float]:
    check_skew("the lower limit", low)
    check_skew("the upper limit", high)
    if low > high:
        raise OptionError(f"the limits are {low:g} and {high:g}; give the lower one first")
    return low, high
