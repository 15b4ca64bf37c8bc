"""How good each system is, by every usual measure."""

from collections.abc import Mapping, Sequence

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, paragraphs, table
from karat.report.page.measure_forms import PERCENT, forms_of
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.score.result import ScoreResult

SHARES = {"value", "low", "high", "run_sd", "run_low", "run_high"}
HIDDEN = {"level", "side", "method", "rank"}
"""Columns of a row that the page does not show: they are the same for all, or in the caption."""
HEADS = {"successes": "count", "trials": "of", "low": "at least", "high": "at most"}
"""What columns are called; what is counted may be errors as well as right answers."""
FORMS = {
    "hits": "count",
    "trials": "count",
    "value": "percent",
    "low": "percent",
    "high": "percent",
}


def panel(findings: Findings) -> Panel | None:
    """Return the scores with their intervals."""
    if findings.scores is None:
        return None
    parts = findings.scores.parts()
    forms = {}
    for entry in findings.scores.entries:
        quantity = entry.estimates.quantity
        forms[str(quantity)] = forms_of(quantity).value
    body = ""
    if findings.ranked:
        measure = findings.measure
        body += chart(
            "intervals",
            f"Each dot is a system's {measure}; the line is the interval of its true value at the level chosen.",
        )
    if findings.sliders is None:
        body += _tables(parts, forms)
    else:
        body += _main(findings)
        others = {head: rows for head, rows in parts.items() if head != findings.measure}
        if others:
            body += folded("By other measures, as counted", _tables(others, forms))
    notes = _notes(findings, findings.scores)
    return Panel(
        name="scores",
        title="How good is each system, and how sure is that?",
        html=body + paragraphs(notes),
        text=notes,
        tables=parts,
    )


def _notes(findings: Findings, scores: ScoreResult) -> list[str]:
    """Return what must stand beside the numbers and stands nowhere else on the page.

    Of ranked lists and texts that is all: how many documents nobody judged, and what makes no difference.
    """
    facts = findings.facts
    if facts.holds_rankings or "source" in facts.options:
        elsewhere = facts.remarks()
        notes = [note for note in scores.remarks if note not in elsewhere]
    else:
        notes = [note for note in scores.remarks if note.startswith("warning")]
    return notes + [note for note in scores.cautions() if note not in notes]


def _main(findings: Findings) -> str:
    """Return the table that the page recomputes."""
    rows = []
    for place, name in enumerate(findings.order):
        system = findings.numbers["systems"][place]
        row = [named(name)]
        for key, form in FORMS.items():
            row.append(number(system[key], form, f"systems.{place}.{key}"))
        rows.append(row)
    heads = ("system", "right", "of", "accuracy", "at least", "at most")
    return table("table-scores", f"{findings.measure}, with exact intervals", heads, rows)


def _tables(parts: Mapping[str, Sequence[Row]], forms: Mapping[str, str]) -> str:
    tables = []
    for place, (head, rows) in enumerate(parts.items()):
        tables.append(_table(place, head, rows, forms.get(head, PERCENT.value)))
    return "".join(tables)


def _table(place: int, head: str, rows: Sequence[Row], form: str) -> str:
    """Return the rows of another measure as they are, without empty columns."""
    columns = []
    for name in rows[0]:
        is_empty = all(row[name] is None for row in rows)
        if name not in HIDDEN and not is_empty:
            columns.append(name)
    cells = [[_cell(name, row[name], form) for name in columns] for row in rows]
    heads = [HEADS.get(name, name) for name in columns]
    methods = list(dict.fromkeys(str(row["method"]) for row in rows))
    caption = f"{head} ({', '.join(methods[:2])})"
    return table(f"table-scores-{place}", caption, heads, cells)


def _cell(name: str, value: object, form: str) -> str:
    if name in SHARES:
        return number(value, form)
    if isinstance(value, int | float):
        return number(value, "count")
    return named("" if value is None else str(value))
