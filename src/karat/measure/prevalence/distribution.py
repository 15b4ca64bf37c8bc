"""Which prevalences are to be expected, and how likely each is: what a mean precision or area runs over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence, check_rate, precision_at
from karat.numeric.arrays import FloatArray

Function = Callable[[FloatArray], FloatArray]
_PRECISE = 1e-12
_PANELS = 8
_MOST_PANELS = 4000
_RATIOS = (1e-6, 1e-3, 1.0, 1e3)
"""FPR / TPR of the precisions that a rule must integrate; at 1 the precision is the prevalence itself."""
_X, _W = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, slots=True, eq=False)
class PrevalenceDistribution:
    """Prevalences and their weights, which sum to 1: the mean of anything over them is its weighted sum."""

    pi: FloatArray
    weight: FloatArray
    low: float
    high: float
    name: str
    coarse: "PrevalenceDistribution | None" = None
    """The same in fewer nodes, fine enough where a thousand resamples are averaged; None if there is no such."""

    def mean(self, values: FloatArray) -> float:
        """Return the mean of what was computed at each prevalence."""
        return float((self.weight * values).sum())


def single(pi: float) -> PrevalenceDistribution:
    """Return one prevalence, known.

    >>> single(0.2).pi.tolist()
    [0.2]
    """
    check_range(pi, pi)
    return PrevalenceDistribution(np.array([pi]), np.ones(1), pi, pi, f"prevalence({pi:g})")


def weighted(
    density: Function, *, low: float = 0.0, high: float = 1.0, breaks: Sequence[float] = ()
) -> PrevalenceDistribution:
    """Return the prevalences from low to high, each with the weight that a function gives it.

    The weights are normalised once, unlike in the paper: the mean is the integral of w f over that of w, so any
    multiple of w serves. Where the function jumps or has a narrow peak, name the place in `breaks`.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3.2. doi:10.1007/s10994-013-5432-x
    >>> prevalences = weighted(lambda pi: 1 - pi)
    >>> float((prevalences.weight * prevalences.pi).sum().round(12))  # one third
    0.333333333333
    """
    check_range(low, high)
    if low == high:
        return single(low)

    def heights(pi: FloatArray) -> FloatArray:
        return np.broadcast_to(np.asarray(density(pi), np.float64), pi.shape)

    def integrands(pi: FloatArray) -> FloatArray:
        height = heights(pi)
        invalid = pi[~(height >= 0) | np.isinf(height)]
        if invalid.size:
            raise OptionError(
                f"the weight at prevalence {invalid[0]:g} is not a number from 0 up; weights must be finite"
            )
        return np.concatenate([height[None], height * precisions(pi)])

    pi, width = adaptive(integrands, low, high, breaks)
    weight = width * heights(pi)
    total = weight.sum()
    if not total > 0:
        raise OptionError(
            f"the weight is 0 everywhere between {low:g} and {high:g}; choose other limits"
        )
    return PrevalenceDistribution(pi, weight / total, low, high, f"weighted({low:g}, {high:g})")


def precision_over(
    tpr: npt.ArrayLike, fpr: npt.ArrayLike, prevalences: PrevalenceDistribution
) -> FloatArray:
    """What is the mean precision over these prevalences, each with its weight?

    The sum of w P(pi) over the nodes of the distribution. NaN if TPR = FPR = 0.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3.2. doi:10.1007/s10994-013-5432-x
    >>> float(precision_over(0.8, 0.2, single(0.4)).round(4))
    0.7273
    """
    a, b = np.broadcast_arrays(check_rate("TPR", tpr), check_rate("FPR", fpr))
    total = np.zeros(a.shape)
    for pi, weight in zip(prevalences.pi, prevalences.weight, strict=True):
        total += weight * precision_at(a, b, pi=pi)
    return total


def precisions(pi: FloatArray) -> FloatArray:
    """Return the precision at each prevalence of systems from very good to very bad: what a rule must integrate.

    >>> precisions(np.array([0.5])).round(3).ravel().tolist()
    [1.0, 0.999, 0.5, 0.001]
    """
    rows = []
    for ratio in _RATIOS:
        tpr = min(1.0, 1 / ratio)
        fpr = min(1.0, ratio)
        rows.append(precision_at(tpr, fpr, pi=pi))
    return np.stack(rows)


def adaptive(
    rows: Function, start: float, end: float, breaks: Sequence[float] = ()
) -> tuple[FloatArray, FloatArray]:
    """Return places and widths so that every row of a function is integrated by its sum over places times widths.

    Gauss-Legendre with 16 nodes on panels that are halved until halving moves no integral by 1e-12 of its sum.
    >>> place, width = adaptive(lambda x: np.abs(x - 1 / 3)[None], 0.0, 1.0)
    >>> float((np.abs(place - 1 / 3) * width).sum().round(9))  # 5 / 18
    0.277777778
    """
    inner = np.clip(breaks, start, end)
    edges = np.unique(np.concatenate([np.linspace(start, end, _PANELS + 1), inner]))
    left = edges[:-1]
    right = edges[1:]
    finished_left: list[FloatArray] = []
    finished_right: list[FloatArray] = []
    sizes = np.abs(_integrals(rows, left, right)).sum(axis=1, keepdims=True)
    allowed = _PRECISE * np.maximum(sizes, 1e-300)
    narrowest = 1e-13 * (end - start)
    while len(left):
        middle = (left + right) / 2
        halved = _integrals(rows, left, middle) + _integrals(rows, middle, right)
        error = np.abs(_integrals(rows, left, right) - halved)
        split = (error > allowed).any(axis=0) & (right - left > narrowest)
        if len(left) + len(finished_left) >= _MOST_PANELS:
            split[:] = False
        finished_left.append(left[~split])
        finished_right.append(right[~split])
        # Both sides are made from the old ones, so neither may be overwritten before the other is made.
        halves_left = np.concatenate([left[split], middle[split]])
        halves_right = np.concatenate([middle[split], right[split]])
        left = halves_left
        right = halves_right
    first = np.sort(np.concatenate(finished_left))
    last = np.sort(np.concatenate(finished_right))
    return _places(first, last), np.outer(last - first, _W / 2).ravel()


def _places(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the nodes of every panel."""
    middle = (left + right)[:, None] / 2
    return np.asarray(middle + np.outer((right - left) / 2, _X)).ravel()


def _integrals(rows: Function, left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the integral of every row over every panel."""
    heights = rows(_places(left, right))
    by_panel = heights.reshape(len(heights), len(left), -1)
    return np.asarray(by_panel @ (_W / 2) * (right - left))


def crowded_nodes(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return places between 0 and 1 and their weights, closest at both ends.

    Gauss-Legendre after the substitution x -> x⁴ (35 - 84x + 70x² - 20x³), whose slope 140 (x (1 - x))³ vanishes at
    both ends: what bends there, or has an infinite slope there, becomes smooth.
    >>> place, weight = crowded_nodes(16)
    >>> float((weight * place).sum().round(12))
    0.5
    """
    node, weight = np.polynomial.legendre.leggauss(nodes)
    x = (node + 1) / 2
    place = x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3)
    return place, weight / 2 * 140 * (x * (1 - x)) ** 3


def check_range(low: float, high: float) -> None:
    """Refuse limits that are not prevalences, or are in the wrong order.

    >>> check_range(0.5, 0.1)
    Traceback (most recent call last):
    karat.errors.OptionError: the limits are 0.5 and 0.1; give the lower one first
    """
    check_prevalence("the lower limit", low)
    check_prevalence("the upper limit", high)
    if low > high:
        raise OptionError(f"the limits are {low:g} and {high:g}; give the lower one first")
