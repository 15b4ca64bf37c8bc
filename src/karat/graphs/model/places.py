"""Where the objects of a graph are drawn: as their relations say, or where they were written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from karat.graphs.model.forest import Forest
from karat.graphs.model.grid_levels import CELL, COLUMN, MATRIX, ROW, kind_of
from karat.graphs.model.grid_scene import Line
from karat.graphs.model.labelling import Labels
from karat.graphs.model.scene import RANKS, Scene, Thing

RIGHT, SUP, SUB, ABOVE, BELOW, INSIDE = "right", "sup", "sub", "above", "below", "inside"
SIDES = {
    **dict.fromkeys(("R", "Right", "HOR", "H", "NcellR", "NextCell-Row", "NextCol", "Ncol"), RIGHT),
    **dict.fromkeys(("Sup", "SUP"), SUP),
    **dict.fromkeys(("Sub", "SUB"), SUB),
    **dict.fromkeys(("A", "Above", "ABOVE", "Upper"), ABOVE),
    **dict.fromkeys(("B", "Below", "BELOW", "Under", "Nrow", "NextRow", "NcellC"), BELOW),
    **dict.fromkeys(("I", "Inside", "CONTAINS"), INSIDE),
}
"""Where a relation leads, by the names that files of different years have for it; others lead below, as in a tree."""
HALF, IDS, ROOM, ACROSS, LINE, PAD = 17.0, 13.0, 24.0, 26.0, 22.0, 8.0
"""Half the height of a symbol, the height of the primitives' names, and gaps: below, between, of lines, within."""
STUB = 20.0
"""The end of an arrow that goes on in the next line."""
NARROWEST = 180.0
DEEPEST = 100
"""Beyond so many levels of nesting, what follows begins a line of its own."""


