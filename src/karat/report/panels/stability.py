"""Whether the ranking survives errors in the truth."""

from html import escape
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, table
from karat.report.page.words import ranks, rough
from karat.report.panels.panel import Panel
from karat.verdict.whatif import ANY_NUMBER_OF_CLASSES


def panel(findings: Findings) -> Panel | None:
    """Return what each order and each place survives."""
    result = findings.stability
    if findings.tallies is None or len(findings.order) < 2:
        return None
    lines = (
        "The orders that bear least: each line falls as more labels are wrong, and where it crosses the level, the "
        "horizontal line, its order is no longer sure enough. The dotted line is the share supposed."
    )
    body = chart("kept", lines) + _table(findings)
    wholes = () if result is None else result.wholes
    if wholes:
        grid = [whole.label_error for whole in wholes if isinstance(whole.label_error, float)]
        cells = ranks(grid, wholes[0].found.method, findings.state.error if findings.state else 0.0)
        body += chart("ranks", cells, source="ranks") + folded(
            "The probabilities behind the picture", _ranks(findings)
        )
    return Panel(
        name="stability",
        title="Would the ranking survive errors in the labels?",
        html=body + "".join(f"<p>{escape(note)}</p>" for note in _notes(findings)),
        tables={"What the order of neighbours survives": _rows(findings)},
        data={
            "grid": [whole.label_error for whole in wholes],
            "ranks": [_rounded(findings, place) for place in range(len(wholes))],
            "method": wholes[0].found.method if wholes else "",
        },
    )


def _rows(findings: Findings) -> list[dict[str, Any]]:
    """Return what each order survives, as plain values."""
    error = findings.state.error if findings.state else None
    return [
        {
            "better": findings.order[place],
            "worse": findings.order[place + 1],
            "survives": None if pair["critical"] is None else rough(pair["critical"]),
            "safe": pair["safe"],
            **{name: pair[name] for name in ("kept", "tie", "reversed")},
            "label_error": error,
        }
        for place, pair in enumerate(findings.live["pairs"])
    ]


def _table(findings: Findings) -> str:
    rows = []
    forms = {
        "critical": "rough",
        "safe": "count",
        "kept": "chance",
        "tie": "chance",
        "reversed": "chance",
    }
    for place, pair in enumerate(findings.live["pairs"]):
        cells = [number(pair[key], form, f"pairs.{place}.{key}") for key, form in forms.items()]
        rows.append([named(findings.order[place]), named(findings.order[place + 1]), *cells])
    heads = ("better", "worse", "survives", "safe errors", "kept", "tie", "reversed")
    caption = "What the order of neighbours survives, and the probabilities at the share of wrong labels chosen above"
    return table("table-stability", caption, heads, rows, words=2)


def _rounded(findings: Findings, place: int) -> list[list[float]]:
    """Return P(rank) of each system, the best first, in four digits: the draws do not tell more."""
    whole = findings.stability.wholes[place] if findings.stability else None
    if whole is None:
        return []
    return [
        [round(chance, 4) for chance in whole.found.ranks[whole.systems.index(name)]]
        for name in findings.order
    ]


def _ranks(findings: Findings) -> str:
    result = findings.stability
    if result is None:
        return ""
    heads = ("system", *(f"at {100 * (whole.label_error or 0):.3g} %" for whole in result.wholes))  # type: ignore[operator]
    rows = []
    for name in findings.order:
        chances = [
            whole.found.ranks[whole.systems.index(name), whole.places[name] - 1]
            for whole in result.wholes
        ]
        rows.append([named(name), *(number(float(chance), "chance") for chance in chances)])
    return table(
        "table-ranks", "Probability that a system has the same rank by the true labels", heads, rows
    )


def _notes(findings: Findings) -> list[str]:
    if findings.tallies is None:
        return []
    classes = findings.tallies.classes
    if classes == ANY_NUMBER_OF_CLASSES:
        return [
            "Each expression of the truth is taken to be wrong independently, and is then what hardly any system says.",
            "What wrong objects in the truth do stands below.",
            "Safe errors: so many wrong expressions cannot change the order, wherever they are.",
        ]
    where = (
        "the other class"
        if classes == 2
        else f"one of the {classes - 1:,} other classes, each alike"
    )
    safe = "Safe errors: so many wrong labels cannot change the order, wherever they are."
    return [f"Every label is taken to be wrong independently, and then to belong to {where}.", safe]
