"""Every answer about boxes, for a page."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from karat.boxes.draw.placed import PlacedBoxes, placed_boxes
from karat.boxes.errors.box_findings import BoxFindings
from karat.boxes.matching.box_rows import BoxTable, PlacedRow
from karat.questions.page import Inquiry, ReportOptions
from karat.report.findings import Findings

if TYPE_CHECKING:
    from karat.boxes.bench import BoxBench

MEASURES = ("mAP", "mAP@0.5", "mAP@0.75", "mAR@100")
DRAWN = 8
"""How many images a page draws."""


def box_findings(
    bench: "BoxBench", options: ReportOptions, *, say: Callable[[str], None] | None = None
) -> Findings:
    """Return every answer about boxes: by their scores over images, and place by place."""
    inquiry = Inquiry(say)
    inquiry.say("How good is each detector?")
    measures = [options.measure] if options.measure else list(MEASURES)
    scores = bench.score(measure=measures, level=options.level, seed=options.seed)
    ranked_by = str(scores.entries[0].estimates.quantity)
    comparisons = None
    stability = None
    if len(bench.systems) > 1:
        comparisons = inquiry.ask(
            "Is one better than another?",
            lambda: bench.compare(measure=ranked_by, level=options.level, seed=options.seed),
        )
        stability = inquiry.ask(
            "Do wrong boxes in the truth matter?",
            lambda: bench.stability(
                label_error=options.label_error,
                level=options.level,
                draws=options.draws,
                seed=options.seed,
            ),
        )
    inquiry.say("Which boxes are wrong?")
    errors = bench.boxes(matching=bench.options.matching, level=options.level)
    drawn = _most_wrong(bench.places)
    boxes = BoxFindings(errors, drawn, len(bench.truth.gallery.images))
    return Findings(
        facts=bench.facts,
        measure=ranked_by,
        level=options.level,
        seed=options.seed,
        scores=scores,
        comparisons=comparisons,
        wrong_objects=stability,
        boxes=boxes,
        unasked=tuple(inquiry.unasked),
    )


def _most_wrong(table: BoxTable) -> tuple[tuple[PlacedBoxes, ...], ...]:
    """Return the images with most errors of all systems together, the worst first."""
    errors = [0] * len(table.truth.gallery.images)
    for row in table.rows:
        for system in table.systems:
            if _is_wrong(table, row, system):
                errors[row.image] += 1
    by_errors = sorted(range(len(errors)), key=lambda image: (-errors[image], image))
    worst = [image for image in by_errors[:DRAWN] if errors[image]]
    return tuple(_of_every_system(table, image) for image in worst)


def _of_every_system(table: BoxTable, image: int) -> tuple[PlacedBoxes, ...]:
    return tuple(placed_boxes(table, system, image) for system in table.systems)


def _is_wrong(table: BoxTable, row: PlacedRow, system: str) -> bool:
    """Return whether a system missed the box of a row, found one where there is none, or gave it a wrong class."""
    found = row.found.get(system)
    if found is None and row.truth is None:
        return False
    if found is None or row.truth is None:
        return True
    return bool(table.systems[system].label[found] != table.truth.label[row.truth])