class Box(NamedTuple):
    """A rectangle, and where the text in it stands."""

    x: float
    y: float
    w: float
    h: float
    tx: float
    ty: float

    def moved(self, dx: float, dy: float) -> "Box":
        """Return the box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.w, self.h, self.tx + dx, self.ty + dy)


@dataclass(frozen=True, slots=True)
class Places:
    """The rectangle of every object, on a sheet of a size."""

    boxes: Mapping[Thing, Box]
    width: float
    height: float
    broken: frozenset[Thing] = frozenset()
    """Objects that follow their parent on the next line."""


@dataclass(slots=True)
class _Block:
    """Boxes around a base line that begins at (0, 0)."""

    boxes: dict[Thing, Box] = field(default_factory=dict)
    width: float = 0.0
    up: float = HALF
    down: float = HALF + IDS

    def put(self, other: "_Block", dx: float, dy: float) -> None:
        """Add another block at a place."""
        self.boxes |= {thing: box.moved(dx, dy) for thing, box in other.boxes.items()}
        self.width = max(self.width, dx + other.width)
        self.up, self.down = max(self.up, other.up - dy), max(self.down, other.down + dy)


def side(labels: Labels) -> str:
    """Return where a relation leads: right, sup, sub, above, below or inside, and otherwise nothing."""
    return next((SIDES[label] for label in sorted(labels) if label in SIDES), "")


def by_relations(
    found: Forest,
    widths: Mapping[Thing, float],
    words: Mapping[Thing, str],
    *,
    width: float = 860.0,
) -> Places:
    """Return places that follow the relations, in lines no wider than the sheet where that can be.

    `widths` are those of the objects' labels, `words` what is written on the arrow that leads to an object.
    """
    layout = _Layout(found, widths, words)
    whole = layout.inner(None, width, 0)
    while layout.late:
        late, layout.late = layout.late, []
        whole.put(
            layout.flow([(one, layout.chain(one, width, 0)) for one in late], width),
            0,
            whole.down + LINE,
        )
    boxes = {thing: box.moved(PAD, whole.up + PAD) for thing, box in whole.boxes.items()}
    wide = whole.width + 2 * PAD + (STUB if layout.broken else 0)
    return Places(boxes, wide, whole.up + whole.down + 2 * PAD, frozenset(layout.broken))


class _Layout:
    def __init__(
        self, found: Forest, widths: Mapping[Thing, float], words: Mapping[Thing, str]
    ) -> None:
        self.found, self.widths, self.words = found, widths, words
        self.broken: set[Thing] = set()
        self.late: list[Thing] = []

    def inner(self, home: Thing | None, limit: float, depth: int) -> _Block:
        """Return the parts that an object holds, one after another."""
        return self.flow(
            [(one, self.chain(one, limit, depth)) for one in self.found.roots.get(home, ())], limit
        )

    def flow(self, parts: Sequence[tuple[Thing, _Block]], limit: float) -> _Block:
        """Return blocks side by side, in as many lines as it takes."""
        lines: list[_Block] = []
        for thing, block in parts:
            gap = self.gap(thing)
            if not lines or lines[-1].width + gap + block.width > limit:
                if lines and thing in self.found.mark:
                    self.broken.add(thing)
                lines.append(_Block())
                gap = STUB + 10 + self.gap(thing) if thing in self.broken else 0
            lines[-1].put(block, lines[-1].width + gap, 0)
        whole, y = _Block(), 0.0
        for place, line in enumerate(lines):
            y += 0 if place == 0 else lines[place - 1].down + LINE + line.up
            whole.put(line, 0, y)
        return whole

    def gap(self, thing: Thing) -> float:
        """Return the room for the arrow to an object and its label."""
        return max(ROOM, 14 + 5.5 * len(self.words[thing])) if thing in self.found.mark else ROOM

    def chain(self, first: Thing, limit: float, depth: int) -> _Block:
        """Return an object and all that follows it to the right."""
        parts: list[tuple[Thing, _Block]] = []
        rest: Thing | None = first
        while rest is not None:
            sides = self.sides(rest)
            parts.append((rest, self.cell(rest, sides, limit, depth)))
            rest = next(iter(sides.get(RIGHT, ())), None)
        return self.flow(parts, limit)

    def sides(self, thing: Thing) -> dict[str, list[Thing]]:
        """Return what hangs on an object by where it is; a second one to the right is put below."""
        found: dict[str, list[Thing]] = {}
        for child in self.found.children.get(thing, ()):
            where = side(self.found.mark[child])
            found.setdefault("" if where == RIGHT and RIGHT in found else where, []).append(child)
        return found

    def cell(
        self, thing: Thing, sides: Mapping[str, list[Thing]], limit: float, depth: int
    ) -> _Block:
        """Return an object with all that hangs on it but what follows to the right."""
        if depth > DEEPEST:
            self.late += [
                child for where, below in sides.items() if where != RIGHT for child in below
            ]
            sides = {}
        own, up, down, inner = self.body(thing, sides.get(INSIDE, ()), limit, depth)
        above, below = (self.row(sides.get(where, ()), limit, depth) for where in (ABOVE, BELOW))
        wide = max(own, above.width, below.width)
        middle = min(self.widths[thing], own) / 2 + (0 if inner.boxes else (wide - own) / 2)
        found = _Block({thing: Box(0, -up, wide, up + down, middle, 0)}, wide, up, down + IDS)
        if inner.boxes:
            found.put(inner, own - PAD - inner.width, 0)
        if above.boxes:
            found.put(above, (wide - above.width) / 2, -up - ROOM - above.down)
        if below.boxes:
            found.put(below, (wide - below.width) / 2, down + IDS + ROOM + below.up)
        self.scripts(found, sides, wide, limit, depth)
        if others := sides.get(""):
            row = self.row(others, limit, depth)
            found.put(row, 0, found.down + ROOM + row.up)
        return found

    def body(
        self, thing: Thing, inside: Sequence[Thing], limit: float, depth: int
    ) -> tuple[float, float, float, _Block]:
        """Return the width of an object, its heights above and below the line, and what stands in it."""
        width = self.widths[thing]
        if depth > DEEPEST:
            self.late += self.found.roots.get(thing, ())
            return width, HALF, HALF, _Block()
        if thing in self.found.grids:
            inner = self.grid(self.found.grids[thing], limit - width, depth + 1)
            return width + inner.width + PAD, inner.up + PAD, inner.down + PAD, inner
        gap = max(map(self.gap, inside), default=PAD)
        parts = [*self.found.roots.get(thing, ()), *inside]
        room = max(NARROWEST, limit - width - gap - PAD)
        inner = self.flow([(one, self.chain(one, room, depth + 1)) for one in parts], room)
        if not inner.boxes:
            return width, HALF, HALF, inner
        return width + gap + inner.width + PAD, inner.up + PAD, inner.down + PAD, inner

    def grid(self, lines: Sequence[Line], limit: float, depth: int) -> _Block:
        """Return the rows of a matrix below each other, with its cells in columns."""
        number = max(len(cells) for _, cells in lines)
        room = max(NARROWEST, limit / number - ROOM)
        blocks = [
            [cell and self.cell(cell, {}, room, depth) for cell in cells] for _, cells in lines
        ]
        widths = [
            max(block.width if block else 0.0 for block in column)
            for column in zip(*blocks, strict=True)
        ]
        gap = max(self.gap(cell) for _, cells in lines for cell in cells if cell)
        whole, y = _Block(), 0.0
        for place, ((row, cells), line) in enumerate(zip(lines, blocks, strict=True)):
            made = self.line(row, cells, line, widths, gap)
            y += 0 if place == 0 else whole.down - y + ROOM + made.up
            whole.put(made, 0, y)
        return whole

    def line(
        self,
        row: Thing,
        cells: Sequence[Thing | None],
        blocks: Sequence[_Block | None],
        widths: Sequence[float],
        gap: float,
    ) -> _Block:
        """Return a row of a matrix."""
        found, x = _Block(), self.widths[row]
        for cell, block, wide in zip(cells, blocks, widths, strict=True):
            if cell and block:
                block.boxes[cell] = block.boxes[cell]._replace(w=wide)
                found.put(block, x, 0)
            x += wide + gap
        box = Box(
            0,
            -found.up - PAD,
            x - gap + PAD,
            found.up + found.down + 2 * PAD,
            self.widths[row] / 2,
            0,
        )
        found.boxes = {row: box, **found.boxes}
        found.width, found.up, found.down = box.w, found.up + PAD, found.down + PAD
        return found

    def row(self, things: Iterable[Thing], limit: float, depth: int) -> _Block:
        """Return objects side by side, each with all that hangs on it."""
        return self.flow([(one, self.chain(one, limit, depth + 1)) for one in things], limit)

    def scripts(
        self, found: _Block, sides: Mapping[str, list[Thing]], x: float, limit: float, depth: int
    ) -> None:
        """Add what is raised and lowered, right of the object."""
        box = next(iter(found.boxes.values()))
        for where, away in ((SUP, -1), (SUB, 1)):
            if things := sides.get(where, ()):
                row = self.row(things, max(NARROWEST, limit - x - ACROSS), depth)
                edge = -box.y - 5 if away < 0 else box.y + box.h - 5
                found.put(
                    row,
                    x + self.gap(things[0]) - 6,
                    away * (edge + (row.down if away < 0 else row.up)),
                )


Traces = Mapping[str, Sequence[tuple[float, float]]]
"""The points of every stroke, by its name."""


def by_ink(found: Scene, traces: Traces, *, width: float = 860.0) -> tuple[Places, Traces]:
    """Return places where the strokes are, and the strokes on that sheet.

    The sheet is as wide as asked, but wider where strokes would be smaller than 46 at the median, and narrower where
    they would be larger than 60.
    """
    whole = _around(traces.values())
    if whole is None:
        return Places({}, 0, 0), {}
    boxes = {
        thing: _around([traces[name] for name in sorted(thing[0]) if name in traces])
        for thing in found.things
    }
    known = {thing: box for thing, box in boxes.items() if box is not None}
    strokes = [_around([one]) for one in traces.values()]
    sizes = sorted(max(box.w, box.h) for box in strokes if box is not None)
    longest = max(whole.w, whole.h) or 1.0
    median = sizes[len(sizes) // 2] or longest
    scale = max(46 / median, min(width / longest, 60 / median))
    margin = 26.0

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - whole.x) * scale + margin, (y - whole.y) * scale + margin

    placed = {}
    for thing, box in known.items():
        x, y = at(box.x, box.y)
        w, h = box.w * scale, box.h * scale
        placed[thing] = _with_label(Box(x, y, w, h, x + w / 2, y - 11), thing[1])
    drawn = {name: [at(*point) for point in one] for name, one in traces.items() if one}
    return Places(placed, whole.w * scale + 2 * margin, whole.h * scale + 2 * margin), drawn


def _with_label(box: Box, label: str) -> Box:
    """Return a box with room around it, more for what holds others, and its label beside it."""
    room = 5 + 3 * RANKS.get(label, 0)
    x, y, w, h = box.x - room, box.y - room, box.w + 2 * room, box.h + 2 * room
    places = {
        ROW: (x - 11, y + h / 2 + 4),
        COLUMN: (box.tx, y + h + 11),
        MATRIX: (x + 4, y - 4),
        CELL: (x + 8, y - 3),
    }
    return Box(x, y, w, h, *places.get(kind_of(label) or "", (box.tx, box.ty)))


def _around(strokes: Iterable[Sequence[tuple[float, float]]]) -> Box | None:
    points = [point for one in strokes for point in one]
    if not points:
        return None
    left, top = (min(point[axis] for point in points) for axis in (0, 1))
    right, bottom = (max(point[axis] for point in points) for axis in (0, 1))
    return Box(left, top, right - left, bottom - top, 0, 0)
