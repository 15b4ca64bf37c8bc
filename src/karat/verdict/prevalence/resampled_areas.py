"""How sure areas, their order and the changes of order are: resamples of all systems together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.estimates import IntervalOptions
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_above
from karat.doubt.prevalence.clustered_areas import areas_at, jackknife_ends
from karat.doubt.prevalence.inversion_interval import InversionInterval, inversion_interval
from karat.doubt.prevalence.inversions import HIGH, LOW, OrdersByPrevalence, logit
from karat.doubt.prevalence.joint_areas import JointAreas, affordable, joint_areas
from karat.doubt.prevalence.joint_blocks import joint_blocks
from karat.doubt.resampling.jackknife import gap_of_clusters
from karat.doubt.resampling.left_out_curves import LeftOutCurves, left_out_curves
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.pr_curve import roc
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import BLOCK_BINS, MOST, PairedBlocks, PairedScores
from karat.verdict.prevalence.result import AreaGap

BEYOND = 10
"""How many draws lie beyond each end of an interval, if nobody requested a number of draws."""
STEP = 0.25
"""Between the prevalences at which inversions are sought in resamples, in logit."""
REACH = 4.0
"""How far these prevalences reach beyond the outermost inversions, in logit."""
FEW = 10
"""Of fewer positives or negatives no comparison is made: resamples of them hardly differ."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTable:
    """One table of scores: each system's curve, and the scores of each item, or by block where they are too many."""

    curves: Mapping[str, Curve]
    paired: PairedScores | PairedBlocks | None
    binned: bool = False
    """Whether the curves are of bins, not of single scores."""
    items: tuple[int, int] | None = None
    """How many items are positive, and how many negative, where the curves hold sums of weights."""

    @property
    def sides(self) -> tuple[int, int]:
        """How many items are positive, and how many negative."""
        if self.items is not None:
            return self.items
        first = next(iter(self.curves.values()))
        return int(first.positive.sum()), int(first.negative.sum())

    @property
    def prevalence(self) -> float:
        """The share of the items that is positive, each with its weight."""
        first = next(iter(self.curves.values()))
        positives = float(first.positive.sum())
        return positives / (positives + float(first.negative.sum()))

    @property
    def clusters(self) -> PairedBlocks | None:
        """The scores by cluster of items, or by block of clusters; None where items are not clustered."""
        if isinstance(self.paired, PairedBlocks) and self.paired.what != "blocks of items":
            return self.paired
        return None


@dataclass(frozen=True, slots=True, eq=False)
class IntervalEnds:
    """Where the area of each system lies."""

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SystemLeftOut:
    """The areas of a table's systems without one cluster after the other, and a system's place among them."""

    table: LeftOutCurves | None
    """None where its items are not clustered."""
    place: int


@dataclass(frozen=True, slots=True)
class _Gap:
    """Where the difference of two areas lies, and how surely the first is larger."""

    low: float
    high: float
    better: float


