"""What happens where positives are rarer or more frequent than here?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.ask.preconditions import require_scores
from karat.ask.prevalence import DeploymentPrevalence
from karat.ask.prevalence_options import deployment_prevalences, read_names, read_series
from karat.doubt.prevalence.score_bins import CLUSTER_CAUTION
from karat.errors import ChoiceError, OptionError
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.questions.remarks import unnamed_clusters
from karat.questions.scored_items import are_few, paired_items, too_many_weighted
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.scores.binned_curve import BINS, binned, binned_groups
from karat.tally.scores.curve import Curve, curves, group_curves
from karat.tally.scores.paired_scores import (
    MOST,
    PairedBlocks,
    PairedScores,
    paired_groups,
    paired_scores,
)
from karat.tally.scores.sampled_scores import SampledScores, sampled_scores
from karat.verdict.prevalence.groups import skew_groups as prevalence_of_groups
from karat.verdict.prevalence.groups_result import GroupedPrevalenceResult
from karat.verdict.prevalence.prevalence import skew as prevalence_of
from karat.verdict.prevalence.question import PrevalenceQuestion, UnlabelledScores
from karat.verdict.prevalence.resampled_areas import ScoredTable
from karat.verdict.prevalence.result import PrevalenceResult

EXACT_ITEMS = 20_000_000
"""Up to how many items scores are counted one by one; of more, in bins."""
FEW_ITEMS = 200_000
"""Up to how many items are resampled; of more, a sample is as good, and quicker."""
GROUPS_TOGETHER = "Groups are pooled; --per group reports them separately."


def skew_per(
    counter: Counter,
    per: str,
    deployments: Mapping[str, Any],
    options: Mapping[str, Any],
    *,
    beside: Mapping[str, Counter],
    bins: int | None = None,
) -> PrevalenceResult | GroupedPrevalenceResult:
    """Return what happens at other prevalences, over all items or group by group."""
    if per == "total":
        question = prevalence_question(counter.facts, **deployments, **options)
        return skew(tables_by_name(counter, beside), question, bins=bins)
    if per != "group":
        raise ChoiceError("--per", per, ["total", "group"])
    of_curves = [name for name in ("threshold", "check", "choose", "bands") if options[name]]
    if options["label_error"]:
        of_curves.append("label_error")
    if beside:
        of_curves.append("beside")
    if of_curves:
        raise OptionError(
            f"groups are compared by their areas; leave --{of_curves[0].replace('_', '-')} out"
        )
    named = prevalences("groups are compared", **deployments)
    return skew_groups(
        counter,
        named,
        bins=bins,
        level=options["level"],
        draws=options["draws"],
        seed=options["seed"],
    )


def skew(
    counters: Mapping[str, Counter], question: PrevalenceQuestion, *, bins: int | None = None
) -> PrevalenceResult:
    """Return areas, orders and inversions at other prevalences; the first counter is of the main table."""
    first, *beside = counters
    facts = require_scores(counters[first].facts)
    every_item = question.labels_may_be_wrong
    tables = {}
    for name, counter in counters.items():
        tables[name] = curves_of(counter, bins=bins, every_item=every_item)
    result = prevalence_of(tables, question)
    options = {**facts.options, **question.signed(), "draws": str(result.draws), **_binned(bins)}
    if beside:
        options["beside"] = ",".join(beside)
    names = [deployment.name for deployment in result.deployments]
    signature = about("skew", names, None, options, _digests(tables.values()), facts)
    remarks = [*result.remarks]
    if "g" in facts.keys:
        remarks.append(GROUPS_TOGETHER)
    remarks += facts.remarks()
    remarks += unnamed_clusters(facts)
    return replace(result, about=signature, remarks=tuple(remarks))


def prevalences(what: str, **where: Any) -> tuple[DeploymentPrevalence, ...]:
    """Return the prevalences that were named, for a question that takes no file of scores."""
    deployments, files = deployment_prevalences(**where)
    if files:
        raise OptionError(f"{what} at prevalences; {files[0]} is a file")
    return deployments


def prevalence_question(
    facts: Facts,
    *,
    label_error: float | tuple[float, float] = 0.0,
    to: Any = (),
    low: float | str | None = None,
    high: float | str | None = None,
    prior: Any = DEFAULT_PRIOR,
    trajectory: Any = None,
    time: Any = None,
    **options: Any,
) -> PrevalenceQuestion:
    """Return the question about the curves of a table, with the contents of the named files."""
    facts = require_scores(facts)
    deployments, files = deployment_prevalences(
        to=to, low=low, high=high, prior=prior, trajectory=trajectory, time=time
    )
    unlabelled = None
    if files:
        unlabelled = _unlabelled(files[0], facts)
    return PrevalenceQuestion(
        deployments=deployments, scores=unlabelled, label_error=both_ways(label_error), **options
    )


def _unlabelled(path: str, facts: Facts) -> UnlabelledScores:
    """Read the scores of every system, and their clusters where the labelled items have some."""
    scores = read_series(path, *facts.systems)
    column = facts.options.get("cluster")
    if column is None:
        return UnlabelledScores(scores)
    cluster = read_names(path, column)
    if cluster is None:
        remark = (
            f"{path} has no column {column!r}: its scores are taken as independent of each other."
        )
        return UnlabelledScores(scores, remarks=(remark, CLUSTER_CAUTION))
    _, places = np.unique(cluster, return_inverse=True)
    return UnlabelledScores(scores, places, remarks=(CLUSTER_CAUTION,))


def both_ways(label_error: float | tuple[float, float]) -> tuple[float, float]:
    """Return the share of wrong labels among the negatives and among the positives."""
    if isinstance(label_error, tuple):
        negatives, positives = label_error
        return float(negatives), float(positives)
    return float(label_error), float(label_error)


def tables_by_name(counter: Counter, beside: Mapping[str, Counter] | None) -> dict[str, Counter]:
    """Return the main table and those it is compared with, by name."""
    others = dict(beside or {})
    own = Path(counter.facts.origin.removesuffix(".gz").removesuffix(".zst")).stem
    if own in others:
        raise OptionError("a table beside has the name of the first; give it another")
    return {own: counter, **others}


def skew_groups(
    counter: Counter,
    deployments: Sequence[DeploymentPrevalence],
    *,
    bins: int | None = None,
    level: float = 0.95,
    draws: int | None = None,
    seed: int = 0,
) -> GroupedPrevalenceResult:
    """Return areas and orders at other prevalences in each group, and on average over the groups."""
    facts = require_scores(counter.facts)
    question = PrevalenceQuestion(
        deployments=tuple(deployments), level=level, draws=draws, seed=seed
    )
    whole = curves_of(counter, bins=bins)
    groups = curves_of_groups(counter, bins=bins)
    result = prevalence_of_groups(groups, whole, question)
    options = {**facts.options, **question.signed(), "draws": str(result.draws), **_binned(bins)}
    names = [deployment.name for deployment in result.deployments]
    digests = _digests([whole, *groups.values()])
    signature = about("skew", [*names, "per group"], None, options, digests, facts)
    remarks = (*result.remarks, *facts.remarks(), *unnamed_clusters(facts, per_group=True))
    return replace(result, about=signature, remarks=remarks)


def _binned(bins: int | None) -> dict[str, str]:
    return {"bins": str(bins)} if bins else {}


def _digests(tables: Any) -> list[str]:
    return [curve.digest() for table in tables for curve in table.curves.values()]


def curves_of(
    counter: Counter, *, bins: int | None = None, every_item: bool = False
) -> ScoredTable:
    """Count the curve of each system, and all systems' scores of the same items; in bins where there are very many.

    `every_item`: labels are to be flipped, which takes every item, and not a sample of them.
    """
    facts = require_scores(counter.facts)
    if bins is not None and bins < 2:
        raise OptionError(f"--bins is {bins}; scores need two bins or more")
    weighted = "w" in facts.keys
    if bins is not None and weighted:
        raise OptionError("scores are counted in bins where items weigh the same; leave --bins out")
    if bins is None and not weighted and are_few(counter, EXACT_ITEMS):
        exact = counter.count(curves)
        return ScoredTable(exact, _together(counter, exact, every_item=every_item))
    if weighted:
        return _of_weights(_weighted_items(counter))
    in_bins = counter.count(binned, bins=bins or BINS)
    paired = _together(counter, in_bins, every_item=every_item)
    return ScoredTable(in_bins, paired, binned=True)


def _together(
    counter: Counter, known: Mapping[str, Curve], *, every_item: bool
) -> PairedScores | PairedBlocks | SampledScores:
    """Count all systems' scores of the same items: of every item, by cluster, or of a sample if they are too many."""
    facts = counter.facts
    has_names = any(use.role == "item" for use in facts.uses)
    most = MOST if every_item or not has_names else FEW_ITEMS
    if are_few(counter, most) or "c" in facts.keys:
        return _by_cluster(paired_items(counter, facts.systems, known))
    return counter.count(sampled_scores, facts.systems, curves=known)


