"""Items on which the first two systems differ, with what the table says of them."""

from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import named, table
from karat.report.page.words import isolated, shortened
from karat.report.panels.panel import Panel
from karat.verdict.disputed_items import DisputedItem, DisputedItems

MOST_LETTERS = 220
"""So much of a text is shown."""
MOST_FIELDS = 5
RIGHT, WRONG = "✓", "✗"


def panel(findings: Findings) -> Panel | None:
    """Return the items that only one of the first two systems has right."""
    found = findings.disputed
    if found is None:
        return None
    first, second = found.systems[:2]
    sentence = (
        f"Only one of {isolated(first)} and {isolated(second)} is right on {found.of:,} items. Shown are "
        f"{len(found.items):,}, those first of which about half of all systems have right."
    )
    fields = _fields(found)
    heads = ["item", "label", *[shortened(name, 20) for name in found.systems], *fields]
    rows = [_cells(one, fields) for one in found.items]
    caption = f"{RIGHT} right, {WRONG} wrong, by the labels that count as true"
    return Panel(
        name="disputed",
        title="On which items do systems differ?",
        html=f"<p>{escape(sentence)}</p>" + table("table-disputed", caption, heads, rows, words=99),
        text=[sentence],
    )


def _fields(found: DisputedItems) -> list[str]:
    """Return the columns that the table has beside labels and answers."""
    names = dict.fromkeys(name for item in found.items for name in item.fields)
    return list(names)[:MOST_FIELDS]


def _cells(one: DisputedItem, fields: list[str]) -> list[str]:
    cells = [named(one.name), named(one.given)]
    for answer, right in zip(one.answers, one.right, strict=True):
        mark = RIGHT if right else WRONG
        text = named(answer) if answer else "-"
        cells.append(f'<span class="{"firm" if right else "open"}">{mark} {text}</span>')
    for name in fields:
        text = shortened(str(one.fields.get(name, "")), MOST_LETTERS)
        cells.append(f'<bdi class="text">{escape(text)}</bdi>')
    return cells
