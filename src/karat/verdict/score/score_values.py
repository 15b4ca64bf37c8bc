"""Estimates of systems that gave scores, or distributions over labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from karat.doubt.estimate_from_items import CurveEstimator, of_area_at
from karat.doubt.estimate_from_scores import of_confidences, of_curve
from karat.doubt.estimates import IntervalOptions
from karat.measure.quantity import Quantity
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import PairedBlocks, PairedScores
from karat.tally.votes.confidences import Confidences
from karat.verdict.score.result import Entry
from karat.verdict.score.scores import ScoredSystem


def score_of_curve(
    system: str, curve: Curve, quantities: Sequence[Quantity], how: IntervalOptions
) -> ScoredSystem:
    """Return every requested quantity of one system that gave scores."""
    entries = []
    for quantity in quantities:
        at_prevalence = quantity.traits.bounded_by == "prevalence"
        estimate = of_area_at if at_prevalence else of_curve
        entries.append(Entry(system, estimate(quantity, curve, how)))
    return ScoredSystem(tuple(entries), curve.digest())


def scores_of_items(
    items: PairedScores | PairedBlocks,
    curves: Mapping[str, Curve],
    quantities: Sequence[Quantity],
    how: IntervalOptions,
) -> list[ScoredSystem]:
    """Return every requested quantity of every system that gave scores, where items are clustered or weighted."""
    estimator = CurveEstimator(items, curves, how)
    entries: dict[str, list[Entry]] = {system: [] for system in curves}
    for quantity in quantities:
        for system, estimates in estimator.estimate(quantity).items():
            entries[system].append(Entry(system, estimates))
    clusters = None
    if isinstance(items, PairedBlocks):
        clusters = items.number
    elif items.cluster is not None:
        clusters = items.clusters
    parts = []
    for system, curve in curves.items():
        part = ScoredSystem(tuple(entries[system]), curve.digest(), clusters=clusters)
        parts.append(part)
    return parts


def with_distributions(
    part: ScoredSystem,
    system: str,
    tally: Confidences,
    quantities: Sequence[Quantity],
    how: IntervalOptions,
) -> ScoredSystem:
    """Return the scores of one system with those of its distributions, in the order in which they are requested."""
    entries = {entry.estimates.quantity: entry for entry in part.entries}
    for quantity in quantities:
        if quantity.counted_from == "confidences":
            entries[quantity] = Entry(system, of_confidences(quantity, tally, system, how))
    ordered = tuple(entries[quantity] for quantity in quantities)
    return replace(part, entries=ordered, digest=part.digest + tally.digest())
