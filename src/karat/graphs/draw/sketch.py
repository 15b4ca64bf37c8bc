"""A graph as shapes on a sheet, with what differs from another graph marked; an SVG file and the page draw the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from karat.graphs.draw.arrows import (
    Point,
    Route,
    around,
    bent,
    broken,
    over_ink,
    straight,
    upright,
)
from karat.graphs.draw.differences import (
    EXTRA,
    MISSING,
    SAME,
    STATES,
    WRONG,
    Differences,
    primitive_names,
)
from karat.graphs.draw.labels import LabelPlaces, label_area, names_area, symbol_area
from karat.graphs.model.grid_levels import CELL, COLUMN, ROW
from karat.graphs.model.scenes.boxes import INSIDE, Box, Places, side
from karat.graphs.model.scenes.forest import Ends, Forest, forest
from karat.graphs.model.scenes.grid_scene import Grids, part_of
from karat.graphs.model.scenes.ink_places import Traces, by_ink
from karat.graphs.model.scenes.places import PAD, by_relations
from karat.graphs.model.scenes.scene import ACROSS, Scene, Thing

BADGES = {SAME: "", WRONG: "≠", EXTRA: "+", MISSING: "\N{MINUS SIGN}"}
"""The character that a shape has beside its colour and its line."""


class DrawnObject(NamedTuple):
    """An object: its box, its label, the label it should have, its primitives below it, and all of that in words."""

    box: Box
    text: str
    note: str
    state: str
    names: str
    hint: str


class Arrow(NamedTuple):
    """A relation: its way, its label with the one it should have, and its state."""

    route: Route
    text: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """One graph, drawn."""

    width: float
    height: float
    symbols: tuple[DrawnObject, ...]
    arrows: tuple[Arrow, ...]
    title: str = ""
    strokes: tuple[tuple[str, Sequence[tuple[float, float]]], ...] = ()
    """The state of each stroke's object, and its points."""
    notes: tuple[str, ...] = ()
    undirected: bool = False
    """Whether relations have no direction: they are drawn as lines."""

    def plain(self) -> dict[str, Any]:
        """Return the shapes as plain values, for the page."""
        return {
            "size": [round(self.width), round(self.height)],
            "symbols": [_plain_object(one) for one in self.symbols],
            "arrows": [_plain_arrow(one) for one in self.arrows],
            "notes": list(self.notes),
            "undirected": self.undirected,
        }


def _plain_object(one: DrawnObject) -> list[Any]:
    box = map(round, one.box)
    return [*box, one.text, one.note, STATES.index(one.state), one.names, one.hint]


def _plain_arrow(one: Arrow) -> list[Any]:
    label = map(round, one.route.label)
    return [one.route.path, *label, one.text, STATES.index(one.state)]


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
    differences = Differences(own, other, truth=truth)
    tree = forest(differences.whole)
    differences.find_cells(tree)
    drawn = _over_ink(differences, tree, traces) if traces else _by_relations(differences, tree)
    inherited = [ends for ends in tree.inherited if ends in own.relations]
    notes = differences.notes(inherited, len(drawn.symbols))
    return replace(drawn, title=title, notes=(*notes, *drawn.notes))


def _by_relations(differences: Differences, tree: Forest) -> Sketch:
    """Return objects where their relations put them."""
    whole = differences.whole
    links = _links(tree)
    words = {child: differences.relation_text((parent, child)) for parent, child in links}
    widths = {thing: _width(differences, thing) for thing in whole.things}
    places = by_relations(tree, widths, words)
    boxes = {**places.boxes, **_crossing(whole, places, tree.grids)}
    routes: dict[Ends, Route] = {}
    for ends in links:
        routes[ends] = _along(whole, ends, boxes, places)
    for ends in tree.rest:
        if ends in differences.own.relations:
            routes[ends] = _beside(whole, ends, boxes)
    for child, parent in tree.held.items():
        if differences.is_elsewhere((parent, child)):
            routes[parent, child] = straight(boxes[parent], boxes[child], inside=True)
    lowest = [route.low + 4 for route in routes.values()]
    symbols = _objects(differences, boxes)
    arrows = [_arrow(differences, ends, route) for ends, route in routes.items()]
    arrows = _with_free_labels(arrows, symbols)
    return Sketch(
        width=max(places.width, _right_end(arrows)),
        height=max([places.height, *lowest]),
        symbols=symbols,
        arrows=tuple(arrows),
    )


def _over_ink(differences: Differences, tree: Forest, traces: Traces) -> Sketch:
    """Return objects where they were written, and their strokes."""
    places, drawn = by_ink(differences.whole, traces)
    boxes = places.boxes
    links = _links(tree)
    links += [ends for ends in tree.rest if ends in differences.own.relations]
    arrows: list[Arrow] = []
    has_order = False
    for ends in links:
        parent, child = ends
        if parent not in boxes or child not in boxes:
            continue
        if differences.is_order(ends):
            has_order = True
        else:
            arrows.append(_arrow(differences, ends, over_ink(boxes[parent], boxes[child])))
    notes = []
    usual = _usual_text(arrows)
    if usual is not None:
        arrows = [_without_text(one, usual) for one in arrows]
        notes.append(f"Arrows without a word are {usual}.")
    if has_order:
        notes.append("Rows, columns and cells in the right order have no arrows.")
    strokes = [(differences.stroke_state(name), points) for name, points in drawn.items()]
    symbols = _objects(differences, boxes)
    arrows = _with_free_labels(arrows, symbols)
    return Sketch(
        width=max(places.width, _right_end(arrows)),
        height=places.height,
        symbols=symbols,
        arrows=tuple(arrows),
        strokes=tuple(strokes),
        notes=tuple(notes),
    )


