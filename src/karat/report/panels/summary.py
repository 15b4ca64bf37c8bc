"""The first screen: who is ahead, and each reason to doubt it in the same form."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import headline, statement_html
from karat.report.page.number_forms import chance, count, difference, rough
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    SIGNS,
    TEMPLATES,
    Statement,
    at_prevalence,
    best,
    few_for_lead,
    isolated,
    matters_most,
    wrong_labels,
)
from karat.report.panels.little_truth import lead, with_truth
from karat.report.panels.panel import Panel
from karat.report.panels.skew import few_by_area, prevalence_in_all
from karat.verdict.correlated_items import CorrelatedItems
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.stability.informed_result import SAFE
from karat.verdict.stability.result import StabilityResult

WARNING = "warning: "
Sourced = tuple[Statement, str]
"""A statement, and by what name the page's script rewrites it; nothing where it does not."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason to doubt that the first is ahead, and what is known of it."""

    name: str
    statement: Statement
    source: str = ""
    """By what name the page's script rewrites it."""
    further: tuple[Sourced, ...] = field(default=())
    """Statements below it."""
    ranked: bool = True
    """Whether it may be the one that matters most."""

    @property
    def statements(self) -> list[Sourced]:
        """Every statement."""
        return [(self.statement, self.source), *self.further]


def panel(findings: Findings) -> Panel:
    """Return who is ahead, which doubt matters most, and each doubt."""
    text = []
    html = ""
    if findings.little_truth is not None:
        sentence = lead(findings.little_truth)
        alone = f"By the {with_truth(findings.little_truth)} alone:"
        text += [sentence, alone]
        html += f'<p class="headline">{escape(sentence)}</p><p>{escape(alone)}</p>'
    title = _headline(findings)
    text.append(title)
    html += headline(title, "best")
    doubts = _doubts(findings)
    matters = _what_matters_most(findings, doubts)
    if matters:
        text.append(matters)
        follows = "" if findings.scores is None else ' data-sentence="matters"'
        html += f'<p class="matters"{follows}><span class="words">{escape(matters)}</span></p>'
    items = ""
    for doubt in doubts:
        text += _lines(doubt)
        items += _item(doubt)
    html += f'<ul class="doubts">{items}</ul>'
    return Panel(name="summary", title="How far can this ranking be trusted?", html=html, text=text)


def _what_matters_most(findings: Findings, doubts: Sequence[Doubt]) -> str:
    """Return which doubt matters most; nothing where none can be weighed against others."""
    if findings.scores is None:
        return TEMPLATES["matters without"]
    ranked = [(doubt.name, doubt.statement[0]) for doubt in doubts if doubt.ranked]
    return matters_most(ranked) if ranked else ""


def _item(doubt: Doubt) -> str:
    lines = ""
    for statement, source in doubt.statements:
        lines += f"<p>{statement_html(statement, source)}</p>"
    mark = f' data-doubt="{escape(doubt.name)}"' if doubt.ranked else ""
    return f"<li{mark}><strong>{escape(doubt.name)}</strong><div>{lines}</div></li>"


def _lines(doubt: Doubt) -> list[str]:
    lines = []
    for (strength, text), _ in doubt.statements:
        lines.append(f"{SIGNS[strength]} {doubt.name}: {text}")
    return lines


def _headline(findings: Findings) -> str:
    if findings.scores is not None:
        return best(
            findings.order,
            findings.numbers,
            findings.level,
            findings.measure,
            findings.forms.value,
        )
    sentence = TEMPLATES["best without"].format(first=isolated(findings.order[0]))
    pair = findings.facts.meaning.pair
    if pair:
        sentence += f" {TEMPLATES['right'].format(yes=pair[0])}"
    return sentence


def _doubts(findings: Findings) -> list[Doubt]:
    """Return every doubt that the data allows to judge, the gravest first.

    Of a table that was misread no number counts, and without more items nothing else does.
    """
    doubts = _reading(findings)
    doubts += _few_items(findings)
    if findings.correlated is not None:
        # What was not looked at cannot be what matters most.
        looked_at = findings.correlated != CorrelatedItems()
        statement = _correlated_items(findings, findings.correlated)
        doubts.append(Doubt("Correlated items", statement, ranked=looked_at))
    if findings.numbers["pairs"] and findings.sliders is not None:
        doubts.append(_wrong_labels(findings))
    areas = _compared_areas(findings)
    if areas is not None:
        doubts.append(_prevalence(findings, areas))
    if findings.consensus is not None and findings.scores is None:
        doubts.append(Doubt("Correlated errors", _correlated(findings.consensus.warnings())))
    doubts.append(Doubt("Left out", _left_out(findings), ranked=False))
    if findings.unasked:
        doubts.append(Doubt("Not answered", _not_answered(findings.unasked), ranked=False))
    return doubts


