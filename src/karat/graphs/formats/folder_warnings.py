"""What makes one doubt that a folder of graphs is the one that was meant, and what to do about it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from karat.graphs.formats.folder import GraphSet, paired
from karat.graphs.model.formula import LONG, RIGHT
from karat.graphs.model.structure import LabelGraph
from karat.words import listing


def doubts(truth: GraphSet, system: GraphSet) -> Iterator[str]:
    """Say where no file of a system can be set beside one of the truth, and where relations have other names."""
    if truth.graphs and not any(name in system.graphs for name in paired(truth, system).values()):
        yield from _unpaired(truth, system)
    mine, given = _names(system.graphs), _names(truth.graphs)
    for short, long, form in ((mine, given, "long"), (given, mine, "short")):
        renamed = _renamed(short, long)
        if RIGHT in renamed.values():
            here, there = (
                (renamed, renamed.values()) if form == "long" else (renamed.values(), renamed)
            )
            yield (
                f"{system.name}: its relations are called {_some(here)}, those of the truth {_some(there)}; "
                f"`karat convert {system.origin} --to lg --names {form} -o NEW` renames them."
            )


def _unpaired(truth: GraphSet, system: GraphSet) -> Iterator[str]:
    twice = sorted(name for name in system.duplicates if name in truth.graphs)
    if twice:
        folders = sorted({str(Path(place).parent) for place in system.duplicates[twice[0]]})
        yield f"{system.name}: each file is there more than once, in {listing(folders, most=3)}; name one of these."
    elif system.graphs:
        ours, theirs = min(system.graphs), min(truth.graphs)
        yield (
            f"{system.name}: none of its files has the name of a truth; they are paired by name, without the ending, "
            f"and {ours!r} is not {theirs!r}."
        )


def _renamed(short: set[str], long: set[str]) -> dict[str, str]:
    """Return the names of the years up to 2013 that only the first has, with the long ones that only the second has."""
    return {
        name: whole
        for name, whole in LONG.items()
        if name in short - long and whole in long - short
    }


def _some(names: Iterable[str]) -> str:
    return listing(sorted(names), most=4)


def _names(graphs: Mapping[str, LabelGraph]) -> set[str]:
    """Return what edges and relations are called."""
    found = {link.label for graph in graphs.values() for link in graph.relations}
    return found.union(*(labels for graph in graphs.values() for labels in graph.edges.values()))
