"""The differences of a graph from another one, and the labels of its objects and relations in a drawing."""

import re
from collections.abc import Mapping, Sequence

from karat.graphs.draw.glyphs import glyph
from karat.graphs.model.grid_levels import CELL, COLUMN, ROW
from karat.graphs.model.labelling import Labels
from karat.graphs.model.scenes.forest import Ends, Forest
from karat.graphs.model.scenes.grid_scene import part_of
from karat.graphs.model.scenes.scene import Scene, Thing
from karat.words import counted

SAME = "same"
WRONG = "wrong"
EXTRA = "extra"
MISSING = "missing"
STATES = (SAME, WRONG, EXTRA, MISSING)
PATH = re.compile("O(R|Sub|Sup|Above|Below|Inside|Nrow|NcellR)*")
"""A primitive without ink, named by its place, which the drawing shows."""


class Differences:
    """A graph beside another one: which of its objects and relations are the same, wrong, extra or missing.

    What only this graph has is extra, or missing if this is the truth.
    """

    def __init__(self, own: Scene, other: Scene | None, *, truth: bool) -> None:
        self.own = own
        self.other = other
        self.state_of_own = MISSING if truth else EXTRA
        self.cells: frozenset[Thing] = frozenset()
        """The cells of matrices, known once the drawing has its tree."""
        self.whole = own
        """All that is drawn: in an output also the objects that it lacks."""
        if other is not None and not truth:
            self.whole = _with_missing(own, other)

    def find_cells(self, tree: Forest) -> None:
        """Note which objects are cells of matrices."""
        cells: set[Thing] = set()
        for lines in tree.grids.values():
            for _, line in lines:
                cells.update(cell for cell in line if cell)
        self.cells = frozenset(cells)

    def object_state(self, thing: Thing) -> str:
        """Return the state of an object."""
        if self.other is None:
            return SAME
        return self._state(self.own.things.get(thing), self.other.things.get(thing))

    def relation_state(self, ends: Ends) -> str:
        """Return the state of a relation."""
        if self.other is None:
            return SAME
        return self._state(self.own.relations.get(ends), self.other.relations.get(ends))

    def _state(self, own: Labels | None, other: Labels | None) -> str:
        if own is None:
            return MISSING
        if other is None:
            return self.state_of_own
        return SAME if own == other else WRONG

    def stroke_state(self, name: str) -> str:
        """Return the state of the smallest object that a stroke is in; a stroke of no object is missing."""
        homes = [thing for thing in self.own.things if name in thing[0]]
        if not homes:
            return MISSING
        smallest = min(homes, key=lambda thing: len(thing[0]))
        return self.object_state(smallest)

    def text(self, thing: Thing) -> str:
        """Return the label of an object."""
        return _joined_glyphs(self.whole.things[thing])

    def note(self, thing: Thing) -> str:
        """Return the label of an object in the other graph, where it is another."""
        if self.other is None or self.object_state(thing) != WRONG:
            return ""
        return f"≠ {_joined_glyphs(self.other.things[thing])}"

    def relation_text(self, ends: Ends) -> str:
        """Return the label of a relation, with that in the other graph where it is another."""
        text = " ".join(sorted(self.whole.relations[ends]))
        if self.other is None or self.relation_state(ends) != WRONG:
            return text
        instead = " ".join(sorted(self.other.relations[ends]))
        return f"{text} ≠ {instead}"

    def primitives_below(self, thing: Thing) -> str:
        """Return the primitives to list below an object: none for parts of matrices and for symbols without ink."""
        names = primitive_names(thing)
        if part_of(self.whole.things[thing]) or PATH.fullmatch(names):
            return ""
        return names

    def is_plain(self, thing: Thing) -> bool:
        """Return whether a box needs no label: it is a cell, as its place among others shows."""
        return thing in self.cells and self.object_state(thing) == SAME

    def is_order(self, ends: Ends) -> bool:
        """Return whether a relation only gives, correctly, the next row, column or cell."""
        if self.relation_state(ends) != SAME:
            return False
        kinds = {part_of(self.whole.things[end]) for end in ends}
        return kinds <= {ROW, COLUMN, CELL}

    def is_elsewhere(self, ends: Ends) -> bool:
        """Return whether the other graph has both an object and what holds it, but not one in the other."""
        if self.other is None:
            return False
        known = all(end in self.own.things and end in self.other.things for end in ends)
        return known and self.relation_state(ends) != SAME

    def notes(self, inherited: Sequence[Ends], shown: int) -> list[str]:
        """Return what is not drawn, in words."""
        notes = []
        if not self.own.things:
            notes.append("This graph has no objects.")
        if inherited:
            relations = counted(len(inherited), "inherited relation")
            differ = sum(self.relation_state(ends) != SAME for ends in inherited)
            more = f" (different: {differ:,})" if differ else ""
            notes.append(f"Not drawn: {relations}{more}.")
        if self.own.loose:
            pairs = counted(self.own.loose, "labelled pair")
            notes.append(
                f"Not drawn: {pairs} of primitives without a relation of whole objects; --as matrix shows all."
            )
        without_ink = len(self.whole.things) - shown
        if without_ink:
            notes.append(f"Not drawn: {counted(without_ink, 'object')} without strokes in the ink.")
        return notes


def _with_missing(own: Scene, other: Scene) -> Scene:
    """Return an output with the objects of which it has nothing, and the relations to objects without a parent."""
    ours = own.primitives
    missing = {thing: labels for thing, labels in other.things.items() if not thing[0] & ours}
    things: Mapping[Thing, Labels] = {**own.things, **missing}
    has_parent = {child for _, child in own.relations}

    def is_lost(ends: Ends) -> bool:
        parent, child = ends
        return parent in things and child in things and child not in has_parent

    lost = {ends: labels for ends, labels in other.relations.items() if is_lost(ends)}
    homes = {**dict.fromkeys(missing), **own.homes}
    return Scene(things, {**own.relations, **lost}, homes, own.loose)


def primitive_names(thing: Thing) -> str:
    """Return the primitives of an object, names with numbers in the order of the numbers."""
    names = sorted(thing[0], key=lambda name: (len(name), name))
    return " ".join(names)


def _joined_glyphs(labels: Labels) -> str:
    return "|".join(glyph(label) for label in sorted(labels)) or "?"
