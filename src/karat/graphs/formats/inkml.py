"""CROHME InkML: strokes, the symbols they make up, and MathML with the relations between the symbols."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.formulas.mathml import read_math
from karat.graphs.formats.label_graph import COMMA, FileProblem, GraphReading
from karat.graphs.model.characters import labels_of_text
from karat.graphs.model.formula import Row, Symbol, walk
from karat.graphs.model.grid import PARTS, over_strokes
from karat.graphs.model.structure import NONE, LabelGraph, Object
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
            yield _finite(numbers[x]), _finite(numbers[y])
        except (ValueError, IndexError):
            point = part.strip()[:30]
            raise InputError(
                f"{file}, line {line_of(trace)}: {point!r} in stroke {id_of(trace)!r} is not a point"
            ) from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _reading(root: Element, file: str) -> GraphReading:
    if name_of(root) != "ink":
        raise InputError(
            f"{file}, line {line_of(root)}: <{name_of(root)}> is not the root of InkML, which is <ink>"
        )
    reader = _InkmlReader(file)
    for child in root:
        reader.sort(child, name_of(child))
    return reader.reading()


@dataclass(frozen=True, slots=True)
class _DrawnSymbol:
    """A group of strokes with its labels, and the id by which MathML calls it, if it has one."""

    id: str
    labels: tuple[str, ...]
    """Every annotation of the truth; a file should have one."""
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
        symbols = self._drawn_symbols()
        names = self._names(symbols)
        row = self._row(frozenset(names))
        objects = self._objects(symbols, names, row)
        self._check_ids(row, {one.id: one.label for one in objects})
        parts, relations = over_strokes(row, {one.id: one.primitives for one in objects})
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
        labels: list[str] = []
        identity = ""
        strokes: list[str] = []
        for child in group:
            name = local(child.tag) if isinstance(child.tag, str) else ""
            if name == "traceView":
                strokes.append(child.get("traceDataRef", "").strip().removeprefix("#"))
            elif name == "annotation" and child.get("type", "truth") == "truth":
                text = text_in(child)
                labels.append(COMMA if text == "," else text)
            elif name == "annotationXML":
                identity = child.get("href", "").strip().removeprefix("#")
        labels = [label for label in dict.fromkeys(labels) if label]
        if strokes and not labels:
            self.complain(
                line_of(group), "a symbol has no label: there is no <annotation type='truth'>"
            )
        own_labels = tuple(labels) or (NONE,)
        return _DrawnSymbol(identity, own_labels, tuple(dict.fromkeys(strokes)), group)

    def _names(self, symbols: list[_DrawnSymbol]) -> list[str]:
        """Return the ids of the symbols: those by which MathML calls them, or else new ones."""
        given = {symbol.id for symbol in symbols}
        for formula in self.formulas[-1:]:
            given.update(id_of(element) for element in formula.iter())
        ids = _SymbolIds(given)
        names = []
        for symbol in symbols:
            if symbol.id in names:
                self.complain(line_of(symbol.group), f"there are two symbols {symbol.id!r}")
            names.append(ids.of(symbol))
        return names

    def _row(self, names: frozenset[str]) -> Row:
        """Return the formula of MathML, in which symbols are called by their ids."""
        if not self.formulas:
            self.complain(1, "there is no <math>, so no relations are known")
            return []
        return read_math(self.formulas[-1], self.file, self.problems, strokes=names)

    def _objects(self, symbols: list[_DrawnSymbol], names: list[str], row: Row) -> list[Object]:
        """Return the symbols as objects."""
        in_math: dict[str, str] = {}
        if any(len(symbol.labels) > 1 for symbol in symbols):
            in_math = {step.symbol.id: step.symbol.label for step in walk(row)}
        objects: list[Object] = []
        symbol_of: dict[str, str] = {}
        for symbol, name in zip(symbols, names, strict=True):
            line = line_of(symbol.group)
            for stroke in symbol.strokes:
                self._check_stroke(stroke, name, symbol_of.get(stroke), line)
                symbol_of[stroke] = name
            label = self._settled(symbol, name, in_math.get(name))
            objects.append(Object(name, label, 1.0, symbol.strokes))
        if symbols:
            self._check_unused(symbol_of)
        return objects

    def _settled(self, symbol: _DrawnSymbol, name: str, in_math: str | None) -> str:
        """Return the label of a symbol; of several truths the one that MathML has there, or else the last."""
        if len(symbol.labels) == 1:
            return symbol.labels[0]
        fitting = []
        if in_math is not None:
            wanted = _spellings(in_math)
            fitting = [label for label in symbol.labels if _spellings(label) & wanted]
        label = fitting[-1] if fitting else symbol.labels[-1]
        reason = "which MathML has there" if fitting else "the last; MathML has none of them there"
        truths = " and ".join(f"'{each}'" for each in symbol.labels)
        what = f"the strokes of {name!r} have the truths {truths}; taken is '{label}', {reason}"
        self.contradictions.append(FileProblem(self.file, line_of(symbol.group), what))
        return label

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
            self.complain(symbol.line, f"{symbol.id!r} occurs {uses} times in MathML")
        elif label != symbol.label and not _spellings(label) & _spellings(symbol.label):
            what = f"the strokes of {symbol.id!r} are called '{label}', but MathML has '{symbol.label}' there"
            self.contradictions.append(FileProblem(self.file, symbol.line, what))


class _SymbolIds:
    """The ids of objects: those that the file gives, where no other symbol has it, or else new ones.

    A new one is none of those that the file gives anywhere: MathML would lead to the wrong strokes.
    """

    def __init__(self, given: set[str]) -> None:
        self.given = given
        self.taken: set[str] = set()
        self.number: Counter[str] = Counter()

    def of(self, symbol: _DrawnSymbol) -> str:
        name = symbol.id
        if not name or name in self.taken:
            name = self._new(symbol)
        self.taken.add(name)
        return name

    def _new(self, symbol: _DrawnSymbol) -> str:
        label = symbol.labels[-1]
        while True:
            self.number[label] += 1
            name = f"{symbol.id or label}_{self.number[label]}"
            if name not in self.given and name not in self.taken:
                return name


def _spellings(label: str) -> set[tuple[str, ...]]:
    r"""Return the characters that a label may mean: as it is, or by its name in LaTeX (\alpha) or HTML (infin)."""
    text = "," if label == COMMA else label
    return {
        labels_of_text(text),
        labels_of_text(f"\\{text}"),
        labels_of_text(unescape(f"&{text};")),
    }
