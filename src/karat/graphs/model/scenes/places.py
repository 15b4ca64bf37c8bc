"""The places of a graph's objects in a drawing, from their relations alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from karat.graphs.model.scenes.boxes import (
    ABOVE,
    BELOW,
    INSIDE,
    RIGHT,
    SUB,
    SUP,
    Box,
    Places,
    side,
)
from karat.graphs.model.scenes.forest import Forest
from karat.graphs.model.scenes.grid_scene import Line
from karat.graphs.model.scenes.scene import Thing

HALF = 17.0
"""Half the height of a symbol."""
IDS = 13.0
"""The height of the primitives' names."""
ROOM = 24.0
"""The gap below and above what belongs to an object."""
ACROSS = 26.0
"""The gap beside it."""
LINE = 22.0
"""The gap between lines."""
PAD = 8.0
"""The gap within an object that holds others."""
STUB = 20.0
"""The end of an arrow that goes on in the next line."""
NARROWEST = 180.0
DEEPEST = 100
"""Beyond so many levels of nesting, what follows begins a line of its own."""
OTHER = ""
"""The side of a relation that leads nowhere in particular."""
Sides = Mapping[str, Sequence[Thing]]
"""The children of an object, by their place."""


@dataclass(slots=True)
class _Block:
    """Boxes around a base line that begins at (0, 0)."""

    boxes: dict[Thing, Box] = field(default_factory=dict)
    width: float = 0.0
    up: float = HALF
    down: float = HALF + IDS

    def put(self, other: "_Block", dx: float, dy: float) -> None:
        """Add another block at a place."""
        for thing, box in other.boxes.items():
            self.boxes[thing] = box.moved(dx, dy)
        self.width = max(self.width, dx + other.width)
        self.up = max(self.up, other.up - dy)
        self.down = max(self.down, other.down + dy)


@dataclass(frozen=True, slots=True)
class _Body:
    """The size of an object itself, and what is in it."""

    width: float
    up: float
    down: float
    inner: _Block


def by_relations(
    forest: Forest,
    widths: Mapping[Thing, float],
    words: Mapping[Thing, str],
    *,
    width: float = 860.0,
) -> Places:
    """Return places that follow the relations, in lines no wider than the sheet where that is possible.

    `widths` are those of the objects' labels, `words` what is written on the arrow that leads to an object.
    """
    layout = _Layout(forest, widths, words)
    whole = layout.inner(None, width, 0)
    while layout.late:
        late = layout.late
        layout.late = []
        whole.put(layout.chains(late, width, 0), 0, whole.down + LINE)
    boxes = {thing: box.moved(PAD, whole.up + PAD) for thing, box in whole.boxes.items()}
    sheet_width = whole.width + 2 * PAD
    if layout.broken:
        sheet_width += STUB
    sheet_height = whole.up + whole.down + 2 * PAD
    return Places(boxes, sheet_width, sheet_height, frozenset(layout.broken))


