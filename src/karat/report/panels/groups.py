"""How good each system is in each group of items."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, paragraphs, table
from karat.report.page.words import isolated, shortened
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.group_leaders import NOTE
from karat.verdict.score.result import MEAN
from karat.words import counted

MOST_LEADERS = 20

Values = Mapping[str, float | None]
"""The value of each system in one group."""


def panel(findings: Findings) -> Panel | None:
    """Return the value of every system in every group."""
    if findings.groups is None:
        return None
    group_rows = findings.groups.rows()
    by_group = _by_group(group_rows)
    groups = {group: values for group, values in by_group.items() if group != MEAN}
    leaders = _leaders(group_rows)
    first = findings.order[0]
    won = [group for group in groups if first in leaders[group]]
    sentence = f"{isolated(first)} is the best, or one of the best, in {len(won):,} of {len(groups):,} groups."
    reading = "Darker is better; a dot marks the best of a group. Columns are ranks."
    body = _other_leaders(findings) + chart("groups", f"{sentence} {reading}")
    body += folded("The numbers behind the picture", _table(findings.order, by_group))
    order = findings.order
    grid = [[_rounded(values.get(name)) for name in order] for values in groups.values()]
    best = [[name in leaders[group] for name in order] for group in groups]
    lower_is_better = findings.groups.entries[0].estimates.quantity.lower_is_better
    return Panel(
        name="groups",
        title="Is the ranking the same in every group?",
        html=body,
        text=[sentence],
        data={
            "names": list(groups),
            "values": grid,
            "best": best,
            "lower_is_better": lower_is_better,
            "measure": findings.measure,
        },
    )


def _other_leaders(findings: Findings) -> str:
    """Return the groups that another system leads, the largest lead first."""
    leaders = findings.other_leaders
    if not leaders:
        return ""
    settled = sum(leader.is_settled for leader in leaders)
    where = counted(len(leaders), "group")
    sentence = f"Another system leads in {where}; in {settled:,} of them by more than doubt."
    rows = []
    for one in leaders[:MOST_LEADERS]:
        names = [named(one.group), named(one.leader)]
        values = [number(value, "percent") for value in (one.value, one.first_value)]
        lead = [number(value, "difference") for value in (one.lead, one.low, one.high)]
        rows.append([*names, *values, *lead])
    heads = (
        "group",
        "leads there",
        "its value",
        shortened(findings.order[0]),
        "lead",
        "from",
        "to",
    )
    caption = "Groups in which another system leads, the largest lead first, in percentage points"
    body = table("table-turns", caption, heads, rows, words=2)
    return paragraphs([sentence]) + folded(
        f"The {len(rows):,} groups with the largest leads", body + paragraphs([NOTE])
    )


def _by_group(rows: Iterable[Row]) -> dict[str, dict[str, float | None]]:
    by_group: dict[str, dict[str, float | None]] = defaultdict(dict)
    for row in rows:
        by_group[str(row["group"])][str(row["system"])] = row["value"]
    return by_group


def _table(order: tuple[str, ...], by_group: Mapping[str, Values]) -> str:
    rows = []
    for group, values in by_group.items():
        cells = [number(values.get(name), "percent") for name in order]
        rows.append([named(group), *cells])
    return table("table-groups", "By group, as counted", ("group", *order), rows)


def _leaders(rows: Iterable[Row]) -> dict[str, set[str]]:
    """Return for each group the systems that are best in it."""
    leaders: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["rank"] == 1 and row["value"] is not None:
            leaders[str(row["group"])].add(str(row["system"]))
    return leaders


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
