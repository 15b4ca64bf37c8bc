"""A label graph as the text of a file, as it was given or in one of the two forms."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Literal, NamedTuple

from karat.errors import InputError
from karat.graphs.formats.label_graph import COMMA
from karat.graphs.model.labelling import by_star, classed_edges, node_labels, starred_edges
from karat.graphs.model.segments import Group, segments
from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Object, Pair, Relation

Weights = Mapping[str, float]
"""The weight of every label of a primitive or a pair."""
Edges = Mapping[Pair, Weights]
Form = Literal["given", "ne", "or"]


def to_lg(graph: LabelGraph, *, form: Form = "given") -> str:
    r"""Return the text of a file: as `given`, as primitives and edges (`ne`), or as objects and relations (`or`).

    Merges are written `*` in the form `ne`, unless a primitive has several labels: then only the class tells which
    level is meant. In the form `or` ids are kept, and what is no relation between whole objects stays an edge.

    >>> to_lg(LabelGraph(objects=(Object("o", "+", 1.0, ("a", "b")),)), form="ne")
    'N, a, +, 1.0\nN, b, +, 1.0\nE, a, b, *, 1.0\nE, b, a, *, 1.0\n'
    """
    written = graph
    if form == "ne":
        written = as_edges(graph)
        _check_same(written, graph)
    elif form == "or":
        written = as_objects(graph)
        _check_same(written, graph)
    written = _without_commas(written)
    comments = [f"# {comment}" if comment else "#" for comment in written.comments]
    lines = [*comments, *_lines(written)]
    return "".join(f"{line}\n" for line in lines)


def _without_commas(graph: LabelGraph) -> LabelGraph:
    """Return the graph with COMMA for a comma in the ids of objects, as CROHME's own tools write it.

    Many programs split lines at every comma. Where that would be the id of another object, the id is quoted.
    """
    ids = {one.id for one in graph.objects}
    if not any("," in name for name in ids):
        return graph
    new = {name: name.replace(",", COMMA) for name in ids}
    times = Counter(new.values())
    new = {name: spelled if times[spelled] == 1 else name for name, spelled in new.items()}
    objects = [one._replace(id=new[one.id]) for one in graph.objects]
    relations = [
        one._replace(parent=new[one.parent], child=new[one.child]) for one in graph.relations
    ]
    return replace(graph, objects=tuple(objects), relations=tuple(relations))


def _check_same(written: LabelGraph, graph: LabelGraph) -> None:
    """Refuse a new form that would be read as another graph."""
    before = by_star(graph).edges
    after = by_star(written).edges
    for pair in {**before, **after}:
        if before.get(pair) != after.get(pair):
            first, second = pair
            old = " and ".join(sorted(before.get(pair, (NONE,))))
            new = " and ".join(sorted(after.get(pair, (NONE,))))
            raise InputError(
                f"{graph.name or 'the graph'}: the pair {first!r}, {second!r} would be read as {new!r} in place of "
                f"{old!r}: an edge that has the class of both its ends is a merge; leave the lines as they are given"
            )


def as_edges(graph: LabelGraph) -> LabelGraph:
    """Return the same labels without objects."""
    has_one_level = all(len(labels) == 1 for labels in node_labels(graph).values())
    edges = starred_edges(graph) if has_one_level else classed_edges(graph)
    return LabelGraph(graph.name, graph.node_weights(), edges, comments=graph.comments)


def as_objects(graph: LabelGraph) -> LabelGraph:
    """Return the same labels as objects and relations; what those lines cannot say stays nodes and edges.

    Ids are those of the graph, or else the class and a number. A graph whose primitives have several labels has several
    levels of objects, which merges do not tell: it stays as it is.
    """
    nodes = graph.node_weights()
    if any(len(labels) > 1 for labels in nodes.values()):
        return graph
    edges = starred_edges(graph)
    parts = segments(by_star(graph))
    objects = _objects(graph, parts.objects, nodes, edges)
    # The labels of pairs that lines O and R already give.
    covered: dict[Pair, set[str]] = {}
    for one in objects.values():
        for pair in permutations(one.primitives, 2):
            covered[pair] = {MERGE}
    relations = []
    for (parent, child), labels in parts.relations.items():
        if parent in objects and child in objects:
            pairs = list(product(parent, child))
            for label, weight in _agreed_relations(labels, pairs, edges):
                for pair in pairs:
                    covered.setdefault(pair, set()).add(label)
                relations.append(Relation(objects[parent].id, objects[child].id, label, weight))
    in_objects = set().union(*objects)
    return LabelGraph(
        name=graph.name,
        nodes={name: labels for name, labels in nodes.items() if name not in in_objects},
        edges=_without(edges, covered),
        objects=tuple(objects.values()),
        relations=tuple(relations),
        comments=graph.comments,
    )


def _objects(
    graph: LabelGraph, groups: Iterable[Group], nodes: Mapping[str, Weights], edges: Edges
) -> dict[Group, Object]:
    """Return the groups of primitives that agree on one class and one weight, as objects."""
    ids = _ObjectIds(graph)
    order = {name: place for place, name in enumerate(nodes)}
    objects: dict[Group, Object] = {}
    for group in groups:
        primitives = tuple(sorted(group, key=order.__getitem__))
        own = [nodes[name] for name in primitives]
        merges = _merges(primitives, edges)
        label = _agreed_label([*own, *merges])
        if label is not None:
            name = ids.of(group, label.text)
            objects[group] = Object(name, label.text, label.weight, primitives)
    return objects


class _ObjectIds:
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


def _merges(primitives: Sequence[str], edges: Edges) -> list[Weights]:
    """Return the merge of every pair of an object with its weight, an empty one where a pair is not merged."""
    merges: list[Weights] = []
    for pair in permutations(primitives, 2):
        labels = edges.get(pair, {})
        merges.append({MERGE: labels[MERGE]} if MERGE in labels else {})
    return merges


class _Label(NamedTuple):
    text: str
    weight: float


def _agreed_label(labels: Iterable[Weights]) -> _Label | None:
    """Return the one label and weight of an object, if its primitives and merges agree on them."""
    each = [_Label(*next(iter(one.items()), (NONE, 0.0))) for one in labels]
    first = each[0]
    if first.text == NONE:
        return None
    allowed = {first, _Label(MERGE, first.weight)}
    return first if allowed.issuperset(each) else None


def _agreed_relations(
    labels: Iterable[str], pairs: Sequence[Pair], edges: Edges
) -> Iterator[tuple[str, float]]:
    """Give the relations between two objects on whose weight all their pairs of primitives agree."""
    for label in sorted(labels):
        weights = {edges[pair][label] for pair in pairs}
        if len(weights) == 1:
            (weight,) = weights
            yield label, weight


def _without(edges: Edges, covered: Mapping[Pair, set[str]]) -> dict[Pair, dict[str, float]]:
    """Return the labels of edges that no object or relation gives."""
    rest: dict[Pair, dict[str, float]] = {}
    for pair, labels in edges.items():
        given = covered.get(pair, set())
        left = {label: weight for label, weight in labels.items() if label not in given}
        if left:
            rest[pair] = left
    return rest


def _lines(graph: LabelGraph) -> Iterator[str]:
    """Give the lines of a graph, without its comments."""
    for name, labels in graph.nodes.items():
        for label, weight in labels.items():
            yield _line("N", name, label, weight)
    for one in graph.objects:
        yield _line("O", one.id, one.label, one.weight, *one.primitives)
    for pair, labels in graph.edges.items():
        for label, weight in labels.items():
            yield _line("E", *pair, label, weight)
    for link in graph.relations:
        yield _line("R", *link)


def _line(kind: str, *fields: str | float) -> str:
    """Return a line; a field that needs quotes follows its comma at once, or the quotes would be part of it."""
    line = kind
    for part in fields:
        text = repr(part) if isinstance(part, float) else part
        if _needs_quotes(text):
            line += f",{_quoted(text)}"
        else:
            line += f", {text}"
    return line


def _needs_quotes(text: str) -> bool:
    """Return whether a field must be quoted."""
    return "," in text or text.startswith('"')


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
