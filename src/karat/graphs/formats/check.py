"""What is wrong with the files of label graphs, with the line that is to blame."""

from collections.abc import Iterator
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.files import format_of, graphs_in
from karat.graphs.formats.folder import files_of
from karat.graphs.formats.label_graph import Fault, Reading, lines, parse, text_of
from karat.graphs.model.legality import illegal
from karat.graphs.model.structure import LabelGraph, Pair


def faults(path: str | Path, *, tree: bool = True) -> tuple[int, tuple[Fault, ...]]:
    """Return how many files a folder has, and all that is wrong with them."""
    named = files_of(str(path))
    found = [fault for places in named.values() for fault in _of_name(places, tree=tree)]
    return sum(map(len, named.values())), tuple(found)


def _of_name(places: list[str], *, tree: bool) -> Iterator[Fault]:
    """Give what is wrong with the files of one name."""
    for other in places[1:]:
        yield Fault(
            other, None, "duplicate", f"has the name of {places[0]}; graphs are paired by name"
        )
    for place in places:
        try:
            written = format_of(place) == "lg"
            text = text_of(place) if written else ""
            readings = (parse(text, place),) if written else graphs_in(place)
        except InputError as error:
            yield Fault(place, None, "unreadable", str(error))
        else:
            for reading in readings:
                yield from _of_reading(place, text, reading, tree=tree)


def _of_reading(file: str, text: str, found: Reading, *, tree: bool) -> Iterator[Fault]:
    yield from (Fault(file, problem.line, "malformed", problem.what) for problem in found.problems)
    yield from (Fault(file, one.line, "contradiction", one.what) for one in found.contradictions)
    graph = found.graph
    if not (graph.nodes or graph.objects or graph.edges):
        yield Fault(file, None, "empty", "has no primitives; it would be scored as absent")
    wrong = illegal(graph, tree=tree)
    places = _places(text, graph) if wrong else {}
    for one in wrong:
        ends = (one.about,) if isinstance(one.about, str) else one.about
        known = (places.get(one.about), *(places.get(end) for end in ends))
        yield Fault(
            file, next((line for line in known if line is not None), None), one.kind, one.what
        )


def _places(text: str, graph: LabelGraph) -> dict[Pair | str, int]:
    """Return the line that gives each primitive and each pair."""
    found: dict[Pair | str, int] = {}
    members = graph.members()
    for number, fields in lines(text):
        kind, names = fields[0], fields[1:]
        if kind == "N" and names:
            found[names[0]] = number
        elif kind == "E" and len(names) > 1:
            found[names[0], names[1]] = number
        elif kind == "O":
            found |= dict.fromkeys(names[3:], number)
        elif kind in {"R", "EO"} and len(names) > 1:
            pairs = [(a, b) for a in members.get(names[0], ()) for b in members.get(names[1], ())]
            found |= dict.fromkeys(pairs, number)
    return found
