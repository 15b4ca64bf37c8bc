"""A label graph as the text of a file, as it was given or in one of the two forms."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Literal

from karat.errors import InputError
from karat.graphs.model.labelling import by_star, classed_edges, node_labels, starred_edges
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Object, Pair, Relation

Edges = Mapping[Pair, Mapping[str, float]]
Form = Literal["given", "ne", "or"]


def to_lg(graph: LabelGraph, *, form: Form = "given") -> str:
    r"""Return the text of a file: as `given`, as primitives and edges (`ne`), or as objects and relations (`or`).

    Merges are written `*` in the form `ne`, unless a primitive has several labels: then only the class tells which
    level is meant. In the form `or` ids are kept, and what is no relation between whole objects stays an edge.

    >>> to_lg(LabelGraph(objects=(Object("o", "+", 1.0, ("a", "b")),)), form="ne")
    'N, a, +, 1.0\nN, b, +, 1.0\nE, a, b, *, 1.0\nE, b, a, *, 1.0\n'
    """
    written = (
        graph
        if form == "given"
        else _same(as_edges(graph) if form == "ne" else as_objects(graph), graph)
    )
    comments = [f"# {comment}" if comment else "#" for comment in written.comments]
    return "".join(f"{line}\n" for line in [*comments, *_lines(written)])


def _same(written: LabelGraph, graph: LabelGraph) -> LabelGraph:
    """Return a graph in its new form, if it still says the same."""
    before, after = by_star(graph).edges, by_star(written).edges
    if before != after:
        a, b = next(pair for pair in {**before, **after} if before.get(pair) != after.get(pair))
        was, is_now = (" and ".join(sorted(side.get((a, b), (NONE,)))) for side in (before, after))
        raise InputError(
            f"{graph.name or 'the graph'}: the pair {a!r}, {b!r} would be read as {is_now!r} in place of {was!r}: "
            "an edge that bears the class of both its ends is a merge; leave the lines as they are given"
        )
    return written


def as_edges(graph: LabelGraph) -> LabelGraph:
    """Return the same labels without objects."""
    single = all(len(labels) == 1 for labels in node_labels(graph).values())
    edges = starred_edges(graph) if single else classed_edges(graph)
    return LabelGraph(graph.name, graph.node_weights(), edges, comments=graph.comments)


def as_objects(graph: LabelGraph) -> LabelGraph:
    """Return the same labels as objects and relations; what those lines cannot say stays nodes and edges.

    Ids are those of the graph, or else the class and a number. A graph whose primitives have several labels has several
    levels of objects, which merges do not tell: it stays as it is.
    """
    nodes, edges = graph.node_weights(), starred_edges(graph)
    if any(len(labels) > 1 for labels in nodes.values()):
        return graph
    found = segments(by_star(graph))
    ids = _Ids(graph)
    objects: dict[Group, Object] = {}
    for group in found.objects:
        primitives = tuple(sorted(group, key=list(nodes).index)) if len(group) > 1 else tuple(group)
        weights = _agreed([nodes[each] for each in primitives] + _inside(primitives, edges))
        if weights is not None:
            objects[group] = Object(ids.of(group, weights[0]), *weights, primitives)
    told = {pair: {MERGE} for one in objects.values() for pair in permutations(one.primitives, 2)}
    relations = list(_relations(found, objects, edges, told))
    rest = {
        pair: left
        for pair, labels in edges.items()
        if (left := _without(labels, told.get(pair, set())))
    }
    alone = {
        name: labels
        for name, labels in nodes.items()
        if all(name not in group for group in objects)
    }
    return LabelGraph(
        graph.name, alone, rest, tuple(objects.values()), tuple(relations), graph.comments
    )


class _Ids:
    """The ids of the objects that have one, and new ones for the rest."""

    def __init__(self, graph: LabelGraph) -> None:
        self.given = {frozenset(one.primitives): one.id for one in graph.objects}
        self.taken = {one.id for one in graph.objects}
        self.number: Counter[str] = Counter()

    def of(self, group: Group, label: str) -> str:
        """Return the id of an object."""
        if group in self.given:
            return self.given[group]
        while True:
            self.number[label] += 1
            name = f"{label}_{self.number[label]}"
            if name not in self.taken:
                return name


def _inside(primitives: Sequence[str], edges: Edges) -> list[Mapping[str, float]]:
    """Return the merges of an object, with none where a pair is not merged."""
    found = (edges.get(pair, {}) for pair in permutations(primitives, 2))
    return [{MERGE: labels[MERGE]} if MERGE in labels else {} for labels in found]


def _agreed(labels: Iterable[Mapping[str, float]]) -> tuple[str, float] | None:
    """Return the one label and weight of an object, if all its parts agree on them."""
    found = [next(iter(each.items()), (NONE, 0.0)) for each in labels]
    (label, weight) = found[0]
    same = all(each in {(label, weight), (MERGE, weight)} for each in found)
    return (label, weight) if same and label != NONE else None


def _relations(
    found: Segments, objects: Mapping[Group, Object], edges: Edges, told: dict[Pair, set[str]]
) -> Iterator[Relation]:
    """Give the relations between objects whose pairs agree on the weight, and mark their pairs as told."""
    for (parent, child), labels in found.relations.items():
        if parent in objects and child in objects:
            pairs = [(a, b) for a in parent for b in child]
            for label in sorted(labels):
                if len({edges[pair][label] for pair in pairs}) == 1:
                    for pair in pairs:
                        told.setdefault(pair, set()).add(label)
                    yield Relation(
                        objects[parent].id, objects[child].id, label, edges[pairs[0]][label]
                    )


def _without(labels: Mapping[str, float], told: set[str]) -> dict[str, float]:
    return {label: weight for label, weight in labels.items() if label not in told}


def _lines(graph: LabelGraph) -> Iterator[str]:
    """Give the lines of a graph, without its comments."""
    for name, labels in graph.nodes.items():
        yield from (_line("N", name, label, weight) for label, weight in labels.items())
    for one in graph.objects:
        yield _line("O", one.id, one.label, one.weight, *one.primitives)
    for pair, labels in graph.edges.items():
        yield from (_line("E", *pair, label, weight) for label, weight in labels.items())
    for link in graph.relations:
        yield _line("R", *link)


def _line(kind: str, *fields: str | float) -> str:
    """Return a line; a field that needs quotes follows its comma at once, or the quotes would be part of it."""
    parts = [repr(part) if isinstance(part, float) else part for part in fields]
    return kind + "".join(
        "," + (_quoted(part) if needs_quotes(part) else f" {part}") for part in parts
    )


def needs_quotes(text: str) -> bool:
    """Return whether a field holds what would end it."""
    return "," in text or text.startswith('"')


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
