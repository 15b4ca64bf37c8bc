"""Every label that is wrong, one by one: for files of differences, confusions and errors that systems share."""

from collections.abc import Iterator
from typing import NamedTuple

from karat.graphs.compare.difference import ABSENT, Difference, difference, same_labels
from karat.graphs.compare.rules import Prepared, Rules
from karat.graphs.model.labelling import NOTHING, Labelling, Labels
from karat.graphs.model.structure import MERGE, Pair

_NONE: Labels = frozenset()


class WrongLabel(NamedTuple):
    """A primitive or pair whose labels differ: those of the output and those of the truth."""

    place: Pair | str
    output: Labels
    truth: Labels


def wrong_nodes(output: Prepared, truth: Prepared) -> list[WrongLabel]:
    """Return the primitives whose labels differ, in order."""
    found = difference(output.labels, truth.labels).nodes
    return [WrongLabel(name, *found[name]) for name in sorted(found)]


def wrong_edges(output: Prepared, truth: Prepared, rules: Rules) -> list[WrongLabel]:
    """Return the pairs whose labels differ, in order; with `?` where the rules have it."""
    found = difference(output.labels, truth.labels)
    cells = {pair: WrongLabel(pair, *change) for pair, change in found.edges.items()}
    if rules.semantics == "paper" and rules.absent_edges:
        names = {**output.labels.nodes, **truth.labels.nodes}
        for cell in _absent(found, output, truth, list(names), undirected=rules.undirected):
            cells[cell.place] = cell  # type: ignore[index]
    return [cells[pair] for pair in sorted(cells)]


def _absent(
    found: Difference, output: Prepared, truth: Prepared, names: list[str], *, undirected: bool
) -> Iterator[WrongLabel]:
    """Give all pairs that a primitive begins which one of the graphs lacks; and those it ends, if it is all one."""
    for start in (*found.missing, *found.extra):
        for end in names:
            if end != start:
                pair = (end, start) if undirected and end < start else (start, end)
                ends = pair if undirected else pair[:1]
                ours, theirs = (
                    output.labels.edges.get(pair, NOTHING),
                    truth.labels.edges.get(pair, NOTHING),
                )
                lacking, surplus = found.missing.intersection(ends), found.extra.intersection(ends)
                yield WrongLabel(pair, ABSENT if lacking else ours, ABSENT if surplus else theirs)


def wrong_merges(output: Prepared, truth: Prepared, rules: Rules) -> list[Pair]:
    """Return the pairs that only one of the graphs merges, in order."""
    found = difference(output.labels, truth.labels)
    merged = _merged_by_star if rules.semantics == "paper" else _merged_by_class
    return sorted(
        pair
        for pair, (ours, theirs) in {
            **found.edges,
            **same_labels(found, output.labels, truth.labels),
        }.items()
        if merged(pair, ours, output.labels) != merged(pair, theirs, truth.labels)
    )


def _merged_by_star(_: Pair, labels: Labels, __: Labelling) -> bool:
    return MERGE in labels


def _merged_by_class(pair: Pair, labels: Labels, graph: Labelling) -> bool:
    return bool(labels & graph.nodes.get(pair[0], _NONE) & graph.nodes.get(pair[1], _NONE))


class WrongObject(NamedTuple):
    """An object that only one graph has, or whose class differs."""

    place: tuple[str, ...]
    output: Labels
    truth: Labels


def wrong_objects(output: Prepared, truth: Prepared) -> list[WrongObject]:
    """Return the objects that are not found, not there, or of another class, in order."""
    ours, theirs = output.segments.objects, truth.segments.objects
    found = [
        WrongObject(tuple(sorted(group)), ours.get(group, _NONE), theirs.get(group, _NONE))
        for group in {**theirs, **ours}
        if ours.get(group, _NONE).isdisjoint(theirs.get(group, _NONE))
    ]
    return sorted(found)
