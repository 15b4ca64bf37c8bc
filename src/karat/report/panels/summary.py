"""The first screen: the ranking, how neighbours compare, and how far each doubt goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import headline, statement_html
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    SIGNS,
    TEMPLATES,
    Statement,
    best,
    few_in_all,
    firmness,
    isolated,
    wrong_in_all,
)
from karat.report.panels.little_truth import lead, with_truth
from karat.report.panels.panel import Panel
from karat.report.panels.skew import few_by_area, prevalence_in_all
from karat.verdict.stability.informed_result import SAFE
from karat.verdict.stability.result import StabilityResult


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason to doubt a ranking, and how far it goes."""

    name: str
    statement: Statement
    source: str = ""
    """By what name the page's script rewrites it."""


def panel(findings: Findings) -> Panel:
    """Return the ranking in words."""
    title = _headline(findings)
    doubts = _doubts(findings)
    items = []
    text = [title]
    for doubt in doubts:
        firmness, sentence = doubt.statement
        statement = statement_html(doubt.statement, doubt.source)
        items.append(f"<li><strong>{escape(doubt.name)}</strong> {statement}</li>")
        text.append(f"{SIGNS[firmness]} {doubt.name}: {sentence}")
    first = ""
    if findings.little_truth is not None:
        sentence = lead(findings.little_truth)
        alone = f"By the {with_truth(findings.little_truth)} alone:"
        first = f'<p class="headline">{escape(sentence)}</p><p>{escape(alone)}</p>'
        text[:0] = [sentence, alone]
    html = f'{first}{headline(title, "best")}<ul class="doubts">{"".join(items)}</ul>'
    return Panel(name="summary", title="How far can this ranking be trusted?", html=html, text=text)


def _headline(findings: Findings) -> str:
    if findings.scores is not None:
        return best(findings.order, findings.numbers, findings.level, findings.measure)
    sentence = TEMPLATES["best without"].format(first=isolated(findings.order[0]))
    pair = findings.facts.meaning.pair
    if pair:
        sentence += f" {TEMPLATES['right'].format(yes=pair[0])}"
    return sentence


def _doubts(findings: Findings) -> list[Doubt]:
    """Return every doubt that the data allows to judge."""
    doubts = []
    pairs = findings.numbers["pairs"]
    if pairs:
        doubts.append(Doubt("Few items", few_in_all(pairs, findings.level), "few"))
    if pairs and findings.sliders is not None:
        doubts.append(Doubt("Wrong labels", wrong_in_all(pairs, findings.assumed), "wrong"))
    if findings.informed is not None:
        doubts.append(Doubt("Wrong labels as they really lie", _informed(findings.informed)))
    if findings.at_prevalences is not None and len(findings.order) > 1:
        if findings.at_prevalences.gaps and not pairs:
            doubts.append(Doubt("Few items", few_by_area(findings.at_prevalences)))
        doubts.append(Doubt("Prevalence", prevalence_in_all(findings.at_prevalences)))
    if findings.consensus is not None and findings.scores is None:
        doubts.append(Doubt("Correlated errors", _correlated(findings.consensus.warnings())))
    doubts.append(Doubt("Left out", _left_out(findings)))
    unanswered = [Doubt("Not answered", (OPEN, question)) for question in findings.unasked]
    return [*doubts, *unanswered]


def _informed(result: StabilityResult) -> Statement:
    """Return how many orders of neighbours are safe from errors that lie where systems contradict the labels."""
    verdicts = [pair.verdict for pair in result.pairs if pair.verdict is not None]
    safe = verdicts.count(SAFE)
    (forecast,) = result.informed
    text = f"{safe:,} of {len(verdicts):,} pairs of neighbours are safe: reversed with a probability under 0.01."
    return firmness(safe, len(verdicts)) if verdicts else OPEN, f"{text} {forecast.words()}"


def _correlated(warnings: Sequence[str]) -> Statement:
    """Return whether systems seem to have errors in common."""
    if warnings:
        return OPEN, warnings[0].removeprefix("warning: ")
    return FIRM, "No cluster of systems has correlated errors, and they agree more than by chance."


def _left_out(findings: Findings) -> Statement:
    """Return what was not counted."""
    absent = _absent(findings)
    if findings.scores is None:
        sentence = " ".join(findings.facts.voted())
        return PARTLY, " ".join([f"There is no truth. {sentence}", *absent])
    sentence = " ".join(findings.facts.remarks())
    if absent:
        return PARTLY, " ".join([*absent, sentence])
    counts = findings.facts.counts
    if counts.unanswered or counts.without_truth or sum(counts.missing.values()):
        return PARTLY, sentence
    return (
        FIRM,
        f"Nothing: every system answered every item, and every item has a truth. {sentence}",
    )


def _absent(findings: Findings) -> list[str]:
    """Return which files of graphs are absent or were not taken as they are."""
    if findings.graphs is not None:
        return [text.removeprefix("warning: ") for text in findings.graphs.warnings()]
    if "unit" in findings.facts.options:
        return list(findings.facts.notes[1:])
    return []
