"""Label graph files (.lg): text to a graph, with the place of everything that is wrong in it."""

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError, NoFileError
from karat.graphs.model.structure import LabelGraph, Object, Pair, Relation

LG_ENDINGS = (".lg", ".bg")
"""How files of label graphs end; the second is that of 2012 and 2013."""
COMMA = "COMMA"
"""How a comma is written as a label, since it would end its field."""


class FileProblem(NamedTuple):
    """A malformed line, and what is wrong with it."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.what}"


class Fault(NamedTuple):
    """Something wrong with a file, and the line that is to blame, if one is."""

    file: str
    line: int | None
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class GraphReading:
    """The graph of a file without its malformed lines, and those lines."""

    graph: LabelGraph
    problems: tuple[FileProblem, ...] = ()
    contradictions: tuple[FileProblem, ...] = ()
    """Places where the file gives two values, and which the graph has."""
    formula: str | None = None
    """The LaTeX that the graph was read from, if it was."""


def read_lg(path: str | Path) -> LabelGraph:
    """Return the graph of a file; a malformed line is an error."""
    reading = read_leniently(path)
    problems = reading.problems
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise InputError(
            f"{problems[0]}{more}; correct the file, or leave such lines out with --lenient"
        )
    return reading.graph


def read_leniently(path: str | Path) -> GraphReading:
    """Return the graph of a file without its malformed lines, and those lines."""
    return parse(text_of(path), str(path))


def text_of(path: str | Path) -> str:
    """Return the text of a file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (thousands of small files: pathlib would take a fifth of the time)
            return file.read().decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(f"{path} is not UTF-8 text: byte {error.start} is {byte:#04x}") from None
    except FileNotFoundError:
        raise NoFileError(path) from None
    except ValueError:
        raise InputError(f"there is no file {str(path)!r}: no name has a null in it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def parse(text: str, file: str = "the text") -> GraphReading:
    r"""Return the graph that lines N, E, O and R (or EO) describe, and the malformed lines.

    >>> parse("N, a, x\nE, a, b, R\nO, o").problems
    (FileProblem(file='the text', line=3, what="'O' needs an id, a label, a weight and primitives; it has 'o'"),)
    """
    reader = _LineReader(file)
    for number, fields in lines(text, reader.comments):
        reader.read(number, fields)
    return reader.reading()


def lines(text: str, comments: list[str] | None = None) -> Iterator[tuple[int, list[str]]]:
    """Give the number and the fields of every line that is not blank; comments are added to a list."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        fields = _fields(line)
        if fields[0].startswith("#"):
            if comments is not None:
                comments.append(line.strip()[1:].strip())
        elif fields[0] or len(fields) > 1:
            yield number, fields


def _fields(line: str) -> list[str]:
    """Return the fields of a line; only one with quotes needs the slower reader of CSV."""
    if '"' not in line:
        return [part.strip() for part in line.split(",")]
    if line.lstrip().startswith("#"):
        return [line.strip()]
    try:
        row = next(csv.reader([line]), [""])
    except csv.Error:  # a field is too long: the line is refused as an empty one
        return [line[:60]]
    return [part.strip() for part in row]


class _LineReader:
    """Collects the labels of the lines of a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.nodes: dict[str, dict[str, float]] = {}
        self.edges: dict[Pair, dict[str, float]] = {}
        self.objects: list[Object] = []
        self.relations: list[tuple[int, Relation]] = []
        self.comments: list[str] = []
        self.problems: list[tuple[int, str]] = []

    def read(self, number: int, fields: list[str]) -> None:
        """Read one line."""
        kind = _KINDS.get(fields[0])
        if kind is None:
            self.problems.append((number, _unknown_kind(fields)))
            return
        try:
            kind(self, number, fields)
        except ValueError as error:
            self.problems.append((number, str(error)))

    def node(self, _: int, fields: list[str]) -> None:
        if len(fields) not in {3, 4} or not all(fields[1:3]):
            raise ValueError(_lacks(fields, "a primitive and a label, and maybe a weight"))
        weight = _optional_weight(fields, 3)
        labels = self.nodes.setdefault(fields[1], {})
        labels[_label(fields[2])] = weight

    def edge(self, _: int, fields: list[str]) -> None:
        if len(fields) not in {4, 5} or not all(fields[1:4]):
            raise ValueError(_lacks(fields, "two primitives and a label, and maybe a weight"))
        parent = fields[1]
        child = fields[2]
        if parent == child:
            raise ValueError(f"{parent!r} has an edge to itself; its own label belongs on a line N")
        weight = _optional_weight(fields, 4)
        labels = self.edges.setdefault((parent, child), {})
        labels[_label(fields[3])] = weight

    def object(self, _: int, fields: list[str]) -> None:
        if len(fields) < 5 or not all(fields):
            raise ValueError(_lacks(fields, "an id, a label, a weight and primitives"))
        primitives = tuple(dict.fromkeys(fields[4:]))
        one = Object(fields[1], _label(fields[2]), _weight(fields[3]), primitives)
        self.objects.append(one)

    def relation(self, number: int, fields: list[str]) -> None:
        if len(fields) not in {4, 5} or not all(fields[1:4]):
            raise ValueError(_lacks(fields, "two objects and a label, and maybe a weight"))
        weight = _optional_weight(fields, 4)
        one = Relation(fields[1], fields[2], _label(fields[3]), weight)
        self.relations.append((number, one))

    def reading(self) -> GraphReading:
        """Return the graph; a relation needs its objects, in any order in the file."""
        graph = LabelGraph(
            name=os.path.basename(self.file),  # noqa: PTH119 (as above)
            nodes=self.nodes,
            edges=self.edges,
            objects=tuple(self.objects),
            relations=self._valid_relations(),
            comments=tuple(self.comments),
        )
        problems = tuple(FileProblem(self.file, line, what) for line, what in sorted(self.problems))
        return GraphReading(graph, problems)

    def _valid_relations(self) -> tuple[Relation, ...]:
        """Return the relations between two objects of the file, and note the others as problems."""
        known = {one.id for one in self.objects}
        valid = []
        for number, one in self.relations:
            if one.parent not in known:
                self.problems.append((number, _no_object(one.parent)))
            elif one.child not in known:
                self.problems.append((number, _no_object(one.child)))
            elif one.parent == one.child:
                self.problems.append((number, f"object {one.parent!r} has a relation to itself"))
            else:
                valid.append(one)
        return tuple(valid)


_KINDS = {
    "N": _LineReader.node,
    "E": _LineReader.edge,
    "O": _LineReader.object,
    "R": _LineReader.relation,
    "EO": _LineReader.relation,
}


def _label(text: str) -> str:
    return COMMA if text == "," else text


def _optional_weight(fields: list[str], place: int) -> float:
    return _weight(fields[place]) if len(fields) > place else 1.0


def _weight(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise ValueError(f"the weight {text!r} is not a number")
    return value


def _unknown_kind(fields: list[str]) -> str:
    first = fields[0].split(maxsplit=1)
    if len(first) > 1 and first[0] in _KINDS:
        return f"{fields[0]!r} has no comma after {first[0]}; fields are separated by commas"
    return f"{fields[0]!r} is not a kind of line; the kinds are N, E, O, R and EO"


def _no_object(name: str) -> str:
    return f"there is no object {name!r}; a line O must define it"


def _lacks(fields: list[str], needs: str) -> str:
    present = ", ".join(repr(part) for part in fields[1:]) or "nothing"
    return f"{fields[0]!r} needs {needs}; it has {present}"
