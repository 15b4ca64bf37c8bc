"""Content MathML: what a formula means, as a tree of operators with edges Arg1, Arg2 to their arguments."""

from collections.abc import Callable
from dataclasses import dataclass, field

from karat.graphs.model.characters import labels_of_text
from karat.graphs.model.formula import DEEPEST, Row, Symbol
from karat.source.xml_tree import Element, id_of, line_of, name_of, text_in

LEAVES = {"ci", "cn", "csymbol"}
OPERATOR_LABELS = {
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
"""The symbol that an operator or a constant is written with."""
IMPLIED = {"power": "Expt", "selector": "Index"}
"""Operators that are not written: the edge from the first argument to the second has their name."""
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
    """Return whether the first tag belongs to content MathML; the encoding that files declare is often wrong."""
    for element in math.iter():
        name = name_of(element)
        if name not in WRAPPERS:
            return name == "apply" or name in LEAVES
    return False


@dataclass(slots=True)
class ContentReader:
    """Reads elements into a tree of operators; it reports what it cannot read, and goes on."""

    complain: Callable[[Element, str], None]
    strokes: frozenset[str] | None = None
    """The ids of what was drawn, where the formula was; an operator that is not among them is not written."""
    depth: int = field(default=0)

    def read(self, math: Element) -> Row:
        """Return the tree, as a row of its one operator or leaf."""
        parts = [one for one in math if not name_of(one).startswith("annotation")]
        if len(parts) != 1:
            self.complain(math, f"<{name_of(math)}> holds {len(parts)} expressions; it needs one")
        if not parts:
            return []
        term = self.term(parts[0])
        return [] if term is None else [term]

    def term(self, element: Element) -> Symbol | None:
        """Return the operator or leaf that is the parent of an expression."""
        if self.depth > DEEPEST:
            self.complain(element, f"more than {DEEPEST} levels of tags")
            return None
        self.depth += 1
        term = self._term(element, name_of(element))
        self.depth -= 1
        return term

    def _term(self, element: Element, name: str) -> Symbol | None:
        if name == "apply":
            return self._apply(element)
        if name in CONSTRUCTORS:
            return self._with_arguments(self._symbol(element), list(element), element)
        if name in LEAVES or name in OPERATOR_LABELS:
            return self._symbol(element)
        if name not in WRAPPERS:
            self.complain(element, f"<{name}> is not a tag that karat understands here")
        if not isinstance(element.tag, str) or not len(element):
            return None
        row = self.read(element)
        return row[0] if row else None

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
        """Return whether an operator is not written, as that of a power is not."""
        name = name_of(operator)
        if self.strokes is not None:
            return name in OPERATOR_LABELS and id_of(operator) not in self.strokes
        return name in IMPLIED and not id_of(operator)

    def _implied(
        self, operator: Element, arguments: list[Element], element: Element
    ) -> Symbol | None:
        """Return the first argument, with an edge that has the operator's name to each other."""
        name = name_of(operator)
        relation = IMPLIED.get(name, name.capitalize())
        heads = [head for head in map(self.term, arguments) if head is not None]
        if len(heads) < 2:
            self.complain(
                element, f"<{name}> is not written, so it needs two arguments to stand between"
            )
            return heads[0] if heads else None
        first, *others = heads
        if len(others) == 1:
            self._hang(first, relation, others[0], element)
            return first
        for number, head in enumerate(others, 2):
            self._hang(first, f"{relation}{number}", head, element)
        return first

    def _with_arguments(self, head: Symbol, arguments: list[Element], element: Element) -> Symbol:
        """Return an operator with its arguments by number, and its qualifiers by name."""
        number = 0
        for argument in arguments:
            name = name_of(argument)
            if name in QUALIFIERS:
                relation = name.capitalize()
            else:
                number += 1
                relation = f"Arg{number}"
            part = self.term(argument)
            if part is not None:
                self._hang(head, relation, part, element)
        return head

    def _hang(self, head: Symbol, relation: str, part: Symbol, element: Element) -> None:
        if relation in head.regions:
            self.complain(element, f"'{head.label}' has two parts {relation}")
        else:
            head.regions[relation] = [part]

    def _symbol(self, element: Element) -> Symbol:
        name = name_of(element)
        label = OPERATOR_LABELS.get(name) or "".join(labels_of_text(text_in(element)))
        if not label:
            self.complain(element, f"<{name}> is empty")
        return Symbol(label or "?", id_of(element), line=line_of(element))
