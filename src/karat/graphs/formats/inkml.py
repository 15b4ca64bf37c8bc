"""CROHME InkML: strokes, the symbols they make up, and MathML with the relations between the symbols."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.label_graph import COMMA, FileProblem, GraphReading
from karat.graphs.formats.mathml import read_math
from karat.graphs.model.characters import labels_of_text
from karat.graphs.model.formula import Row, Symbol, walk
from karat.graphs.model.grid import PARTS, over_strokes
from karat.graphs.model.structure import NONE, LabelGraph, Object, Relation
from karat.source.xml_tree import (
    Element,
    id_of,
    line_of,
    local,
    name_of,
    named,
    parse_xml,
    root_of,
    text_in,
)

Points = tuple[tuple[float, float], ...]


def read_inkml(path: str | Path) -> GraphReading:
    """Return the graph of a file: symbols as objects over strokes and the tree of their layout; and what is wrong."""
    return _reading(root_of(path), str(path))


def parse_inkml(text: str | bytes, file: str = "the text") -> GraphReading:
    """Return the graph of InkML, and what is wrong with it."""
    data = text.encode() if isinstance(text, str) else text
    return _reading(parse_xml(data, file), file)


def traces(path: str | Path) -> dict[str, Points]:
    """Return the points (x, y) of every stroke, by the id that graphs call it."""
    root = root_of(path)
    channels = [channel.get("name", "") for channel in root.iter("{*}channel")]
    x = channels.index("X") if "X" in channels else 0
    y = channels.index("Y") if "Y" in channels else 1
    strokes: dict[str, Points] = {}
    for trace in root.iter("{*}trace"):
        strokes[id_of(trace)] = tuple(_points(trace, x, y, str(path)))
    return strokes


def _points(trace: Element, x: int, y: int, file: str) -> Iterator[tuple[float, float]]:
    for part in text_in(trace).split(","):
        numbers = part.split()
        if not numbers:
            continue
        try:
            yield float(numbers[x]), float(numbers[y])
        except (ValueError, IndexError):
            point = part.strip()[:30]
            raise InputError(
                f"{file}, line {line_of(trace)}: {point!r} in stroke {id_of(trace)!r} is no point"
            ) from None


def _reading(root: Element, file: str) -> GraphReading:
    if name_of(root) != "ink":
        raise InputError(
            f"{file}, line {line_of(root)}: <{name_of(root)}> begins no InkML; that is <ink>"
        )
    reader = _InkmlReader(file)
    for child in root:
        reader.sort(child, name_of(child))
    return reader.reading()


@dataclass(frozen=True, slots=True)
class _DrawnSymbol:
    """A group of strokes with its label, and the id by which MathML calls it, if it has one."""

    id: str
    label: str
    strokes: tuple[str, ...]
    group: Element


@dataclass(slots=True)
class _InkmlReader:
    """Collects the parts of a file, and makes a graph of them."""

    file: str
    strokes: dict[str, int] = field(default_factory=dict)
    """The line of every stroke."""
    groups: list[Element] = field(default_factory=list)
    formulas: list[Element] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    contradictions: list[FileProblem] = field(default_factory=list)

    def complain(self, line: int, what: str) -> None:
        self.problems.append(FileProblem(self.file, line, what))

    def sort(self, child: Element, name: str) -> None:
        """Put a part of the file where it belongs."""
        if name == "trace":
            stroke = id_of(child)
            if stroke in self.strokes:
                self.complain(line_of(child), f"there are two strokes {stroke!r}")
            self.strokes[stroke] = line_of(child)
        elif name == "traceGroup":
            self.groups.append(child)
        elif name == "annotationXML":
            self.formulas += named(child, "math")
        elif name == "annotation" and child.get("type") == "UI":
            self.comments.append(f"IUD, {text_in(child)}")

    def reading(self) -> GraphReading:
        """Return the graph: symbols from the groups of strokes, relations from MathML."""
        self._check_single(self.groups, "segmentations")
        self._check_single(self.formulas, "formulas")
        objects = self._objects(self._drawn_symbols())
        parts, relations = self._structure(objects)
        graph = LabelGraph(
            Path(self.file).name,
            objects=(*objects, *parts),
            relations=tuple(relations),
            comments=tuple(self.comments),
        )
        return GraphReading(graph, tuple(sorted(self.problems)), tuple(self.contradictions))

    def _check_single(self, parts: list[Element], what: str) -> None:
        if len(parts) > 1:
            line = line_of(parts[-1])
            self.complain(line, f"there are {len(parts)} {what}; the last would count")

    def _drawn_symbols(self) -> list[_DrawnSymbol]:
        if not self.groups:
            self.complain(1, "there is no <traceGroup>, so no symbols are known")
            return []
        symbols = []
        for group in self.groups[-1].iter("{*}traceGroup"):
            symbol = self._drawn_symbol(group)
            if symbol.strokes:  # Other groups only hold groups.
                symbols.append(symbol)
        return symbols

    def _drawn_symbol(self, group: Element) -> _DrawnSymbol:
        label = ""
        identity = ""
        strokes: list[str] = []
        for child in group:
            name = local(child.tag) if isinstance(child.tag, str) else ""
            if name == "traceView":
                strokes.append(child.get("traceDataRef", "").strip().removeprefix("#"))
            elif name == "annotation" and child.get("type", "truth") == "truth":
                label = text_in(child)
            elif name == "annotationXML":
                identity = child.get("href", "").strip().removeprefix("#")
        if strokes and not label:
            self.complain(
                line_of(group), "a symbol has no label: there is no <annotation type='truth'>"
            )
        if label == ",":
            label = COMMA
        return _DrawnSymbol(identity, label or NONE, tuple(dict.fromkeys(strokes)), group)

    def _objects(self, symbols: list[_DrawnSymbol]) -> list[Object]:
        """Return the symbols as objects; ids are those by which MathML calls them."""
        objects: list[Object] = []
        symbol_of: dict[str, str] = {}
        ids = _SymbolIds()
        for symbol in symbols:
            line = line_of(symbol.group)
            if symbol.id in ids.taken:
                self.complain(line, f"there are two symbols {symbol.id!r}")
            name = ids.of(symbol)
            for stroke in symbol.strokes:
                self._check_stroke(stroke, name, symbol_of.get(stroke), line)
                symbol_of[stroke] = name
            objects.append(Object(name, symbol.label, 1.0, symbol.strokes))
        if symbols:
            self._check_unused(symbol_of)
        return objects

    def _check_stroke(self, stroke: str, name: str, other: str | None, line: int) -> None:
        """Complain about a stroke that is not in the file, or that is part of another symbol too."""
        if stroke not in self.strokes:
            self.complain(line, f"there is no stroke {stroke!r}, but {name!r} refers to it")
        elif other is not None:
            self.complain(line, f"stroke {stroke!r} is part of two symbols, {other!r} and {name!r}")

    def _check_unused(self, symbol_of: Mapping[str, str]) -> None:
        for stroke, line in self.strokes.items():
            if stroke not in symbol_of:
                self.complain(
                    line, f"stroke {stroke!r} is part of no symbol, so it is not in the graph"
                )

    def _structure(self, objects: list[Object]) -> tuple[list[Object], list[Relation]]:
        """Return the parts of matrices, which hold drawn symbols, and the relations of both."""
        if not self.formulas:
            self.complain(1, "there is no <math>, so no relations are known")
            return [], []
        labels = {one.id: one.label for one in objects}
        row = read_math(self.formulas[-1], self.file, self.problems, strokes=frozenset(labels))
        self._check_ids(row, labels)
        return over_strokes(row, {one.id: one.primitives for one in objects})

    def _check_ids(self, row: Row, labels: Mapping[str, str]) -> None:
        """Complain where MathML and the drawn symbols do not name each other."""
        symbols = [step.symbol for step in walk(row) if step.symbol.label not in PARTS]
        uses = Counter(symbol.id for symbol in symbols)
        for symbol in symbols:
            self._check_id(symbol, labels.get(symbol.id), uses[symbol.id])
        if row:
            line = line_of(self.formulas[-1])
            for name in sorted(labels.keys() - uses.keys()):
                self.complain(line, f"symbol {name!r} does not occur in MathML")

    def _check_id(self, symbol: Symbol, label: str | None, uses: int) -> None:
        """Complain if a symbol of MathML is not one drawn symbol of the same label."""
        if label is None and symbol.id:
            self.complain(symbol.line, f"no symbol with strokes is called {symbol.id!r}")
        elif label is None:
            self.complain(
                symbol.line, f"'{symbol.label}' has no xml:id, so its strokes are unknown"
            )
        elif uses > 1:
            self.complain(symbol.line, f"{symbol.id!r} stands {uses} times in MathML")
        elif not _spellings(label) & _spellings(symbol.label):
            what = f"the strokes of {symbol.id!r} are called '{label}', but MathML has '{symbol.label}' there"
            self.contradictions.append(FileProblem(self.file, symbol.line, what))


class _SymbolIds:
    """The ids of objects: those that the file gives, where no other symbol has it, or else new ones."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.number: Counter[str] = Counter()

    def of(self, symbol: _DrawnSymbol) -> str:
        name = symbol.id
        while not name or name in self.taken:
            self.number[symbol.label] += 1
            name = f"{symbol.id or symbol.label}_{self.number[symbol.label]}"
        self.taken.add(name)
        return name


def _spellings(label: str) -> set[tuple[str, ...]]:
    r"""Return the characters a label may stand for: as it is, or by its name in LaTeX (\alpha) or HTML (infin)."""
    text = "," if label == COMMA else label
    return {
        labels_of_text(text),
        labels_of_text(f"\\{text}"),
        labels_of_text(unescape(f"&{text};")),
    }
