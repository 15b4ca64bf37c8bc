"""How good systems are by what at least one, two, ... annotators marked, in which order, and how surely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence
from karat.doubt.bounds.binormal_score import binormal_score
from karat.doubt.prevalence.area_bootstrap import DRAWS, mean_area_interval
from karat.doubt.prevalence.inversions import inversions
from karat.doubt.prevalence.level_areas import (
    CAUTION,
    FEW_CLUSTERS,
    LeftOut,
    cluster_groups,
    cluster_intervals,
    clustered_correlation,
    level_values,
    without_clusters,
)
from karat.doubt.resampling.jackknife import gap_of_clusters
from karat.doubt.tests.holm import holm
from karat.errors import OptionError
from karat.measure.prevalence.agreement_levels import Following, following, level_curves
from karat.measure.prevalence.distribution import PrevalenceDistribution, single
from karat.measure.prevalence.integrated import minimum_over
from karat.measure.prevalence.pr_curve import RocCurve, roc
from karat.tally.scores.annotator_marks import Marks
from karat.tally.scores.curve import Curve
from karat.verdict.prevalence.agreement_result import (
    OWN,
    ROC,
    AgreementLevels,
    AreaAtLevel,
    LevelArea,
    LevelInversion,
    LevelLead,
    LevelOrder,
)

WORK = 300_000_000
"""Cells times nodes times draws that may be worked out for intervals of areas: some seconds."""
BEYOND = 10
"""So many resamples lie beyond each end of an interval, or there is none."""
MOST_PAIRS = 45
"""Of more pairs of systems no inversions are sought."""
TOO_MANY = (
    "Intervals of areas under the precision-recall curve would take too long; --draws N makes them, --cluster COL "
    "needs no resamples."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelQuestion:
    """At which prevalences, and how sure."""

    deployments: tuple[DeploymentPrevalence, ...] = ()
    clustered: bool = False
    """Whether the clusters of the marks are the user's, and not blocks of independent items."""
    level: float = 0.95
    draws: int | None = None
    seed: int = 0

    @property
    def spreads(self) -> list[PrevalenceDistribution]:
        """The prevalences that values are averaged over, in fewer nodes where that is fine enough."""
        return [deployment.spread.coarse or deployment.spread for deployment in self.deployments]


def levels(
    annotators: Sequence[str], tallies: Mapping[str, Marks], question: LevelQuestion
) -> AgreementLevels:
    """How good are systems by what at least k annotators marked, for each k, and do their scores follow agreement?"""
    first = next(iter(tallies.values()))
    if first.annotators < 2:
        raise OptionError(
            "agreement needs two annotators or more; name their columns, each once, with --annotators A,B"
        )
    curves = {name: level_curves(tally) for name, tally in tallies.items()}
    left_out = _left_out(tallies, question)
    draws = _draws(curves, question)
    found = []
    for name, by_level in curves.items():
        for at_least, curve in by_level.items():
            found.append(_level(name, at_least, curve, question, draws, left_out.get(name)))
    rocs: dict[tuple[str, int], RocCurve] = {}
    for name, by_level in curves.items():
        rocs |= {(name, at_least): roc(curve) for at_least, curve in by_level.items()}
    orders = _orders(found, left_out, question)
    return AgreementLevels(
        annotators=tuple(annotators),
        items=int(first.number.sum()),
        most=first.annotators,
        levels=tuple(found),
        correlations={name: _following(tally, question) for name, tally in tallies.items()},
        deployments=question.deployments,
        curves=rocs,
        orders=orders,
        inversions=_inversions(rocs),
        level=question.level,
        remarks=_remarks(first, question, draws, left_out),
    )


def _left_out(tallies: Mapping[str, Marks], question: LevelQuestion) -> dict[str, LeftOut]:
    """Return each system's values without one cluster or block after the other; of one system only with clusters."""
    is_needed = question.clustered or len(tallies) > 1
    counted_so = all(tally.cluster is not None for tally in tallies.values())
    if not (is_needed and counted_so):
        return {}
    spreads = question.spreads
    return {
        name: without_clusters(tally, spreads, seed=question.seed)
        for name, tally in tallies.items()
    }


