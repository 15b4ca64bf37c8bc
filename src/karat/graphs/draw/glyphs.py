r"""Labels as they are drawn: `\infty` as ∞."""

from unicodedata import combining

from karat.graphs.model.characters import sign

LONGEST = 14


def glyph(label: str) -> str:
    r"""Return a label as it is drawn: by its sign, or by its name without the stroke.

    >>> glyph("\\infty"), glyph("\\sin"), glyph("\\vec"), glyph("x")
    ('∞', 'sin', 'vec', 'x')
    """
    text = sign(label)
    if text == label or combining(text[0]):
        text = label.removeprefix("\\") or label
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
