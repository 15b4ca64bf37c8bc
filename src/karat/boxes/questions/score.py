"""How good is each detector, and how certain is that, over images?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from karat.boxes.doubt.image_interval import class_intervals, mean_interval
from karat.boxes.matching.detections import Detections
from karat.boxes.matching.rules import OVERLAPS
from karat.boxes.measures.influenced import Influenced
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.errors import ChoiceError, OptionError
from karat.measure.quantity import COMMA, Quantity
from karat.verdict.score.result import Entry
from karat.verdict.score.scores import ranked

USUAL = (
    "mAP",
    "mAP@0.5",
    "mAP@0.75",
    "mAP-small",
    "mAP-medium",
    "mAP-large",
    "mAR@1",
    "mAR@10",
    "mAR@100",
    "mAR-small",
    "mAR-medium",
    "mAR-large",
)
"""COCO's twelve numbers, in its order."""
OF_CLASSES = ("class-AP", "class-AP@0.5", "class-AR@100")
OTHER_NAMES = {
    "ap": "mAP",
    "ap50": "mAP@0.5",
    "map50": "mAP@0.5",
    "ap75": "mAP@0.75",
    "map75": "mAP@0.75",
    "aps": "mAP-small",
    "apm": "mAP-medium",
    "apl": "mAP-large",
    "ar1": "mAR@1",
    "ar10": "mAR@10",
    "ar100": "mAR@100",
    "ars": "mAR-small",
    "arm": "mAR-medium",
    "arl": "mAR-large",
}
"""What others call them."""


def quantities_of(measure: str | Sequence[str] | None, per: str = "total") -> list[Quantity]:
    """Return the requested measures of boxes; COCO's twelve unless given, or those of classes.

    >>> [str(one) for one in quantities_of("AP50,mAR@10")]
    ['mAP@0.5', 'mAR@10']
    """
    if per not in {"total", "class"}:
        raise ChoiceError("--per", per, ["total", "class"])
    texts: tuple[str, ...] = USUAL if per == "total" else OF_CLASSES
    if isinstance(measure, str):
        texts = tuple(COMMA.split(measure))
    elif measure is not None:
        texts = tuple(measure)
    quantities = [_quantity(text.strip()) for text in texts]
    if per == "class":
        quantities = [_of_class(quantity) for quantity in quantities]
    for quantity in quantities:
        if quantity.of_classes and quantity.label is None and per == "total":
            raise OptionError(
                f"{quantity} is of one class: use --per class, or name one as {quantity}[person]"
            )
    return quantities


def _quantity(text: str) -> Quantity:
    quantity = Quantity.parse(OTHER_NAMES.get(text.lower(), text))
    if quantity.counted_from != "boxes":
        raise OptionError(
            f"{quantity} is not a measure of boxes; these are mAP, mAP@0.5, mAP-small, mAR@100, class-AP[person] "
            "and the like; karat boxes gives precision and recall"
        )
    return quantity


def _of_class(quantity: Quantity) -> Quantity:
    """Return a mean over classes as what it is the mean of."""
    if quantity.of_classes:
        return quantity
    if quantity.traits.parameter is None:
        raise OptionError(f"{quantity} is a mean over classes of one size; leave --per class out")
    return quantity.of_one_class()


def overlaps_of(quantities: Sequence[Quantity]) -> tuple[float, ...]:
    """Return the overlaps that measures need: COCO's ten, and others that are named."""
    named = []
    for quantity in quantities:
        overlap = quantity.arguments.get("overlap")
        if overlap is not None and np.abs(OVERLAPS - overlap).min() > 1e-9:
            named.append(float(overlap))
    return (*OVERLAPS.tolist(), *sorted(set(named)))


def measured(quantity: Quantity, tally: Detections) -> Influenced:
    """Return a measure of one system, class by class."""
    found: Influenced = quantity.traits(tally, **quantity.arguments)
    return found


def score_of_boxes(
    tallies: Mapping[str, Detections], quantities: Sequence[Quantity], how: IntervalOptions
) -> tuple[Entry, ...]:
    """Return every measure of every system with its interval over images."""
    entries = []
    for system, tally in tallies.items():
        entries += [Entry(system, _estimates(quantity, tally, how)) for quantity in quantities]
    return ranked(entries)


def _estimates(quantity: Quantity, tally: Detections, how: IntervalOptions) -> Estimates:
    found = measured(quantity, tally)
    options: dict[str, Any] = {"level": how.level, "side": how.side}
    if not quantity.of_classes:
        value = np.array([found.mean()])
        return Estimates(quantity, (None,), value, mean_interval(found, **options))
    classes = tally.gallery.classes
    whole = Estimates(quantity, classes, found.value, class_intervals(found, **options))
    if quantity.label is None:
        return whole
    if quantity.label not in classes:
        raise OptionError(
            f"no class is called {quantity.label!r}; there are {', '.join(classes[:12])}"
        )
    chosen = whole.chosen(quantity.label)
    return replace(chosen, quantity=quantity)
