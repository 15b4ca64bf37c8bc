"""Positives and negatives in bins of scores: a curve for where the distinct scores would not fit into memory.

The bins are cut twice: evenly between the lowest and the highest score, then more finely where an order inside a bin
would matter most. Every step of the arithmetic keeps the order of the scores, so no item falls into a bin above or
below its own, and `measure.prevalence.binning_limits` can say what binning cost.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays, Engine
from karat.errors import InputError, OptionError, TallyError
from karat.table.distinct_rows import Rows
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.scores.curve import NO_GROUPS, Curve, Floats, Ints, positives
from karat.tally.sql import by_place, cells_of, key_values, numbers
from karat.tally.tally import tally

Costs = Callable[[Curve], Floats]

BINS = 262_144
FIRST = 4_096
RANGE = """
select k, min(v) as low, max(v) as high from ({cells}) as cells
where t is not null and abs(v) <= 1.7976931348623157e308 group by k
"""
COUNTED = """
select k, t, {names}b, {n} as n from ({placed}) as placed group by k, t, {names}b
"""
PLACED = """
select cut.k, t, {names}{times}case when v is null or v < low then -1
  else parts.begin + cast(greatest(least(floor((x - cut.even) * parts.size), parts.size - 1), 0) as bigint) end as b
from (
  select k, t, {names}{times}v, low, x, cast(greatest(least(floor(x), size - 1), 0) as bigint) as even from (
    select cells.k, t, {names}{times}v, low, size, (v * 0.5e0 - low * 0.5e0) * scale as x
    from ({cells}) as cells join ranges on cells.k = ranges.k where t is not null) as scaled
) as cut left join parts on cut.k = parts.k and cut.even = parts.even
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
def binned(table: Table, *, bins: int = BINS, costs: Costs | None = None) -> dict[str, Curve]:
    """Count positives and negatives in bins of the scores of every system, at most about `bins` of them each.

    `costs` says how much each bin of a curve costs (for another prevalence than that of the data,
    `measure.prevalence.binning_limits.bin_costs`); the parts of a bin are as the root of its cost, which makes their
    sum least. The score of a bin is the lowest that it can hold; missing scores lie in a bin of their own, below every
    other.
    """
    return count(table, binning(table, table.systems, bins=bins, costs=costs))


@tally(needs="scores")
def binned_groups(table: Table, *, bins: int = BINS) -> dict[str, dict[str, Curve]]:
    """Count positives and negatives in bins, group by group: the bins of a system are the same for all groups."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    edges = binning(table, table.systems, bins=bins)
    by_system: dict[str, dict[str, Curve]] = {}
    for system, rows in counted(table, edges, by="g").items():
        place, is_positive, number = _columns(table, rows)
        group = key_values(table, "g", rows)["g"]
        by_group: dict[str, Curve] = {}
        for name in ordered(set(group)):
            own = group == name
            curve = _curve(edges[system], place[own], is_positive[own], number[own])
            by_group[name] = _filled(curve)
        by_system[system] = by_group
    return by_system


def binning(
    table: Table, systems: Sequence[str], *, bins: int = BINS, costs: Costs | None = None
) -> dict[str, Bins]:
    """Return the bins that tell most, from the range of the scores and a first count in even bins."""
    if bins < 2:
        raise OptionError(f"bins is {bins}; a curve needs at least two")
    even: dict[str, Bins] = {}
    for system, (low, high) in _ranges(table, systems).items():
        size = 1 if high == low else min(FIRST, bins // 2)
        even[system] = Bins(low, high, np.ones(size, np.int64))
    uneven: dict[str, Bins] = {}
    for system, rows in counted(table, even).items():
        first = even[system]
        curve = _curve(first, *_columns(table, rows))
        uneven[system] = first if first.low == first.high else _cut(first, curve, bins, costs)
    return uneven


def _ranges(table: Table, systems: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest finite score of each system."""
    places = [table.systems.index(system) for system in systems]
    cells = cells_of(table, places, beside=["t"])
    found = table.engine.query(RANGE.format(cells=cells))
    ends = {}
    for k, low, high in zip(found["k"], found["low"], found["high"], strict=True):
        ends[systems[int(k)]] = (float(low), float(high))
    for system in systems:
        if system not in ends:
            raise InputError(
                f"{table.origin}: {system!r} has no finite score where there is a truth"
            )
    return {system: ends[system] for system in systems}


