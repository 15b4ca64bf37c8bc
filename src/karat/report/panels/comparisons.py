"""Whether one system is really better than another."""

from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, table
from karat.report.panels.panel import Panel
from karat.verdict.compare.result import Comparison

MOST_ROWS = 600
"""Up to how many pairs the page lists every one."""


def panel(findings: Findings) -> Panel | None:
    """Return who is better than whom."""
    result = findings.comparisons
    if result is None:
        return None
    own = [one for one in result.found if str(one.quantity) == findings.measure]
    live = findings.tallies is not None
    body = ""
    if live:
        sentence = (
            "+: the row is better than the column; -: it is worse; an empty cell is undecided. "
            "Columns are ranks."
        )
        body = chart("verdicts", sentence) + _neighbours(findings)
    body += _alike(findings)
    body += (
        folded(f"All {len(own):,} pairs, as they were counted", _pairs(own))
        if len(own) <= MOST_ROWS
        else ""
    )
    return Panel(
        name="comparisons",
        title="Is one system really better than another?",
        html=body
        + "".join(
            f"<p>{escape(note)}</p>" for note in result.remarks if note.startswith("warning")
        ),
        tables=result.parts(),
        data={"groups": _groups(findings)},
    )


def _neighbours(findings: Findings) -> str:
    rows = []
    forms = {
        "only_first": "count",
        "only_second": "count",
        "difference": "difference",
        "low": "difference",
    }
    forms |= {
        "high": "difference",
        "p": "bare",
        "adjusted": "bare",
        "more": "further",
        "verdict": "text",
    }
    for place, pair in enumerate(findings.live["pairs"]):
        cells = [number(pair[key], form, f"pairs.{place}.{key}") for key, form in forms.items()]
        rows.append([named(findings.order[place]), named(findings.order[place + 1]), *cells])
    heads = (
        "first",
        "second",
        "only first",
        "only second",
        "difference",
        "from",
        "to",
        "p",
        "p (Holm)",
    )
    caption = "Neighbours in the ranking: items that only one of them has right, and the difference in points of 100"
    return table("table-neighbours", caption, (*heads, "more items", "verdict"), rows, words=2)


def _groups(findings: Findings) -> list[list[str]]:
    fields = findings.comparisons.fields if findings.comparisons else ()
    found = next((one for one in fields if str(one.quantity) == findings.measure), None)
    return [list(members) for members in found.groups if len(members) > 1] if found else []


def _alike(findings: Findings) -> str:
    groups = _groups(findings)
    if not groups:
        return "<p>Every two systems are told apart.</p>"
    items = "".join(f"<li>{', '.join(named(name) for name in members)}</li>" for members in groups)
    return f"<p>Systems that are not told apart, as counted, at level {findings.level:g}:</p><ul>{items}</ul>"


def _pairs(own: list[Comparison]) -> str:
    rows = []
    for one in own:
        cells = [number(value, "percent") for value in (one.first_value, one.second_value)]
        cells += [number(value, "difference") for value in (one.difference, one.low, one.high)]
        alone = "" if one.only_first is None else f"{one.only_first:,} : {one.only_second:,}"
        rows.append(
            [
                named(one.first),
                named(one.second),
                *cells,
                alone,
                number(one.p_adjusted, "bare"),
                one.verdict,
            ]
        )
    heads = (
        "first",
        "second",
        "value",
        "value of second",
        "difference",
        "from",
        "to",
        "alone",
        "p (Holm)",
        "verdict",
    )
    return table("table-pairs", "Every pair, as counted", heads, rows, words=2)
