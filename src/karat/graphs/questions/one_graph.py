"""One graph from a file, and the strokes it is about."""

from collections.abc import Sequence
from pathlib import Path

from karat.errors import InputError, OptionError, UnknownNameError
from karat.graphs.formats.files import ENDINGS, OPEN, graphs_in
from karat.graphs.formats.formulas.latex_lines import FIRST
from karat.graphs.formats.label_graph import GraphReading
from karat.graphs.model.scenes.ink_places import Traces
from karat.graphs.model.structure import LabelGraph


def read_one(path: str, only: str | None = None, *, lenient: bool) -> GraphReading:
    """Return the graph of a file; what means nothing in it is an error, or with `lenient` left out."""
    known = Path(path).suffix.lower() in {*ENDINGS, *OPEN}
    reading = _one_of(graphs_in(path, format=None if known else "lg"), path, only)
    if reading.problems and not lenient:
        first, *others = reading.problems
        more = f" (and {len(others):,} more)" if others else ""
        raise InputError(f"{first}{more}; correct the file, or leave such lines out with --lenient")
    return reading


def _one_of(readings: Sequence[GraphReading], path: str, only: str | None) -> GraphReading:
    """Return the only graph of a file, or that of a name."""
    if len(readings) == 1:
        return readings[0]
    if not readings:
        raise InputError(f"{path} holds no graph")
    by_name: dict[str, GraphReading] = {}
    for reading in readings:
        by_name.setdefault(reading.graph.name, reading)
    if only is None:
        first = next(iter(by_name))
        raise OptionError(
            f"{path} holds {len(readings):,} graphs; choose one with --only, such as --only {first}"
        )
    # Formulas of a file of lines are called by their line, with leading zeros.
    for name in (only, only.zfill(len(FIRST))):
        if name in by_name:
            return by_name[name]
    raise UnknownNameError(f"graph of {path}", only, [one.graph.name for one in readings])


def is_ink(path: str) -> bool:
    """Return whether a file holds strokes."""
    return path.lower().endswith(".inkml")


def strokes_of(path: str, graph: LabelGraph) -> Traces:
    """Return the strokes of a file that a graph is about."""
    from karat.graphs.formats.inkml import traces  # noqa: PLC0415 (loads an XML parser)

    strokes: Traces = traces(path)
    if not any(strokes.get(name) for name in graph.primitives()):
        some = ", ".join(map(repr, graph.primitives()[:3]))
        raise InputError(
            f"{path} has no stroke that {graph.name} names, such as {some}; name its own ink"
        )
    return strokes
