"""CROHME InkML: strokes, the symbols they make up, and MathML that says how the symbols stand to each other."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.label_graph import COMMA, Problem, Reading
from karat.graphs.formats.mathml import read_math
from karat.graphs.model.characters import read_sign
from karat.graphs.model.formula import Row, Step, Symbol, walk
from karat.graphs.model.grid import PARTS, over_strokes
from karat.graphs.model.structure import LabelGraph, Object, Relation
from karat.source.xml_tree import Element, id_of, local, name_of, named, parse_xml, root_of, text_in

Points = tuple[tuple[float, float], ...]


def read_inkml(path: str | Path) -> Reading:
    """Return the graph of a file: symbols as objects over strokes and the tree of their layout; and what is wrong."""
    return _reading(root_of(path), str(path))


def parse_inkml(text: str | bytes, file: str = "the text") -> Reading:
    """Return the graph of InkML, and what in it means nothing."""
    return _reading(parse_xml(text.encode() if isinstance(text, str) else text, file), file)


def traces(path: str | Path) -> dict[str, Points]:
    """Return the points (x, y) of every stroke, by the id that graphs call it."""
    root = root_of(path)
    order = [channel.get("name", "") for channel in root.iter("{*}channel")] or ["X", "Y"]
    x, y = (order.index(name) if name in order else place for place, name in enumerate("XY"))
    return {id_of(one): tuple(_points(one, x, y, str(path))) for one in root.iter("{*}trace")}


def _points(trace: Element, x: int, y: int, file: str) -> Iterator[tuple[float, float]]:
    for part in text_in(trace).split(","):
        numbers = part.split()
        if not numbers:
            continue
        try:
            yield float(numbers[x]), float(numbers[y])
        except (ValueError, IndexError):
            where = f"{file}, line {trace.sourceline or 1}"
            raise InputError(
                f"{where}: {part.strip()[:30]!r} in stroke {id_of(trace)!r} is no point"
            ) from None


def _reading(root: Element, file: str) -> Reading:
    if name_of(root) != "ink":
        raise InputError(
            f"{file}, line {root.sourceline or 1}: <{name_of(root)}> begins no InkML; that is <ink>"
        )
    draft = _Draft(file)
    for child in root:
        draft.take(child, name_of(child))
    return draft.reading()


@dataclass(slots=True)
class _Draft:
    """What was read so far."""

    file: str
    strokes: dict[str, int] = field(default_factory=dict)
    groups: list[Element] = field(default_factory=list)
    maths: list[Element] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    contradictions: list[Problem] = field(default_factory=list)

    def complain(self, element: Element, what: str) -> None:
        self.problems.append(Problem(self.file, element.sourceline or 1, what))

    def take(self, child: Element, name: str) -> None:
        """Sort a part of the file."""
        if name == "trace":
            if (stroke := id_of(child)) in self.strokes:
                self.complain(child, f"there are two strokes {stroke!r}")
            self.strokes[stroke] = child.sourceline or 1
        elif name == "traceGroup":
            self.groups.append(child)
        elif name == "annotationXML":
            self.maths += named(child, "math")
        elif name == "annotation" and child.get("type") == "UI":
            self.comments.append(f"IUD, {text_in(child)}")

    def reading(self) -> Reading:
        """Return the graph: symbols from the groups, relations from MathML."""
        for parts, what in ((self.groups, "segmentations"), (self.maths, "formulas")):
            if len(parts) > 1:
                self.complain(parts[-1], f"there are {len(parts)} {what}; the last would count")
        drawn = self._drawn()
        objects = list(self._objects(drawn))
        parts, relations = self._structure(objects)
        graph = LabelGraph(
            Path(self.file).name,
            objects=(*objects, *parts),
            relations=tuple(relations),
            comments=tuple(self.comments),
        )
        return Reading(graph, tuple(sorted(self.problems)), tuple(self.contradictions))

    def _drawn(self) -> list[tuple[str, str, tuple[str, ...], Element]]:
        """Return id, label and strokes of every symbol that was drawn."""
        if not self.groups:
            self.problems.append(
                Problem(self.file, 1, "there is no <traceGroup>, so no symbols are known")
            )
            return []
        found = (self._symbol(one) for one in self.groups[-1].iter("{*}traceGroup"))
        return [one for one in found if one is not None]

    def _symbol(self, group: Element) -> tuple[str, str, tuple[str, ...], Element] | None:
        """Return what a group of strokes is; nothing if it holds only groups."""
        label = identity = ""
        strokes = []
        for child in group:
            name = local(child.tag) if isinstance(child.tag, str) else ""
            if name == "traceView":
                strokes.append(child.get("traceDataRef", "").strip().removeprefix("#"))
            elif name == "annotation" and child.get("type", "truth") == "truth":
                label = text_in(child)
            elif name == "annotationXML":
                identity = child.get("href", "").strip().removeprefix("#")
        if not strokes:
            return None
        if not label:
            self.complain(group, "a symbol has no label: there is no <annotation type='truth'>")
        return (
            identity,
            COMMA if label == "," else label or "_",
            tuple(dict.fromkeys(strokes)),
            group,
        )

    def _objects(self, drawn: list[tuple[str, str, tuple[str, ...], Element]]) -> Iterator[Object]:
        """Give the objects; ids are those by which MathML calls them."""
        home: dict[str, str] = {}
        taken: set[str] = set()
        number: Counter[str] = Counter()
        for identity, label, strokes, group in drawn:
            name = identity if identity not in taken else ""
            if identity and not name:
                self.complain(group, f"there are two symbols {identity!r}")
            while not name or name in taken:
                number[label] += 1
                name = (
                    f"{label}_{number[label]}" if identity == "" else f"{identity}_{number[label]}"
                )
            taken.add(name)
            for stroke in strokes:
                if stroke not in self.strokes:
                    self.complain(
                        group,
                        f"there is no stroke {stroke!r}, which is said to be part of {name!r}",
                    )
                elif stroke in home:
                    self.complain(
                        group,
                        f"stroke {stroke!r} is part of two symbols, {home[stroke]!r} and {name!r}",
                    )
                home[stroke] = name
            yield Object(name, label, 1.0, strokes)
        for stroke in self.strokes.keys() - home.keys() if drawn else ():
            what = f"stroke {stroke!r} is part of no symbol, so it is not in the graph"
            self.problems.append(Problem(self.file, self.strokes[stroke], what))

    def _structure(self, objects: list[Object]) -> tuple[list[Object], list[Relation]]:
        """Return the parts of matrices, which hold drawn symbols, and the relations of both."""
        if not self.maths:
            self.problems.append(
                Problem(self.file, 1, "there is no <math>, so no relations are known")
            )
            return [], []
        drawn = {one.id: one.label for one in objects}
        row = read_math(self.maths[-1], self.file, self.problems, strokes=frozenset(drawn))
        self._check_names(
            [step for step in walk(row) if step.symbol.label not in PARTS], drawn, row
        )
        return over_strokes(row, {one.id: one.primitives for one in objects})

    def _check_names(self, steps: list[Step], drawn: Mapping[str, str], row: Row) -> None:
        """Complain where MathML and the drawn symbols do not name each other."""
        uses = Counter(step.symbol.id for step in steps)
        for symbol in (step.symbol for step in steps):
            self._check_name(symbol, drawn, uses)
        line = self.maths[-1].sourceline or 1
        for lost in sorted(drawn.keys() - uses.keys()) if row else ():
            self.problems.append(
                Problem(self.file, line, f"symbol {lost!r} does not occur in MathML")
            )

    def _check_name(
        self, symbol: Symbol, drawn: Mapping[str, str], uses: Mapping[str, int]
    ) -> None:
        label = drawn.get(symbol.id)
        if label is not None and uses[symbol.id] == 1:
            if not _signs(label) & _signs(symbol.label):
                what = f"the strokes of {symbol.id!r} are called '{label}', but MathML has '{symbol.label}' there"
                self.contradictions.append(Problem(self.file, symbol.line, what))
            return
        if label is not None:
            what = f"{symbol.id!r} stands {uses[symbol.id]} times in MathML"
        elif symbol.id:
            what = f"no symbol with strokes is called {symbol.id!r}"
        else:
            what = f"'{symbol.label}' has no xml:id, so its strokes are unknown"
        self.problems.append(Problem(self.file, symbol.line, what))


def _signs(label: str) -> set[tuple[str, ...]]:
    r"""Return what a label may show: as it stands, as the name that LaTeX (\alpha) or HTML (infin) has for a sign."""
    text = "," if label == COMMA else label
    return {read_sign(each) for each in (text, f"\\{text}", unescape(f"&{text};"))}
