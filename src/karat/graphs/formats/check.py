"""What is wrong with the files of label graphs, with the line that is to blame."""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.files import format_of, graphs_in
from karat.graphs.formats.folder import files_of
from karat.graphs.formats.label_graph import Fault, GraphReading, lines, parse, text_of
from karat.graphs.formats.shown_names import shown_name, with_shown_name
from karat.graphs.formats.suspicious_lines import suspicious_lines
from karat.graphs.model.legality import illegal
from karat.graphs.model.shared_primitives import holding_labels, matrix_levels
from karat.graphs.model.structure import LabelGraph, Pair

Places = Mapping[Pair | str, int]
"""The line that gives each primitive and each pair."""


class CheckedFolder:
    """The files of a folder, and what is wrong with them; what is not wrong but must be known is noted."""

    def __init__(self, path: str | Path, *, tree: bool = True) -> None:
        self.path = path
        self.tree = tree
        self.files = 0
        self.faults: list[Fault] = []
        self.levels: dict[str, list[str]] = {}
        """Files whose objects hold others, by what the levels are called."""
        for files in files_of(str(path)).values():
            self.files += len(files)
            self._check_name(files)

    def _check_name(self, files: list[str]) -> None:
        """Check the files of one name."""
        shown = [shown_name(file, self.path) for file in files]
        for other in shown[1:]:
            what = f"has the name of {shown[0]}; graphs are paired by name"
            self.faults.append(Fault(other, None, "duplicate", what))
        for file, name in zip(files, shown, strict=True):
            self._check_file(file, name)

    def _check_file(self, file: str, name: str) -> None:
        """Check one file, which results call by a name."""
        try:
            text, readings = _readings(file)
        except InputError as error:
            what = with_shown_name(error.message, file, self.path)
            self.faults.append(Fault(name, None, "unreadable", what))
            return
        for reading in readings:
            self.faults += _faults_of_reading(name, text, reading, tree=self.tree)
            self.faults += suspicious_lines(name, text)
            levels = _levels(reading.graph)
            if levels:
                self.levels.setdefault(levels, []).append(name)


def _levels(graph: LabelGraph) -> str:
    """Return the levels of structure of a graph in words; nothing if there is one."""
    words = ["symbols", *matrix_levels([graph])]
    holding = holding_labels(graph)
    if holding is not None:
        words += (f"{label!r}, which holds others" for label in holding.objects)
    return ", ".join(words) if len(words) > 1 else ""


def _readings(file: str) -> tuple[str, tuple[GraphReading, ...]]:
    """Return the text of an .lg file, and the graphs of any file."""
    if format_of(file) != "lg":
        return "", graphs_in(file)
    text = text_of(file)
    return text, (parse(text, file),)


def _faults_of_reading(
    file: str, text: str, reading: GraphReading, *, tree: bool
) -> Iterator[Fault]:
    for problem in reading.problems:
        yield Fault(file, problem.line, "malformed", problem.what)
    for problem in reading.contradictions:
        yield Fault(file, problem.line, "contradiction", problem.what)
    graph = reading.graph
    if not (graph.nodes or graph.objects or graph.edges):
        yield Fault(file, None, "empty", "has no primitives; it would be scored as absent")
    violations = illegal(graph, tree=tree)
    if violations:
        places = _places(text, graph)
        for one in violations:
            yield Fault(file, _line_of(one.about, places), one.kind, one.what)


def _line_of(about: Pair | str, places: Places) -> int | None:
    """Return the line of a primitive or a pair, or else that of the first end of the pair that has one."""
    if about in places or isinstance(about, str):
        return places.get(about)
    parent, child = about
    return places.get(parent, places.get(child))


def _places(text: str, graph: LabelGraph) -> Places:
    places: dict[Pair | str, int] = {}
    members = graph.members()
    for number, fields in lines(text):
        kind = fields[0]
        names = fields[1:]
        if kind == "N" and names:
            places[names[0]] = number
        elif kind == "E" and len(names) > 1:
            places[names[0], names[1]] = number
        elif kind == "O":
            for primitive in names[3:]:
                places[primitive] = number
        elif kind in {"R", "EO"} and len(names) > 1:
            parents = members.get(names[0], ())
            children = members.get(names[1], ())
            for pair in product(parents, children):
                places[pair] = number
    return places
