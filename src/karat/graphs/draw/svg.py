"""Drawn graphs as SVG files, which need nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from karat.graphs.draw.differences import EXTRA, MISSING, WRONG
from karat.graphs.draw.sketch import BADGES, Arrow, DrawnObject, Sketch
from karat.graphs.model.scenes.scene import ACROSS, RANKS

PAGE = 900.0
MOST_BANDS = 200
"""Pages that a sheet of strokes may fill, one below the other."""
HEAD = 26.0
LINE = 16.0
GAP = 6.0
"""The heights of a title and of a note, and the gap below a sketch."""
STYLE = """
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:#16191c}
.head{font-size:14px;font-weight:650}.note,.ids{fill:#545c64}.ids{font-size:9px}
.glyph{font-size:19px;font-family:"STIX Two Math","Cambria Math","Latin Modern Math",Georgia,"DejaVu Serif",serif;
text-anchor:middle}
.small{font-size:12px;text-anchor:middle}
.box{fill:#f6f7f8;stroke:#8a939b;stroke-width:1;rx:5}.ink .box{fill:none;stroke:#b9c0c6}
.stroke{fill:none;stroke:#16191c;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.arrow path{fill:none;stroke:#545c64;stroke-width:1.2}
.arrow text{font-size:10px;fill:#545c64;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}
.wrong .box,.extra .box{stroke:#a84300;stroke-width:2.4;fill:#fdf1e8}
.missing .box{stroke:#0067a3;stroke-width:2;stroke-dasharray:5 3;fill:#eef6fb}
.ink .wrong .box,.ink .extra .box,.ink .missing .box,.across .box{fill:none}
.wrong path,.extra path{stroke:#a84300;stroke-width:2.2}
.arrow.missing path{stroke:#0067a3;stroke-width:2;stroke-dasharray:5 3}
.arrow.wrong text,.arrow.extra text{fill:#a84300;font-weight:650}.arrow.missing text{fill:#0067a3;font-weight:650}
.sign{font-weight:700;text-anchor:middle;fill:#fff}.badge{fill:#a84300;stroke:#fff}.missing .badge{fill:#0067a3}
.wrong .instead{fill:#a84300;font-weight:650}.ink .label text{paint-order:stroke;stroke:#fff;stroke-width:3px}
.stroke.wrong,.stroke.extra{stroke:#a84300}.stroke.missing{stroke:#0067a3;stroke-dasharray:5 4}
""".replace("\n", "")
LEGEND = ((WRONG, "another label"), (EXTRA, "only in the output"), (MISSING, "only in the truth"))


def svg(sketches: Sequence[Sketch], *, legend: bool = False) -> str:
    """Return sketches one below the other; ink that is wider than a page is cut into bands."""
    page = _Page()
    for place, one in enumerate(sketches):
        page.add(one, place)
    if legend:
        page.add_legend()
    title = "; ".join(one.title for one in sketches)
    return _framed("".join(page.parts), page.width, page.y + 4, title)


@dataclass(slots=True)
class _Page:
    """The shapes of sketches one below the other, how wide they are, and where the next one begins."""

    parts: list[str] = field(default_factory=list)
    width: float = 200.0
    y: float = 0.0

    def add(self, one: Sketch, place: int) -> None:
        """Add a sketch with its title and notes; bands after the first show its shapes again."""
        self._put(_text("head", 8, self.y + 18, one.title), 8.5 * len(one.title) + 16, HEAD)
        kind = ' class="ink"' if one.strokes else ""
        shapes = f'<g id="sheet-{place}"{kind}>{_body(one)}</g>'
        for band in _bands(one):
            sheet = (
                f'<svg x="0" y="{self.y:.0f}" width="{band.width:.0f}" height="{one.height:.0f}" '
                f'viewBox="{band.left:.0f} 0 {band.width:.0f} {one.height:.0f}">{shapes}</svg>'
            )
            self._put(sheet, band.width, one.height + GAP)
            shapes = f'<use href="#sheet-{place}"/>'
        for note in one.notes:
            self._put(_text("note", 8, self.y + 12, note), 6.2 * len(note) + 16, LINE)

    def add_legend(self) -> None:
        self._put(_legend(self.y), 470.0, 24)

    def _put(self, shapes: str, width: float, height: float) -> None:
        self.parts.append(shapes)
        self.width = max(self.width, width)
        self.y += height


def _framed(shapes: str, width: float, height: float, title: str) -> str:
    """Return the file: what is wider than a page is shrunk to it."""
    scale = min(1.0, PAGE / width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#545c64" stroke="none"/></marker>'
        f'</defs><rect width="100%" height="100%" fill="#fff"/>{shapes}</svg>\n'
    )


class Band(NamedTuple):
    """A part of a sheet that is wider than a page."""

    left: float
    width: float


def _bands(one: Sketch) -> list[Band]:
    """Return where a wide sheet of strokes is cut: where the fewest boxes are, near the end of each page.

    One that would fill very many pages is not cut, but shrunk: a stroke lies far away from all others.
    """
    bands = []
    left = 0.0
    is_cut = bool(one.strokes) and one.width <= PAGE * MOST_BANDS
    while is_cut and one.width - left > PAGE * 1.05:
        cut = _cut(one, left)
        bands.append(Band(left, cut - left))
        left = cut
    bands.append(Band(left, one.width - left))
    return bands


def _cut(one: Sketch, left: float) -> float:
    """Return the last of the places that cross the fewest boxes, in the last third of a page."""
    cuts = [left + PAGE * (0.7 + 0.3 * step / 40) for step in range(41)]
    return min(cuts, key=lambda x: (_crossed(one, x), -x))


def _crossed(one: Sketch, x: float) -> int:
    return sum(each.box.x < x < each.box.x + each.box.w for each in one.symbols)


def _body(one: Sketch) -> str:
    boxes = [_box(each) for each in one.symbols]
    arrows = [_arrow(each, undirected=one.undirected) for each in one.arrows]
    if not one.strokes:
        labels = [_label(each) for each in one.symbols]
        return "".join([*boxes, *labels, *arrows])
    strokes = [_stroke(state, points) for state, points in one.strokes]
    # Labels over ink come last, so that no box of a neighbour covers them.
    labels = [_label_over_ink(each) for each in one.symbols]
    return "".join([*boxes, *strokes, *arrows, *labels])


def _stroke(state: str, points: Sequence[tuple[float, float]]) -> str:
    if len(points) == 1:
        # A dot is drawn as a short line, or it would not be seen.
        ((x, y),) = points
        points = [(x, y), (x + 0.1, y)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="stroke {state}" d="M{path}"/>'


def _arrow(one: Arrow, *, undirected: bool) -> str:
    text = _text("", *one.route.label, one.text) if one.text else ""
    tip = "" if undirected else ' marker-end="url(#tip)"'
    path = f'<path d="{one.route.path}"{tip}/>'
    return f'<g class="arrow {one.state}">{path}{text}</g>'


def _box(one: DrawnObject) -> str:
    kind = f"{one.state} across" if one.text in ACROSS else one.state
    box = one.box
    badge = _badge(box.x, box.y, one.state) if BADGES[one.state] else ""
    return (
        f'<g class="thing {kind}"><title>{escape(one.hint)}</title>'
        f'<rect class="box" x="{box.x:.0f}" y="{box.y:.0f}" width="{box.w:.0f}" height="{box.h:.0f}" rx="5"/>'
        f"{badge}</g>"
    )


def _label(one: DrawnObject) -> str:
    """Return the label of an object, the one it should have, and its primitives; both labels are in the middle."""
    box = one.box
    is_small = len(one.text) > 6 or one.text in RANKS
    note_shift = 3.5 * len(one.note)
    text = _text("small" if is_small else "glyph", box.tx - note_shift, box.ty + 6, one.text)
    note = ""
    if one.note:
        x = box.tx + 1 + 5.5 * len(one.text) - note_shift + 3
        note = _text("instead", x, box.ty + 5, one.note)
    names = _text("ids", box.x + 2, box.y + box.h + 10, _fitting(one.names, box.w))
    return f'<g class="label {one.state}">{text}{note}{names}</g>'


def _label_over_ink(one: DrawnObject) -> str:
    """Return the label of an object, and the one it should have after it."""
    box = one.box
    text = _text("small", box.tx, box.ty, one.text)
    note = ""
    if one.note:
        note = _text("instead", box.tx + 5 + 4 * len(one.text) + 3, box.ty, one.note)
    return f'<g class="label {one.state}">{text}{note}</g>'


def _badge(x: float, y: float, state: str) -> str:
    circle = f'<circle class="badge" cx="{x:.0f}" cy="{y:.0f}" r="6.5"/>'
    return circle + _text("sign", x, y + 4, BADGES[state])


def _fitting(names: str, width: float) -> str:
    """Return as many names as fit below a box."""
    most = max(4, int((width + 14) / 5))
    return names if len(names) <= most else names[: most - 1] + "…"


def _legend(y: float) -> str:
    parts = []
    x = 8.0
    for state, words in LEGEND:
        box = f'<rect class="box" x="{x:.0f}" y="{y + 5:.0f}" width="22" height="14" rx="3"/>'
        badge = _badge(x + 11, y + 12, state)
        text = _text("note", x + 28, y + 16, words)
        parts.append(f'<g class="thing {state}">{box}{badge}</g>{text}')
        x += 44 + 7 * len(words)
    return "".join(parts)


def _text(kind: str, x: float, y: float, text: str) -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text{style} x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'
