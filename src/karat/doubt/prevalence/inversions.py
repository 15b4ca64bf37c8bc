"""At which prevalences does the order of two systems, or of many, change?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.crossings import crossings, most_inversions
from karat.measure.prevalence.pr_curve import RocCurve, RocStretches, areas, joined, losses, rises
from karat.numeric.arrays import FloatArray

LOW = 1e-6
HIGH = 1 - 1e-6
"""Between which prevalences inversions are sought."""
STEP = 0.25
"""Of the scan, in logit pi. An area is a mixture of logistic functions of it, whose bends are wider than 1."""
_NOISE = 1e-13  # of an area: below it a difference is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Inversions:
    """The prevalences at which two areas change order, rising, and who leads in each of the stretches between them.

    `leads` has one entry more than `skews`: 1 where the first system has the larger area, -1 where the second has, 0
    where no difference is to be seen. `crossings` counts those of the curves; `most` bounds the number of inversions.
    """

    skews: FloatArray
    leads: tuple[int, ...]
    crossings: int
    most: int | None
    low: float
    high: float


def inversions(
    first: RocCurve, second: RocCurve, *, low: float = LOW, high: float = HIGH
) -> Inversions:
    """At which prevalences does the order of two systems' areas change?

    All sign changes of A1 - A2 between low and high: a scan in logit pi, a search of every local minimum of the
    difference between for a pair of changes that the scan stepped over, and Brent's method. Differences below 1e-13
    of the areas count as none.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.1.1, mended. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> inversions(roc_of([0.95], [0.45]), roc_of([0.25], [0.05])).skews.round(6).tolist()
    [0.136364]
    """
    places = _scan(low, high)
    return _between(_scanned(first, places), _scanned(second, places), places)


@dataclass(frozen=True, slots=True, eq=False)
class ScannedCurve:
    """A curve, its stretches, and its area at every place of the scan."""

    curve: RocCurve
    rising: RocStretches
    heights: FloatArray


def _scanned(curve: RocCurve, places: FloatArray) -> ScannedCurve:
    rising = joined(rises(curve))
    return ScannedCurve(curve, rising, heights(rising, places))


def _between(first: ScannedCurve, second: ScannedCurve, places: FloatArray) -> Inversions:
    def gap(place: float) -> float:
        where = np.array([place])
        difference = _gap(heights(first.rising, where), heights(second.rising, where), where)
        return float(difference[0])

    changes = sign_changes_of(gap, places, _gap(first.heights, second.heights, places))
    low, high = _share(places[[0, -1]]).tolist()
    return Inversions(
        skews=_share(np.array(changes.roots)),
        leads=changes.signs,
        crossings=crossings(first.curve, second.curve),
        most=most_inversions(first.curve, second.curve),
        low=low,
        high=high,
    )


def heights(parts: RocStretches, place: FloatArray) -> FloatArray:
    """Return the area at each logit of pi, less 1 from pi = 1/2 on: differences keep their digits at both ends.

    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> heights(rises(roc_of([], [])), np.array([-1.0986122886681098, 1.0986122886681098])).round(9).tolist()
    [0.25, -0.25]
    """
    # Near pi = 1 all areas are close to 1, and their difference would lose its digits; 1 - area keeps them.
    pi = _share(place)
    rare = place < 0
    height = np.empty(place.shape)
    height[rare] = areas(parts, pi[rare])
    height[~rare] = -losses(parts, pi[~rare])
    return height


def _gap(first: FloatArray, second: FloatArray, place: FloatArray) -> FloatArray:
    """Return the difference over pi (1 - pi), as it fades with either at the ends; 0 where it is rounding."""
    gap = first - second
    rounding = _NOISE * np.maximum(np.abs(first), np.abs(second))
    gap[np.abs(gap) <= rounding] = 0.0
    return gap / (_share(place) * _share(-place))


@dataclass(frozen=True, slots=True)
class SignChanges:
    """Where a function changes its sign, and its sign before, between and after."""

    roots: tuple[float, ...]
    signs: tuple[int, ...]


def sign_changes_of(
    gap: Callable[[float], float], places: FloatArray, values: FloatArray
) -> SignChanges:
    """Return where a function changes its sign, and its sign before, between and after; `values` are those of the scan.

    >>> places = np.linspace(0, 3, 7)
    >>> sign_changes_of(lambda x: (x - 1.1) * (x - 1.2), places, (places - 1.1) * (places - 1.2)).signs
    (1, -1, 1)
    """
    from scipy.optimize import brentq  # noqa: PLC0415 (wanted only here)

    scanned = zip(places.tolist(), values.tolist(), strict=True)
    points = sorted([*scanned, *_nearest_to_zero(gap, places, values)])
    clear = [(place, value) for place, value in points if value != 0]
    if not clear:
        return SignChanges((), (0,))
    roots = []
    signs = [int(np.sign(clear[0][1]))]
    for (left, before), (right, after) in pairwise(clear):
        if before * after < 0:
            roots.append(brentq(gap, left, right, xtol=1e-13))
            signs.append(int(np.sign(after)))
    return SignChanges(tuple(roots), tuple(signs))


def _nearest_to_zero(
    gap: Callable[[float], float], places: FloatArray, values: FloatArray
) -> list[tuple[float, float]]:
    """Return the places where the function comes nearest to 0 without the scan seeing it change its sign.

    Two changes between neighbouring places of the scan leave the same sign at both: the function then has an extremum
    between them, towards 0, and beyond it if there are changes.
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 (wanted only here)

    size = np.abs(values)
    sign = np.sign(values)
    inner = sign[1:-1]
    same_sign = (inner == sign[:-2]) & (inner == sign[2:]) & (inner != 0)
    local_minimum = (size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])
    points = []
    for place in (np.flatnonzero(same_sign & local_minimum) + 1).tolist():
        limits = float(places[place - 1]), float(places[place + 1])
        side = sign[place]
        least = minimize_scalar(
            lambda x, side=side: side * gap(x), bounds=limits, options={"xatol": 1e-9}
        )
        points.append((float(least.x), float(side * least.fun)))
    return points


