"""What happens where positives are rarer or more frequent than here?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.ask.preconditions import of_scores, option
from karat.ask.prevalence import DeploymentPrevalence
from karat.ask.prevalence_options import deployment_prevalences, read_series
from karat.errors import ChoiceError, OptionError
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.questions.remarks import unnamed_clusters
from karat.questions.scored_items import are_few, paired_items
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.scores.binned_curve import BINS, binned, binned_groups
from karat.tally.scores.curve import curves, group_curves
from karat.tally.scores.paired_scores import (
    MOST,
    PairedBlocks,
    PairedScores,
    paired_groups,
)
from karat.verdict.prevalence.groups import skew_groups as prevalence_of_groups
from karat.verdict.prevalence.groups_result import GroupedPrevalenceResult
from karat.verdict.prevalence.prevalence import skew as prevalence_of
from karat.verdict.prevalence.question import PrevalenceQuestion
from karat.verdict.prevalence.resampled_areas import ScoredTable
from karat.verdict.prevalence.result import PrevalenceResult

EXACT_ITEMS = 20_000_000
"""Items whose scores are counted one by one; of more, in bins."""
GROUPS_TOGETHER = "Groups are pooled; --per group reports them separately."


def asked(
    counter: Counter,
    per: str,
    where: Mapping[str, Any],
    how: Mapping[str, Any],
    *,
    beside: Mapping[str, Counter],
    bins: int | None = None,
) -> PrevalenceResult | GroupedPrevalenceResult:
    """Return what happens at other prevalences, over all items or group by group."""
    if per == "total":
        question = prevalence_question(counter.facts, **where, **how)
        return skew(tables_by_name(counter, beside), question, bins=bins)
    if per != "group":
        raise ChoiceError("--per", per, ["total", "group"])
    of_curves = [name for name in ("threshold", "check", "choose", "bands") if how[name]]
    if how["label_error"]:
        of_curves.append("label_error")
    if beside:
        of_curves.append("beside")
    if of_curves:
        raise OptionError(
            f"groups are compared by their areas; leave --{of_curves[0].replace('_', '-')} out"
        )
    fields = prevalences("groups are compared", **where)
    return skew_groups(
        counter, fields, bins=bins, level=how["level"], draws=how["draws"], seed=how["seed"]
    )


def skew(
    counters: Mapping[str, Counter], asking: PrevalenceQuestion, *, bins: int | None = None
) -> PrevalenceResult:
    """Return areas, orders and inversions at other prevalences; the first counter's table is the one asked about."""
    first, *beside = counters
    facts = of_scores(counters[first].facts)
    for counter in counters.values():
        _refuse_what_takes_items(counter.facts, asking)
    tables = {name: curves_of(counter, bins=bins) for name, counter in counters.items()}
    result = prevalence_of(tables, asking)
    options = {**facts.options, **asking.signed(), "draws": str(result.draws), **_binned(bins)}
    if beside:
        options["beside"] = ",".join(beside)
    names = [field.name for field in result.fields]
    signature = about("skew", names, None, options, _digests(tables.values()), facts)
    remarks = [*result.remarks]
    if "g" in facts.keys:
        remarks.append(GROUPS_TOGETHER)
    remarks += facts.remarks()
    remarks += unnamed_clusters(facts)
    return replace(result, about=signature, remarks=tuple(remarks))


def _refuse_what_takes_items(facts: Facts, asking: PrevalenceQuestion) -> None:
    """Refuse what is known of independent items that weigh the same, where they are not."""
    given = option({"c", "w"} & set(facts.keys)) if {"c", "w"} & set(facts.keys) else None
    if given is None:
        return
    takes_items = {
        "--bands": asking.bands,
        "--to FILE": asking.scores is not None,
    }
    for name, is_given in takes_items.items():
        if is_given and facts.options.get("source", "").startswith("pixels"):
            raise OptionError(
                f"{name} takes items as independent, and pixels are not; "
                "karat score --threshold counts over images"
            )
        if is_given:
            raise OptionError(
                f"{name} takes items as independent, each counting once; leave it or {given} out"
            )