class _Layout:
    """Builds blocks from the leaves up; `limit` is the width there is, `depth` how deep an object is nested."""

    def __init__(
        self, forest: Forest, widths: Mapping[Thing, float], words: Mapping[Thing, str]
    ) -> None:
        self.forest = forest
        self.widths = widths
        self.words = words
        self.broken: set[Thing] = set()
        self.late: list[Thing] = []
        """What is nested too deeply, for lines of its own."""

    def inner(self, home: Thing | None, limit: float, depth: int) -> _Block:
        """Return the parts that an object holds, one after another."""
        return self.chains(self.forest.roots.get(home, ()), limit, depth)

    def chains(self, things: Iterable[Thing], limit: float, depth: int) -> _Block:
        """Return objects side by side, each with its descendants."""
        return self.flow([(one, self.chain(one, limit, depth)) for one in things], limit)

    def flow(self, parts: Sequence[tuple[Thing, _Block]], limit: float) -> _Block:
        """Return blocks side by side, in as many lines as it takes."""
        lines: list[_Block] = []
        for thing, block in parts:
            gap = self.gap(thing)
            if not lines or lines[-1].width + gap + block.width > limit:
                if lines and thing in self.forest.mark:
                    self.broken.add(thing)
                lines.append(_Block())
                gap = STUB + 10 + self.gap(thing) if thing in self.broken else 0
            lines[-1].put(block, lines[-1].width + gap, 0)
        whole = _Block()
        y = 0.0
        for place, line in enumerate(lines):
            if place > 0:
                y += lines[place - 1].down + LINE + line.up
            whole.put(line, 0, y)
        return whole

    def gap(self, thing: Thing) -> float:
        """Return the room for the arrow to an object and its label."""
        if thing not in self.forest.mark:
            return ROOM
        return max(ROOM, 14 + 5.5 * len(self.words[thing]))

    def chain(self, first: Thing, limit: float, depth: int) -> _Block:
        """Return an object and all that follows it to the right."""
        parts: list[tuple[Thing, _Block]] = []
        rest: Thing | None = first
        while rest is not None:
            sides = self.sides(rest)
            parts.append((rest, self.cell(rest, sides, limit, depth)))
            rest = next(iter(sides.get(RIGHT, ())), None)
        return self.flow(parts, limit)

    def sides(self, thing: Thing) -> Sides:
        """Return the children of an object by their place; a second one to the right is put below."""
        sides: dict[str, list[Thing]] = {}
        for child in self.forest.children.get(thing, ()):
            where = side(self.forest.mark[child])
            if where == RIGHT and RIGHT in sides:
                where = OTHER
            sides.setdefault(where, []).append(child)
        return sides

    def cell(self, thing: Thing, sides: Sides, limit: float, depth: int) -> _Block:
        """Return an object with its descendants, except what follows to the right."""
        if depth > DEEPEST:
            for where, things in sides.items():
                if where != RIGHT:
                    self.late += things
            sides = {}
        body = self.body(thing, sides.get(INSIDE, ()), limit, depth)
        inner = body.inner
        above = self.chains(sides.get(ABOVE, ()), limit, depth + 1)
        below = self.chains(sides.get(BELOW, ()), limit, depth + 1)
        width = max(body.width, above.width, below.width)
        # The label is in the middle of the object, or left of what the object holds.
        middle = min(self.widths[thing], body.width) / 2
        if not inner.boxes:
            middle += (width - body.width) / 2
        box = Box(0, -body.up, width, body.up + body.down, middle, 0)
        block = _Block({thing: box}, width, body.up, body.down + IDS)
        if inner.boxes:
            block.put(inner, body.width - PAD - inner.width, 0)
        if above.boxes:
            block.put(above, (width - above.width) / 2, -body.up - ROOM - above.down)
        if below.boxes:
            block.put(below, (width - below.width) / 2, body.down + IDS + ROOM + below.up)
        self.put_scripts(block, box, sides, limit, depth)
        others = sides.get(OTHER)
        if others:
            row = self.chains(others, limit, depth + 1)
            block.put(row, 0, block.down + ROOM + row.up)
        return block

    def body(self, thing: Thing, inside: Sequence[Thing], limit: float, depth: int) -> _Body:
        """Return an object itself with what is in it."""
        width = self.widths[thing]
        if depth > DEEPEST:
            self.late += self.forest.roots.get(thing, ())
            return _Body(width, HALF, HALF, _Block())
        if thing in self.forest.grids:
            inner = self.grid(self.forest.grids[thing], limit - width, depth + 1)
            return _Body(width + inner.width + PAD, inner.up + PAD, inner.down + PAD, inner)
        gap = max(map(self.gap, inside), default=PAD)
        room = max(NARROWEST, limit - width - gap - PAD)
        parts = [*self.forest.roots.get(thing, ()), *inside]
        inner = self.chains(parts, room, depth + 1)
        if not inner.boxes:
            return _Body(width, HALF, HALF, inner)
        return _Body(width + gap + inner.width + PAD, inner.up + PAD, inner.down + PAD, inner)

    def grid(self, lines: Sequence[Line], limit: float, depth: int) -> _Block:
        """Return the rows of a matrix below each other, with its cells in columns."""
        number = max(len(cells) for _, cells in lines)
        room = max(NARROWEST, limit / number - ROOM)
        rows: list[list[_Block | None]] = []
        gap = 0.0
        for _, cells in lines:
            blocks: list[_Block | None] = []
            for cell in cells:
                if cell is None:
                    blocks.append(None)
                else:
                    blocks.append(self.cell(cell, {}, room, depth))
                    gap = max(gap, self.gap(cell))
            rows.append(blocks)
        widths = [_widest(column) for column in zip(*rows, strict=True)]
        whole = _Block()
        y = 0.0
        for place, ((row, cells), blocks) in enumerate(zip(lines, rows, strict=True)):
            line = self.grid_row(row, cells, blocks, widths, gap)
            if place > 0:
                y = whole.down + ROOM + line.up
            whole.put(line, 0, y)
        return whole

    def grid_row(
        self,
        row: Thing,
        cells: Sequence[Thing | None],
        blocks: Sequence[_Block | None],
        widths: Sequence[float],
        gap: float,
    ) -> _Block:
        """Return a row of a matrix, its cells as wide as their columns."""
        line = _Block()
        x = self.widths[row]
        for cell, block, width in zip(cells, blocks, widths, strict=True):
            if cell is not None and block is not None:
                block.boxes[cell] = block.boxes[cell]._replace(w=width)
                line.put(block, x, 0)
            x += width + gap
        top = -line.up - PAD
        height = line.up + line.down + 2 * PAD
        box = Box(0, top, x - gap + PAD, height, self.widths[row] / 2, 0)
        return _Block({row: box, **line.boxes}, box.w, line.up + PAD, line.down + PAD)

    def put_scripts(self, block: _Block, box: Box, sides: Sides, limit: float, depth: int) -> None:
        """Add what is raised and lowered, right of the object in `box`."""
        room = max(NARROWEST, limit - box.w - ACROSS)
        raised = sides.get(SUP, ())
        if raised:
            row = self.chains(raised, room, depth + 1)
            block.put(row, box.w + self.gap(raised[0]) - 6, box.y + 5 - row.down)
        lowered = sides.get(SUB, ())
        if lowered:
            row = self.chains(lowered, room, depth + 1)
            block.put(row, box.w + self.gap(lowered[0]) - 6, box.y + box.h - 5 + row.up)


def _widest(blocks: Iterable[_Block | None]) -> float:
    return max(0.0 if block is None else block.width for block in blocks)