@dataclass(frozen=True, slots=True)
class OrderChange:
    """A prevalence at which one system overtakes another as positives become more frequent."""

    skew: float
    rising: str
    falling: str


@dataclass(frozen=True, slots=True, eq=False)
class OrdersByPrevalence:
    """The order of systems, best first, in each stretch between the prevalences at which it changes."""

    orders: tuple[tuple[str, ...], ...]
    changes: tuple[OrderChange, ...]
    pairs: dict[tuple[str, str], Inversions]


def rankings(
    curves: Mapping[str, RocCurve], *, low: float = LOW, high: float = HIGH
) -> OrdersByPrevalence:
    """Who is best at which prevalence?

    The inversions of every pair; between two neighbouring ones the order is that of the areas in the middle. Systems
    with equal areas keep the order in which they were given.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.1.1. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> rankings({"a": roc_of([0.95], [0.45]), "b": roc_of([0.25], [0.05])}).orders
    (('b', 'a'), ('a', 'b'))
    """
    places = _scan(low, high)
    scanned = {name: _scanned(curve, places) for name, curve in curves.items()}
    pairs = {}
    changes: list[OrderChange] = []
    for first, second in combinations(curves, 2):
        inversions_of_pair = _between(scanned[first], scanned[second], places)
        pairs[first, second] = inversions_of_pair
        changes += _changes(first, second, inversions_of_pair)
    changes.sort(key=lambda change: change.skew)
    stops = np.array([places[0], *(logit(change.skew) for change in changes), places[-1]])
    middles = (stops[1:] + stops[:-1]) / 2
    return OrdersByPrevalence(_orders(scanned, middles), tuple(changes), pairs)


def _changes(first: str, second: str, found: Inversions) -> list[OrderChange]:
    """Return who overtakes whom at each inversion: who leads after it is the one that rises."""
    changes = []
    for skew, after in zip(found.skews.tolist(), found.leads[1:], strict=True):
        if after > 0:
            changes.append(OrderChange(skew, rising=first, falling=second))
        else:
            changes.append(OrderChange(skew, rising=second, falling=first))
    return changes


def _orders(curves: Mapping[str, ScannedCurve], middles: FloatArray) -> tuple[tuple[str, ...], ...]:
    """Return the order of the areas at each place, the largest first."""
    names = list(curves)
    values = np.array([heights(curve.rising, middles) for curve in curves.values()])
    orders = []
    for at_one_place in values.T:
        largest_first = np.argsort(-at_one_place, kind="stable")
        orders.append(tuple(names[k] for k in largest_first))
    return tuple(orders)


def _scan(low: float, high: float) -> FloatArray:
    if not 0 < low < high < 1:
        raise OptionError(
            f"the limits are {low:g} and {high:g}; inversions are sought strictly between 0 and 1"
        )
    first = logit(low)
    last = logit(high)
    steps = int(np.ceil((last - first) / STEP)) + 1
    return np.linspace(first, last, max(9, steps))


def _share(place: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-place)))


def logit(pi: float) -> float:
    """Return ln(pi / (1 - pi)): on this scale areas bend equally much everywhere.

    >>> logit(0.5)
    0.0
    """
    return float(np.log(pi) - np.log1p(-pi))
