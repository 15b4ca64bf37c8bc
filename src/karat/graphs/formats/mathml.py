"""Presentation MathML: how a formula looks, as rows of symbols. Content MathML is told by its tags and read as such."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from karat.graphs.formats.content_mathml import ContentReader, is_content
from karat.graphs.formats.label_graph import Problem, Reading
from karat.graphs.model.characters import BAR, FUNCTIONS, OVER_SIGNS, ROOT, UNDER_SIGNS, read_sign
from karat.graphs.model.formula import (
    ABOVE,
    BELOW,
    DEEPEST,
    INSIDE,
    SUB,
    SUP,
    Row,
    Symbol,
    graph_of,
    too_long,
)
from karat.graphs.model.grid import PARTS, grid
from karat.source.xml_tree import Element, id_of, name_of, parse_xml, root_of, text_in
from karat.words import counted

ROWS = {"math", "mrow", "mstyle", "mpadded"}
TOKENS = {"mi", "mn", "mo", "mtext", "ms"}
SCRIPTS = {
    "msub": (SUB,), "msup": (SUP,), "msubsup": (SUB, SUP),
    "munder": (BELOW,), "mover": (ABOVE,), "munderover": (BELOW, ABOVE),
}  # fmt: skip
NO_LINE = re.compile(r"\s*0+(\.0*)?\s*[a-z%]*\s*")
NOTHING = {
    "mspace",
    "mphantom",
    "none",
    "maligngroup",
    "malignmark",
    "annotation",
    "annotation-xml",
}
"""What shows no symbol: room, and other descriptions of the same formula."""


def read_mathml(path: str | Path) -> Reading:
    """Return the graph of a file of MathML, and what in it means nothing."""
    return _reading(root_of(path), str(path))


def parse_mathml(text: str | bytes, file: str = "the text") -> Reading:
    """Return the graph of MathML, and what in it means nothing."""
    return _reading(parse_xml(text.encode() if isinstance(text, str) else text, file), file)


def _reading(root: Element, file: str) -> Reading:
    problems: list[Problem] = []
    found = (
        [root]
        if name_of(root) == "math"
        else [one for one in root.iter() if name_of(one) == "math"]
    )
    if len(found) != 1:
        problems.append(
            Problem(
                file, root.sourceline or 1, f"there are {len(found)} tags <math>; a file holds one"
            )
        )
    row = read_math(found[0], file, problems) if found else []
    if long := too_long(row):
        problems, row = [Problem(file, root.sourceline or 1, long)], []
    return Reading(graph_of(row, Path(file).name), tuple(problems))


def read_math(
    math: Element, file: str, problems: list[Problem], *, strokes: frozenset[str] | None = None
) -> Row:
    """Return the rows of a <math>, adding to the problems what means nothing.

    With `strokes`, the ids of what was drawn, each token is one symbol with its id; without, a token's text decides
    how many symbols it is.
    """

    def complain(element: Element, what: str) -> None:
        problems.append(Problem(file, element.sourceline or 1, what))

    if is_content(math):
        return ContentReader(complain, strokes).read(math)
    return PresentationReader(complain, whole_tokens=strokes is not None).row([math])


@dataclass(slots=True)
class PresentationReader:
    """Reads elements into rows; what it cannot read it tells, and goes on."""

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
        found: Row = []
        todo = list(reversed(elements))
        while todo:
            element = todo.pop()
            name = name_of(element)
            if name in ROWS:
                todo += reversed(element)
                self._check_text(element)
            elif name == "semantics":
                todo += element[:1]
                self._check_semantics(element)
            elif name in TOKENS:
                found += self._token(element)
            elif name == "mspace" and element.get("linebreak") == "newline":
                self.complain(
                    element,
                    "a formula on several lines is not read; set these in rows of an <mtable>",
                )
            elif name not in NOTHING:
                found += self._structure(element, name)
        self.depth -= 1
        return found

    def _check_semantics(self, element: Element) -> None:
        if not len(element) or name_of(element[0]) in NOTHING:
            self.complain(element, "<semantics> begins with no formula as it is shown")

    def _structure(self, element: Element, name: str) -> Row:
        self._check_text(element)
        read = _STRUCTURES.get(name)
        if read is not None:
            return read(self, element)
        self.complain(element, f"<{name}> is no tag that karat understands here")
        return self.row(list(element)) if isinstance(element.tag, str) and len(element) else []

    def square_root(self, element: Element) -> Row:
        """Return a root sign with what is inside."""
        return [self._at(Symbol(ROOT), element, {INSIDE: self.row(list(element))})]

    def root(self, element: Element) -> Row:
        """Return a root sign with what is inside, and its index above."""
        inside, index = self._parts(element, 2)
        return [self._at(Symbol(ROOT), element, {ABOVE: index, INSIDE: inside})]

    def fraction(self, element: Element) -> Row:
        """Return a bar with what is above and below; without a line it is a matrix of one column."""
        above, below = self._parts(element, 2)
        if element.get("bevelled", "").strip() == "true":
            return [*above, Symbol("/", id_of(element), line=_line(element)), *below]
        if NO_LINE.fullmatch(element.get("linethickness", "1")):
            return grid([[above], [below]], line=_line(element))
        return [self._at(Symbol(BAR), element, {ABOVE: above, BELOW: below})]

    def table(self, element: Element) -> Row:
        """Return a matrix."""
        rows = [
            [self._cell(cell) for cell in self._children(row, "mtd")]
            for row in self._children(element, "mtr")
        ]
        found = grid(rows, line=_line(element))
        if not found:
            self.complain(element, "a matrix is empty")
        return found

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
        """Return the parts of an element that must have so many."""
        if len(element) != number:
            self.complain(
                element,
                f"<{name_of(element)}> has {counted(len(element), 'part')}; it needs {number}",
            )
        parts = [self.row([child]) for child in element[:number]]
        for child in element[number:]:
            parts[-1] += self.row([child])
        return parts + [[] for _ in range(number - len(parts))]

    def scripts(self, element: Element) -> Row:
        """Return the base with what hangs on it: scripts on its last symbol, limits on its only one."""
        name = name_of(element)
        relations = SCRIPTS[name]
        base, *scripts = self._parts(element, len(relations) + 1)
        marked = self._mark(name, base, scripts, element)
        if marked is not None:
            return marked
        if len(base) > 1 and relations[0] in {BELOW, ABOVE}:
            self.complain(
                element, f"<{name}> has a base of {len(base)} symbols; a relation leads to one"
            )
        return self._hung(base, zip(relations, scripts, strict=True), element)

    def many_scripts(self, element: Element) -> Row:
        """Return a base with pairs of scripts after it, below and above."""
        names = [name_of(child) for child in element]
        if "mprescripts" in names:
            self.complain(element, "scripts before a symbol are not read")
            names = names[: names.index("mprescripts")]
        base, *scripts = [self.row([child]) for child in element[: len(names)]] or [[]]
        return self._hung(
            base, ((SUP if place % 2 else SUB, part) for place, part in enumerate(scripts)), element
        )

    def _hung(self, base: Row, scripts: Iterable[tuple[str, Row]], element: Element) -> Row:
        """Return a base with rows hung on its last symbol."""
        if not base:
            self.complain(
                element, f"<{name_of(element)}> has no base, so nothing has these scripts"
            )
            return [symbol for _, part in scripts for symbol in part]
        for relation, part in scripts:
            if part and relation in base[-1].regions:
                self.complain(element, f"'{base[-1].label}' has two parts {relation}")
                base[-1].regions[relation] += part
            elif part:
                base[-1].regions[relation] = part
        return base

    def _mark(self, name: str, base: Row, scripts: list[Row], element: Element) -> Row | None:
        """Return a hat, a line or the like, which is a symbol with its base below or above."""
        if (
            name not in {"mover", "munder"}
            or self.whole_tokens
            or len(scripts[0]) != 1
            or scripts[0][0].regions
        ):
            return None
        marks, relation = (OVER_SIGNS, BELOW) if name == "mover" else (UNDER_SIGNS, ABOVE)
        text = text_in(element[1]) if len(element) > 1 else ""
        label = marks.get(text)
        if label is not None and text == "→" and len(base) > 1:
            label = "\\overrightarrow"
        return (
            None
            if label is None
            else [Symbol(label, regions={relation: base} if base else {}, line=_line(element))]
        )

    def _token(self, element: Element) -> Row:
        text = text_in(element)
        for child in element:
            if isinstance(child.tag, str):
                self.complain(
                    child, f"<{name_of(child)}> inside <{name_of(element)}> is not understood"
                )
        if text in PARTS:
            self.complain(
                element, f"{text!r} is no symbol, but what karat calls a part of a matrix"
            )
            return []
        if self.whole_tokens:
            return [self._at(Symbol(" ".join(text.split())), element, {})]
        # An operator of several letters is a word: mod.
        is_word = name_of(element) == "mo" and len(text) > 1 and text.isascii() and text.isalpha()
        labels = (text,) if is_word and text not in FUNCTIONS else read_sign(text)
        name = id_of(element) if len(labels) == 1 else ""
        return [Symbol(label, name, line=_line(element)) for label in labels]

    def fenced(self, element: Element) -> Row:
        """Return what the old short form of brackets stands for."""
        separators = "".join(element.get("separators", ",").split())
        found = self._sign(element.get("open", "("), element)
        for place, child in enumerate(element):
            if place and separators:
                found += self._sign(separators[min(place, len(separators)) - 1], element)
            found += self.row([child])
        return found + self._sign(element.get("close", ")"), element)

    def _sign(self, text: str, element: Element) -> Row:
        return [Symbol(label, line=_line(element)) for label in read_sign(text)]

    def _at(self, symbol: Symbol, element: Element, regions: dict[str, Row]) -> Symbol:
        symbol.id, symbol.line = id_of(element), _line(element)
        symbol.regions = {name: part for name, part in regions.items() if part}
        return symbol

    def _check_text(self, element: Element) -> None:
        text = (element.text or "").strip() or "".join(
            (child.tail or "").strip() for child in element
        )
        if text:
            self.complain(
                element,
                f"the text {text[:20]!r} stands bare in <{name_of(element)}>; put it into <mi> or <mo>",
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


def _line(element: Element) -> int:
    return element.sourceline or 1