@dataclass(frozen=True, slots=True, eq=False)
class ResampledAreas:
    """Areas of resamples: at the prevalences of every deployment, one after the other, then of a grid of inversions."""

    joint: JointAreas
    fields: tuple[DeploymentPrevalence, ...]
    grid: FloatArray
    left_out: tuple[SystemLeftOut, ...]
    """For each system its table's areas without one cluster after the other."""

    @property
    def method(self) -> str:
        """How sure an area is, in words."""
        parts: dict[str, None] = {}
        for system in self.left_out:
            if system.table is not None:
                parts[f"jackknife over {system.table.what}"] = None
        if len(self.joint.drawn):
            parts[self.joint.method] = None
        return ", and ".join(parts)

    def means(self, field: int) -> FloatArray:
        """Return the area of each system at one deployment prevalence, in each resample: draws x systems."""
        return self._mean(self.joint.drawn, field)

    def draws(self, field: int) -> FloatArray:
        """Return the areas as they are drawn, for the low and for the high end: 3 x draws x systems."""
        parts = (self.joint.drawn, self.joint.low, self.joint.high)
        return np.array([self._mean(part, field) for part in parts])

    def _mean(self, drawn: FloatArray, field: int) -> FloatArray:
        """Return the mean area at one deployment prevalence: draws x systems."""
        start = sum(len(coarse(each).pi) for each in self.fields[:field])
        prevalences = coarse(self.fields[field])
        end = start + len(prevalences.pi)
        return np.asarray(drawn[:, :, start:end] @ prevalences.weight)

    def ends(self, field: int, level: float) -> IntervalEnds:
        """Return where the area of each system lies at one deployment prevalence.

        Where items are clustered, the wider of two intervals: by the jackknife over clusters, which allows for few of
        them, and by resamples of clusters, which allow for what none has shown.
        """
        below, above = tails(level, "both")
        low = np.ones(len(self.joint.rocs))
        high = np.zeros(len(self.joint.rocs))
        if len(self.joint.drawn):
            low = np.quantile(self._mean(self.joint.low, field), below, axis=0)
            high = np.quantile(self._mean(self.joint.high, field), 1 - above, axis=0)
        how = IntervalOptions(level=level)
        for place, system in enumerate(self.left_out):
            table = system.table
            if table is None:
                continue
            whole, without = self._without(table, field)
            own = system.place
            ends = jackknife_ends(float(whole[own]), without[:, own], table, how)
            low[place] = min(low[place], ends[0])
            high[place] = max(high[place], ends[1])
        return IntervalEnds(np.asarray(low), np.asarray(high))

    def without_clusters(self, field: int) -> LeftOutCurves | None:
        """Return the areas at one deployment prevalence without clusters, of a single table whose items have them."""
        table = self.left_out[0].table
        if table is None:
            return None
        whole, without = self._without(table, field)
        return replace(table, whole=whole, without=without)

    def _without(self, part: LeftOutCurves, field: int) -> tuple[FloatArray, FloatArray]:
        """Return the mean areas of the systems of one table, and those without one cluster after the other."""
        whole = self._mean(part.whole[None], field)[0]
        return whole, self._mean(part.without, field)

    def expected(self, field: int) -> FloatArray:
        """Return the mean area of each system over the resamples."""
        return np.asarray(self.means(field).mean(axis=0))

    def gaps(self, field: int, level: float, areas: Mapping[str, float]) -> list[AreaGap]:
        """Return for every pair the difference of the areas, where it lies, and how often the first is ahead.

        Without resamples nothing is known of two systems of different tables, whose clusters are not the same.
        """
        gaps = []
        for pair in combinations(enumerate(self.joint.rocs), 2):
            (i, first), (j, second) = pair
            difference = areas[first] - areas[second]
            own = self._gap_of_clusters(i, j, field, level)
            if own is None and not len(self.joint.drawn):
                continue
            if own is None:
                own = self._gap(i, j, field, level)
            gap = AreaGap(
                first=first,
                second=second,
                field=self.fields[field].name,
                difference=difference,
                low=own.low,
                high=own.high,
                better=own.better,
            )
            gaps.append(gap)
        return gaps

    def _gap(self, one: int, other: int, field: int, level: float) -> _Gap:
        """Return where the difference of two systems lies in the resamples."""
        below, above = tails(level, "both")
        means = self.means(field)
        drawn = means[:, one] - means[:, other]
        low, high = np.quantile(drawn, [below, 1 - above]).tolist()
        return _Gap(low, high, float(share_above(drawn[:, None])[0]))

    def _gap_of_clusters(self, one: int, other: int, field: int, level: float) -> _Gap | None:
        """Return where the difference lies by the jackknife over clusters; None where these are not of one table."""
        first, second = self.left_out[one], self.left_out[other]
        if first.table is None or first.table is not second.table:
            return None
        whole, without = self._without(first.table, field)
        pair = [first.place, second.place]
        values = np.nan_to_num(without[:, pair])
        gap = gap_of_clusters(whole[pair], values, least=np.zeros(()), level=level)
        one_sided = float(gap.p_value) / 2
        better = 1 - one_sided if whole[first.place] > whole[second.place] else one_sided
        return _Gap(float(gap.low), float(gap.high), better)

    def around(
        self, first: str, second: str, skews: Sequence[float], level: float
    ) -> tuple[InversionInterval, ...]:
        """Return the intervals of a pair's inversions; none without resamples."""
        if not len(self.joint.drawn):
            return ()
        on_grid = self.joint.drawn[:, :, -len(self.grid) :]
        no_ends = on_grid[..., :0]
        joint = JointAreas(self.grid, self.joint.rocs, on_grid, no_ends, no_ends, self.joint.method)
        pair = joint.pair(first, second)
        return tuple(inversion_interval(pair, skew, level=level) for skew in skews)


