"""One image with the boxes of a system: each kind of error has its own colour, line and sign."""

from html import escape

from karat.boxes.draw.placed import MISSED, RIGHT, SPURIOUS, WRONG, PlacedBox, PlacedBoxes

WIDTH = 420
"""How wide a drawing is."""
TITLE = 20
LETTER = 11
LONGEST = 30
"""So many letters the two classes of a wrong one have."""
CROWDED = 12
"""Of more boxes than these only the errors bear their classes."""
COLOURS = {RIGHT: "#2f9255", WRONG: "#cf7410", SPURIOUS: "#dd4049", MISSED: "#8468dd"}
"""Seen on white and on black."""
DASHES = {RIGHT: "", WRONG: "8 3", SPURIOUS: "2 3", MISSED: "5 5"}
SIGNS = {RIGHT: "", WRONG: "≠ ", SPURIOUS: "+ ", MISSED: "- "}
"""A sign before a class, for readers who do not see colours."""


def drawn_image(placed: PlacedBoxes) -> str:
    """Return the drawing as SVG, with nothing in it that a page's policy forbids: no style, no script."""
    width, height = placed.size
    scale = WIDTH / width
    tall = round(height * scale) + TITLE + 4
    title = f"{placed.image}: {placed.system}, {_errors(placed.errors)}"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 4} {tall}" width="{WIDTH + 4}" '
        f'height="{tall}" role="img" aria-label="{escape(title)}" font-family="sans-serif">'
    )
    parts = [
        opening,
        f'<rect x="2" y="{TITLE}" width="{WIDTH}" height="{height * scale:.1f}" fill="none" stroke="#999"/>',
        f'<text x="2" y="14" font-size="12" fill="#777">{escape(_shortened(title, 68))}</text>',
    ]
    # Errors last, so that they are drawn over what is right.
    ordered = sorted(placed.boxes, key=lambda box: box.kind != RIGHT)
    crowded = len(ordered) > CROWDED
    parts += [_drawn(one, scale, named=one.kind != RIGHT or not crowded) for one in ordered]
    parts.append("</svg>")
    return "\n".join(parts)


def _drawn(one: PlacedBox, scale: float, *, named: bool) -> str:
    x, y, width, height = one.box
    left = 2 + x * scale
    top = TITLE + y * scale
    colour = COLOURS[one.kind]
    dash = f' stroke-dasharray="{DASHES[one.kind]}"' if DASHES[one.kind] else ""
    thick = 1.2 if one.kind == RIGHT else 2
    words = f"{SIGNS[one.kind]}{one.words}"
    room = max(4, int(width * scale / (LETTER * 0.55)))
    label = ""
    if named and (one.kind != RIGHT or room > 6):
        most = LONGEST if one.kind == WRONG else max(room, 14)
        text = _shortened(words, most)
        baseline = max(top - 3, TITLE + LETTER)
        # A label that would run out of the image is moved to the left.
        start = max(2.0, min(left, WIDTH - len(text) * LETTER * 0.6))
        label = (
            f'<text x="{start:.1f}" y="{baseline:.1f}" font-size="{LETTER}" fill="{colour}">'
            f"{escape(text)}</text>"
        )
    return (
        f"<g><title>{escape(f'{one.kind}: {one.words}')}</title>"
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width * scale:.1f}" height="{height * scale:.1f}" '
        f'fill="none" stroke="{colour}" stroke-width="{thick}"{dash}/>{label}</g>'
    )


def _errors(number: int) -> str:
    return "1 error" if number == 1 else f"{number} errors"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
