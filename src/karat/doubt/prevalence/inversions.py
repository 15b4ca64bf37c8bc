"""At which class balances does the order of two systems, or of many, change?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.crossings import crossings, most_inversions
from karat.measure.prevalence.pr_curve import Rises, Roc, areas, joined, losses, rises
from karat.numeric.arrays import FloatArray

LOW, HIGH = 1e-6, 1 - 1e-6
STEP = 0.25
"""Of the scan, in logit pi. An area is a mixture of logistic functions of it, whose bends are wider than 1."""
_NOISE = 1e-13  # of an area: below it a difference is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Inversions:
    """The skews at which two areas change order, rising, and who leads in each of the stretches between them.

    `leads` has one entry more than `skews`: 1 where the first system has the larger area, -1 where the second has, 0
    where no difference is to be seen. `crossings` counts those of the curves; `most` bounds the number of inversions.
    """

    skews: FloatArray
    leads: tuple[int, ...]
    crossings: int
    most: int | None
    low: float
    high: float


def inversions(first: Roc, second: Roc, *, low: float = LOW, high: float = HIGH) -> Inversions:
    """At which skews does the order of two systems' areas change?

    All sign changes of A1 - A2 between low and high: a scan in logit pi, a search of every local minimum of the
    difference between for a pair of changes that the scan stepped over, and Brent's method. Differences below 1e-13
    of the areas count as none.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.1.1, mended. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> inversions(roc_of([0.95], [0.45]), roc_of([0.25], [0.05])).skews.round(6).tolist()
    [0.136364]
    """
    parts = [joined(rises(each)) for each in (first, second)]
    places = _scan(low, high)
    return _between(first, second, parts, places, [heights(part, places) for part in parts])


def _between(
    first: Roc, second: Roc, parts: list[Rises], places: FloatArray, seen: list[FloatArray]
) -> Inversions:
    def gap(place: float) -> float:
        where = np.array([place])
        return float(_gap(heights(parts[0], where), heights(parts[1], where), where)[0])

    roots, leads = sign_roots(gap, places, _gap(seen[0], seen[1], places))
    ends = _share(places[[0, -1]])
    return Inversions(
        _share(np.array(roots)),
        leads,
        crossings(first, second),
        most_inversions(first, second),
        *ends.tolist(),
    )


def heights(parts: Rises, place: FloatArray) -> FloatArray:
    """Return the area at each logit of pi, less 1 from pi = 1/2 on: differences keep their digits at both ends.

    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> heights(rises(roc_of([], [])), np.array([-1.0986122886681098, 1.0986122886681098])).round(9).tolist()
    [0.25, -0.25]
    """
    pi, rare = _share(place), place < 0
    found = np.empty(place.shape)
    found[rare], found[~rare] = areas(parts, pi[rare]), -losses(parts, pi[~rare])
    return found


def _gap(first: FloatArray, second: FloatArray, place: FloatArray) -> FloatArray:
    """Return the difference over pi (1 - pi), as it fades with either at the ends; 0 where it is rounding."""
    gap = first - second
    gap[np.abs(gap) <= _NOISE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gap / (_share(place) * _share(-place))


def sign_roots(
    gap: Callable[[float], float], places: FloatArray, values: FloatArray
) -> tuple[list[float], tuple[int, ...]]:
    """Return where a function changes its sign, and its sign before, between and after; `values` are those of the scan.

    >>> places = np.linspace(0, 3, 7)
    >>> sign_roots(lambda x: (x - 1.1) * (x - 1.2), places, (places - 1.1) * (places - 1.2))[1]
    (1, -1, 1)
    """
    from scipy.optimize import brentq  # noqa: PLC0415 (wanted only here)

    points = sorted(
        [*zip(places.tolist(), values.tolist(), strict=True), *_turns(gap, places, values)]
    )
    clear = [(place, value) for place, value in points if value != 0]
    roots, leads = [], [int(np.sign(clear[0][1]))] if clear else [0]
    for (left, before), (right, after) in pairwise(clear):
        if before * after < 0:
            roots.append(brentq(gap, left, right, xtol=1e-13))
            leads.append(int(np.sign(after)))
    return roots, tuple(leads)


def _turns(
    gap: Callable[[float], float], places: FloatArray, values: FloatArray
) -> list[tuple[float, float]]:
    """Return the places where the function comes nearest to 0 without the scan seeing it change its sign."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 (wanted only here)

    size, sign = np.abs(values), np.sign(values)
    same = (sign[1:-1] == sign[:-2]) & (sign[1:-1] == sign[2:]) & (sign[1:-1] != 0)
    nearest = np.flatnonzero(same & (size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])) + 1
    found = []
    for place in nearest.tolist():
        limits = float(places[place - 1]), float(places[place + 1])
        side = sign[place]
        least = minimize_scalar(
            lambda x, side=side: side * gap(x), bounds=limits, options={"xatol": 1e-9}
        )
        found.append((float(least.x), float(side * least.fun)))
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """A skew at which one system overtakes another as positives become more frequent."""

    skew: float
    rising: str
    falling: str


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """The order of systems, best first, in each stretch between the skews at which it changes."""

    orders: tuple[tuple[str, ...], ...]
    changes: tuple[Change, ...]
    pairs: dict[tuple[str, str], Inversions]


def rankings(curves: Mapping[str, Roc], *, low: float = LOW, high: float = HIGH) -> Rankings:
    """Who is best at which skew?

    The inversions of every pair; between two neighbouring ones the order is that of the areas in the middle. Systems
    with equal areas keep the order in which they were given.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.1.1. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> rankings({"a": roc_of([0.95], [0.45]), "b": roc_of([0.25], [0.05])}).orders
    (('b', 'a'), ('a', 'b'))
    """
    places = _scan(low, high)
    parts = {name: joined(rises(curve)) for name, curve in curves.items()}
    seen = {name: heights(part, places) for name, part in parts.items()}
    pairs = {
        (a, b): _between(curves[a], curves[b], [parts[a], parts[b]], places, [seen[a], seen[b]])
        for a, b in combinations(curves, 2)
    }
    changes = sorted(
        (change for names, found in pairs.items() for change in _changes(names, found)), key=_skew
    )
    stops = np.array([places[0], *(_logit(change.skew) for change in changes), places[-1]])
    return Rankings(_orders(parts, (stops[1:] + stops[:-1]) / 2), tuple(changes), pairs)


def _changes(names: tuple[str, str], found: Inversions) -> list[Change]:
    ways = [names if after > 0 else names[::-1] for after in found.leads[1:]]
    return [Change(skew, *way) for skew, way in zip(found.skews.tolist(), ways, strict=True)]


def _orders(parts: Mapping[str, Rises], middles: FloatArray) -> tuple[tuple[str, ...], ...]:
    names = list(parts)
    values = np.array([heights(part, middles) for part in parts.values()])
    return tuple(tuple(names[k] for k in np.argsort(-column, kind="stable")) for column in values.T)


def _skew(change: Change) -> float:
    return change.skew


def _scan(low: float, high: float) -> FloatArray:
    if not 0 < low < high < 1:
        raise OptionError(
            f"the limits are {low:g} and {high:g}; inversions are sought strictly between 0 and 1"
        )
    first, last = _logit(low), _logit(high)
    return np.linspace(first, last, max(9, int(np.ceil((last - first) / STEP)) + 1))


def _share(place: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-place)))


def _logit(pi: float) -> float:
    return float(np.log(pi) - np.log1p(-pi))
