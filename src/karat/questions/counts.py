"""The questions that need no table: counts, published scores and plans are enough."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.ask.prevalence import skew_of
from karat.ask.prevalence_options import fields_of
from karat.doubt.estimate import How, of_counts
from karat.doubt.interval import Side
from karat.errors import OptionError
from karat.measure.prevalence.domain_limits import SkewLimits, skew_limits
from karat.report.signature import about
from karat.verdict.compare.compare import Contest
from karat.verdict.compare.counts import compare_counts
from karat.verdict.compare.result import Comparisons
from karat.verdict.plan.plans import Figure, Plan, answer, curves
from karat.verdict.prevalence.published import Moved, published, published_precision
from karat.verdict.score.scores import Entry, Scores


def score_counts(
    counts: Sequence[tuple[int, int]],
    *,
    level: float = 0.95,
    side: Side = "both",
    bound: str = "exact",
) -> Scores:
    """How sure are shares of which only the successes and trials are known?"""
    how = How(level=level, side=side, bound=bound)
    found = tuple(Entry(f"{x}/{n}", of_counts(x, n, how)) for x, n in counts)
    return Scores(
        found, about("score", ["share"], how, {}, [f"{x}/{n}" for x, n in counts]), side=side
    )


def compare_shares(
    counts: Sequence[tuple[int, int]],
    *,
    test: str = "auto",
    margin: float | None = None,
    level: float = 0.95,
) -> Comparisons:
    """Is one share larger than another, if only the successes and trials are known?"""
    contest = Contest(test=test, margin=margin, level=level)
    said = about("compare", ["share"], contest, {}, [f"{x}/{n}" for x, n in counts])
    return Comparisons(tuple(compare_counts(list(counts), contest)), (), said)


def plan(
    *,
    estimate: float | None = None,
    trials: Sequence[int] | None = None,
    baseline: float | None = None,
    increase: float | None = None,
    lower: float | None = None,
    alone: Sequence[float] | None = None,
    figure: int | None = None,
    power: float | None = None,
    level: float = 0.95,
) -> Plan | Figure:
    """How many items do I need, and what can so many show?"""
    asked: dict[str, Any] = {
        "estimate": estimate,
        "trials": trials,
        "baseline": baseline,
        "increase": increase,
        "lower": lower,
    }
    asked |= {"alone": alone, "figure": figure, "power": power, "level": level}
    said = {name: str(value) for name, value in asked.items() if value is not None}
    beside = about("plan", [], None, said, [])
    if figure is not None:
        if beside_it := said.keys() - {"figure", "level"}:
            raise OptionError(
                f"a figure of the paper takes --level alone; leave --{min(beside_it)} out"
            )
        return Figure(figure, curves(figure, level), beside)
    row, sentence = answer(**{name: value for name, value in asked.items() if name != "figure"})
    return Plan((row,), sentence, beside)


def stability_of_scores(counts: Sequence[tuple[int, int]], *, label_error: float) -> Plan:
    """Would an order survive errors in the labels, if only the two scores are published?"""
    row, sentence = published(list(counts), label_error)
    options = {"label_error": str(label_error)}
    return Plan(
        (row,),
        sentence,
        about("stability", ["accuracy"], None, options, [f"{x}/{n}" for x, n in counts]),
    )


def skew_of_precision(
    precision: float,
    *,
    old: float | str,
    recall: float | None = None,
    check: tuple[float, float] | None = None,
    **where: Any,
) -> Moved:
    """What would a published precision be at another class balance? `where` as for `Bench.skew`."""
    fields, files = fields_of(**where)
    if files:
        raise OptionError(
            f"a published value has no scores to set beside {files[0]}; name a class balance with --to"
        )
    if not fields:
        raise OptionError("say where: --to P, --low P --high P, or --trajectory")
    start = skew_of(old)
    told = {"precision": precision, "from": start, "recall": recall}
    options = {name: str(value) for name, value in told.items() if value is not None}
    options |= {"check": f"{check[0]},{check[1]}"} if check else {}
    found = published_precision(precision, start, fields, recall=recall, check=check)
    return replace(found, about=about("skew", [each.name for each in fields], None, options, []))


def limits_of(skews: Sequence[float | str]) -> SkewLimits:
    """Between which class balances does a domain lie, by those of some of its data sets?"""
    return skew_limits([skew_of(each) for each in skews])
