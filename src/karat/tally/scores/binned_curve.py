"""Positives and negatives in bins of scores: a curve for where the distinct scores would not fit into memory.

The bins are cut twice: evenly between the lowest and the highest score, then more finely where an order inside a bin
would matter most. Every step of the arithmetic keeps the order of the scores, so no item falls into a bin above or
below its own, and `measure.prevalence.binning_limits` can say what binning cost.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, OptionError, TallyError
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.scores.curve import NO_GROUPS, Curve, Floats, Ints, positives
from karat.tally.sql import frequency, key_values, numbers
from karat.tally.tally import tally

Costs = Callable[[Curve], Floats]

BINS = 262_144
FIRST = 4_096
RANGE = """
select min(s{system}) as low, max(s{system}) as high from answers
where t is not null and abs(s{system}) <= 1.7976931348623157e308
"""
COUNTED = """
select t, {names} b, {n} as n from ({placed}) placed group by t, {names} b
"""
PLACED = """
select t, {names} {times} case when s is null or s < {low} then -1
  else parts{system}.begin + cast(greatest(least(floor((x - even) * k), k - 1), 0) as bigint) end as b
from (
  select t, {names} {times} s, x, cast(greatest(least(floor(x), {size} - 1), 0) as bigint) as even from (
    select t, {columns} {times} s{system} as s, (s{system} * 0.5e0 - {low} * 0.5e0) * {scale} as x
    from answers where t is not null) scaled
) cut left join parts{system} on cut.even = parts{system}.j
"""
"""Halves, so that no range is too wide; floor before the cast, since one engine rounds where the other cuts off."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Where the bins begin: evenly between two scores, each of these bins cut evenly into `parts`."""

    low: float
    high: float
    parts: Ints

    @property
    def begin(self) -> Ints:
        """The number of the first bin that each even one was cut into."""
        return np.asarray(np.cumsum(self.parts) - self.parts)

    def edges(self) -> Floats:
        """Return the lowest score of every bin, rising, up to rounding."""
        even = np.repeat(np.arange(len(self.parts)), self.parts)
        parts = np.repeat(self.parts, self.parts)
        part = np.arange(len(even)) - np.repeat(self.begin, self.parts)
        share = (even + part / parts) / len(self.parts)
        return np.asarray((1 - share) * self.low + share * self.high)

    @property
    def scale(self) -> float:
        """How many even bins there are to half a unit of the score."""
        half = self.high / 2 - self.low / 2
        if half == 0:
            return 0.0
        return min(len(self.parts) / half, 1e300)


@tally(needs="scores")
def binned(table: Table, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Curve:
    """Count positives and negatives in bins of the scores of one system, at most about `bins` of them.

    `costs` says how much each bin of a curve costs (for another prevalence than that of the data,
    `measure.prevalence.binning_limits.bin_costs`); the parts of a bin are as the root of its cost, which makes their
    sum least. The score of a bin is the lowest that it can hold; missing scores lie in a bin of their own, below every
    other.
    """
    return count(table, system, binning(table, system, bins=bins, costs=costs))


@tally(needs="scores")
def binned_groups(table: Table, system: str, *, bins: int = BINS) -> dict[str, Curve]:
    """Count positives and negatives in bins, group by group: the bins are the same for all groups."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    edges = binning(table, system, bins=bins)
    rows = counted(table, system, edges, columns={"g": "g"})
    place, is_positive, number = _columns(table, rows)
    group = key_values(table, "g", rows)["g"]
    by_group: dict[str, Curve] = {}
    for name in ordered(set(group)):
        own = group == name
        by_group[name] = _filled(_curve(edges, place[own], is_positive[own], number[own]))
    return by_group


def binning(table: Table, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Bins:
    """Return the bins that tell most, from the range of the scores and a first count in even bins."""
    if bins < 2:
        raise OptionError(f"bins is {bins}; a curve needs at least two")
    ends = table.engine.query(RANGE.format(system=table.systems.index(system)))
    low = float(np.ma.filled(ends["low"].astype(np.float64), np.nan)[0])
    high = float(np.ma.filled(ends["high"].astype(np.float64), np.nan)[0])
    if np.isnan(low):
        raise InputError(f"{table.origin}: {system!r} has no finite score where there is a truth")
    if high == low:
        return Bins(low, high, np.ones(1, np.int64))
    even = Bins(low, high, np.ones(min(FIRST, bins // 2), np.int64))
    first_count = _curve(even, *_columns(table, counted(table, system, even)))
    price = (costs or ambiguity)(first_count)
    # From the lowest score up; the last bin of a curve holds missing scores, which have it to themselves.
    root = np.sqrt(np.maximum(price[-2::-1], 0.0))
    share = root / root.sum() if root.any() else root
    more = np.floor(share * (bins - len(root))).astype(np.int64)
    return Bins(low, high, 1 + more)


def ambiguity(binned: Curve) -> Floats:
    """How far can the area move with the order inside each bin, at the prevalence of the data?

    The positives of the bin, as a share of all, times its negatives as a share of all items down to it.
    >>> ambiguity(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).round(4).tolist()
    [0.1875, 0.0417]
    """
    down = (binned.positive + binned.negative).cumsum()
    share_of_positives = binned.positive / max(1, binned.positive.sum())
    return np.asarray(share_of_positives * binned.negative / np.maximum(down, 1))


def count(table: Table, system: str, bins: Bins) -> Curve:
    """Count positives and negatives in given bins; those that hold nothing are left out."""
    place, is_positive, number = _columns(table, counted(table, system, bins))
    return _filled(_curve(bins, place, is_positive, number))


def _filled(curve: Curve) -> Curve:
    """Return the curve without empty bins."""
    kept = (curve.positive > 0) | (curve.negative > 0)
    return Curve(curve.score[kept], curve.positive[kept], curve.negative[kept])


def _columns(table: Table, rows: Arrays) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
    """Return of each counted row the bin, whether it is of positives, and the number of items."""
    return rows["b"].astype(np.int64), positives(table, rows["t"]), numbers(rows)


def counted(
    table: Table, system: str, bins: Bins, *, columns: Mapping[str, str] = MappingProxyType({})
) -> Arrays:
    """Return truth, bin and number of items, also by other columns: a name and its SQL over the table each."""
    place = table.systems.index(system)
    parts = {"j": np.arange(len(bins.parts)), "begin": bins.begin, "k": bins.parts}
    table.engine.put(f"parts{place}", parts)
    names = "".join(f"{name}, " for name in columns)
    named = [f"{sql} as {name}, " for name, sql in columns.items()]
    placed = PLACED.format(
        system=place,
        names=names,
        columns="".join(named),
        times="n, " if "n" in table.keys else "",
        size=len(bins.parts),
        low=_double(bins.low),
        scale=_double(bins.scale),
    )
    return table.engine.query(COUNTED.format(names=names, n=frequency(table), placed=placed))


def _double(value: float) -> str:
    """Return SQL for exactly this number; without an exponent engines would read a decimal."""
    return repr(value) if "e" in repr(value) else f"{value!r}e0"


def _curve(bins: Bins, place: Ints, yes: npt.NDArray[np.bool_], number: Ints) -> Curve:
    """Return all bins from the highest down, then the missing scores."""
    size = int(bins.parts.sum()) + 1
    positive = np.bincount(place[yes] + 1, number[yes], minlength=size).astype(np.int64)
    negative = np.bincount(place[~yes] + 1, number[~yes], minlength=size).astype(np.int64)
    score = np.append(-np.inf, bins.edges())
    return Curve(score[::-1], positive[::-1], negative[::-1])