def _weighted_items(counter: Counter) -> PairedScores:
    """Count the scores of items with weights, which must be few enough to hold."""
    if not are_few(counter, MOST):
        raise too_many_weighted(counter.facts)
    return counter.count(paired_scores, counter.facts.systems)


def _of_weights(paired: PairedScores) -> ScoredTable:
    """Return the curves of items with weights."""
    by_system = {system: paired.curve(system) for system in paired.systems}
    return ScoredTable(by_system, _by_cluster(paired), items=paired.sides)


def _by_cluster(paired: PairedScores | PairedBlocks) -> PairedScores | PairedBlocks:
    """Return the scores by cluster, where items are clustered."""
    if isinstance(paired, PairedScores) and paired.cluster is not None:
        return paired.in_clusters()
    return paired


def curves_of_groups(counter: Counter, *, bins: int | None = None) -> dict[str, ScoredTable]:
    """Count the curves of each system group by group, and the scores of each item if they are not too many."""
    facts = require_scores(counter.facts)
    if "g" not in facts.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    if "w" in facts.keys:
        return _weighted_groups(counter, bins)
    if bins is None and not are_few(counter, EXACT_ITEMS):
        bins = BINS
    if bins is None:
        by_system = counter.count(group_curves)
    else:
        by_system = counter.count(binned_groups, bins=bins)
    paired: dict[str, PairedScores] = {}
    if are_few(counter, MOST):
        paired = counter.count(paired_groups, facts.systems)
    tables: dict[str, ScoredTable] = {}
    for group in by_system[facts.systems[0]]:
        own = {system: groups[group] for system, groups in by_system.items()}
        of_group = paired.get(group)
        resampled = None if of_group is None else _by_cluster(of_group)
        tables[group] = ScoredTable(own, resampled, bins is not None)
    return tables


def _weighted_groups(counter: Counter, bins: int | None) -> dict[str, ScoredTable]:
    """Count the scores of each item with its weight, group by group."""
    facts = counter.facts
    if bins is not None:
        raise OptionError("scores are counted in bins where items weigh the same; leave --bins out")
    if facts.counts.items > MOST:
        raise too_many_weighted(facts)
    by_group = counter.count(paired_groups, facts.systems)
    return {group: _of_weights(paired) for group, paired in by_group.items()}
