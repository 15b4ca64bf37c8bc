"""Symbols of mathematics: their name in LaTeX, which is their label, and their character in MathML."""
# ruff: noqa: RUF001, RUF002 (characters of mathematics look like letters)

from functools import cache
from unicodedata import normalize

COMMA = "COMMA"
"""A comma as a label, which would end its field in a file."""
BAR, ROOT = "-", "\\sqrt"
"""A fraction is its bar, a root its sign."""

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "ϕ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "ell": "ℓ", "hbar": "ℏ", "imath": "ı", "jmath": "ȷ", "aleph": "ℵ", "Re": "ℜ", "Im": "ℑ", "wp": "℘", "infty": "∞",
    "partial": "∂", "nabla": "∇", "emptyset": "∅", "top": "⊤", "angle": "∠", "triangle": "△",
    "beth": "ℶ", "mho": "℧", "AA": "Å", "digamma": "ϝ", "varkappa": "ϰ",
}  # fmt: skip
OPERATORS = {
    "times": "×", "div": "÷", "pm": "±", "mp": "∓", "cdot": "⋅", "ast": "*", "star": "⋆", "circ": "∘", "bullet": "∙",
    "oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "odot": "⊙", "cap": "∩", "cup": "∪", "wedge": "∧", "vee": "∨",
    "setminus": "∖", "neg": "¬", "forall": "∀", "exists": "∃", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂",
    "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "lt": "<", "gt": ">", "leq": "≤", "geq": "≥", "neq": "≠",
    "ll": "≪", "gg": "≫", "equiv": "≡", "sim": "∼", "simeq": "≃", "approx": "≈", "cong": "≅", "propto": "∝",
    "perp": "⊥", "parallel": "∥", "mid": "∣", "prec": "≺", "succ": "≻", "models": "⊨", "vdash": "⊢",
    "leftarrow": "←", "rightarrow": "→", "leftrightarrow": "↔", "uparrow": "↑", "downarrow": "↓", "mapsto": "↦",
    "Leftarrow": "⇐", "Rightarrow": "⇒", "Leftrightarrow": "⇔", "longrightarrow": "⟶", "rightleftharpoons": "⇌",
    "sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "bigcup": "⋃",
    "bigcap": "⋂", "bigoplus": "⨁", "bigotimes": "⨂", "bigwedge": "⋀", "bigvee": "⋁",
    "ldots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "prime": "′", "langle": "⟨", "rangle": "⟩",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "|": "‖", "{": "{", "}": "}", "%": "%", "#": "#",
    "&": "&", "$": "$", "_": "_", "backslash": "\\", "because": "∵", "therefore": "∴", "sqrt": "√", "degree": "°",
    "square": "□", "dagger": "†", "ddagger": "‡", "amalg": "⨿", "diamond": "⋄", "bigcirc": "◯", "bigtriangledown": "▽",
    "triangleleft": "◁", "triangleright": "▷", "uplus": "⊎", "sqcap": "⊓", "sqcup": "⊔", "oslash": "⊘", "boxplus": "⊞",
    "boxtimes": "⊠", "ltimes": "⋉", "rtimes": "⋊", "asymp": "≍", "doteq": "≐", "triangleq": "≜", "approxeq": "≊",
    "preceq": "⪯", "succeq": "⪰", "lesssim": "≲", "gtrsim": "≳", "leqq": "≦", "geqq": "≧", "nleq": "≰", "ngeq": "≱",
    "lessgtr": "≶", "subsetneq": "⊊", "supsetneq": "⊋", "sqsubseteq": "⊑", "sqsupseteq": "⊒", "dashv": "⊣",
    "bowtie": "⋈", "nmid": "∤", "nparallel": "∦", "nearrow": "↗", "searrow": "↘", "swarrow": "↙", "nwarrow": "↖",
    "updownarrow": "↕", "Uparrow": "⇑", "Downarrow": "⇓", "hookrightarrow": "↪", "hookleftarrow": "↩",
    "longleftarrow": "⟵", "longleftrightarrow": "⟷", "Longrightarrow": "⟹", "Longleftarrow": "⟸",
    "Longleftrightarrow": "⟺", "longmapsto": "⟼", "rightharpoonup": "⇀", "leftharpoonup": "↼", "rightleftarrows": "⇄",
    "leadsto": "⇝", "iiiint": "⨌", "oiint": "∯", "bigsqcup": "⨆", "biguplus": "⨄", "bigodot": "⨀", "complement": "∁",
    "nexists": "∄", "flat": "♭", "natural": "♮", "sharp": "♯", "checkmark": "✓", "blacksquare": "■", "lozenge": "◊",
    "S": "§", "P": "¶", "copyright": "©", "pounds": "£",
}  # fmt: skip
FUNCTIONS = frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "log", "ln",
    "lg", "exp", "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "dim", "deg", "gcd", "hom", "ker", "arg",
    "Pr",
})  # fmt: skip
LIMITS = frozenset({
    "\\sum", "\\prod", "\\coprod", "\\lim", "\\limsup", "\\liminf", "\\max", "\\min", "\\sup", "\\inf", "\\det",
    "\\bigsqcup", "\\biguplus", "\\bigodot",
    "\\gcd", "\\Pr", "\\bigcup", "\\bigcap", "\\bigoplus", "\\bigotimes", "\\bigwedge", "\\bigvee",
})  # fmt: skip
"""What has its limits below and above rather than at its corners."""
INTEGRALS = frozenset({"\\int", "\\iint", "\\iiint", "\\iiiint", "\\oint", "\\oiint"})
OVER = {
    "\\overline": "¯", "\\bar": "ˉ", "\\hat": "^", "\\widehat": "ˆ", "\\tilde": "~", "\\widetilde": "˜", "\\vec": "⃗",
    "\\overrightarrow": "⟶", "\\dot": "˙", "\\ddot": "¨", "\\overbrace": "⏞", "\\check": "ˇ", "\\acute": "´",
    "\\grave": "`", "\\breve": "˘", "\\mathring": "˚", "\\dddot": "⃛", "\\overleftarrow": "⟵",
}  # fmt: skip
"""Marks over their symbol, which is below them."""
UNDER = {"\\underline": "_", "\\underbrace": "⏟"}
"""Marks under their symbol, which is above them."""
OVER_CHARACTERS = {character: label for label, character in OVER.items()} | {
    "\u2015": "\\overline", "\u203e": "\\overline", "\u0305": "\\overline", "\u0304": "\\bar", "\u0302": "\\hat",
    "\u0303": "\\tilde", "\u0307": "\\dot", "\u0308": "\\ddot", "→": "\\vec",
}  # fmt: skip
UNDER_CHARACTERS = {character: label for label, character in UNDER.items()} | {
    "\u2015": "\\underline",
    "\u0332": "\\underline",
}
"""Marks by the characters that MathML has for them."""
SYNONYMS = {
    "\\le": "\\leq", "\\ge": "\\geq", "\\ne": "\\neq", "\\to": "\\rightarrow", "\\gets": "\\leftarrow",
    "\\dots": "\\ldots", "\\dotsc": "\\ldots", "\\dotsb": "\\cdots", "\\lbrace": "\\{", "\\rbrace": "\\}",
    "\\lbrack": "[", "\\rbrack": "]", "\\vert": "|", "\\lvert": "|", "\\rvert": "|", "\\Vert": "\\|",
    "\\land": "\\wedge",
    "\\lor": "\\vee", "\\lnot": "\\neg", "\\owns": "\\ni", "\\iff": "\\Leftrightarrow", "\\implies": "\\Rightarrow",
    "\\colon": ":", "\\varnothing": "\\emptyset", "\\leqslant": "\\leq", "\\geqslant": "\\geq",
    "\\hdots": "\\ldots", "\\dotsm": "\\cdots", "\\dotsi": "\\cdots", "\\bot": "\\perp", "\\Box": "\\square",
    "\\bigtriangleup": "\\triangle", "\\hslash": "\\hbar", "\\smallsetminus": "\\setminus", "\\rVert": "\\|",
    "\\lVert": "\\|",
    "\\slash": "/", "<": "\\lt", ">": "\\gt", ",": COMMA, "'": "\\prime", "*": "\\ast", "%": "\\%", "#": "\\#",
    "−": "-", "–": "-", "’": "\\prime", "∗": "\\ast", "·": "\\cdot", "∆": "\\Delta", "Ω": "\\Omega",
}  # fmt: skip
"""Other spellings of the same label."""
_INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b\ufeff\u00a0")


