"""How sure areas, their order and the changes of order are: resamples of all systems together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.estimates import IntervalOptions
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import share_above
from karat.doubt.prevalence.clustered_areas import jackknife_ends
from karat.doubt.prevalence.inversion_interval import InversionInterval, inversion_interval
from karat.doubt.prevalence.joint_areas import JointAreas
from karat.doubt.prevalence.sampled_areas import SampledAreas
from karat.doubt.resampling.jackknife import gap_of_clusters
from karat.doubt.resampling.left_out_curves import LeftOutCurves
from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedBlocks, PairedScores
from karat.tally.scores.sampled_scores import SampledScores
from karat.verdict.prevalence.result import AreaComparison

FEW = 10
"""Of fewer positives or negatives no comparison is made: resamples of them hardly differ."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTable:
    """One table of scores: each system's curve, and the scores of each item, or of a sample where they are too many."""

    curves: Mapping[str, Curve]
    paired: PairedScores | PairedBlocks | SampledScores | None
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
        if isinstance(self.paired, PairedBlocks):
            return self.paired
        return None


@dataclass(frozen=True, slots=True, eq=False)
class IntervalEnds:
    """Where the area of each system lies."""

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SystemSpread:
    """How the areas of a table's systems vary, and a system's place among them."""

    table: LeftOutCurves | None
    """The areas without one cluster after the other; None where items are not clustered."""
    sampled: SampledAreas | None
    """How a sample of the items moves the areas; None where resamples of all tell it."""
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
    deployments: tuple[DeploymentPrevalence, ...]
    grid: FloatArray
    spreads: tuple[SystemSpread, ...]
    """For each system how the areas of its table vary."""

    @property
    def method(self) -> str:
        """How sure an area is, in words."""
        parts: dict[str, None] = {}
        for system in self.spreads:
            if system.table is not None:
                parts[f"jackknife over {system.table.what}"] = None
        if len(self.joint.drawn):
            parts[self.joint.method] = None
        return ", and ".join(parts)

    def means(self, deployment: int) -> FloatArray:
        """Return the area of each system at one deployment prevalence, in each resample: draws x systems."""
        return self._mean(self.joint.drawn, deployment)

    def draws(self, deployment: int) -> FloatArray:
        """Return the areas as they are drawn, for the low and for the high end: 3 x draws x systems."""
        parts = (self.joint.drawn, self.joint.low, self.joint.high)
        return np.array([self._mean(part, deployment) for part in parts])

    def _mean(self, drawn: FloatArray, deployment: int) -> FloatArray:
        """Return the mean area at one deployment prevalence: draws x systems."""
        return np.asarray(
            drawn[:, :, self._nodes(deployment)] @ coarse(self.deployments[deployment]).weight
        )

    def _nodes(self, deployment: int) -> slice:
        """Return which of the prevalences are those of one deployment."""
        start = sum(len(coarse(each).pi) for each in self.deployments[:deployment])
        return slice(start, start + len(coarse(self.deployments[deployment]).pi))

    def ends(self, deployment: int, level: float) -> IntervalEnds:
        """Return where the area of each system lies at one deployment prevalence.

        Where items are clustered, the wider of two intervals: by the jackknife over clusters, which allows for few of
        them, and by resamples of clusters, which allow for what none has shown.
        """
        below, above = tails(level, "both")
        low = np.ones(len(self.joint.rocs))
        high = np.zeros(len(self.joint.rocs))
        if len(self.joint.drawn):
            low = np.quantile(self._mean(self.joint.low, deployment), below, axis=0)
            high = np.quantile(self._mean(self.joint.high, deployment), 1 - above, axis=0)
        how = IntervalOptions(level=level)
        for place, system in enumerate(self.spreads):
            table = system.table
            if table is None:
                continue
            whole, without = self._without(table, deployment)
            own = system.place
            ends = jackknife_ends(float(whole[own]), without[:, own], table, how)
            low[place] = min(low[place], ends[0])
            high[place] = max(high[place], ends[1])
        return IntervalEnds(np.asarray(low), np.asarray(high))

    def without_clusters(self, deployment: int) -> LeftOutCurves | None:
        """Return the areas at one deployment prevalence without clusters, of a single table whose items have them."""
        table = self.spreads[0].table
        if table is None:
            return None
        whole, without = self._without(table, deployment)
        return replace(table, whole=whole, without=without)

    def _without(self, part: LeftOutCurves, deployment: int) -> tuple[FloatArray, FloatArray]:
        """Return the mean areas of the systems of one table, and those without one cluster after the other."""
        whole = self._mean(part.whole[None], deployment)[0]
        return whole, self._mean(part.without, deployment)

    def expected(self, deployment: int) -> FloatArray:
        """Return the mean area of each system over the resamples."""
        return np.asarray(self.means(deployment).mean(axis=0))

    def gaps(
        self, deployment: int, level: float, areas: Mapping[str, float]
    ) -> list[AreaComparison]:
        """Return for every pair the difference of the areas, where it lies, and how often the first is ahead.

        Without resamples nothing is known of two systems of different tables, whose clusters are not the same.
        """
        gaps = []
        for pair in combinations(enumerate(self.joint.rocs), 2):
            (i, first), (j, second) = pair
            difference = areas[first] - areas[second]
            own = self._gap_of_clusters(i, j, deployment, level)
            if own is None:
                own = self._gap_of_sample(i, j, deployment, level, difference)
            if own is None and not len(self.joint.drawn):
                continue
            if own is None:
                own = self._gap(i, j, deployment, level)
            gap = AreaComparison(
                first=first,
                second=second,
                field=self.deployments[deployment].name,
                difference=difference,
                low=own.low,
                high=own.high,
                better=own.better,
            )
            gaps.append(gap)
        return gaps

    def _gap(self, one: int, other: int, deployment: int, level: float) -> _Gap:
        """Return where the difference of two systems lies in the resamples."""
        below, above = tails(level, "both")
        means = self.means(deployment)
        drawn = means[:, one] - means[:, other]
        low, high = np.quantile(drawn, [below, 1 - above]).tolist()
        return _Gap(low, high, float(share_above(drawn[:, None])[0]))

    def _gap_of_clusters(self, one: int, other: int, deployment: int, level: float) -> _Gap | None:
        """Return where the difference lies by the jackknife over clusters; None where these are not of one table."""
        first, second = self.spreads[one], self.spreads[other]
        if first.table is None or first.table is not second.table:
            return None
        whole, without = self._without(first.table, deployment)
        pair = [first.place, second.place]
        values = np.nan_to_num(without[:, pair])
        gap = gap_of_clusters(whole[pair], values, least=np.zeros(()), level=level)
        one_sided = float(gap.p_value) / 2
        better = 1 - one_sided if whole[first.place] > whole[second.place] else one_sided
        return _Gap(float(gap.low), float(gap.high), better)

    def _gap_of_sample(
        self, one: int, other: int, deployment: int, level: float, difference: float
    ) -> _Gap | None:
        """Return where the difference lies by a sample of items; None where they are not of one sample."""
        first, second = self.spreads[one], self.spreads[other]
        if first.sampled is None or first.sampled is not second.sampled:
            return None
        weight = np.zeros(len(first.sampled.pi))
        nodes = self._nodes(deployment)
        weight[nodes] = coarse(self.deployments[deployment]).weight
        found = first.sampled.difference(first.place, second.place, weight)
        reach = found.reach(level)
        low = max(-1.0, difference - reach)
        high = min(1.0, difference + reach)
        return _Gap(low, high, found.above(difference))

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


def coarse(deployment: DeploymentPrevalence) -> PrevalenceDistribution:
    """Return the prevalences of a deployment, in fewer nodes where a resample needs no more."""
    return deployment.spread.coarse or deployment.spread