def prevalences(what: str, **where: Any) -> tuple[DeploymentPrevalence, ...]:
    """Return the prevalences that were named, for a question that takes no file of scores."""
    fields, files = deployment_prevalences(**where)
    if files:
        raise OptionError(f"{what} at prevalences; {files[0]} is a file")
    return fields


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
    """Return what is asked about the curves of a table, with what the named files hold."""
    facts = of_scores(facts)
    fields, files = deployment_prevalences(
        to=to, low=low, high=high, prior=prior, trajectory=trajectory, time=time
    )
    unlabelled = None
    if files:
        unlabelled = read_series(files[0], *facts.systems)
    return PrevalenceQuestion(
        fields=fields, scores=unlabelled, label_error=both_ways(label_error), **options
    )


def both_ways(label_error: float | tuple[float, float]) -> tuple[float, float]:
    """Return the share of wrong labels among the negatives and among the positives."""
    if isinstance(label_error, tuple):
        negatives, positives = label_error
        return float(negatives), float(positives)
    return float(label_error), float(label_error)


def tables_by_name(counter: Counter, beside: Mapping[str, Counter] | None) -> dict[str, Counter]:
    """Return the table asked about and those beside it, by name."""
    others = dict(beside or {})
    own = Path(counter.facts.origin.removesuffix(".gz").removesuffix(".zst")).stem
    if own in others:
        raise OptionError("a table beside has the name of the first; give it another")
    return {own: counter, **others}


def skew_groups(
    counter: Counter,
    fields: Sequence[DeploymentPrevalence],
    *,
    bins: int | None = None,
    level: float = 0.95,
    draws: int | None = None,
    seed: int = 0,
) -> GroupedPrevalenceResult:
    """Return areas and orders at other prevalences in each group, and on average over the groups."""
    facts = of_scores(counter.facts)
    asking = PrevalenceQuestion(fields=tuple(fields), level=level, draws=draws, seed=seed)
    whole = curves_of(counter, bins=bins)
    groups = curves_of_groups(counter, bins=bins)
    result = prevalence_of_groups(groups, whole, asking)
    options = {**facts.options, **asking.signed(), "draws": str(result.draws), **_binned(bins)}
    names = [field.name for field in result.fields]
    digests = _digests([whole, *groups.values()])
    signature = about("skew", [*names, "per group"], None, options, digests, facts)
    remarks = (*result.remarks, *facts.remarks(), *unnamed_clusters(facts, per_group=True))
    return replace(result, about=signature, remarks=remarks)


def _binned(bins: int | None) -> dict[str, str]:
    return {"bins": str(bins)} if bins else {}


def _digests(tables: Any) -> list[str]:
    return [curve.digest() for table in tables for curve in table.curves.values()]


def curves_of(counter: Counter, *, bins: int | None = None) -> ScoredTable:
    """Count the curve of each system, and the scores of each item together; in bins where there are very many."""
    facts = of_scores(counter.facts)
    if bins is not None and bins < 2:
        raise OptionError(f"--bins is {bins}; scores need two bins or more")
    weighted = "w" in facts.keys
    if bins is not None and weighted:
        raise OptionError("scores are counted in bins where items weigh the same; leave --bins out")
    if bins is None and not weighted and are_few(counter, EXACT_ITEMS):
        exact = counter.count(curves)
        return ScoredTable(exact, _by_cluster(paired_items(counter, facts.systems, exact)))
    paired = paired_items(counter, facts.systems)
    if weighted and isinstance(paired, PairedScores):
        return _of_weights(paired)
    in_bins = counter.count(binned, bins=bins or BINS)
    return ScoredTable(in_bins, _by_cluster(paired), binned=True)


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
    facts = of_scores(counter.facts)
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
        raise OptionError(
            f"scores are weighted for up to {MOST:,} items; there are {facts.counts.items:,}"
        )
    by_group = counter.count(paired_groups, facts.systems)
    return {group: _of_weights(paired) for group, paired in by_group.items()}
