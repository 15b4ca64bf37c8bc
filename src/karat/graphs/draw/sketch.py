"""A graph as shapes on a sheet, with what differs from another graph marked; an SVG file and the page draw the same."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from karat.graphs.draw.arrows import Route, around, bent, broken, over_ink, straight, upright
from karat.graphs.draw.glyphs import glyph
from karat.graphs.model.boxes import INSIDE, Box, Places, side
from karat.graphs.model.forest import Ends, Forest, forest
from karat.graphs.model.grid_levels import CELL, COLUMN, ROW
from karat.graphs.model.grid_scene import Grids, part_of
from karat.graphs.model.ink_places import Traces, by_ink
from karat.graphs.model.labelling import Labels
from karat.graphs.model.places import PAD, by_relations
from karat.graphs.model.scene import ACROSS, Scene, Thing
from karat.words import counted

SAME, WRONG, EXTRA, MISSING = "same", "wrong", "extra", "missing"
STATES = (SAME, WRONG, EXTRA, MISSING)
PATH = re.compile("O(R|Sub|Sup|Above|Below|Inside|Nrow|NcellR)*")
"""A primitive without ink, named by its place, which the drawing shows."""
SIGNS = {SAME: "", WRONG: "≠", EXTRA: "+", MISSING: "\N{MINUS SIGN}"}
"""What a shape bears beside its colour and its line."""


class Symbol(NamedTuple):
    """An object: its box, its label, the label it should have, its primitives as they stand below it, and in words."""

    box: Box
    text: str
    note: str
    state: str
    names: str
    hint: str


class Arrow(NamedTuple):
    """A relation: its way, its label, and the label it should have."""

    route: Route
    text: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """One graph, drawn."""

    width: float
    height: float
    symbols: tuple[Symbol, ...]
    arrows: tuple[Arrow, ...]
    title: str = ""
    strokes: tuple[tuple[str, Sequence[tuple[float, float]]], ...] = ()
    """The state of each stroke's object, and its points."""
    notes: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the shapes as plain values, for the page."""
        return {
            "size": [round(self.width), round(self.height)],
            "symbols": [
                [
                    *map(round, one.box),
                    one.text,
                    one.note,
                    STATES.index(one.state),
                    one.names,
                    one.hint,
                ]
                for one in self.symbols
            ],
            "arrows": [
                [one.route.path, *map(round, one.route.label), one.text, STATES.index(one.state)]
                for one in self.arrows
            ],
            "notes": list(self.notes),
        }


def sketch(
    title: str,
    own: Scene,
    other: Scene | None = None,
    *,
    truth: bool = False,
    traces: Traces | None = None,
) -> Sketch:
    """Return a graph with what differs from another one marked.

    What only this graph has is extra, or missing if this is the truth. In an output the objects whose primitives are
    all absent are drawn too, and relations of the truth to what hangs on nothing.
    """
    pen = _Pen(own, other, truth=truth)
    tree = forest(pen.whole)
    pen.cells = frozenset(
        cell for lines in tree.grids.values() for _, line in lines for cell in line if cell
    )
    drawn = _over_ink(pen, tree, traces) if traces else _by_relations(pen, tree)
    inherited = [ends for ends in tree.inherited if ends in own.relations]
    return replace(
        drawn, title=title, notes=(*pen.notes(inherited, len(drawn.symbols)), *drawn.notes)
    )


def _by_relations(pen: "_Pen", tree: Forest) -> Sketch:
    """Return symbols where their relations put them."""
    up = _parents(tree)
    words = {child: pen.relation_text((parent, child)) for child, parent in up.items()}
    places = by_relations(tree, {thing: pen.width(thing) for thing in pen.whole.things}, words)
    boxes = {**places.boxes, **_crossing(pen.whole, places, tree.grids)}
    ways = {
        (parent, child): _along(pen.whole, (parent, child), boxes, places)
        for child, parent in up.items()
    }
    ways |= {
        ends: _beside(pen.whole, ends, boxes) for ends in tree.rest if ends in pen.own.relations
    }
    held = (
        (parent, child) for child, parent in tree.held.items() if pen.is_elsewhere(parent, child)
    )
    ways |= {ends: straight(boxes[ends[0]], boxes[ends[1]], inside=True) for ends in held}
    return Sketch(
        width=places.width,
        height=max([places.height, *(route.low + 4 for route in ways.values())]),
        symbols=tuple(pen.symbol(thing, boxes[thing]) for thing in _order(boxes)),
        arrows=tuple(pen.arrow(ends, route) for ends, route in ways.items()),
    )


def _over_ink(pen: "_Pen", tree: Forest, traces: Traces) -> Sketch:
    """Return symbols where they were written, and their strokes."""
    places, drawn = by_ink(pen.whole, traces)
    boxes = places.boxes
    links = [(parent, child) for child, parent in _parents(tree).items()]
    links += [ends for ends in tree.rest if ends in pen.own.relations]
    there = [ends for ends in links if ends[0] in boxes and ends[1] in boxes]
    shown = [ends for ends in there if not pen.is_order(ends)]
    arrows, notes = _without_words(
        [pen.arrow(ends, over_ink(boxes[ends[0]], boxes[ends[1]])) for ends in shown]
    )
    if len(shown) < len(there):
        notes += ("Rows, columns and cells in the right order have no arrows.",)
    return Sketch(
        width=places.width,
        height=places.height,
        symbols=tuple(pen.symbol(thing, boxes[thing]) for thing in _order(boxes)),
        arrows=tuple(arrows),
        strokes=tuple((pen.stroke(name), points) for name, points in drawn.items()),
        notes=notes,
    )


def _without_words(arrows: Sequence[Arrow]) -> tuple[list[Arrow], tuple[str, ...]]:
    """Return arrows over ink, the most frequent label left out, and a note that says so: colours tell what is wrong."""
    texts = Counter(one.text for one in arrows if one.state != WRONG)
    if not texts:
        return list(arrows), ()
    text, _ = texts.most_common(1)[0]
    kept = [
        one._replace(text="") if one.state != WRONG and one.text == text else one for one in arrows
    ]
    return kept, (f"Arrows without a word are {text}.",)


class _Pen:
    """Who knows what differs."""

    def __init__(self, own: Scene, other: Scene | None, *, truth: bool) -> None:
        self.own, self.other, self.truth = own, other, truth
        self.alone = MISSING if truth else EXTRA
        self.cells: frozenset[Thing] = frozenset()
        self.whole = own if other is None or truth else _with_missing(own, other)

    def state(self, thing: Thing) -> str:
        if self.other is None:
            return SAME
        if thing not in self.own.things:
            return MISSING
        if thing not in self.other.things:
            return self.alone
        return SAME if self.other.things[thing] == self.own.things[thing] else WRONG

    def relation(self, ends: Ends) -> str:
        if self.other is None:
            return SAME
        if ends not in self.own.relations:
            return MISSING
        if ends not in self.other.relations:
            return self.alone
        return SAME if self.other.relations[ends] == self.own.relations[ends] else WRONG

    def stroke(self, name: str) -> str:
        """Return the state of the smallest object that a stroke is in; a stroke of no object is missing."""
        homes = [thing for thing in self.own.things if name in thing[0]]
        return self.state(min(homes, key=lambda one: len(one[0]))) if homes else MISSING

    def text(self, thing: Thing) -> tuple[str, str]:
        """Return the label of an object, and that of the other graph where it is another."""
        text = _said(self.whole.things[thing])
        if self.other is None or self.state(thing) != WRONG:
            return text, ""
        return text, f"≠ {_said(self.other.things[thing])}"

    def is_plain(self, thing: Thing) -> bool:
        """Return whether a box needs no label: it is a cell, as its place among others shows."""
        return thing in self.cells and self.state(thing) == SAME

    def is_order(self, ends: Ends) -> bool:
        """Return whether a relation only says, and rightly, which row, column or cell comes next."""
        kinds = {part_of(self.whole.things[end]) for end in ends}
        return self.relation(ends) == SAME and kinds <= {ROW, COLUMN, CELL}

    def is_elsewhere(self, parent: Thing, child: Thing) -> bool:
        """Return whether the other graph has both of an object and what holds it, but not in it."""
        both = (
            self.other is not None
            and {parent, child} <= self.own.things.keys() & self.other.things.keys()
        )
        return both and self.relation((parent, child)) != SAME

    def width(self, thing: Thing) -> float:
        if self.is_plain(thing):
            return PAD
        text, note = self.text(thing)
        return max(30.0, 11.5 * len(text) + 8 * len(note) + (24 if note else 16))

    def symbol(self, thing: Thing, box: Box) -> Symbol:
        text, note = self.text(thing)
        names = " ".join(_sorted(thing[0]))
        shown = "" if part_of(self.whole.things[thing]) or PATH.fullmatch(names) else names
        hint = f"{text} {note}: {names}" if note else f"{text}: {names}"
        return Symbol(
            box, "" if self.is_plain(thing) else text, note, self.state(thing), shown, hint
        )

    def relation_text(self, ends: Ends) -> str:
        text = " ".join(sorted(self.whole.relations[ends]))
        if self.other is None or self.relation(ends) != WRONG:
            return text
        return f"{text} ≠ {' '.join(sorted(self.other.relations[ends]))}"

    def arrow(self, ends: Ends, route: Route) -> Arrow:
        return Arrow(route, self.relation_text(ends), self.relation(ends))

    def notes(self, inherited: Sequence[Ends], shown: int) -> tuple[str, ...]:
        found = [] if self.own.things else ["This graph has no objects."]
        if inherited:
            differ = sum(1 for ends in inherited if self.relation(ends) != SAME)
            more = f" (different: {differ:,})" if differ else ""
            found.append(f"Not drawn: {counted(len(inherited), 'inherited relation')}{more}.")
        if self.own.loose:
            pairs = f"{counted(self.own.loose, 'labelled pair')} of primitives"
            found.append(
                f"Not drawn: {pairs} without a relation of whole objects; --as matrix shows all."
            )
        if lost := len(self.whole.things) - shown:
            found.append(f"Not drawn: {counted(lost, 'object')} without strokes in the ink.")
        return tuple(found)


def _with_missing(own: Scene, other: Scene) -> Scene:
    """Return an output with the objects it has nothing of, and the relations to what hangs on nothing."""
    ours = own.primitives
    ghosts = {thing: labels for thing, labels in other.things.items() if not thing[0] & ours}
    things = {**own.things, **ghosts}
    hung = {child for _, child in own.relations}
    lost = {
        ends: labels
        for ends, labels in other.relations.items()
        if ends[0] in things and ends[1] in things and ends[1] not in hung
    }
    homes = {**dict.fromkeys(ghosts), **own.homes}
    return Scene(things, {**own.relations, **lost}, homes, own.loose)


def _along(whole: Scene, ends: Ends, boxes: Mapping[Thing, Box], places: Places) -> Route:
    """Return the way of a relation that the places follow."""
    parent, child = boxes[ends[0]], boxes[ends[1]]
    if ends[1] in places.broken:
        return broken(parent, child)
    if part_of(whole.things[ends[0]]) == ROW and parent.y + parent.h < child.y:
        return upright(parent, child, parent.tx)
    return straight(parent, child, inside=side(whole.relations[ends]) == INSIDE)


def _beside(whole: Scene, ends: Ends, boxes: Mapping[Thing, Box]) -> Route:
    """Return the way of a relation that the places do not follow: around, but straight between cells and columns."""
    near = whole.homes[ends[0]] == whole.homes[ends[1]] and part_of(whole.things[ends[0]]) != COLUMN
    way = bent if near else straight
    return way(boxes[ends[0]], boxes[ends[1]])


def _crossing(whole: Scene, places: Places, grids: Grids) -> dict[Thing, Box]:
    """Return boxes around what stands in objects that cross others: columns, which are as high as their matrix."""
    found = {}
    for thing in whole.things:
        if thing in places.boxes:
            continue
        inside = {each: box for each, box in places.boxes.items() if each[0] <= thing[0]}
        cells = [box for each, box in inside.items() if part_of(whole.things[each]) == CELL]
        held = cells or list(inside.values())
        homes = [matrix for matrix in grids if matrix[0] >= thing[0]]
        lines = grids[min(homes, key=lambda one: len(one[0]))] if homes else ()
        level = [places.boxes[cell] for _, cells in lines for cell in cells if cell]
        found[thing] = around(held, level or held, 4)
    return found


def _order(boxes: Mapping[Thing, Box]) -> list[Thing]:
    """Return what holds others before what it holds, and columns, which are not filled, last: nothing is covered."""
    return sorted(boxes, key=lambda thing: (thing[1] in ACROSS, -boxes[thing].w * boxes[thing].h))


def _parents(tree: Forest) -> dict[Thing, Thing]:
    return {
        child: parent
        for parent, below in tree.children.items()
        if parent is not None
        for child in below
    }


def _said(labels: Labels) -> str:
    return "|".join(glyph(label) for label in sorted(labels)) or "?"


def _sorted(names: frozenset[str]) -> list[str]:
    """Return names with numbers in the order of the numbers."""
    return sorted(names, key=lambda name: (len(name), name))
