"""How sure areas, their order and the changes of order are: resamples of all systems together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_above
from karat.doubt.prevalence.inversion_interval import InversionInterval, inversion_interval
from karat.doubt.prevalence.inversions import HIGH, LOW, OrdersByPrevalence, logit
from karat.doubt.prevalence.joint_areas import (
    JointAreas,
    affordable,
    joint_areas,
    joint_blocks,
)
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution
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

    @property
    def sides(self) -> tuple[int, int]:
        """How many items are positive, and how many negative."""
        first = next(iter(self.curves.values()))
        return int(first.positive.sum()), int(first.negative.sum())


@dataclass(frozen=True, slots=True, eq=False)
class IntervalEnds:
    """Where the area of each system lies."""

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ResampledAreas:
    """Areas of resamples: at the prevalences of every deployment, one after the other, then of a grid of inversions."""

    joint: JointAreas
    fields: tuple[DeploymentPrevalence, ...]
    grid: FloatArray

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
        """Return where the area of each system lies at one deployment prevalence."""
        below, above = tails(level, "both")
        low = np.quantile(self._mean(self.joint.low, field), below, axis=0)
        high = np.quantile(self._mean(self.joint.high, field), 1 - above, axis=0)
        return IntervalEnds(np.asarray(low), np.asarray(high))

    def expected(self, field: int) -> FloatArray:
        """Return the mean area of each system over the resamples."""
        return np.asarray(self.means(field).mean(axis=0))

    def gaps(self, field: int, level: float, areas: Mapping[str, float]) -> list[AreaGap]:
        """Return for every pair the difference of the areas, where it lies, and how often the first is ahead."""
        below, above = tails(level, "both")
        means = self.means(field)
        gaps = []
        for (i, first), (j, second) in combinations(enumerate(self.joint.rocs), 2):
            drawn = means[:, i] - means[:, j]
            low, high = np.quantile(drawn, [below, 1 - above]).tolist()
            gap = AreaGap(
                first=first,
                second=second,
                field=self.fields[field].name,
                difference=areas[first] - areas[second],
                low=low,
                high=high,
                better=float(share_above(drawn[:, None])[0]),
            )
            gaps.append(gap)
        return gaps

    def around(
        self, first: str, second: str, skews: Sequence[float], level: float
    ) -> tuple[InversionInterval, ...]:
        """Return the intervals of a pair's inversions."""
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
    if not draws or any(table.paired is None for table in tables.values()):
        return _too_much(tables, enough_draws(level))
    parts = []
    for place, table in enumerate(tables.values()):
        part = _resampled_table(table, prevalences, ends, draws, seed + place, error)
        parts.append(part)
    return ResampledAreas(_side_by_side(parts), tuple(fields), grid)


def _quick_draws(tables: Mapping[str, ScoredTable], prevalences: int, enough: int) -> int:
    """Return how many draws are quickly made, and no fewer than are enough; 0 if they take too long."""
    in_blocks = any(isinstance(table.paired, PairedBlocks) for table in tables.values())
    size = BLOCK_BINS if in_blocks else _most_items(tables)
    quick = affordable(size, _systems(tables), prevalences)
    if not quick:
        return 0
    return max(quick, enough)


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
    ends: int,
    draws: int,
    seed: int,
    error: tuple[float, float],
) -> JointAreas:
    """Return resamples of one table: of its items, or of blocks of them where they are too many."""
    if isinstance(table.paired, PairedBlocks):
        if any(error):
            raise OptionError(
                f"labels are flipped for up to {MOST:,} items; leave --label-error out"
            )
        systems = dict(zip(table.curves, table.paired.systems.values(), strict=True))
        blocks = PairedBlocks(table.paired.number, systems)
        return joint_blocks(blocks, prevalences, ends=ends, draws=draws, seed=seed)
    assert table.paired is not None  # noqa: S101 (the caller looked)
    truth, scores = table.paired.items()
    columns = dict(zip(table.curves, scores.T, strict=True))
    return joint_areas(truth, columns, prevalences, error=error, ends=ends, draws=draws, seed=seed)


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
