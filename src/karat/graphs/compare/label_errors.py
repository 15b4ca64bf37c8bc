"""Every label that is wrong, one by one: for files of differences, confusions and errors that systems share."""

from collections.abc import Iterator
from typing import NamedTuple

from karat.graphs.compare.comparison import PreparedGraph
from karat.graphs.compare.difference import ABSENT, Difference, difference, same_labels
from karat.graphs.compare.rules import Rules
from karat.graphs.model.labelling import NOTHING, Labelling, Labels
from karat.graphs.model.structure import MERGE, Pair

_NONE: Labels = frozenset()


class WrongNode(NamedTuple):
    """A primitive whose labels differ: those of the output and those of the truth."""

    place: str
    output: Labels
    truth: Labels


class WrongEdge(NamedTuple):
    """A pair whose labels differ: those of the output and those of the truth."""

    place: Pair
    output: Labels
    truth: Labels


def wrong_nodes(output: PreparedGraph, truth: PreparedGraph) -> list[WrongNode]:
    """Return the primitives whose labels differ, in order."""
    differing = difference(output.labels, truth.labels).nodes
    return [WrongNode(name, *differing[name]) for name in sorted(differing)]


def wrong_edges(output: PreparedGraph, truth: PreparedGraph, rules: Rules) -> list[WrongEdge]:
    """Return the pairs whose labels differ, in order; with `?` where the rules have it."""
    differing = difference(output.labels, truth.labels)
    cells = {pair: WrongEdge(pair, *change) for pair, change in differing.edges.items()}
    if rules.marks_absent:
        for pair in _pairs_of_absent(differing, output, truth, undirected=rules.undirected):
            ends = pair if rules.undirected else pair[:1]
            ours = output.labels.edges.get(pair, NOTHING)
            theirs = truth.labels.edges.get(pair, NOTHING)
            if not differing.missing.isdisjoint(ends):
                ours = ABSENT
            if not differing.extra.isdisjoint(ends):
                theirs = ABSENT
            cells[pair] = WrongEdge(pair, ours, theirs)
    return [cells[pair] for pair in sorted(cells)]


def _pairs_of_absent(
    differing: Difference, output: PreparedGraph, truth: PreparedGraph, *, undirected: bool
) -> Iterator[Pair]:
    """Give all pairs that a primitive begins which one of the graphs lacks; undirected, also those it ends."""
    names = list({**output.labels.nodes, **truth.labels.nodes})
    for start in (*differing.missing, *differing.extra):
        for end in names:
            if end != start:
                yield (end, start) if undirected and end < start else (start, end)


def wrong_merges(output: PreparedGraph, truth: PreparedGraph, rules: Rules) -> list[Pair]:
    """Return the pairs that only one of the graphs merges, in order."""
    differing = difference(output.labels, truth.labels)
    merged = _merged_by_star if rules.semantics == "paper" else _merged_by_class
    candidates = {**differing.edges, **same_labels(differing, output.labels, truth.labels)}
    pairs = []
    for pair, (ours, theirs) in candidates.items():
        if merged(pair, ours, output.labels) != merged(pair, theirs, truth.labels):
            pairs.append(pair)
    return sorted(pairs)


def _merged_by_star(_: Pair, labels: Labels, __: Labelling) -> bool:
    return MERGE in labels


def _merged_by_class(pair: Pair, labels: Labels, graph: Labelling) -> bool:
    return bool(labels & graph.nodes.get(pair[0], _NONE) & graph.nodes.get(pair[1], _NONE))


class WrongObject(NamedTuple):
    """An object that only one graph has, or whose class differs."""

    place: tuple[str, ...]
    output: Labels
    truth: Labels


def wrong_objects(output: PreparedGraph, truth: PreparedGraph) -> list[WrongObject]:
    """Return the objects that are not found, not there, or of another class, in order."""
    ours = output.segments.objects
    theirs = truth.segments.objects
    wrong = []
    for group in {**theirs, **ours}:
        mine = ours.get(group, _NONE)
        other = theirs.get(group, _NONE)
        if mine.isdisjoint(other):
            wrong.append(WrongObject(tuple(sorted(group)), mine, other))
    return sorted(wrong)