def _with_free_labels(arrows: Sequence[Arrow], symbols: Sequence[DrawnObject]) -> list[Arrow]:
    """Return arrows whose labels cover each other and symbols as little as can be; those that differ choose first."""
    texts = [symbol_area(one.box, f"{one.text} {one.note}".strip()) for one in symbols if one.text]
    texts += (names_area(one.box, one.names) for one in symbols if one.names)
    places = LabelPlaces(texts, [one.route for one in arrows])
    placed = list(arrows)
    order = sorted(range(len(arrows)), key=lambda place: arrows[place].state == SAME)
    for place in order:
        one = arrows[place]
        if one.text:
            placed[place] = one._replace(route=places.place(one.route, one.text))
    return placed


def _right_end(arrows: Sequence[Arrow]) -> float:
    """Return where the label that reaches furthest to the right ends."""
    ends = [label_area(Point(*one.route.label), one.text).right for one in arrows if one.text]
    return max(ends, default=0.0)


def _usual_text(arrows: Sequence[Arrow]) -> str | None:
    """Return the most frequent label of arrows that are not wrong: over ink it is left out."""
    texts = Counter(one.text for one in arrows if one.state != WRONG)
    return texts.most_common(1)[0][0] if texts else None


def _without_text(one: Arrow, text: str) -> Arrow:
    """Return an arrow without a label, if it has this one and is not wrong; colours show what is extra or missing."""
    return one._replace(text="") if one.state != WRONG and one.text == text else one


def _links(tree: Forest) -> list[Ends]:
    """Return the relations that the places follow."""
    links: list[Ends] = []
    for parent, children in tree.children.items():
        if parent is not None:
            links += [(parent, child) for child in children]
    return links


def _width(differences: Differences, thing: Thing) -> float:
    if differences.is_plain(thing):
        return PAD
    text = differences.text(thing)
    note = differences.note(thing)
    room = 24 if note else 16
    return max(30.0, 11.5 * len(text) + 8 * len(note) + room)


def _objects(differences: Differences, boxes: Mapping[Thing, Box]) -> tuple[DrawnObject, ...]:
    return tuple(_object(differences, thing, boxes[thing]) for thing in _order(boxes))


def _object(differences: Differences, thing: Thing, box: Box) -> DrawnObject:
    text = differences.text(thing)
    note = differences.note(thing)
    label = f"{text} {note}" if note else text
    return DrawnObject(
        box=box,
        text="" if differences.is_plain(thing) else text,
        note=note,
        state=differences.object_state(thing),
        names=differences.primitives_below(thing),
        hint=f"{label}: {primitive_names(thing)}",
    )


def _arrow(differences: Differences, ends: Ends, route: Route) -> Arrow:
    return Arrow(route, differences.relation_text(ends), differences.relation_state(ends))


def _along(whole: Scene, ends: Ends, boxes: Mapping[Thing, Box], places: Places) -> Route:
    """Return the way of a relation that the places follow."""
    parent = boxes[ends[0]]
    child = boxes[ends[1]]
    if ends[1] in places.broken:
        return broken(parent, child)
    is_row = part_of(whole.things[ends[0]]) == ROW
    if is_row and parent.y + parent.h < child.y:
        return upright(parent, child, parent.tx)
    inside = side(whole.relations[ends]) == INSIDE
    return straight(parent, child, inside=inside)


def _beside(whole: Scene, ends: Ends, boxes: Mapping[Thing, Box]) -> Route:
    """Return the way of a relation that the places do not follow: around, but straight between cells and columns."""
    parent, child = ends
    same_home = whole.homes[parent] == whole.homes[child]
    if same_home and part_of(whole.things[parent]) != COLUMN:
        return bent(boxes[parent], boxes[child])
    return straight(boxes[parent], boxes[child])


def _crossing(whole: Scene, places: Places, grids: Grids) -> dict[Thing, Box]:
    """Return boxes around what stands in objects that cross others: columns, which are as high as their matrix."""
    boxes: dict[Thing, Box] = {}
    for thing in whole.things:
        if thing in places.boxes:
            continue
        inside = [each for each in places.boxes if each[0] <= thing[0]]
        cells = [each for each in inside if part_of(whole.things[each]) == CELL]
        held = [places.boxes[each] for each in cells or inside]
        matrix_cells = _boxes_of_matrix(thing, places, grids)
        boxes[thing] = around(held, matrix_cells or held, 4)
    return boxes


def _boxes_of_matrix(thing: Thing, places: Places, grids: Grids) -> list[Box]:
    """Return the boxes of all cells of the smallest matrix that an object is in."""
    matrices = [matrix for matrix in grids if matrix[0] >= thing[0]]
    if not matrices:
        return []
    smallest = min(matrices, key=lambda matrix: len(matrix[0]))
    return [places.boxes[cell] for _, cells in grids[smallest] for cell in cells if cell]


def _order(boxes: Mapping[Thing, Box]) -> list[Thing]:
    """Return what holds others before what it holds, and columns, which are not filled, last: nothing is covered."""
    return sorted(boxes, key=lambda thing: (thing[1] in ACROSS, -boxes[thing].w * boxes[thing].h))
