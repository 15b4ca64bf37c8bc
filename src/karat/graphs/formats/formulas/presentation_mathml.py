"""Presentation MathML: how a formula looks, as rows of symbols."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from karat.graphs.model.characters import (
    BAR,
    FUNCTIONS,
    OVER_CHARACTERS,
    ROOT,
    UNDER_CHARACTERS,
    labels_of_text,
)
from karat.graphs.model.formula import ABOVE, BELOW, DEEPEST, INSIDE, SUB, SUP, Row, Symbol
from karat.graphs.model.grid import PARTS, grid
from karat.source.xml_tree import Element, id_of, line_of, name_of, text_in
from karat.words import counted

ROWS = {"math", "mrow", "mstyle", "mpadded"}
TOKENS = {"mi", "mn", "mo", "mtext", "ms"}
SCRIPTS = {
    "msub": (SUB,), "msup": (SUP,), "msubsup": (SUB, SUP),
    "munder": (BELOW,), "mover": (ABOVE,), "munderover": (BELOW, ABOVE),
}  # fmt: skip
NO_LINE = re.compile(r"\s*0+(\.0*)?\s*[a-z%]*\s*")
"""The thickness of the line of a fraction that has none."""
INVISIBLE = {
    "mspace",
    "mphantom",
    "none",
    "maligngroup",
    "malignmark",
    "annotation",
    "annotation-xml",
}
"""Tags that show no symbol: space, and other descriptions of the same formula."""


@dataclass(slots=True)
class PresentationReader:
    """Reads elements into rows of symbols; it reports what it cannot read, and goes on."""

    complain: Callable[[Element, str], None]
    whole_tokens: bool = False
    """Whether a token is one symbol with an id, as in InkML."""
    depth: int = field(default=0)

    def row(self, elements: list[Element]) -> Row:
        """Return the row that elements make side by side; rows in rows are one."""
        if self.depth > DEEPEST and elements:
            self.complain(elements[0], f"more than {DEEPEST} levels of tags")
            return []
        self.depth += 1
        row: Row = []
        # A stack in place of recursion: <mrow> in <mrow> may go deeper than Python's calls.
        todo = list(reversed(elements))
        while todo:
            element = todo.pop()
            name = name_of(element)
            if name in ROWS:
                self._check_text(element)
                todo += reversed(element)
            elif name == "semantics":
                self._check_semantics(element)
                todo += element[:1]
            elif name in TOKENS:
                row += self._token(element)
            else:
                row += self._structure(element, name)
        self.depth -= 1
        return row

    def _check_semantics(self, element: Element) -> None:
        if not len(element) or name_of(element[0]) in INVISIBLE:
            self.complain(element, "<semantics> does not begin with a formula as it is shown")

    def _structure(self, element: Element, name: str) -> Row:
        if name in INVISIBLE:
            if name == "mspace" and element.get("linebreak") == "newline":
                self.complain(
                    element,
                    "a formula on several lines is not read; set these in rows of an <mtable>",
                )
            return []
        self._check_text(element)
        read = _STRUCTURES.get(name)
        if read is not None:
            return read(self, element)
        self.complain(element, f"<{name}> is not a tag that karat understands here")
        is_element = isinstance(element.tag, str)
        return self.row(list(element)) if is_element and len(element) else []

    def square_root(self, element: Element) -> Row:
        """Return a root with what is inside."""
        inside = self.row(list(element))
        return [self._symbol(ROOT, element, {INSIDE: inside})]

    def root(self, element: Element) -> Row:
        """Return a root with what is inside, and its index above."""
        inside, index = self._parts(element, 2)
        return [self._symbol(ROOT, element, {ABOVE: index, INSIDE: inside})]

    def fraction(self, element: Element) -> Row:
        """Return a bar with what is above and below; without a line it is a matrix of one column."""
        above, below = self._parts(element, 2)
        if element.get("bevelled", "").strip() == "true":
            return [*above, self._symbol("/", element, {}), *below]
        if NO_LINE.fullmatch(element.get("linethickness", "1")):
            return grid([[above], [below]], line=line_of(element))
        return [self._symbol(BAR, element, {ABOVE: above, BELOW: below})]

    def table(self, element: Element) -> Row:
        """Return a matrix."""
        rows = []
        for line in self._children(element, "mtr"):
            cells = self._children(line, "mtd")
            rows.append([self._cell(cell) for cell in cells])
        matrix = grid(rows, line=line_of(element))
        if not matrix:
            self.complain(element, "a matrix is empty")
        return matrix

    def _cell(self, element: Element) -> Row:
        self._check_text(element)
        return self.row(list(element))

    def _children(self, element: Element, name: str) -> list[Element]:
        """Return the children of an element that may have only such, each of one place."""
        self._check_text(element)
        for child in element:
            if name_of(child) != name:
                self.complain(
                    child,
                    f"<{name_of(child)}> in <{name_of(element)}> is not understood; there is <{name}>",
                )
            for side in ("rowspan", "columnspan"):
                if child.get(side, "1").strip() != "1":
                    self.complain(
                        child, f"a cell with {side}={child.get(side)!r} is not understood"
                    )
        return [child for child in element if isinstance(child.tag, str)]

    def _parts(self, element: Element, number: int) -> list[Row]:
        """Return the parts of an element that must have so many; one too many is added to the last."""
        if len(element) != number:
            self.complain(
                element,
                f"<{name_of(element)}> has {counted(len(element), 'part')}; it needs {number}",
            )
        parts: list[Row] = [[] for _ in range(number)]
        for place, child in enumerate(element):
            parts[min(place, number - 1)] += self.row([child])
        return parts

    def scripts(self, element: Element) -> Row:
        """Return the base with its children: scripts at its last symbol, limits at its only one."""
        name = name_of(element)
        relations = SCRIPTS[name]
        base, *scripts = self._parts(element, len(relations) + 1)
        accented = self._accented(name, base, scripts[0], element)
        if accented is not None:
            return [accented]
        if len(base) > 1 and relations[0] in {BELOW, ABOVE}:
            self.complain(
                element, f"<{name}> has a base of {len(base)} symbols; a relation leads to one"
            )
        return self._with_scripts(base, zip(relations, scripts, strict=True), element)

    def many_scripts(self, element: Element) -> Row:
        """Return a base with pairs of scripts after it, below and above."""
        children = list(element)
        names = [name_of(child) for child in children]
        if "mprescripts" in names:
            self.complain(element, "scripts before a symbol are not read")
            children = children[: names.index("mprescripts")]
        rows = [self.row([child]) for child in children]
        base = rows[0] if rows else []
        scripts = []
        for place, part in enumerate(rows[1:]):
            relation = SUP if place % 2 else SUB
            scripts.append((relation, part))
        return self._with_scripts(base, scripts, element)

    def _with_scripts(self, base: Row, scripts: Iterable[tuple[str, Row]], element: Element) -> Row:
        """Return a base with rows hung on its last symbol."""
        if not base:
            self.complain(
                element, f"<{name_of(element)}> has no base, so nothing has these scripts"
            )
            return [symbol for _, part in scripts for symbol in part]
        last = base[-1]
        for relation, part in scripts:
            if part and relation in last.regions:
                self.complain(element, f"'{last.label}' has two parts {relation}")
                last.regions[relation] += part
            elif part:
                last.regions[relation] = part
        return base

    def _accented(self, name: str, base: Row, script: Row, element: Element) -> Symbol | None:
        """Return a hat, a line or another accent, which is a symbol with its base below or above; None for limits."""
        if self.whole_tokens or len(script) != 1 or script[0].regions:
            return None
        text = text_in(element[1]) if len(element) > 1 else ""
        if name == "mover":
            label = OVER_CHARACTERS.get(text)
            relation = BELOW
            if text == "→" and len(base) > 1:
                label = "\\overrightarrow"
        elif name == "munder":
            label = UNDER_CHARACTERS.get(text)
            relation = ABOVE
        else:
            return None
        if label is None:
            return None
        regions = {relation: base} if base else {}
        return Symbol(label, regions=regions, line=line_of(element))

    def _token(self, element: Element) -> Row:
        name = name_of(element)
        text = text_in(element)
        for child in element:
            if isinstance(child.tag, str):
                self.complain(child, f"<{name_of(child)}> inside <{name}> is not understood")
        if text in PARTS:
            self.complain(
                element, f"{text!r} is not a symbol: karat uses it for a part of a matrix"
            )
            return []
        if self.whole_tokens:
            return [self._symbol(" ".join(text.split()), element, {})]
        # An operator of several letters is a word: mod.
        is_word = name == "mo" and len(text) > 1 and text.isascii() and text.isalpha()
        if is_word and text not in FUNCTIONS:
            labels: tuple[str, ...] = (text,)
        else:
            labels = labels_of_text(text)
        if len(labels) == 1:
            return [self._symbol(labels[0], element, {})]
        return [Symbol(label, line=line_of(element)) for label in labels]

    def fenced(self, element: Element) -> Row:
        """Return what <mfenced>, the old short form of brackets, means."""
        separators = "".join(element.get("separators", ",").split())
        row = self._characters(element.get("open", "("), element)
        for place, child in enumerate(element):
            if place and separators:
                # The last separator serves for all further parts.
                separator = separators[min(place, len(separators)) - 1]
                row += self._characters(separator, element)
            row += self.row([child])
        return row + self._characters(element.get("close", ")"), element)

    def _characters(self, text: str, element: Element) -> Row:
        return [Symbol(label, line=line_of(element)) for label in labels_of_text(text)]

    def _symbol(self, label: str, element: Element, regions: dict[str, Row]) -> Symbol:
        """Return a symbol with the id and the line of its element; empty rows are left out."""
        full = {name: part for name, part in regions.items() if part}
        return Symbol(label, id_of(element), regions=full, line=line_of(element))

    def _check_text(self, element: Element) -> None:
        """Report text between tags, where only tags have a meaning."""
        text = (element.text or "").strip()
        if not text:
            text = "".join((child.tail or "").strip() for child in element)
        if text:
            self.complain(
                element,
                f"the text {text[:20]!r} is not inside a token in <{name_of(element)}>; put it into <mi> or <mo>",
            )


_STRUCTURES: dict[str, Callable[[PresentationReader, Element], Row]] = {
    **dict.fromkeys(SCRIPTS, PresentationReader.scripts),
    "mmultiscripts": PresentationReader.many_scripts,
    "msqrt": PresentationReader.square_root,
    "mroot": PresentationReader.root,
    "mfrac": PresentationReader.fraction,
    "mfenced": PresentationReader.fenced,
    "mtable": PresentationReader.table,
}
