"""Files that hold one graph each, some of them read at a time, here or on a cluster's workers."""

from collections.abc import Collection, Iterator
from itertools import chain, islice

from karat.errors import InputError
from karat.graphs.formats.files import graphs_in
from karat.graphs.formats.label_graph import GraphReading
from karat.source.each import Each

AT_ONCE = 64
"""How many files are read in one go."""


def only_graphs(files: Collection[str], each: Each) -> Iterator[GraphReading | InputError]:
    """Yield the one graph of each file, or why there is none."""
    waiting = iter(files)
    parts = []
    while part := list(islice(waiting, AT_ONCE)):
        parts.append(part)
    return chain.from_iterable(each(_some_graphs, parts))


def _some_graphs(files: list[str]) -> list[GraphReading | InputError]:
    return [_only_graph(file) for file in files]


def _only_graph(file: str) -> GraphReading | InputError:
    """Return the one graph of a file; what is wrong is returned too, since other files are read all the same."""
    try:
        readings = graphs_in(file)
    except InputError as error:
        return error
    if len(readings) != 1:
        return InputError(
            f"{file} holds {len(readings):,} formulas; a file of a folder holds one, or name the file itself"
        )
    return readings[0]
