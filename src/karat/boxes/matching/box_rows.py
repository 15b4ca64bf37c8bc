"""Boxes as a table of answers: a row for each true box, and for each place where only systems see one.

Boxes are matched whatever their class, at one overlap, so that a box of the wrong class is one row with two labels:
finding boxes and naming them are counted apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.boxes.matching.detections import match
from karat.boxes.matching.rules import MatchRules
from karat.boxes.model.box_set import BoxSet, one_after_the_other
from karat.numeric.arrays import IntArray

ITEM = "(box)"
IMAGE = "(image)"
TRUTH = "(truth)"
NONE = "(none)"
"""The class where no box is. A label as others: who sees nothing where nothing is, is right."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRow:
    """One place in one image, what is there, and which box each system has there."""

    item: str
    image: int
    truth: int | None
    """The row of the true box; None where only systems see one."""
    found: Mapping[str, int]
    """The row of each system's box there."""


@dataclass(frozen=True, slots=True, eq=False)
class BoxTable:
    """Rows of places, with the boxes that they are about."""

    truth: BoxSet
    systems: Mapping[str, BoxSet]
    rows: Sequence[PlacedRow]
    overlap: float
    sure: float

    def columns(self) -> dict[str, list[Any]]:
        """Return the table: the class of each row by the truth and by each system, (none) where it has no box."""
        classes = self.truth.gallery.classes
        images = self.truth.gallery.images
        columns: dict[str, list[Any]] = {
            ITEM: [row.item for row in self.rows],
            IMAGE: [images[row.image] for row in self.rows],
            TRUTH: [
                NONE if row.truth is None else classes[self.truth.label[row.truth]]
                for row in self.rows
            ],
        }
        for name, boxes in self.systems.items():
            answers = []
            for row in self.rows:
                place = row.found.get(name)
                answers.append(NONE if place is None else classes[boxes.label[place]])
            columns[name] = answers
        return columns


def box_table(
    truth: BoxSet, systems: Mapping[str, BoxSet], rules: MatchRules, *, overlap: float, sure: float
) -> BoxTable:
    """Match every system's sure boxes with the truth's, and what is left with what other systems have there.

    Crowds are not rows, nor is what is in them.
    """
    kept = {name: boxes.chosen(boxes.score >= sure) for name, boxes in systems.items()}
    at_one = MatchRules(matching=rules.matching, overlaps=(overlap,), most=rules.most)
    found_by: dict[str, dict[int, int]] = {}
    left: dict[str, IntArray] = {}
    for name, boxes in kept.items():
        true, is_left = _matched(truth, boxes, at_one)
        found_by[name] = {int(place): row for row, place in enumerate(true.tolist()) if place >= 0}
        left[name] = np.flatnonzero(is_left)
    rows = []
    for place in np.flatnonzero(~truth.ignored).tolist():
        found = {name: own[place] for name, own in found_by.items() if place in own}
        rows.append(PlacedRow(_name(truth, place), int(truth.image[place]), place, found))
    rows += _surplus(truth, kept, left, at_one)
    return BoxTable(truth, kept, rows, overlap, sure)


def _name(truth: BoxSet, place: int) -> str:
    """Return how a true box is called: by its image and its id, or by its number."""
    own = truth.ids[place] if truth.ids else place + 1
    return f"{truth.gallery.images[truth.image[place]]}/{own}"


def _matched(truth: BoxSet, found: BoxSet, rules: MatchRules) -> tuple[IntArray, Any]:
    """Return the true box of each found one, -1 where none, and which found ones match nothing and no crowd."""
    numbered_truth = _numbered(truth)
    numbered_found = _numbered(found)
    matched = match(numbered_truth, numbered_found, rules)
    # All sizes together are the first layer.
    pair = matched.true[0]
    has = pair >= 0
    true = np.full(len(found), -1, np.int64)
    is_left = np.zeros(len(found), bool)
    own = np.array(matched.found.ids, np.int64)
    other = np.array(matched.truth.ids, np.int64)
    is_left[own[~has]] = True
    true[own[has]] = other[pair[has]]
    in_crowd = np.zeros(len(found), bool)
    in_crowd[true >= 0] = truth.ignored[true[true >= 0]]
    true[in_crowd] = -1
    return true, is_left


def _numbered(boxes: BoxSet) -> BoxSet:
    """Return boxes of one class, each called by its place."""
    return replace(boxes.without_classes(), ids=tuple(range(len(boxes))))


def _surplus(
    truth: BoxSet, systems: Mapping[str, BoxSet], left: Mapping[str, IntArray], rules: MatchRules
) -> list[PlacedRow]:
    """Return a row for each place where only systems see a box; boxes of two systems that match are one place."""
    pieces: list[BoxSet] = []
    found_by: list[dict[str, int]] = []
    for name, boxes in systems.items():
        rest = boxes.chosen(left[name])
        joined = np.full(len(rest), -1, np.int64)
        if found_by:
            joined, _ = _matched(one_after_the_other(pieces), rest, rules)
        for row, known in zip(left[name].tolist(), joined.tolist(), strict=True):
            if known >= 0:
                found_by[known][name] = row
            else:
                found_by.append({name: row})
        pieces.append(rest.chosen(joined < 0))
    if not found_by:
        return []
    seen = one_after_the_other(pieces)
    order = sorted(
        range(len(seen)), key=lambda place: (seen.image[place], *seen.box[place].tolist())
    )
    images = truth.gallery.images
    numbers: dict[int, int] = {}
    made = []
    for place in order:
        image = int(seen.image[place])
        numbers[image] = numbers.get(image, 0) + 1
        name = f"{images[image]}/+{numbers[image]}"
        made.append(PlacedRow(name, image, None, found_by[place]))
    return made
