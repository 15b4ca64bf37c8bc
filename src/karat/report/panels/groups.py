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
    by_group = _by_group(findings.groups.rows())
    groups = {group: values for group, values in by_group.items() if group != MEAN}
    first = findings.order[0]
    won = [group for group, values in groups.items() if first in _leaders(values)]
    sentence = f"{isolated(first)} is the best, or one of the best, in {len(won):,} of {len(groups):,} groups."
    reading = "Darker is better; a dot marks the best of a group. Columns are ranks."
    body = chart("groups", f"{sentence} {reading}")
    body += folded("The numbers behind the picture", _table(findings.order, by_group))
    grid = [[_rounded(values.get(name)) for name in findings.order] for values in groups.values()]
    return Panel(
        name="groups",
        title="Is the ranking the same in every group?",
        html=body,
        text=[sentence],
        data={"names": list(groups), "values": grid},
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


def _leaders(values: Values) -> set[str]:
    """Return the systems that are best in a group."""
    known = {name: value for name, value in values.items() if value is not None}
    highest = max(known.values(), default=None)
    return {name for name, value in known.items() if value == highest}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