def _draws(curves: Mapping[str, Mapping[int, Curve]], question: LevelQuestion) -> int:
    """Return how many resamples are made for each area: as many as were requested, or as are quick."""
    if question.clustered:
        return 0
    if question.draws is not None:
        return question.draws
    nodes = 1 + sum(len(spread.pi) for spread in question.spreads)
    cells = 0
    for by_level in curves.values():
        cells += sum(len(curve.score) for curve in by_level.values())
    draws = min(DRAWS, WORK // max(1, cells * nodes))
    fewest = int(np.ceil(2 * BEYOND / (1 - question.level)))
    return draws if draws >= fewest else 0


def _level(
    name: str,
    at_least: int,
    curve: Curve,
    question: LevelQuestion,
    draws: int,
    left_out: LeftOut | None,
) -> LevelArea:
    positives = int(curve.positive.sum())
    prevalence = positives / (positives + int(curve.negative.sum()))
    spreads = [single(prevalence), *(deployment.spread for deployment in question.deployments)]
    values = level_values(curve, spreads[1:])
    if question.clustered and left_out is not None:
        own = left_out.by_level[at_least]
        ends = cluster_intervals(values, own, level=question.level)
        intervals = list(zip(ends.low.tolist(), ends.high.tolist(), strict=True))
        method = f"jackknife over {left_out.clusters:,} clusters"
        roc_method = method
    else:
        intervals, method, roc_method = _independent(curve, spreads, question, draws)
    names = [OWN, *(deployment.name for deployment in question.deployments)]
    rows = []
    for place, (deployment, spread) in enumerate(zip(names, spreads, strict=True), 1):
        low, high = intervals[place]
        area = float(values[place])
        rows.append(AreaAtLevel(deployment, area, _normalised(area, spread), low, high, method))
    low, high = intervals[0]
    return LevelArea(
        system=name,
        at_least=at_least,
        positives=positives,
        skew=prevalence,
        roc=AreaAtLevel(ROC, float(values[0]), None, low, high, roc_method),
        own=rows[0],
        areas=tuple(rows[1:]),
    )


def _independent(
    curve: Curve, spreads: Sequence[PrevalenceDistribution], question: LevelQuestion, draws: int
) -> tuple[list[tuple[float | None, float | None]], str, str]:
    """Return the intervals of the ROC area and of each other area where items are independent."""
    of_roc = binormal_score(curve, level=question.level)
    intervals: list[tuple[float | None, float | None]] = [(float(of_roc.low), float(of_roc.high))]
    method = ""
    for spread in spreads:
        if not draws:
            intervals.append((None, None))
            continue
        found = mean_area_interval(
            curve, spread.coarse or spread, level=question.level, draws=draws, seed=question.seed
        )
        intervals.append((float(found.low), float(found.high)))
        method = found.method
    return intervals, method, of_roc.method


def _normalised(area: float, prevalences: PrevalenceDistribution) -> float | None:
    minimum = minimum_over(prevalences)
    return (area - minimum) / (1 - minimum) if minimum < 1 else None


def _following(marks: Marks, question: LevelQuestion) -> Following:
    """Return how scores follow agreement; with clusters the p-values are over them."""
    whole = following(marks)
    if not question.clustered:
        return whole
    group = cluster_groups(marks, seed=question.seed)
    without = []
    for left_out in range(int(group.max()) + 1):
        rest = marks.chosen(group != left_out)
        if not (rest.marks > 0).any():
            return whole.with_p_values(1.0)
        without.append(following(rest))
    within = []
    over_all = []
    for place in range(3):
        own = [each.within[place] for each in without]
        within.append(clustered_correlation(whole.within[place], own))
        own = [each.over_all[place] for each in without]
        over_all.append(clustered_correlation(whole.over_all[place], own))
    return Following(within=tuple(within), over_all=tuple(over_all))


def _orders(
    found: Sequence[LevelArea], left_out: Mapping[str, LeftOut], question: LevelQuestion
) -> tuple[LevelOrder, ...]:
    """Return the order of the systems by each level and prevalence, and how sure each is of the next."""
    systems = list(dict.fromkeys(one.system for one in found))
    if len(systems) < 2:
        return ()
    orders: list[LevelOrder] = []
    for place, deployment in enumerate(
        [ROC, OWN, *(deployment.name for deployment in question.deployments)]
    ):
        own = [_order(found, at_least, place, deployment) for at_least in _levels_of(found)]
        orders += _with_leads(own, place, left_out, question.level)
    return tuple(orders)


def _levels_of(found: Sequence[LevelArea]) -> list[int]:
    return sorted({one.at_least for one in found})


def _order(found: Sequence[LevelArea], at_least: int, place: int, deployment: str) -> LevelOrder:
    values = {}
    for one in found:
        if one.at_least == at_least:
            values[one.system] = one.values[place]
    order = sorted(values, key=lambda name: -values[name])
    return LevelOrder(at_least, deployment, tuple(order), {name: values[name] for name in order})


def _with_leads(
    orders: list[LevelOrder], place: int, left_out: Mapping[str, LeftOut], level: float
) -> list[LevelOrder]:
    """Return the orders with how sure each system is of the next; p-values adjusted over all levels."""
    if not left_out:
        return orders
    leads = [_leads(order, place, left_out, level) for order in orders]
    flat = [lead for own in leads for lead in own]
    adjusted = iter(holm(np.array([lead.p_value for lead in flat])).tolist())
    rows = []
    for order, own in zip(orders, leads, strict=True):
        rows.append(order.led([lead.adjusted(next(adjusted)) for lead in own]))
    return rows


def _leads(
    order: LevelOrder, place: int, left_out: Mapping[str, LeftOut], level: float
) -> list[LevelLead]:
    leads = []
    for better, worse in pairwise(order.order):
        whole = np.array([[order.values[better], order.values[worse]]])
        columns = [left_out[name].by_level[order.at_least][:, place] for name in (better, worse)]
        without = np.stack(columns, axis=-1)[:, None, :]
        if np.isnan(without).any():
            continue
        gap = gap_of_clusters(whole, without, least=np.zeros(1), level=level)
        lead = LevelLead(
            better=better,
            worse=worse,
            difference=float(whole[0, 0] - whole[0, 1]),
            low=float(gap.low[0]),
            high=float(gap.high[0]),
            p_value=float(gap.p_value[0]),
        )
        leads.append(lead)
    return leads


def _inversions(rocs: Mapping[tuple[str, int], RocCurve]) -> tuple[LevelInversion, ...]:
    """Return at which prevalences two systems change places, by level."""
    systems = list(dict.fromkeys(name for name, _ in rocs))
    at_levels = list(dict.fromkeys(at_least for _, at_least in rocs))
    pairs = list(combinations(systems, 2))
    if len(pairs) > MOST_PAIRS:
        return ()
    rows = []
    for first, second in pairs:
        for at_least in at_levels:
            if (first, at_least) not in rocs or (second, at_least) not in rocs:
                continue
            found = inversions(rocs[first, at_least], rocs[second, at_least])
            rows.append(LevelInversion(first, second, at_least, tuple(found.skews.tolist())))
    return tuple(rows)


def _remarks(
    marks: Marks, question: LevelQuestion, draws: int, left_out: Mapping[str, LeftOut]
) -> tuple[str, ...]:
    sentences = []
    if not marks.by_all:
        sentences.append(
            f"Not every annotator looked at every item: k of {marks.annotators} is as large a share of those who did."
        )
    if marks.left_out:
        sentences.append(f"Nobody looked at {marks.left_out:,} items; they are left out.")
    if question.clustered and left_out:
        clusters = min(own.clusters for own in left_out.values())
        if clusters < FEW_CLUSTERS:
            sentences.append(CAUTION)
    elif not draws and question.draws is None:
        sentences.append(TOO_MANY)
    return tuple(sentences)
