"""How many labels must be looked up to settle the order of neighbours."""

from html import escape
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, paragraphs, table
from karat.report.page.words import shortened
from karat.report.panels.panel import Panel
from karat.verdict.audit.plan import ASSUMED, PlannedClaim

HOW = (
    "Only items on which two systems differ can change their order. An audit draws some of them, someone looks up "
    "their right labels, and the order is settled as soon as the risk of a false verdict is at most 5 %, wherever the "
    "wrong labels are."
)
NOT_SHOWN = {"right", "q", "list"}
"""Columns of an audit's list that are for its file."""
MOST_LETTERS = 220
HEADS = (
    "better",
    "worse",
    "disputed items",
    "labels to look up",
    "one in ten below",
    "one in ten above",
)


def panel(findings: Findings) -> Panel | None:
    """Return how many checks each order of neighbours takes."""
    if findings.audit is None or not findings.audit.planned:
        return None
    planned = findings.audit.planned
    share = 100 * planned[0].label_error
    assumed = f"if {share:.3g} % of the disputed ones are wrong (simulated)"
    caption = f"Labels to look up until an order is settled, {assumed}"
    cells = [_cells(one) for one in planned]
    sentences = [HOW, ASSUMED]
    return Panel(
        name="audit",
        title="Which labels should be checked?",
        html=table("table-audit", caption, HEADS, cells, words=2)
        + paragraphs(sentences)
        + _list(findings),
        text=sentences,
        tables={caption: [_row(one) for one in planned]},
    )


def _list(findings: Findings) -> str:
    """Return the first items that an audit of the first two systems looks up, with what is known of them."""
    if findings.audit_list is None or not findings.audit_list.entries:
        return ""
    entries = findings.audit_list.entries
    heads = [name for name in entries[0] if name not in NOT_SHOWN]
    rows = [
        [named(shortened(str(entry[name]), MOST_LETTERS)) for name in heads] for entry in entries
    ]
    first, second = (shortened(name) for name in findings.order[:2])
    caption = (
        f"The first {len(rows):,} items that an audit of the order of {first} and {second} draws, in this order; who "
        "looks them up should not see the systems' answers"
    )
    body = table("table-audit-list", caption, heads, rows, words=len(heads))
    return folded(f"The first {len(rows):,} items to look up", body)


def _cells(one: PlannedClaim) -> list[str]:
    names = [named(one.better), named(one.worse or "")]
    numbers = [_checks(checks, one.most) for checks in (one.checks, one.low, one.high)]
    return [*names, number(one.disputed, "count"), *numbers]


def _checks(checks: int, most: int) -> str:
    if checks >= most:
        return escape(f"over {most:,}")
    return number(checks, "count")


def _row(one: PlannedClaim) -> dict[str, Any]:
    return {
        "better": one.better,
        "worse": one.worse,
        "disputed": one.disputed,
        "checks": _text(one.checks, one.most),
        "one in ten below": _text(one.low, one.most),
        "one in ten above": _text(one.high, one.most),
    }


def _text(checks: int, most: int) -> str:
    return f"over {most:,}" if checks >= most else f"{checks:,}"