def resampled(
    tables: Mapping[str, ScoredTable],
    fields: Sequence[DeploymentPrevalence],
    orders: OrdersByPrevalence,
    *,
    draws: int | None,
    seed: int,
    level: float,
    error: tuple[float, float],
) -> ResampledAreas | str:
    """Return the resamples, or why there are none; None draws as many as are quickly made."""
    grid = _grid(orders)
    nodes = [coarse(field).pi for field in fields]
    prevalences = np.concatenate([*nodes, grid])
    # Intervals of single areas are wanted at the deployment prevalences, not on the grid.
    ends = len(prevalences) - len(grid)
    needed = needed_draws(level)
    if draws is None:
        draws = _quick_draws(tables, len(prevalences) + 2 * ends, enough_draws(level))
    elif draws < needed:
        raise OptionError(
            f"--draws is {draws}; an interval of level {level:g} needs {needed} or more, or 0 for none"
        )
    clustered = all(table.clusters is not None for table in tables.values())
    if any(table.paired is None for table in tables.values()) or not (draws or clustered):
        return _too_much(tables, enough_draws(level))
    left_out: list[SystemLeftOut] = []
    parts = []
    for place, table in enumerate(tables.values()):
        without = _without_clusters(table, prevalences[:ends], seed)
        left_out += [SystemLeftOut(without, own) for own in range(len(table.curves))]
        if draws:
            at_ends = prevalences[:ends]
            part = _resampled_table(table, prevalences, at_ends, draws, seed + place, error)
        else:
            part = _not_resampled(table, prevalences, ends)
        parts.append(part)
    return ResampledAreas(_side_by_side(parts), tuple(fields), grid, tuple(left_out))


def only_left_out(
    table: ScoredTable, fields: Sequence[DeploymentPrevalence], *, seed: int, most: int
) -> ResampledAreas:
    """Return the areas of a table without one cluster after the other, and no resamples."""
    prevalences = np.concatenate([coarse(field).pi for field in fields])
    without = _without_clusters(table, prevalences, seed, most)
    left_out = [SystemLeftOut(without, own) for own in range(len(table.curves))]
    joint = _not_resampled(table, prevalences, len(prevalences))
    return ResampledAreas(joint, tuple(fields), np.empty(0), tuple(left_out))


def only_ends(
    table: ScoredTable, fields: Sequence[DeploymentPrevalence], *, draws: int, seed: int
) -> ResampledAreas:
    """Return resamples that hold only what intervals of single areas take: neither orders nor differences."""
    prevalences = np.concatenate([coarse(field).pi for field in fields])
    without = _without_clusters(table, prevalences, seed)
    left_out = [SystemLeftOut(without, own) for own in range(len(table.curves))]
    joint = _resampled_table(table, np.empty(0), prevalences, draws, seed, (0.0, 0.0))
    return ResampledAreas(joint, tuple(fields), np.empty(0), tuple(left_out))


def _without_clusters(
    table: ScoredTable, prevalences: FloatArray, seed: int, most: int | None = None
) -> LeftOutCurves | None:
    """Return the areas of a table's systems without one cluster after the other, if its items are clustered."""
    clusters = table.clusters
    if clusters is None:
        return None
    systems = tuple(clusters.systems)
    return left_out_curves(clusters, systems, areas_at(prevalences), seed=seed, most=most)


def _not_resampled(table: ScoredTable, prevalences: FloatArray, ends: int) -> JointAreas:
    """Return the curves of a table without a resample, where these take too long."""
    rocs = {name: roc(curve) for name, curve in table.curves.items()}
    none = np.empty((0, len(rocs), len(prevalences)))
    return JointAreas(prevalences, rocs, none, none[..., :ends], none[..., :ends], "")


