"""The questions that need no table: counts, published scores and plans are enough."""

from collections.abc import Sequence
from typing import Any

from karat.doubt.estimate import How, of_counts
from karat.doubt.interval import Side
from karat.report.signature import about
from karat.source.graph_check import faults
from karat.verdict.compare import Contest
from karat.verdict.comparisons import Comparisons
from karat.verdict.counts import compare_counts
from karat.verdict.graph_check import Checked
from karat.verdict.plans import Figure, Plan, answer, curves
from karat.verdict.published import published
from karat.verdict.scores import Entry, Scores


def score_counts(
    counts: Sequence[tuple[int, int]], *, level: float = 0.95, side: Side = "both", bound: str = "exact"
) -> Scores:
    """How sure are shares of which only the successes and trials are known?"""
    how = How(level=level, side=side, bound=bound)
    found = tuple(Entry(f"{x}/{n}", of_counts(x, n, how)) for x, n in counts)
    return Scores(found, about("score", ["share"], how, {}, [f"{x}/{n}" for x, n in counts]), side=side)


def compare_shares(counts: Sequence[tuple[int, int]], *, test: str = "auto", level: float = 0.95) -> Comparisons:
    """Is one share larger than another, if only the successes and trials are known?"""
    contest = Contest(test=test, level=level)
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
        return Figure(figure, curves(figure, level), beside)
    row, sentence = answer(**{name: value for name, value in asked.items() if name != "figure"})
    return Plan((row,), sentence, beside)


def stability_of_scores(counts: Sequence[tuple[int, int]], *, label_error: float) -> Plan:
    """Would an order survive errors in the labels, if only the two scores are published?"""
    row, sentence = published(list(counts), label_error)
    options = {"label_error": f"{label_error:g}"}
    return Plan((row,), sentence, about("stability", ["accuracy"], None, options, [f"{x}/{n}" for x, n in counts]))


def check_graphs(folders: Sequence[str], *, tree: bool = True) -> Checked:
    """Which label graphs are malformed or illegal, and in which line?"""
    found = [faults(folder, tree=tree) for folder in folders]
    said = {**about("check", [], None, {} if tree else {"tree": "no"}, []), "input": list(folders)}
    return Checked(
        files=sum(number for number, _ in found), faults=tuple(one for _, some in found for one in some), about=said
    )
