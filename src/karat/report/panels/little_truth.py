"""How good each system is, and which is better, from a few items with truth and the answers to all."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from karat.report.findings import Findings, LittleTruth
from karat.report.page.markup import folded, named, number, paragraphs, statement_html, table
from karat.report.page.words import FIRM, OPEN, Statement, isolated
from karat.report.panels.panel import Panel
from karat.verdict.compare.comparison import Comparison
from karat.verdict.judged.scores import JudgedSystem
from karat.words import counted

SCORE_HEADS = (
    "system",
    "accuracy",
    "at least",
    "at most",
    "by the majority alone",
    "right, of those with truth",
    "with truth",
)
PAIR_HEADS = (
    "first",
    "second",
    "gain",
    "from",
    "to",
    "differ",
    "with truth",
    "p (Holm)",
    "more labels",
    "for an 80 % chance",
    "verdict",
)


def panel(findings: Findings) -> Panel | None:
    """Return the accuracies by strata, the neighbours in the ranking, and what to label next."""
    little = findings.little_truth
    if little is None:
        return None
    statements = _statements(little)
    body = ""
    for statement in statements:
        body += f"<p>{statement_html(statement)}</p>"
    body += _scores(little)
    pairs = little.comparisons.comparisons
    if pairs:
        neighbours = _neighbours(little)
        body += _pairs("table-little-pairs", "Neighbours in this ranking", neighbours)
        if len(pairs) > len(neighbours):
            body += folded(
                f"All {len(pairs):,} pairs", _pairs("table-little-all", "All pairs", pairs)
            )
    body += _next(little)
    body += folded("How to read this", paragraphs(little.comparisons.notes()))
    sentences = [text for _, text in statements]
    return Panel(
        name="little-truth",
        title=_title(little),
        html=body,
        text=[*sentences, *little.comparisons.notes()],
        tables={**little.scores.parts(), **little.comparisons.parts()},
    )


def lead(little: LittleTruth) -> str:
    """Return which system is first, how good it is, and how many others it is shown to be better than."""
    first = little.scores.systems[0]
    worse = 0
    for one in little.comparisons.comparisons:
        if one.first == first.system and one.verdict == "better":
            worse += 1
    others = len(little.scores.systems) - 1
    return (
        f"{isolated(first.system)} is right on {100 * first.value:.1f} % of the items ({100 * first.low:.1f} to "
        f"{100 * first.high:.1f} %), by the truth of {first.checked:,} and the answers to all {first.items:,}; it is "
        f"shown to be better than {worse:,} of {others:,} others."
    )


def with_truth(little: LittleTruth) -> str:
    """Return how many items have a truth."""
    record = little.scores.record
    checked = 0 if record is None else record.sample.checked
    return counted(checked, "item") + " with truth"


def _title(little: LittleTruth) -> str:
    items = max(one.items for one in little.scores.systems)
    return f"How good is each system, from {with_truth(little)} and the answers to {items:,}?"


def _statements(little: LittleTruth) -> list[Statement]:
    """Return what the numbers take for granted, and whether the items with truth look like a random sample."""
    record = little.scores.record
    if record is None:
        return []
    sentence = record.sample.words().removeprefix("warning: ")
    sentence = sentence[0].upper() + sentence[1:]
    return [(FIRM if record.sample.looks_random else OPEN, sentence)]


def _scores(little: LittleTruth) -> str:
    rows = [_score_cells(one) for one in little.scores.systems]
    caption = (
        f"Accuracy over the items that a system answered, at the level {little.scores.systems[0].level:g}: agreement "
        "with the majority of the systems, corrected by the items with truth (post-stratified, Jeffreys and MOVER)"
    )
    return table("table-little-scores", caption, SCORE_HEADS, rows)


def _score_cells(one: JudgedSystem) -> list[str]:
    return [
        named(one.system),
        number(one.value, "percent"),
        number(one.low, "percent"),
        number(one.high, "percent"),
        number(one.by_judge, "percent"),
        number(one.checked_right, "count"),
        number(one.checked, "count"),
    ]


def _neighbours(little: LittleTruth) -> list[Comparison]:
    order = [one.system for one in little.scores.systems]
    neighbours = set(pairwise(order))
    return [one for one in little.comparisons.comparisons if (one.first, one.second) in neighbours]


def _pairs(name: str, what: str, pairs: Sequence[Comparison]) -> str:
    rows = [_pair_cells(one) for one in pairs]
    caption = f"{what}: is the first better? By strata of the two answers and the majority's"
    return table(name, caption, PAIR_HEADS, rows, words=2)


def _pair_cells(one: Comparison) -> list[str]:
    return [
        named(one.first),
        named(one.second),
        number(one.difference, "difference"),
        number(one.low, "difference"),
        number(one.high, "difference"),
        number(one.differ, "count"),
        number(one.labelled, "count"),
        number(one.p_adjusted, "bare"),
        number(one.more_labels, "further"),
        number(one.more_labels_80, "further"),
        named(one.verdict),
    ]


def _next(little: LittleTruth) -> str:
    body = ""
    for one in little.comparisons.next_labels:
        if not one.items:
            continue
        items = ", ".join(escape(item) for item in one.items)
        summary = f"Label next, to decide between {one.first} and {one.second}: {len(one.items)} of {one.of:,}"
        body += folded(summary, f"<p><bdi>{items}</bdi></p>")
    return body
