"""Positives and negatives in bins of scores: a curve for where the distinct scores would not fit into memory.

The bins are cut twice: evenly between the lowest and the highest score, then more finely where an order inside a bin
would matter most. Every step of the arithmetic keeps the order of the scores, so no item falls into a bin above or
below its own, and `measure.binned_curve` can say what binning cost.
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
from karat.tally.codes import frequency, key_values
from karat.tally.scores.curve import NO_GROUPS, Curve, Floats, Ints, positives
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
        even, parts = (
            np.repeat(np.arange(len(self.parts)), self.parts),
            np.repeat(self.parts, self.parts),
        )
        share = (even + (np.arange(len(even)) - np.repeat(self.begin, self.parts)) / parts) / len(
            self.parts
        )
        return np.asarray((1 - share) * self.low + share * self.high)

    @property
    def scale(self) -> float:
        """How many even bins there are to half a unit of the score."""
        half = self.high / 2 - self.low / 2
        return min(len(self.parts) / half, 1e300) if half else 0.0


@tally(needs="scores")
def binned(table: Table, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Curve:
    """Count positives and negatives in bins of the scores of one system, at most about `bins` of them.

    `costs` says how much each bin of a curve costs (for another class balance than that of the data,
    `measure.binned_curve.bin_costs`); the parts of a bin are as the root of its cost, which makes their sum least. The
    score of a bin is the lowest that it can hold; missing scores lie in a bin of their own, below every other.
    """
    return count(table, system, binning(table, system, bins=bins, costs=costs))


@tally(needs="scores")
def binned_groups(table: Table, system: str, *, bins: int = BINS) -> dict[str, Curve]:
    """Count positives and negatives in bins, group by group: the bins are the same for all groups."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    cut = binning(table, system, bins=bins)
    found = counted(table, system, cut, columns={"g": "g"})
    columns, group = _numbers(table, found), key_values(table, "g", found)["g"]
    parts = {name: group == name for name in ordered(set(group))}
    return {
        name: _filled(_curve(cut, *(column[own] for column in columns)))
        for name, own in parts.items()
    }


def binning(table: Table, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Bins:
    """Return the bins that tell most, from the range of the scores and a first count in even bins."""
    if bins < 2:
        raise OptionError(f"bins is {bins}; a curve needs at least two")
    found = table.engine.query(RANGE.format(system=table.systems.index(system)))
    low, high = (
        float(np.ma.filled(found[end].astype(np.float64), np.nan)[0]) for end in ("low", "high")
    )
    if np.isnan(low):
        raise InputError(f"{table.origin}: {system!r} has no finite score where there is a truth")
    even = Bins(low, high, np.ones(min(FIRST, bins // 2) if high > low else 1, np.int64))
    price = (costs or ambiguity)(_curve(even, *_numbers(table, counted(table, system, even))))
    root = np.sqrt(
        np.maximum(price[-2::-1], 0.0)
    )  # from the lowest score up; missing ones have a bin anyway
    share = root / root.sum() if root.any() else root
    return Bins(
        low,
        high,
        1 + np.floor(share * (bins - len(root)) if high > low else 0 * share).astype(np.int64),
    )


def ambiguity(binned: Curve) -> Floats:
    """How far can the area move with the order inside each bin, at the balance of the data?

    The positives of the bin, as a share of all, times its negatives as a share of all items down to it.
    >>> ambiguity(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).round(4).tolist()
    [0.1875, 0.0417]
    """
    down = (binned.positive + binned.negative).cumsum()
    return np.asarray(
        binned.positive / max(1, binned.positive.sum()) * binned.negative / np.maximum(down, 1)
    )


def count(table: Table, system: str, bins: Bins) -> Curve:
    """Count positives and negatives in given bins; those that hold nothing are left out."""
    return _filled(_curve(bins, *_numbers(table, counted(table, system, bins))))


def _filled(found: Curve) -> Curve:
    kept = (found.positive > 0) | (found.negative > 0)
    return Curve(found.score[kept], found.positive[kept], found.negative[kept])


def _numbers(table: Table, found: Arrays) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
    return (
        found["b"].astype(np.int64),
        positives(table, found["t"]),
        np.ma.getdata(found["n"]).astype(np.int64),
    )


def counted(
    table: Table, system: str, bins: Bins, *, columns: Mapping[str, str] = MappingProxyType({})
) -> Arrays:
    """Return truth, bin and number of items, also by other columns: a name and its SQL over the table each."""
    number = table.systems.index(system)
    table.engine.put(
        f"parts{number}", {"j": np.arange(len(bins.parts)), "begin": bins.begin, "k": bins.parts}
    )
    names = "".join(f"{name}, " for name in columns)
    placed = PLACED.format(
        system=number,
        names=names,
        columns="".join(f"{sql} as {name}, " for name, sql in columns.items()),
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
    sums = [
        np.bincount(place[kind] + 1, number[kind], minlength=size).astype(np.int64)
        for kind in (yes, ~yes)
    ]
    return Curve(np.append(-np.inf, bins.edges())[::-1], sums[0][::-1], sums[1][::-1])
