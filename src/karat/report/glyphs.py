r"""Labels as they are drawn: `\infty` as ∞."""

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon"
)
GREEK += " phi chi psi omega"
SIGNS = {
    "COMMA": ",",
    "\\sqrt": "√",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\int": "∫",
    "\\infty": "∞",
    "\\pm": "±",
    "\\times": "\N{MULTIPLICATION SIGN}",
    "\\div": "÷",
    "\\cdot": "·",
    "\\leq": "≤",
    "\\geq": "≥",
    "\\neq": "≠",
    "\\lt": "<",
    "\\gt": ">",
    "\\rightarrow": "→",
    "\\to": "→",
    "\\in": "∈",
    "\\forall": "∀",
    "\\exists": "∃",
    "\\ldots": "…",
    "\\cdots": "⋯",
    "\\{": "{",
    "\\}": "}",
    "\\prime": "\N{PRIME}",
    "\\partial": "∂",
    "\\Delta": "Δ",
    "\\_": "_",
}
SIGNS |= {f"\\{name}": chr(0x3B1 + place) for place, name in enumerate(GREEK.split())}
LONGEST = 14


def glyph(label: str) -> str:
    r"""Return a label as it is drawn; a name such as `\sin` without its stroke.

    >>> glyph("\\infty"), glyph("\\sin"), glyph("x")
    ('∞', 'sin', 'x')
    """
    text = SIGNS.get(label) or label.removeprefix("\\") or label
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
