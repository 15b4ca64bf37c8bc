"""Whether one system is really better than another."""

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, paragraphs, table
from karat.report.page.measure_forms import forms_of
from karat.report.panels.panel import Panel
from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.legend import DISCORDANT, DISCORDANT_WRONG

MOST_ROWS = 600
"""Up to how many pairs the page lists every one."""
MOST_GROUPS = 6
"""Up to so many groups are listed; more of them on demand."""
READING = (
    "Blue, +: the row is better than the column; orange, -: it is worse; grey: undecided. "
    "Columns are ranks."
)
NEIGHBOURS = {
    "only_first": "count",
    "only_second": "count",
    "difference": "difference",
    "low": "difference",
    "high": "difference",
    "p": "bare",
    "adjusted": "bare",
    "more": "further",
    "likely": "further",
    "verdict": "text",
}
NEIGHBOUR_HEADS = (
    "first",
    "second",
    "only first",
    "only second",
    "difference",
    "from",
    "to",
    "p",
    "p (Holm)",
    "more items",
    "for an 80 % chance",
    "verdict",
)
PAIR_HEADS = (
    "first",
    "second",
    "value of first",
    "value of second",
    "difference",
    "from",
    "to",
    "only first : only second",
    "p (Holm)",
    "verdict",
)


def panel(findings: Findings) -> Panel | None:
    """Return which systems are better than which."""
    result = findings.comparisons
    if result is None:
        return None
    pairs = [one for one in result.comparisons if str(one.quantity) == findings.measure]
    groups = _groups(findings)
    body = ""
    if findings.sliders is not None:
        body += chart("verdicts", READING) + _neighbours(findings)
    body += _not_different(groups, findings.level)
    if len(pairs) <= MOST_ROWS:
        body += folded(_title(len(pairs)), _pairs(pairs))
    warnings = [note for note in result.remarks if note.startswith("warning")]
    return Panel(
        name="comparisons",
        title="Is one system really better than another?",
        html=body + paragraphs(warnings),
        tables=result.parts(),
        data={"groups": groups},
    )


def _neighbours(findings: Findings) -> str:
    rows = []
    for place, pair in enumerate(findings.numbers["pairs"]):
        names = [named(findings.order[place]), named(findings.order[place + 1])]
        cells = [
            number(pair[key], form, f"pairs.{place}.{key}") for key, form in NEIGHBOURS.items()
        ]
        rows.append([*names, *cells])
    caption = "Neighbours in the ranking: items that only one has right, and the difference in percentage points"
    return table("table-neighbours", caption, NEIGHBOUR_HEADS, rows, words=2)


def _groups(findings: Findings) -> list[list[str]]:
    """Return the groups of systems that are not significantly different."""
    fields = findings.comparisons.rankings if findings.comparisons else ()
    for field in fields:
        if str(field.quantity) == findings.measure:
            return [list(members) for members in field.groups if len(members) > 1]
    return []


def _not_different(groups: list[list[str]], level: float) -> str:
    if not groups:
        return "<p>Every two systems are significantly different.</p>"
    items = []
    for members in groups:
        names = ", ".join(named(name) for name in members)
        items.append(f"<li>{names}</li>")
    listed = f"<ul>{''.join(items)}</ul>"
    words = f"roups of systems that are not significantly different, as counted, at level {level:g}"
    if len(groups) > MOST_GROUPS:
        return folded(f"{len(groups):,} g{words}", listed)
    return f"<p>G{words}:</p>{listed}"


def _title(pairs: int) -> str:
    return (
        f"All {pairs:,} pairs, as they were counted" if pairs > 1 else "The pair, as it was counted"
    )


def _pairs(pairs: list[Comparison]) -> str:
    rows = []
    for one in pairs:
        forms = forms_of(one.quantity)
        values = [number(value, forms.value) for value in (one.first_value, one.second_value)]
        interval = (one.difference, one.low, one.high)
        differences = [number(value, forms.difference) for value in interval]
        discordant = ""
        if one.only_first is not None:
            discordant = f"{one.only_first:,} : {one.only_second:,}"
        p_value = number(one.p_adjusted, "bare")
        names = [named(one.first), named(one.second)]
        rows.append([*names, *values, *differences, discordant, p_value, one.verdict])
    by_errors = any(one.quantity.lower_is_better for one in pairs)
    caption = f"Every pair, as counted; {DISCORDANT_WRONG if by_errors else DISCORDANT}"
    return table("table-pairs", caption, PAIR_HEADS, rows, words=2)
