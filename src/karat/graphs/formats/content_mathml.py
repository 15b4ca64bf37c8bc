"""Content MathML: what a formula means, as a tree of operators with edges Arg1, Arg2 to their arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field

from karat.graphs.model.characters import read_sign
from karat.graphs.model.formula import DEEPEST, Row, Symbol
from karat.source.xml_tree import Element, id_of, name_of, text_in

LEAVES = {"ci", "cn", "csymbol"}
SIGNS = {
    "plus": "+", "minus": "-", "times": "\\times", "divide": "\\div", "root": "\\sqrt", "factorial": "!", "abs": "|",
    "eq": "=", "neq": "\\neq", "lt": "\\lt", "gt": "\\gt", "leq": "\\leq", "geq": "\\geq", "equivalent": "\\equiv",
    "approx": "\\approx", "and": "\\wedge", "or": "\\vee", "not": "\\neg", "implies": "\\Rightarrow",
    "forall": "\\forall", "exists": "\\exists", "in": "\\in", "notin": "\\notin", "subset": "\\subseteq",
    "prsubset": "\\subset", "union": "\\cup", "intersect": "\\cap", "setdiff": "\\setminus", "sum": "\\sum",
    "product": "\\prod", "int": "\\int", "limit": "\\lim", "diff": "d", "partialdiff": "\\partial",
    "tendsto": "\\rightarrow", "pi": "\\pi", "infinity": "\\infty", "emptyset": "\\emptyset", "exponentiale": "e",
    "imaginaryi": "i", "power": "^", "selector": "_", "interval": "[", "set": "\\{", "list": "(", "vector": "(",
    "max": "\\max", "min": "\\min", "gcd": "\\gcd", "determinant": "\\det", "compose": "\\circ",
    "conjugate": "\\overline", "floor": "\\lfloor", "ceiling": "\\lceil", "real": "\\Re", "imaginary": "\\Im",
    "true": "\\top", "sin": "\\sin", "cos": "\\cos", "tan": "\\tan", "cot": "\\cot", "sec": "\\sec", "csc": "\\csc",
    "arcsin": "\\arcsin", "arccos": "\\arccos", "arctan": "\\arctan", "sinh": "\\sinh", "cosh": "\\cosh",
    "tanh": "\\tanh", "coth": "\\coth", "exp": "\\exp", "ln": "\\ln", "log": "\\log", "arg": "\\arg",
}  # fmt: skip
"""The sign of an operator or a constant."""
IMPLIED = {"power": "Expt", "selector": "Index"}
"""Operators without a sign: the edge from the first argument to the second bears their name."""
QUALIFIERS = {
    "bvar",
    "lowlimit",
    "uplimit",
    "condition",
    "domainofapplication",
    "degree",
    "logbase",
}
WRAPPERS = {"math", "semantics", *QUALIFIERS}
CONSTRUCTORS = {"interval", "set", "list", "vector"}


def is_content(math: Element) -> bool:
    """Return whether MathML says what a formula means rather than how it looks; what files call it is no guide."""
    return next(
        (name_of(one) in {"apply", *LEAVES} for one in math.iter() if name_of(one) not in WRAPPERS),
        False,
    )


@dataclass(slots=True)
class ContentReader:
    """Reads elements into a tree; what it cannot read it tells, and goes on."""

    complain: Callable[[Element, str], None]
    strokes: frozenset[str] | None = None
    """The ids of what was drawn, where the formula was; an operator that is not among them has no sign."""
    depth: int = field(default=0)

    def read(self, math: Element) -> Row:
        """Return the tree, as a row of its one operator or leaf."""
        parts = [one for one in math if not name_of(one).startswith("annotation")]
        if len(parts) != 1:
            self.complain(math, f"<{name_of(math)}> holds {len(parts)} expressions; it needs one")
        found = self.term(parts[0]) if parts else None
        return [found] if found is not None else []

    def term(self, element: Element) -> Symbol | None:
        """Return the operator or leaf that an expression hangs on."""
        name = name_of(element)
        if self.depth > DEEPEST:
            self.complain(element, f"more than {DEEPEST} levels of tags")
            return None
        self.depth += 1
        found = self._term(element, name)
        self.depth -= 1
        return found

    def _term(self, element: Element, name: str) -> Symbol | None:
        if name == "apply":
            return self._apply(element)
        if name in CONSTRUCTORS:
            return self._with_arguments(self._sign(element), list(element), element)
        if name in LEAVES or name in SIGNS:
            return self._sign(element)
        if name not in WRAPPERS:
            self.complain(element, f"<{name}> is no tag that karat understands here")
        return (
            next(iter(self.read(element)), None)
            if isinstance(element.tag, str) and len(element)
            else None
        )

    def _apply(self, element: Element) -> Symbol | None:
        if not len(element):
            self.complain(element, "<apply> is empty; it needs an operator")
            return None
        operator, *arguments = element
        if self._is_implied(operator):
            return self._implied(operator, arguments, element)
        head = self.term(operator)
        return None if head is None else self._with_arguments(head, arguments, element)

    def _is_implied(self, operator: Element) -> bool:
        if self.strokes is not None:
            return name_of(operator) in SIGNS and id_of(operator) not in self.strokes
        return name_of(operator) in IMPLIED and not id_of(operator)

    def _implied(
        self, operator: Element, arguments: list[Element], element: Element
    ) -> Symbol | None:
        """Return the first argument, with an edge that bears the operator's name to each other."""
        name = IMPLIED.get(name_of(operator), name_of(operator).capitalize())
        heads = [head for head in map(self.term, arguments) if head is not None]
        if len(heads) < 2:
            self.complain(
                element,
                f"<{name_of(operator)}> has no sign, so it needs two arguments to stand between",
            )
            return heads[0] if heads else None
        for number, head in enumerate(heads[1:], 2):
            self._hang(heads[0], name if len(heads) == 2 else f"{name}{number}", head, element)
        return heads[0]

    def _with_arguments(self, head: Symbol, arguments: list[Element], element: Element) -> Symbol:
        number = 0
        for each in arguments:
            name = name_of(each)
            number += name not in QUALIFIERS
            part = self.term(each)
            if part is not None:
                self._hang(
                    head, name.capitalize() if name in QUALIFIERS else f"Arg{number}", part, element
                )
        return head

    def _hang(self, head: Symbol, name: str, part: Symbol, element: Element) -> None:
        if name in head.regions:
            self.complain(element, f"'{head.label}' has two parts {name}")
        head.regions.setdefault(name, [part])

    def _sign(self, element: Element) -> Symbol:
        name = name_of(element)
        text = SIGNS.get(name, "") or "".join(read_sign(text_in(element)))
        if not text:
            self.complain(element, f"<{name}> is empty")
        return Symbol(text or "?", id_of(element), line=element.sourceline or 1)
