"""Signs that a folder of graphs is not the one that was meant, and what to do about it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.pairing import paired
from karat.graphs.formats.shown_names import shown_name
from karat.graphs.model.formula import LONG, RIGHT
from karat.graphs.model.structure import LabelGraph
from karat.words import listing


def doubts(truth: GraphSet, system: GraphSet) -> Iterator[str]:
    """Warn where no file of a system has a partner in the truth, and where the two name relations differently."""
    partners = paired(truth, system).values()
    if truth.graphs and not any(name in system.graphs for name in partners):
        yield from _unpaired(truth, system)
    ours = _relation_names(system.graphs)
    theirs = _relation_names(truth.graphs)
    lengthened = _renamed(ours, theirs)
    if RIGHT in lengthened.values():
        yield _other_names(system, lengthened, lengthened.values(), "long")
    shortened = _renamed(theirs, ours)
    if RIGHT in shortened.values():
        yield _other_names(system, shortened.values(), shortened, "short")


def _other_names(system: GraphSet, ours: Iterable[str], theirs: Iterable[str], option: str) -> str:
    return (
        f"{system.name}: its relations are called {_some(ours)}, those of the truth {_some(theirs)}; "
        f"`karat convert {system.shown} --to lg --names {option} -o NEW` renames them."
    )


def _unpaired(truth: GraphSet, system: GraphSet) -> Iterator[str]:
    repeated = sorted(name for name in system.duplicates if name in truth.graphs)
    if repeated:
        files = system.duplicates[repeated[0]]
        folders = sorted({shown_name(Path(file).parent, system.origin) for file in files})
        yield f"{system.name}: each file occurs more than once, in {listing(folders, most=3)}; name one of these."
    elif system.graphs:
        ours = min(system.graphs)
        theirs = min(truth.graphs)
        yield (
            f"{system.name}: none of its files has the name of a truth; they are paired by name, without the ending, "
            f"and {ours!r} is not {theirs!r}."
        )


def _renamed(short: set[str], long: set[str]) -> dict[str, str]:
    """Return the short names, used up to 2013, that only the first has, with the long ones that only the second has."""
    only_short = short - long
    only_long = long - short
    return {
        name: whole for name, whole in LONG.items() if name in only_short and whole in only_long
    }


def _some(names: Iterable[str]) -> str:
    return listing(sorted(names), most=4)


def _relation_names(graphs: Mapping[str, LabelGraph]) -> set[str]:
    """Return the labels of edges and relations."""
    names: set[str] = set()
    for graph in graphs.values():
        names.update(link.label for link in graph.relations)
        names.update(*graph.edges.values())
    return names
