"""How good each system is, by every usual measure."""

from collections.abc import Sequence
from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, table
from karat.report.panels.panel import Panel
from karat.result.base import Row

SHARES = {"value", "low", "high", "run_sd", "run_low", "run_high"}


def panel(findings: Findings) -> Panel | None:
    """Return the scores with their intervals."""
    if findings.scores is None:
        return None
    sentence = f"Each dot is a system's {findings.measure}; the line holds its true value at the chosen level."
    live = findings.tallies is not None
    parts = findings.scores.parts()
    body = chart("intervals", sentence) if findings.ranked else ""
    body += _main(findings) if live else ""
    rest = {head: rows for head, rows in parts.items() if not (live and head == findings.measure)}
    others = "".join(_table(place, head, rows) for place, (head, rows) in enumerate(rest.items()))
    body += folded("By other measures, as counted", others) if live and others else others
    return Panel(
        name="scores",
        title="How good is each system, and how sure is that?",
        html=body
        + "".join(
            f"<p>{escape(note)}</p>"
            for note in findings.scores.remarks
            if note.startswith("warning")
        ),
        tables=parts,
    )


def _main(findings: Findings) -> str:
    """Return the table that the page recomputes."""
    rows = []
    for place, (name, system) in enumerate(
        zip(findings.order, findings.live["systems"], strict=True)
    ):
        forms = {
            "hits": "count",
            "trials": "count",
            "value": "percent",
            "low": "percent",
            "high": "percent",
        }
        cells = [number(system[key], form, f"systems.{place}.{key}") for key, form in forms.items()]
        rows.append([named(name), *cells])
    heads = ("system", "right", "of", "accuracy", "at least", "at most")
    return table("table-scores", f"{findings.measure}, with exact intervals", heads, rows)


def _table(place: int, head: str, rows: Sequence[Row]) -> str:
    """Return the rows of another measure as they are."""
    names = [name for name in rows[0] if name not in {"level", "side", "method", "rank"}]
    names = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [[_cell(name, row[name]) for name in names] for row in rows]
    method = dict.fromkeys(str(row["method"]) for row in rows)
    return table(f"table-scores-{place}", f"{head} ({', '.join(list(method)[:2])})", names, cells)


def _cell(name: str, value: object) -> str:
    if name in SHARES:
        return number(value, "percent")
    return (
        number(value, "count")
        if isinstance(value, int | float)
        else named("" if value is None else str(value))
    )
