"""How good each system is in each group of items."""

from collections import defaultdict

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, table
from karat.report.page.words import isolated
from karat.report.panels.panel import Panel
from karat.verdict.score.scores import MEAN


def panel(findings: Findings) -> Panel | None:
    """Return the value of every system in every group."""
    if findings.groups is None:
        return None
    values: dict[str, dict[str, float | None]] = defaultdict(dict)
    for row in findings.groups.rows():
        values[str(row["group"])][str(row["system"])] = row["value"]
    names = [group for group in values if group != MEAN]
    leaders = {group: _leaders(values[group]) for group in names}
    first = findings.order[0]
    won = sum(first in leaders[group] for group in names)
    sentence = (
        f"{isolated(first)} is the best, or one of the best, in {won:,} of {len(names):,} groups."
    )
    rows = [
        [named(group), *(number(values[group].get(name), "percent") for name in findings.order)]
        for group in values
    ]
    grid = [[values[group].get(name) for name in findings.order] for group in names]
    return Panel(
        name="groups",
        title="Is the ranking the same in every group?",
        html=chart(
            "groups",
            f"{sentence} Darker is better; a dot marks the best of a group. Columns are ranks.",
        )
        + folded(
            "The numbers behind the picture",
            table("table-groups", "By group, as counted", ("group", *findings.order), rows),
        ),
        text=[sentence],
        data={
            "names": names,
            "values": [[None if v is None else round(v, 4) for v in row] for row in grid],
        },
    )


def _leaders(values: dict[str, float | None]) -> set[str]:
    known = {name: value for name, value in values.items() if value is not None}
    return {name for name, value in known.items() if value == max(known.values())}
