"""How good each system is in each group of items."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, table
from karat.report.page.words import isolated
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.score.result import MEAN

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
    body = chart("groups", f"{sentence} {reading}")
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
