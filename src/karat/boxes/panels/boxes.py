"""Which boxes are found and named right, and where the errors are: in numbers, and drawn."""

from collections.abc import Sequence
from html import escape

from karat.boxes.draw.errors import COLOURS, DASHES, SIGNS, drawn_image
from karat.boxes.draw.placed import KINDS
from karat.boxes.errors.box_findings import BoxFindings
from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, paragraphs, table
from karat.report.panels.panel import Panel
from karat.result.base import Row

COUNTS = {
    "true": "true boxes",
    "boxes": "found boxes",
    "right": "right",
    "wrong_class": "wrong class",
    "spurious": "spurious",
    "missed": "missed",
}
SHARES = {
    "segmentation_recall": "found, of the true",
    "segmentation_precision": "true, of the found",
    "labelling_accuracy": "named right, of these",
    "f1": "F1 of both",
}


def panel(findings: Findings) -> Panel | None:
    """Return the errors of every system, and drawings of the images with most of them."""
    boxes = findings.boxes
    if boxes is None:
        return None
    rows = boxes.errors.rows()
    notes = list(boxes.errors.notes())
    sentence = _sentence(rows)
    html = f"<p>{escape(sentence)}</p>" + _table(rows) + paragraphs(notes) + _drawings(boxes)
    return Panel(
        name="boxes",
        title="Which boxes are wrong?",
        html=html,
        text=[sentence, *notes],
        tables=boxes.errors.parts(),
    )


def _sentence(rows: Sequence[Row]) -> str:
    """Return which error is most frequent in all."""
    totals = {}
    for name in ("wrong_class", "spurious", "missed"):
        totals[name] = sum(row[name] for row in rows)
    worst = max(totals, key=lambda name: totals[name])
    number_of_errors = sum(totals.values())
    if not number_of_errors:
        return "Every box is found and named right, and no other."
    share = 100 * totals[worst] / number_of_errors
    words = {"wrong_class": "boxes of the wrong class", "spurious": "spurious boxes"}
    return f"Most errors are {words.get(worst, 'missed boxes')}: {share:.0f} % of {number_of_errors:,}."


def _table(rows: Sequence[Row]) -> str:
    cells = []
    for row in rows:
        line = [named(row["system"])]
        line += [number(row[name], "count") for name in COUNTS]
        line += [number(row[name], "percent") for name in SHARES]
        cells.append(line)
    heads = ["system", *COUNTS.values(), *SHARES.values()]
    caption = "Boxes that are found, whatever they are called, and those that are named right"
    return table("table-boxes", caption, heads, cells)


def _drawings(boxes: BoxFindings) -> str:
    """Return the drawings; the first image is open, the others unfold."""
    if not boxes.drawn:
        return ""
    parts = [f"<p>{_legend()}</p>"]
    for place, of_image in enumerate(boxes.drawn):
        drawings = "".join(drawn_image(one) for one in of_image)
        errors = sum(one.errors for one in of_image)
        summary = f"{of_image[0].image}: {errors:,} errors"
        body = f'<figure class="chart">{drawings}</figure>'
        parts.append(body if place == 0 else folded(summary, body))
    if boxes.images > len(boxes.drawn):
        parts.append(
            f"<p>Drawn are the {len(boxes.drawn)} images with most errors, of {boxes.images:,}; "
            "karat boxes --draw DIR draws all.</p>"
        )
    return "".join(parts)


def _legend() -> str:
    words = []
    for kind in KINDS:
        sign = f"{SIGNS[kind].strip()} " if SIGNS[kind] else ""
        mark = (
            '<svg width="18" height="12" aria-hidden="true"><rect x="1" y="1" width="16" height="10" fill="none" '
            f'stroke="{COLOURS[kind]}" stroke-width="2" stroke-dasharray="{DASHES[kind] or "none"}"/></svg>'
        )
        words.append(f"{mark} {sign}{escape(kind)}")
    return " &#160; ".join(words)