def _compared_areas(findings: Findings) -> PrevalenceResult | None:
    """Return the areas of several systems; None where there are none to compare."""
    return findings.at_prevalences if len(findings.order) > 1 else None


def _reading(findings: Findings) -> list[Doubt]:
    """Return what looks as if the table had been misread, such as one label in two spellings."""
    if findings.scores is None:
        return []
    statements = [(OPEN, _sentence(warning)) for warning in findings.scores.reading_warnings]
    if not statements:
        return []
    first, *others = statements
    return [Doubt("How the table was read", first, further=tuple((one, "") for one in others))]


def _sentence(note: str) -> str:
    text = note.removeprefix(WARNING)
    return text[:1].upper() + text[1:]


def _few_items(findings: Findings) -> list[Doubt]:
    """Return whether the items suffice for the lead of the first, by their pairs or by their areas."""
    if findings.numbers["pairs"]:
        statement = few_for_lead(findings.order, findings.numbers)
        return [Doubt("Few items", statement, "few" if findings.sliders is not None else "")]
    areas = _compared_areas(findings)
    if areas is not None and areas.differences:
        return [Doubt("Few items", few_by_area(areas))]
    return []


def _prevalence(findings: Findings, result: PrevalenceResult) -> Doubt:
    """Return who leads at which prevalence; and first at the one that was requested, if one was."""
    in_all = prevalence_in_all(result)
    slider = findings.prevalence
    if slider is None or not slider.begins_elsewhere:
        return Doubt("Prevalence", in_all)
    numbers = slider.at(slider.start)
    sentence = at_prevalence(slider.systems, numbers)
    if not numbers["warning"]:
        return Doubt("Prevalence", (PARTLY, sentence), further=((in_all, ""),))
    return Doubt("Prevalence", (OPEN, f"{sentence} {numbers['warning']}"), further=((in_all, ""),))


def _wrong_labels(findings: Findings) -> Doubt:
    """Return whether wrong labels may reverse the order of the first two: where errors lie, then by chance."""
    by_chance = wrong_labels(findings.numbers["pairs"][0], findings.assumed)
    if findings.informed is None:
        return Doubt("Wrong labels", by_chance, "wrong.0")
    informed = _informed(findings, findings.informed)
    return Doubt("Wrong labels", informed, further=((by_chance, "wrong.0"),))


def _informed(findings: Findings, result: StabilityResult) -> Statement:
    """Return whether the lead is safe from errors that lie where systems contradict the labels, and what settles it."""
    first, second = findings.order[:2]
    lead_pair = next(
        (pair for pair in result.pairs if (pair.better, pair.worse) == (first, second)), None
    )
    if lead_pair is None or lead_pair.verdict is None:
        return OPEN, TEMPLATES["no order"]
    is_safe = lead_pair.verdict == SAFE
    template = TEMPLATES["labels safe" if is_safe else "labels open"]
    share = rough(findings.assumed["error"])
    text = template.format(share=share, reversed=chance(lead_pair.reversed))
    if not is_safe:
        text += _audit(findings)
    verdicts = [pair.verdict for pair in result.pairs if pair.verdict is not None]
    if len(verdicts) > 1:
        safe = count(verdicts.count(SAFE))
        text += " " + TEMPLATES["safe in all"].format(safe=safe, orders=count(len(verdicts)))
    return FIRM if is_safe else OPEN, text


def _audit(findings: Findings) -> str:
    """Return about how many labels an audit of the lead takes, where that was simulated."""
    planned = findings.audit.planned if findings.audit is not None else ()
    for one in planned:
        if (one.better, one.worse) == tuple(findings.order[:2]):
            template = "audit long" if one.checks >= one.most else "audit"
            return f" {TEMPLATES[template].format(checks=count(min(one.checks, one.most)))}"
    return ""


def _correlated_items(findings: Findings, items: CorrelatedItems) -> Statement:
    """Return what correlated items mean for the lead."""
    if items.clusters:
        return FIRM, TEMPLATES["clusters"]
    if items.difference is not None:
        text = TEMPLATES["over groups"].format(
            verdict="Holds" if items.holds else "Open",
            groups=count(items.groups),
            first=isolated(findings.order[0]),
            difference=difference(items.difference),
            low=difference(items.low),
            high=difference(items.high),
        )
        return FIRM if items.holds else OPEN, text
    if items.column is not None:
        return OPEN, TEMPLATES["looks clustered"].format(column=isolated(items.column))
    return PARTLY, TEMPLATES["independent"]


def _correlated(warnings: Sequence[str]) -> Statement:
    """Return whether systems seem to have errors in common."""
    if warnings:
        return OPEN, warnings[0].removeprefix("warning: ")
    return FIRM, "No cluster of systems has correlated errors, and they agree more than by chance."


def _not_answered(questions: Sequence[str]) -> Statement:
    number = f"{len(questions):,} questions" if len(questions) > 1 else "One question"
    return OPEN, f"{number} could not be asked of this table; the last section says why."


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
