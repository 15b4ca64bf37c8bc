"""Label graph files (.lg): text to a graph, with the place of everything that is wrong in it."""

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.model.structure import LabelGraph, Object, Pair, Relation

ENDINGS = (".lg", ".bg")
"""What files of label graphs are called; those of 2012 and 2013 end with the second."""
COMMA = "COMMA"
"""A comma as a label, which would end its field."""


class Problem(NamedTuple):
    """A line that means nothing, and why."""

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
class Reading:
    """A graph as far as its file makes sense, and the lines that make none."""

    graph: LabelGraph
    problems: tuple[Problem, ...] = ()
    contradictions: tuple[Problem, ...] = ()
    """Where the file says two things, of which the graph has the first."""


def read_lg(path: str | Path) -> LabelGraph:
    """Return the graph of a file; the first line that means nothing is an error."""
    found = read_leniently(path)
    if found.problems:
        more = f" (and {len(found.problems) - 1:,} more)" if len(found.problems) > 1 else ""
        raise InputError(
            f"{found.problems[0]}{more}; mend the file, or leave such lines out with --lenient"
        )
    return found.graph


def read_leniently(path: str | Path) -> Reading:
    """Return the graph of a file without the lines that mean nothing, and those lines."""
    return parse(text_of(path), str(path))


def text_of(path: str | Path) -> str:
    """Return the text of a file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (thousands of small files: pathlib would take a fifth of the time)
            return file.read().decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
        ) from None
    except FileNotFoundError:
        raise InputError(
            f"there is no file {path}; check its name and the folder you are in"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def parse(text: str, file: str = "the text") -> Reading:
    r"""Return the graph that lines N, E, O and R (or EO) describe, and the lines that mean nothing.

    >>> parse("N, a, x\nE, a, b, R\nO, o").problems
    (Problem(file='the text', line=3, what="'O' needs an id, a label, a weight and primitives; it has 'o'"),)
    """
    draft = _Draft(file)
    for number, fields in lines(text, draft):
        draft.take(number, fields)
    return draft.reading()


def lines(text: str, draft: "_Draft | None" = None) -> Iterator[tuple[int, list[str]]]:
    """Give the number and the fields of every line that is no comment and not blank."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if '"' not in line:
            fields = [part.strip() for part in line.split(",")]
        elif line.lstrip().startswith("#"):
            fields = [line.strip()]
        else:
            fields = [part.strip() for part in next(csv.reader([line]), [""])]
        if fields[0].startswith("#"):
            if draft is not None:
                draft.comments.append(line.strip()[1:].strip())
        elif fields[0] or len(fields) > 1:
            yield number, fields


class _Draft:
    """What was read so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.nodes: dict[str, dict[str, float]] = {}
        self.edges: dict[Pair, dict[str, float]] = {}
        self.objects: list[Object] = []
        self.relations: list[tuple[int, Relation]] = []
        self.comments: list[str] = []
        self.problems: list[tuple[int, str]] = []

    def take(self, number: int, fields: list[str]) -> None:
        """Read one line."""
        kind = _KINDS.get(fields[0])
        if kind is None:
            self.problems.append((number, _unknown(fields)))
            return
        try:
            kind(self, number, fields)
        except ValueError as error:
            self.problems.append((number, str(error)))

    def node(self, _: int, fields: list[str]) -> None:
        if len(fields) not in {3, 4} or not (fields[1] and fields[2]):
            raise ValueError(_lacks(fields, "a primitive and a label, and maybe a weight"))
        weight = _weight(fields[3]) if len(fields) == 4 else 1.0
        self.nodes.setdefault(fields[1], {})[_label(fields[2])] = weight

    def edge(self, _: int, fields: list[str]) -> None:
        if len(fields) not in {4, 5} or not (fields[1] and fields[2] and fields[3]):
            raise ValueError(_lacks(fields, "two primitives and a label, and maybe a weight"))
        if fields[1] == fields[2]:
            raise ValueError(
                f"{fields[1]!r} has an edge to itself; its own label stands on a line N"
            )
        weight = _weight(fields[4]) if len(fields) == 5 else 1.0
        self.edges.setdefault((fields[1], fields[2]), {})[_label(fields[3])] = weight

    def object(self, _: int, fields: list[str]) -> None:
        if len(fields) < 5 or not all(fields):
            raise ValueError(_lacks(fields, "an id, a label, a weight and primitives"))
        weight = _weight(fields[3])
        self.objects.append(
            Object(fields[1], _label(fields[2]), weight, tuple(dict.fromkeys(fields[4:])))
        )

    def relation(self, number: int, fields: list[str]) -> None:
        if len(fields) not in {4, 5} or not (fields[1] and fields[2] and fields[3]):
            raise ValueError(_lacks(fields, "two objects and a label, and maybe a weight"))
        weight = _weight(fields[4]) if len(fields) == 5 else 1.0
        self.relations.append((number, Relation(fields[1], fields[2], _label(fields[3]), weight)))

    def reading(self) -> Reading:
        """Return the graph; a relation is kept if its objects are there, wherever they stand in the file."""
        known = {one.id for one in self.objects}
        kept = []
        for number, one in self.relations:
            if one.parent not in known or one.child not in known:
                unknown = one.parent if one.parent not in known else one.child
                self.problems.append(
                    (number, f"there is no object {unknown!r}; a line O must give it")
                )
            elif one.parent == one.child:
                self.problems.append((number, f"object {one.parent!r} has a relation to itself"))
            else:
                kept.append(one)
        graph = LabelGraph(
            os.path.basename(self.file),  # noqa: PTH119 (as above)
            self.nodes,
            self.edges,
            tuple(self.objects),
            tuple(kept),
            tuple(self.comments),
        )
        return Reading(
            graph,
            tuple(Problem(self.file, *one) for one in sorted(self.problems))
            if self.problems
            else (),
        )


_KINDS = {
    "N": _Draft.node,
    "E": _Draft.edge,
    "O": _Draft.object,
    "R": _Draft.relation,
    "EO": _Draft.relation,
}


def _label(text: str) -> str:
    return COMMA if text == "," else text


def _weight(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise ValueError(f"the weight {text!r} is no number")
    return value


def _unknown(fields: list[str]) -> str:
    first = fields[0].split(maxsplit=1)
    if len(first) > 1 and first[0] in _KINDS:
        return f"{fields[0]!r} has no comma after {first[0]}; fields are parted by commas"
    return f"{fields[0]!r} is no kind of line; there are N, E, O, R and EO"


def _lacks(fields: list[str], needs: str) -> str:
    found = ", ".join(repr(part) for part in fields[1:]) or "nothing"
    return f"{fields[0]!r} needs {needs}; it has {found}"
