"""Positives and negatives in bins of scores: a curve for where the distinct scores would not fit into memory.

No item falls into a bin above or below its own, so that `measure.prevalence.binning_limits` can bound the error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import InputError, OptionError, TallyError
from karat.table.distinct_rows import Rows
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.scores.bins import Bins, Costs, best_bins
from karat.tally.scores.bins_sql import placed
from karat.tally.scores.curve import (
    NO_GROUPS,
    Counts,
    Curve,
    Floats,
    Ints,
    positives,
    put_truths,
    summed,
)
from karat.tally.sql import MOST_CODES, by_place, cells_of, key_values, numbers
from karat.tally.tally import tally

BINS = 262_144
RANGE = """
select k, min(v) as low, max(v) as high from ({cells}) as cells
where t is not null and abs(v) <= 1.7976931348623157e308 group by k
"""
COUNTED = """
select k, t, {names}b, {n} as n from ({placed}) as placed group by k, t, {names}b
"""
CODE = """
select cast(k * {width} + b + case when t in (select truth from positive_truths) then {size} + 1e0 else 1e0 end
  as integer) as code
from ({placed}) as placed
"""


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
    """Return the most informative bins, from the range of the scores and first counts in even bins."""
    _check_bins(bins)

    def histograms(by_system: Mapping[str, Bins]) -> dict[str, Curve]:
        return {
            system: _curve(by_system[system], *_columns(table, rows))
            for system, rows in counted(table, by_system).items()
        }

    return best_bins(_ranges(table, systems), histograms, bins=bins, costs=costs)


def binning_of_curves(curves: Mapping[str, Curve], *, bins: int) -> dict[str, Bins]:
    """Return the same bins where the curves of all scores are known already."""
    _check_bins(bins)
    ranges = {}
    for system, curve in curves.items():
        finite = curve.score[np.isfinite(curve.score)]
        ranges[system] = (float(finite.min()), float(finite.max()))

    def histograms(by_system: Mapping[str, Bins]) -> dict[str, Curve]:
        found = {}
        for system, own in by_system.items():
            curve = curves[system]
            found[system] = _summed(own, own.places(curve.score), curve.positive, curve.negative)
        return found

    return best_bins(ranges, histograms, bins=bins)


@dataclass(frozen=True, slots=True, eq=False)
class BinnedScores:
    """A known curve in fewer bins, from the highest down, then the missing scores."""

    bins: Bins
    curve: Curve

    def places(self, score: Floats) -> Ints:
        """Return the place of each score in the curve."""
        return len(self.curve.score) - 2 - self.bins.places(score)


def rebinned(curves: Mapping[str, Curve], *, bins: int) -> dict[str, BinnedScores]:
    """Return curves of scores in at most about so many bins, as `binned` would place them."""
    found = {}
    for system, own in binning_of_curves(curves, bins=bins).items():
        curve = curves[system]
        places = own.places(curve.score)
        found[system] = BinnedScores(own, _summed(own, places, curve.positive, curve.negative))
    return found


def _check_bins(bins: int) -> None:
    if bins < 2:
        raise OptionError(f"bins is {bins}; a curve needs at least two")


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


def count(table: Table, bins: Mapping[str, Bins]) -> dict[str, Curve]:
    """Count positives and negatives in given bins; those that hold nothing are left out."""
    # With room for missing scores below all bins, and for the highest score above them.
    width = max(own.number for own in bins.values()) + 2
    if table.rows.number == "1" and 2 * width * len(bins) <= MOST_CODES:
        return _count_by_code(table, bins, width)
    curves = {}
    for system, rows in counted(table, bins).items():
        curves[system] = _filled(_curve(bins[system], *_columns(table, rows)))
    return curves


def _count_by_code(table: Table, bins: Mapping[str, Bins], width: int) -> dict[str, Curve]:
    """Count by one number that encodes system, bin and truth: the only column that leaves the engine."""
    put_truths(table, "positive_truths", positive=True)
    size = width * len(bins)
    codes = CODE.format(width=width, size=size, placed=placed(table, bins))
    negative, positive = table.engine.frequencies(codes, 2 * size).reshape(2, len(bins), width)
    curves = {}
    for k, (system, own) in enumerate(bins.items()):
        place = np.minimum(np.arange(-1, width - 1), own.number - 1)
        curves[system] = _filled(_summed(own, place, positive[k], negative[k]))
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
    names = f"{by}, " if by else ""
    codes = placed(table, bins, by=by, rows=rows)
    found = table.engine.query(COUNTED.format(names=names, n=rows.total, placed=codes))
    by_system = {}
    for (system, own), cells in zip(bins.items(), by_place(found["k"], len(bins)), strict=True):
        columns = {name: column[cells] for name, column in found.items()}
        # The highest score is the end of the last bin.
        columns["b"] = np.minimum(columns["b"], own.number - 1)
        by_system[system] = columns
    return by_system


def _curve(bins: Bins, place: Ints, yes: npt.NDArray[np.bool_], number: Ints) -> Curve:
    """Return all bins from the highest down, then the missing scores."""
    return _summed(bins, place, np.where(yes, number, 0), np.where(yes, 0, number))


def _summed(bins: Bins, place: Ints, positive: Counts, negative: Counts) -> Curve:
    size = bins.number + 1
    score = np.append(-np.inf, bins.edges())
    rising = Curve(score, summed(place + 1, positive, size), summed(place + 1, negative, size))
    return Curve(rising.score[::-1], rising.positive[::-1], rising.negative[::-1])
