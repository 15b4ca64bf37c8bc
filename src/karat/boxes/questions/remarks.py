"""What a reader of a result about boxes must know."""

from collections.abc import Mapping, Sequence

from karat.boxes.doubt.image_difference import PAIRED
from karat.boxes.doubt.image_interval import CAUTION
from karat.boxes.matching.detections import Detections
from karat.boxes.measures.counts_by_image import CountsByImage
from karat.boxes.model.box_set import BoxSet
from karat.boxes.options import BoxOptions
from karat.verdict.score.result import Entry
from karat.words import listing

GREEDY = "Matched greedily, as COCO does: the surest box first, each takes the true box it overlaps most."
OPTIMAL = "Matched optimally: as many boxes as can be, and of these matchings the one with the largest overlaps."
BEYOND = (
    "Values of {} lie above their intervals, which is not a mistake: average precision is too high where images, or "
    "those of a class, are few, and the intervals are of what many such images would give."
)
BY_MASKS = "Objects are compared by their masks, pixel by pixel; --using shape=box compares the boxes around them."
WITHOUT_SCORES = (
    "{} without scores: its boxes count in the order of the file, so ask karat boxes instead."
)
OVER_THRESHOLD = (
    "Boxes with a score of {} or more; they match from an overlap of {} on, whatever their class."
)
DIFFERENT = "Greedy and optimal matching find different numbers of boxes for {}."
SAME = "Greedy and optimal matching find the same number of boxes."


def score_remarks(
    truth: BoxSet,
    systems: Sequence[BoxSet],
    options: BoxOptions,
    tallies: Mapping[str, Detections],
) -> tuple[str, ...]:
    """Return how boxes were matched, which classes are rare, and what has no scores."""
    remarks = [OPTIMAL if options.matching == "optimal" else GREEDY]
    if truth.masks is not None:
        remarks.append(BY_MASKS)
    remarks += [WITHOUT_SCORES.format(one.name) for one in systems if not one.has_scores]
    rare = _rare(next(iter(tallies.values())))
    if rare:
        number = len(rare)
        words = "1 class lies" if number == 1 else f"{number:,} classes lie"
        remarks.append(f"{words} in fewer than 5 images: {listing(rare, most=3)}.")
    absent = _absent(truth)
    if absent:
        remarks.append(
            f"Classes without a true box, which no mean counts: {listing(absent, most=3)}."
        )
    return tuple(remarks)


def beyond_remarks(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return which values are outside of their own intervals, and why."""
    beyond = []
    for entry in entries:
        estimates = entry.estimates
        interval = estimates.interval
        outside = (estimates.value < interval.low) | (estimates.value > interval.high)
        if outside.any() and str(estimates.quantity) not in beyond:
            beyond.append(str(estimates.quantity))
    return (BEYOND.format(listing(beyond, most=3)),) if beyond else ()


def compare_remarks(
    truth: BoxSet,
    systems: Sequence[BoxSet],
    options: BoxOptions,
    tallies: Mapping[str, Detections],
) -> tuple[str, ...]:
    """Return what holds of comparisons, too."""
    return (PAIRED, *score_remarks(truth, systems, options, tallies))


def segmentation_remarks(
    options: BoxOptions,
    systems: Sequence[BoxSet],
    counts: Mapping[tuple[str, str], CountsByImage],
) -> tuple[str, ...]:
    """Return which boxes were counted, and whether the two matchings differ."""
    remarks = [OVER_THRESHOLD.format(f"{options.sure:g}", f"{options.overlap:g}")]
    remarks.append(
        "found: true boxes that one of the system's matches; right: of the same class, too."
    )
    remarks.append(
        "segmentation counts boxes whatever their class, labelling the classes of those found; f1 is of both."
    )
    remarks.append(CAUTION)
    if len({matching for matching, _ in counts}) == 2:
        differ = []
        for one in systems:
            greedy = counts["greedy", one.name].found.sum()
            optimal = counts["optimal", one.name].found.sum()
            if greedy != optimal:
                differ.append(one.name)
        remarks.append(DIFFERENT.format(listing(differ)) if differ else SAME)
    return tuple(remarks)


def _rare(tally: Detections) -> list[str]:
    """Return the classes that fewer than five images hold."""
    rare = []
    for place, name in enumerate(tally.gallery.classes):
        holding = (tally.true_by_image(0, place) > 0).sum()
        if 0 < holding < 5:
            rare.append(name)
    return rare


def _absent(truth: BoxSet) -> list[str]:
    known = set(truth.label.tolist())
    return [name for place, name in enumerate(truth.gallery.classes) if place not in known]
