"""Drawn graphs as SVG files, which need nothing else."""

from collections.abc import Iterable, Sequence
from html import escape

from karat.graphs.draw.sketch import EXTRA, MISSING, SIGNS, WRONG, Sketch, Symbol
from karat.graphs.model.scene import ACROSS, RANKS

PAGE = 900.0
HEAD, LINE = 26.0, 16.0
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
    parts: list[str] = []
    y = 0.0
    for place, one in enumerate(sketches):
        shapes, y = _sheet(one, place, y)
        parts += shapes
    if legend:
        parts.append(_legend(y))
        y += 24
    wide = [wide for one in sketches for _, wide in _bands(one)]
    wide += [8.5 * len(one.title) + 16 for one in sketches]
    wide += [6.2 * len(note) + 16 for one in sketches for note in one.notes]
    return _framed(
        "".join(parts),
        max(200, 470 * legend, *wide),
        y + 4,
        "; ".join(one.title for one in sketches),
    )


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


def _sheet(one: Sketch, place: int, y: float) -> tuple[list[str], float]:
    """Return a sketch with its title and notes, and where it ends."""
    parts = [_text("head", 8, y + 18, one.title)]
    y += HEAD
    for number, (left, wide) in enumerate(_bands(one)):
        first = f'<g id="sheet-{place}"{_kind(one)}>{_body(one)}</g>' if number == 0 else ""
        parts.append(
            f'<svg x="0" y="{y:.0f}" width="{wide:.0f}" height="{one.height:.0f}" '
            f'viewBox="{left:.0f} 0 {wide:.0f} {one.height:.0f}">{first or _again(place)}</svg>'
        )
        y += one.height + 6
    for note in one.notes:
        parts.append(_text("note", 8, y + 12, note))
        y += LINE
    return parts, y


def _again(place: int) -> str:
    return f'<use href="#sheet-{place}"/>'


def _kind(one: Sketch) -> str:
    return ' class="ink"' if one.strokes else ""


def _bands(one: Sketch) -> list[tuple[float, float]]:
    """Return where a wide sheet of strokes is cut: where the fewest boxes are, near the end of each page."""
    found, left = [], 0.0
    while one.strokes and one.width - left > PAGE * 1.05:
        cuts = [left + PAGE * (0.7 + 0.3 * step / 40) for step in range(41)]
        cut = min(cuts, key=lambda x: (sum(_crosses(each, x) for each in one.symbols), -x))
        found.append((left, cut - left))
        left = cut
    return [*found, (left, one.width - left)]


def _crosses(one: Symbol, x: float) -> bool:
    return one.box.x < x < one.box.x + one.box.w


def _body(one: Sketch) -> str:
    strokes = (
        f'<path class="stroke {state}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in _points(points))}"/>'
        for state, points in one.strokes
    )
    arrows = (
        f'<g class="arrow {each.state}"><path d="{each.route.path}" marker-end="url(#tip)"/>'
        f"{_text('', *each.route.label, each.text) if each.text else ''}</g>"
        for each in one.arrows
    )
    # Labels over ink come last, so that no box of a neighbour covers them.
    boxes = [_box(each) for each in one.symbols]
    labels = [_label(each, ink=bool(one.strokes)) for each in one.symbols]
    return "".join(
        (*boxes, *strokes, *arrows, *labels) if one.strokes else (*boxes, *labels, *arrows)
    )


def _points(points: Sequence[tuple[float, float]]) -> Iterable[tuple[float, float]]:
    """Return the points of a stroke; a dot is drawn as a short line."""
    return points if len(points) > 1 else [*points, (points[0][0] + 0.1, points[0][1])]


def _box(one: Symbol) -> str:
    kind = f"{one.state} across" if one.text in ACROSS else one.state
    box = one.box
    badge = _badge(box.x, box.y, one.state) if SIGNS[one.state] else ""
    return (
        f'<g class="thing {kind}"><title>{escape(one.hint)}</title>'
        f'<rect class="box" x="{box.x:.0f}" y="{box.y:.0f}" width="{box.w:.0f}" height="{box.h:.0f}" rx="5"/>'
        f"{badge}</g>"
    )


def _label(one: Symbol, *, ink: bool) -> str:
    """Return the label of an object, the one it should have, and its primitives."""
    box = one.box
    names = "" if ink else _text("ids", box.x + 2, box.y + box.h + 10, _fitting(one.names, box.w))
    text = _text(
        "small" if ink or len(one.text) > 6 or one.text in RANKS else "glyph",
        *_at(one, ink=ink),
        one.text,
    )
    note = ""
    if one.note:
        x, y = (
            (box.tx + 5 + 4 * len(one.text), box.ty)
            if ink
            else (box.tx + 1 + 5.5 * len(one.text), box.ty + 5)
        )
        shift = 0.0 if ink else -3.5 * len(one.note)
        note = _text("instead", x + shift + 3, y, one.note)
    return f'<g class="label {one.state}">{text}{note}{names}</g>'


def _badge(x: float, y: float, state: str) -> str:
    return f'<circle class="badge" cx="{x:.0f}" cy="{y:.0f}" r="6.5"/>{_text("sign", x, y + 4, SIGNS[state])}'


def _at(one: Symbol, *, ink: bool) -> tuple[float, float]:
    """Return the middle of the label; where another label stands beside it, both together are in the middle."""
    if ink:
        return one.box.tx, one.box.ty
    return one.box.tx - 3.5 * len(one.note), one.box.ty + 6


def _fitting(names: str, width: float) -> str:
    most = max(4, int((width + 14) / 5))
    return names if len(names) <= most else names[: most - 1] + "…"


def _legend(y: float) -> str:
    parts, x = [], 8.0
    for state, words in LEGEND:
        parts.append(
            f'<g class="thing {state}"><rect class="box" x="{x:.0f}" y="{y + 5:.0f}" width="22" height="14" rx="3"/>'
            f"{_badge(x + 11, y + 12, state)}</g>{_text('note', x + 28, y + 16, words)}"
        )
        x += 44 + 7 * len(words)
    return "".join(parts)


def _text(kind: str, x: float, y: float, text: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'