def _quick_draws(tables: Mapping[str, ScoredTable], prevalences: int, enough: int) -> int:
    """Return how many draws are quickly made, and no fewer than are enough; 0 if they take too long."""
    size = max(_size(table) for table in tables.values())
    quick = affordable(size, _systems(tables), prevalences)
    if not quick:
        return 0
    return max(quick, enough)


def _size(table: ScoredTable) -> int:
    """Return how many rows of counts each resample sums up."""
    if isinstance(table.paired, PairedBlocks) and table.paired.what != "clusters":
        return BLOCK_BINS
    return sum(table.sides)


def _most_items(tables: Mapping[str, ScoredTable]) -> int:
    return max(sum(table.sides) for table in tables.values())


def _systems(tables: Mapping[str, ScoredTable]) -> int:
    return sum(len(table.curves) for table in tables.values())


def _too_much(tables: Mapping[str, ScoredTable], draws: int) -> str:
    many = f"{_most_items(tables):,} items, {_systems(tables)} systems"
    return f"No intervals: {many} take more than a moment; request them with --draws {draws}."


def _side_by_side(parts: Sequence[JointAreas]) -> JointAreas:
    """Return the systems of several tables in one: resamples of different items, so any may stand beside any."""
    rows = min(len(part.drawn) for part in parts)  # draws without both kinds of items were left out
    rocs = dict(parts[0].rocs)
    for part in parts[1:]:
        rocs.update(part.rocs)
    return JointAreas(
        parts[0].pi,
        rocs,
        np.concatenate([part.drawn[:rows] for part in parts], axis=1),
        np.concatenate([part.low[:rows] for part in parts], axis=1),
        np.concatenate([part.high[:rows] for part in parts], axis=1),
        parts[0].method,
    )


def needed_draws(level: float) -> int:
    """Return how many resamples an interval of this level needs at the least."""
    return int(np.ceil(2 / (1 - level) - 1 - 1e-9))


def enough_draws(level: float) -> int:
    """Return how many resamples are drawn at the least where nobody requested a number.

    Ten beyond either end of the interval: an end that is the second or third value of all is itself a matter of luck.
    """
    return int(np.ceil(2 * BEYOND / (1 - level) - 1e-9))


def _resampled_table(
    table: ScoredTable,
    prevalences: FloatArray,
    ends: FloatArray,
    draws: int,
    seed: int,
    error: tuple[float, float],
) -> JointAreas:
    """Return resamples of one table: of its items, or of blocks of them where they are too many."""
    if isinstance(table.paired, PairedBlocks):
        if any(error) and table.clusters is not None:
            raise OptionError(
                "wrong labels are taken to be independent of each other; leave --label-error or --cluster out"
            )
        if any(error):
            raise OptionError(
                f"labels are flipped for up to {MOST:,} items; leave --label-error out"
            )
        systems = dict(zip(table.curves, table.paired.systems.values(), strict=True))
        blocks = replace(table.paired, systems=systems)
        return joint_blocks(blocks, prevalences, ends=ends, draws=draws, seed=seed)
    assert table.paired is not None  # noqa: S101 (the caller looked)
    truth, scores = table.paired.items()
    columns = dict(zip(table.curves, scores.T, strict=True))
    return joint_areas(
        truth,
        columns,
        prevalences,
        error=error,
        ends=ends,
        draws=draws,
        seed=seed,
        weight=table.paired.item_weights(),
    )


def _grid(orders: OrdersByPrevalence) -> FloatArray:
    """Return prevalences around all inversions, evenly in logit; none where there are no inversions."""
    if not orders.changes:
        return np.empty(0)
    places = [logit(change.skew) for change in orders.changes]
    first = max(logit(LOW), min(places) - REACH)
    last = min(logit(HIGH), max(places) + REACH)
    steps = int(np.ceil((last - first) / STEP)) + 1
    grid = np.linspace(first, last, steps)
    return np.asarray(1 / (1 + np.exp(-grid)))


def coarse(field: DeploymentPrevalence) -> PrevalenceDistribution:
    """Return the prevalences of a deployment, in fewer nodes where a resample needs no more."""
    return field.spread.coarse or field.spread
