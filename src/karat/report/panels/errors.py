"""Where systems go wrong: the confusion matrix, the most frequent confusions, and classes, the worst first."""

from html import escape
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, table
from karat.report.page.words import isolated, shortened
from karat.report.panels.panel import Panel
from karat.verdict.class_errors import ClassErrors

READING = (
    "Rows are the labels that count as true, those with the most errors first; columns are the answers in the same "
    "order, then all other answers and none. Darker is a larger share of the row; the numbers are items."
)
CLASS_HEADS = ("class", "items", "wrong", "recall", "at least", "at most", "precision")
CONFUSION_HEADS = ("true label", "answer", "items", "share of the label")


def panel(findings: Findings) -> Panel | None:
    """Return where each of the first systems goes wrong; one is chosen on the page."""
    found = findings.class_errors
    if not found or not any(one.wrong for one in found):
        return None
    sentence = _sentence(found[0])
    parts = "".join(_of_system(place, one) for place, one in enumerate(found))
    return Panel(
        name="errors",
        title="Where does it go wrong?",
        html=f"<p>{escape(sentence)}</p>{_picker(found)}{parts}",
        text=[sentence],
        tables={f"{found[0].system}: the most frequent confusions": _confusion_rows(found[0])},
        data={"systems": [_data(one) for one in found]},
    )


def _sentence(one: ClassErrors) -> str:
    """Return how many errors the best system makes, and which is the most frequent."""
    text = f"{isolated(one.system)} is wrong on {one.wrong:,} items"
    if not one.confusions:
        return f"{text}."
    first = one.confusions[0]
    return (
        f"{text}. Its most frequent error: {isolated(first.truth)} taken for {isolated(first.answer)}, "
        f"{first.number:,} of {first.of:,} items."
    )


def _picker(found: tuple[ClassErrors, ...]) -> str:
    """Return a choice of the system, where there are several."""
    if len(found) == 1:
        return ""
    options = []
    for place, one in enumerate(found):
        options.append(f'<option value="{place}">{escape(shortened(one.system))}</option>')
    return (
        '<p class="picker"><label class="choice" for="errors-system">System'
        f'<select id="errors-system">{"".join(options)}</select></label></p>'
    )


def _of_system(place: int, one: ClassErrors) -> str:
    hidden = "" if place == 0 else " hidden"
    confusions = [
        [
            named(entry.truth),
            named(entry.answer),
            number(entry.number, "count"),
            number(entry.number / entry.of, "percent"),
        ]
        for entry in one.confusions
    ]
    caption = f"The most frequent confusions of {shortened(one.system)}"
    body = (
        f'<figure class="chart"><div class="drawing" data-chart="confusion" data-place="{place}"></div>'
        f"<figcaption>{escape(READING)}</figcaption></figure>"
    )
    if confusions:
        body += table(f"table-confusions-{place}", caption, CONFUSION_HEADS, confusions, words=2)
    body += folded(_title_of_classes(one), _classes(place, one))
    return f'<div class="of-system" data-system="{place}"{hidden}>{body}</div>'


def _title_of_classes(one: ClassErrors) -> str:
    if one.of_classes > len(one.classes):
        return f"The {len(one.classes):,} classes with the most errors, of {one.of_classes:,}"
    return f"All {one.of_classes:,} classes, those with the most errors first"


def _classes(place: int, one: ClassErrors) -> str:
    rows = [
        [
            named(entry.label),
            number(entry.items, "count"),
            number(entry.wrong, "count"),
            number(entry.recall, "percent"),
            number(entry.low, "percent"),
            number(entry.high, "percent"),
            number(entry.precision, "percent"),
        ]
        for entry in one.classes
    ]
    caption = (
        f"Classes by {shortened(one.system)}, recall with its exact interval, each class by itself"
    )
    return table(f"table-classes-{place}", caption, CLASS_HEADS, rows)


def _confusion_rows(one: ClassErrors) -> list[dict[str, Any]]:
    return [
        {"true label": each.truth, "answer": each.answer, "items": each.number, "of": each.of}
        for each in one.confusions
    ]


def _data(one: ClassErrors) -> dict[str, Any]:
    return {
        "rows": list(one.rows),
        "columns": list(one.columns),
        "matrix": [list(row) for row in one.matrix],
    }
