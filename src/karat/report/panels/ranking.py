"""The ranking as a ladder: each system, and how it compares with the next one."""

from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import named, number, statement_html
from karat.report.page.number_forms import FORMS
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    SIGNS,
    Statement,
    few_items,
    informed_order,
    wrong_labels,
)
from karat.report.panels.panel import Panel


def panel(findings: Findings) -> Panel:
    """Return the ladder."""
    steps = "".join(_step(findings, place) for place in range(len(findings.order)))
    ladder = f'<ol class="ladder" data-rows="ladder" data-what="systems">{steps}</ol>'
    return Panel(
        name="ranking",
        title=f"The ranking by {findings.measure}",
        html=f"{_heads(findings)}{ladder}{_reading(findings)}",
        text=_lines(findings),
    )


def _heads(findings: Findings) -> str:
    """Return what the columns of the ladder are."""
    groups = any(system.get("letters") for system in findings.numbers["systems"])
    value, ends = findings.measure, "interval"
    if not findings.has_truth:
        value, ends = "value", "spread over items"
    words = ("rank", "group" if groups else "", "system", value, ends)
    kinds = ("rank", "letters", "name", "value", "bar")
    cells = []
    for kind, word in zip(kinds, words, strict=True):
        cells.append(f'<span class="{kind}">{escape(word)}</span>')
    return f'<div class="system heads" aria-hidden="true">{"".join(cells)}</div>'


def _rank(findings: Findings, place: int) -> str:
    """Return the ranks that a system may have and its groups, or its rank where nothing was compared."""
    system = findings.numbers["systems"][place]
    if "ranks" not in system:
        return f'<span class="rank">{findings.rank(place)}</span><span class="letters"></span>'
    ranks = number(system["ranks"], "text", f"systems.{place}.ranks")
    letters = number(system["letters"], "text", f"systems.{place}.letters")
    return f'<span class="rank">{ranks}</span><span class="letters">{letters}</span>'


def _step(findings: Findings, place: int) -> str:
    """Return a system of the ladder, and how it compares with the next one."""
    name = findings.order[place]
    system = findings.numbers["systems"][place]
    path = f"systems.{place}"
    form = findings.forms.value
    value = number(system["value"], form, f"{path}.value")
    low = number(system["low"], form, f"{path}.low")
    high = number(system["high"], form, f"{path}.high")
    row = (
        f'<div class="system">{_rank(findings, place)}{named(name)}'
        f'<span class="value">{value}</span>'
        f'<span class="bar" data-chart="bar" data-place="{place}"></span>'
        f'<span class="ends">{low} to {high}</span></div>'
    )
    return f"<li>{row}{_rung(findings, place)}</li>"


def _rung(findings: Findings, place: int) -> str:
    lines = [
        statement_html(statement, source)
        for source, statement in _statements(findings, place).items()
    ]
    if not lines:
        return ""
    return f'<div class="rung">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


def _statements(findings: Findings, place: int) -> dict[str, Statement]:
    """Return how a system compares with the next one, by the name that the page has for each statement."""
    pairs = findings.numbers["pairs"]
    if place >= len(pairs):
        return {}
    first = findings.order[place]
    second = findings.order[place + 1]
    statements = {f"few.{place}": few_items(first, second, pairs[place])}
    if findings.sliders is not None:
        statements[f"wrong.{place}"] = wrong_labels(pairs[place], findings.assumed)
    if findings.informed is not None:
        informed = informed_order(findings.informed, first, second)
        if informed not in statements.values():
            statements[""] = informed
    return statements


def _lines(findings: Findings) -> list[str]:
    """Return the ladder as lines of text."""
    lines = []
    for place, name in enumerate(findings.order):
        value = findings.numbers["systems"][place]["value"]
        system = findings.numbers["systems"][place]
        ranks = f"rank {system.get('ranks', findings.rank(place))}"
        if system.get("letters"):
            ranks += f", group {system['letters']}"
        lines.append(f"- {ranks}, {name}: {FORMS[findings.forms.value](value)}")
        for firmness, sentence in _statements(findings, place).values():
            lines.append(f"  - {SIGNS[firmness]} {sentence}")
    return lines


def _reading(findings: Findings) -> str:
    """Return what the technical terms mean, for those who meet them for the first time."""
    level = f"{findings.level:g}"
    return (
        "<details><summary>How to read this</summary><dl>"
        "<dt>rank</dt><dd>1 to 3: no other system is significantly better, and all but three are significantly "
        "worse. All ranges hold together at the level.</dd>"
        "<dt>group</dt><dd>Two systems that share a letter are not significantly different.</dd>"
        f"<dt>level</dt><dd>How sure a statement is to be: at {level}, statements made in this way are wrong in at "
        f"most {100 * (1 - findings.level):.3g} of 100 cases.</dd>"
        "<dt>p</dt><dd>How likely a difference as large as this one, or larger, would be if the two systems were "
        "equally good; adjusted for the number of pairs that are compared (Holm). If p is at most 1 - level, the "
        "difference is significant. Otherwise it is <em>undecided</em>, which does not mean that there is none.</dd>"
        "<dt>robust up to</dt><dd>The labels that count as true may be wrong. If up to this share of them is wrong, by "
        "chance and anywhere, the system that is better by these labels is also the better one by the true labels of "
        "these items, with the probability of the level. That is the kindest case: real errors lie where systems "
        "contradict the label.</dd>"
        f"<dt>{SIGNS[FIRM]} {SIGNS[PARTLY]} {SIGNS[OPEN]}</dt><dd>firm, partly firm, open</dd></dl></details>"
    )