@cache
def characters() -> dict[str, str]:
    """Return the character of every label that is not its own character."""
    named = {f"\\{name}": character for name, character in (GREEK | OPERATORS).items()}
    functions = {f"\\{name}": name for name in FUNCTIONS}
    return named | OVER | UNDER | functions | {COMMA: ","}


@cache
def labels() -> dict[str, str]:
    """Return the label of every character that is not its own label."""
    named = {character: f"\\{name}" for name, character in (GREEK | OPERATORS).items()}
    functions = {name: f"\\{name}" for name in FUNCTIONS}
    return named | functions | SYNONYMS


def is_known(command: str) -> bool:
    r"""Return whether a LaTeX command is a symbol.

    >>> is_known("\\Gamma"), is_known("\\gama")
    (True, False)
    """
    return command in characters() and command != ROOT


def character(label: str) -> str:
    r"""Return how a label looks.

    >>> character("\\Gamma"), character("\\gamma"), character("x")
    ('Γ', 'γ', 'x')
    """
    return characters().get(label, label)


def labels_of_text(text: str) -> tuple[str, ...]:
    r"""Return the labels of the text of a MathML token: a name LaTeX knows is one symbol, other text one a character.

    >>> labels_of_text("sin"), labels_of_text("12"), labels_of_text("≤"), labels_of_text("\\phi_x")
    (('\\sin',), ('1', '2'), ('\\leq',), ('\\phi_x',))
    """
    text = "".join(text.split())
    if text.startswith("\\") and len(text) > 1:
        return (SYNONYMS.get(text, text),)
    if text in labels():
        return (labels()[text],)
    visible = [each for each in map(_upright, text) if each not in _INVISIBLE]
    return tuple(labels().get(each, each) for each in visible)


def _upright(character: str) -> str:
    """Return a letter without its font, where Unicode has the two in one: 𝑥 is x."""
    if "\U0001d400" <= character <= "\U0001d7ff":
        return normalize("NFKC", character)
    return character