def _cut(even: Bins, first_count: Curve, bins: int, costs: Costs | None) -> Bins:
    """Return the bins cut more finely where an order inside one would matter most."""
    price = (costs or ambiguity)(first_count)
    # From the lowest score up; the last bin of a curve holds missing scores, which have it to themselves.
    root = np.sqrt(np.maximum(price[-2::-1], 0.0))
    share = root / root.sum() if root.any() else root
    more = np.floor(share * (bins - len(root))).astype(np.int64)
    return Bins(even.low, even.high, 1 + more)


def ambiguity(binned: Curve) -> Floats:
    """How far can the area move with the order inside each bin, at the prevalence of the data?

    The positives of the bin, as a share of all, times its negatives as a share of all items down to it.
    >>> ambiguity(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).round(4).tolist()
    [0.1875, 0.0417]
    """
    down = (binned.positive + binned.negative).cumsum()
    share_of_positives = binned.positive / max(1, binned.positive.sum())
    return np.asarray(share_of_positives * binned.negative / np.maximum(down, 1))


def count(table: Table, bins: Mapping[str, Bins]) -> dict[str, Curve]:
    """Count positives and negatives in given bins; those that hold nothing are left out."""
    curves = {}
    for system, rows in counted(table, bins).items():
        curves[system] = _filled(_curve(bins[system], *_columns(table, rows)))
    return curves


def _filled(curve: Curve) -> Curve:
    """Return the curve without empty bins."""
    kept = (curve.positive > 0) | (curve.negative > 0)
    return Curve(curve.score[kept], curve.positive[kept], curve.negative[kept])


def _columns(table: Table, rows: Arrays) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
    """Return of each counted row the bin, whether it is of positives, and the number of items."""
    return rows["b"].astype(np.int64), positives(table, rows["t"]), numbers(rows)


def counted(
    table: Table, bins: Mapping[str, Bins], *, by: str = "", rows: Rows | None = None
) -> dict[str, Arrays]:
    """Return truth, bin and number of items of each system, also by another column of the rows."""
    rows = rows or table.rows
    systems = list(bins)
    _put(table.engine, list(bins.values()))
    names = f"{by}, " if by else ""
    places = [table.systems.index(system) for system in systems]
    placed = PLACED.format(
        names=names,
        times="" if rows.number == "1" else f"{rows.number}, ",
        cells=cells_of(table, places, beside=["t", by] if by else ["t"], rows=rows),
    )
    found = table.engine.query(COUNTED.format(names=names, n=rows.total, placed=placed))
    by_system = {}
    for system, own in zip(systems, by_place(found["k"], len(systems)), strict=True):
        by_system[system] = {name: column[own] for name, column in found.items()}
    return by_system


def _put(engine: Engine, bins: Sequence[Bins]) -> None:
    """Lay the ranges of the systems' scores, and the parts of their bins, beside the data."""
    ranges = {
        "k": np.arange(len(bins)),
        "low": np.array([one.low for one in bins]),
        "scale": np.array([one.scale for one in bins]),
        "size": np.array([len(one.parts) for one in bins]),
    }
    engine.put("ranges", ranges)
    lengths = [len(one.parts) for one in bins]
    parts = {
        "k": np.repeat(np.arange(len(bins)), lengths),
        "even": np.concatenate([np.arange(length) for length in lengths]),
        "begin": np.concatenate([one.begin for one in bins]),
        "size": np.concatenate([one.parts for one in bins]),
    }
    engine.put("parts", parts)


def _curve(bins: Bins, place: Ints, yes: npt.NDArray[np.bool_], number: Ints) -> Curve:
    """Return all bins from the highest down, then the missing scores."""
    size = int(bins.parts.sum()) + 1
    positive = np.bincount(place[yes] + 1, number[yes], minlength=size).astype(np.int64)
    negative = np.bincount(place[~yes] + 1, number[~yes], minlength=size).astype(np.int64)
    score = np.append(-np.inf, bins.edges())
    return Curve(score[::-1], positive[::-1], negative[::-1])
