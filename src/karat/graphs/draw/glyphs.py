r"""Labels as they are drawn: `\infty` as ∞."""

from unicodedata import combining

from karat.graphs.model.characters import character

LONGEST = 14


def glyph(label: str) -> str:
    r"""Return a label as it is drawn: as its character, or as its name without the backslash.

    >>> glyph("\\infty"), glyph("\\sin"), glyph("\\vec"), glyph("x")
    ('∞', 'sin', 'vec', 'x')
    """
    text = character(label)
    has_no_character = text == label
    if has_no_character or combining(text[0]):
        text = label.removeprefix("\\") or label
    if len(text) > LONGEST:
        return text[: LONGEST - 1] + "…"
    return text
