"""How sure areas, their order and the changes of order are: resamples of all systems together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat.ask.prevalence import Field
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_above
from karat.doubt.prevalence.inversion_interval import InversionInterval, inversion_interval
from karat.doubt.prevalence.inversions import HIGH, LOW, Rankings
from karat.doubt.prevalence.joint_areas import (
    FEWEST,
    JointAreas,
    affordable,
    joint_areas,
    joint_blocks,
)
from karat.errors import OptionError
from karat.measure.prevalence.priors.uniform import uniform
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import BLOCK_BINS, MOST, PairedBlocks, PairedScores

STEP, REACH = 0.25, 4.0
"""Of the skews at which resamples are looked at, in logit, and how far beyond the outermost inversions."""
NODES = 16
FEW = 10
"""Of fewer positives or negatives no comparison is made: resamples of them hardly differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
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
class Resampled:
    """Resamples at the skews of every field, one after the other, and then of a grid around the inversions."""

    joint: JointAreas
    fields: tuple[Field, ...]
    grid: FloatArray

    def means(self, field: int) -> FloatArray:
        """Return the area of each system in one field, in each resample: draws x systems."""
        return self._mean(self.joint.drawn, field)

    def draws(self, field: int) -> FloatArray:
        """Return the areas as they are drawn, for the low and for the high end: 3 x draws x systems."""
        parts = (self.joint.drawn, self.joint.low, self.joint.high)
        return np.array([self._mean(part, field) for part in parts])

    def _mean(self, drawn: FloatArray, field: int) -> FloatArray:
        """Return the mean area in one field: draws x systems."""
        start = sum(len(nodes_of(each)[0]) for each in self.fields[:field])
        pi, weight = nodes_of(self.fields[field])
        return np.asarray(drawn[:, :, start : start + len(pi)] @ weight)

    def ends(self, field: int, level: float) -> tuple[FloatArray, FloatArray]:
        """Return where the area of each system lies in one field."""
        below, above = tails(level, "both")
        low = np.quantile(self._mean(self.joint.low, field), below, axis=0)
        return np.asarray(low), np.asarray(
            np.quantile(self._mean(self.joint.high, field), 1 - above, axis=0)
        )

    def expected(self, field: int) -> FloatArray:
        """Return the mean area of each system over the resamples."""
        return np.asarray(self.means(field).mean(axis=0))

    def gaps(self, field: int, level: float) -> list[tuple[str, str, float, float, float]]:
        """Return of every pair the ends of its difference, and how often the first is ahead."""
        below, above = tails(level, "both")
        names, means = list(self.joint.rocs), self.means(field)
        found = []
        for i, j in combinations(range(len(names)), 2):
            gap = means[:, i] - means[:, j]
            low, high = np.quantile(gap, [below, 1 - above]).tolist()
            found.append((names[i], names[j], low, high, float(share_above(gap[:, None])[0])))
        return found

    def around(
        self, first: str, second: str, skews: Sequence[float], level: float
    ) -> tuple[InversionInterval, ...]:
        """Return the intervals of a pair's inversions."""
        there = self.joint.drawn[:, :, -len(self.grid) :]
        joint = JointAreas(
            self.grid, self.joint.rocs, there, there[..., :0], there[..., :0], self.joint.method
        )
        pair = joint.pair(first, second)
        return tuple(inversion_interval(pair, skew, level=level) for skew in skews)


def resampled(
    tables: Mapping[str, Scored],
    fields: Sequence[Field],
    orders: Rankings,
    *,
    draws: int | None,
    seed: int,
    level: float,
    error: tuple[float, float],
) -> Resampled | str:
    """Return the resamples, or why there are none; None draws as many as are quickly made."""
    grid = _grid(orders)
    nodes = [nodes_of(where)[0] for where in fields]
    skews, ends = np.concatenate([*nodes, grid]), sum(map(len, nodes))
    items, systems = (
        max(sum(each.sides) for each in tables.values()),
        sum(len(each.curves) for each in tables.values()),
    )
    in_blocks = any(isinstance(each.paired, PairedBlocks) for each in tables.values())
    needed = needed_draws(level)
    if draws is not None and draws < needed:
        raise OptionError(
            f"--draws is {draws}; an interval of level {level:g} needs {needed} or more, or 0 for none"
        )
    quick = affordable(BLOCK_BINS if in_blocks else items, systems, len(skews) + 2 * ends)
    number = draws if draws is not None else max(quick, needed) if quick else 0
    if not number or any(each.paired is None for each in tables.values()):
        many = f"{items:,} items, {systems} systems"
        return f"No intervals: {many} take more than a moment; ask for them with --draws {max(FEWEST, needed)}."
    parts = [
        _redrawn(each, skews, ends, number, seed + place, error)
        for place, each in enumerate(tables.values())
    ]
    rows = min(len(part.drawn) for part in parts)
    drawn, low, high = (
        np.concatenate([getattr(part, name)[:rows] for part in parts], axis=1)
        for name in ("drawn", "low", "high")
    )
    rocs = {name: curve for part in parts for name, curve in part.rocs.items()}
    return Resampled(
        JointAreas(skews, rocs, drawn, low, high, parts[0].method), tuple(fields), grid
    )


def needed_draws(level: float) -> int:
    """Return how many resamples an interval of this level needs at the least."""
    return int(np.ceil(2 / (1 - level) - 1 - 1e-9))


def _redrawn(
    table: Scored, skews: FloatArray, ends: int, draws: int, seed: int, error: tuple[float, float]
) -> JointAreas:
    """Return resamples of one table: of its items, or of blocks of them where they are too many."""
    if isinstance(table.paired, PairedBlocks):
        if any(error):
            raise OptionError(f"labels are drawn for up to {MOST:,} items; leave --label-error out")
        blocks = PairedBlocks(
            table.paired.number, dict(zip(table.curves, table.paired.systems.values(), strict=True))
        )
        return joint_blocks(blocks, skews, ends=ends, draws=draws, seed=seed)
    assert table.paired is not None  # noqa: S101 (the caller looked)
    truth, scores = table.paired.items()
    columns = dict(zip(table.curves, scores.T, strict=True))
    return joint_areas(truth, columns, skews, error=error, ends=ends, draws=draws, seed=seed)


def _grid(orders: Rankings) -> FloatArray:
    """Return skews around all inversions, evenly in logit; none where there are no inversions."""
    if not orders.changes:
        return np.empty(0)
    places = [float(np.log(each.skew) - np.log1p(-each.skew)) for each in orders.changes]
    ends = [np.log(end) - np.log1p(-end) for end in (LOW, HIGH)]
    first, last = max(ends[0], min(places) - REACH), min(ends[1], max(places) + REACH)
    steps = np.linspace(first, last, int(np.ceil((last - first) / STEP)) + 1)
    return np.asarray(1 / (1 + np.exp(-steps)))


def nodes_of(where: Field) -> tuple[FloatArray, FloatArray]:
    """Return a field's skews and weights, fewer where a resample needs no more."""
    spread = where.spread
    if spread.name.startswith("uniform"):
        spread = uniform(spread.low, spread.high, nodes=NODES)
    return spread.pi, spread.weight
