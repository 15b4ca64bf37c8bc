"""An output compared with its truth: everything that is counted of two graphs under the rules."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from karat.graphs.compare.difference import Difference, class_distances, difference, paper_distances
from karat.graphs.compare.label_sets import among, best, expected
from karat.graphs.compare.rules import Rules
from karat.graphs.model.class_segments import class_segments
from karat.graphs.model.inherit import implied_relations, inherited, with_implied
from karat.graphs.model.labelling import Labelling, Labels, by_class, by_star
from karat.graphs.model.layout import Layout, layout, match
from karat.graphs.model.segments import Segments, segments
from karat.graphs.model.structure import LabelGraph
from karat.graphs.model.undirected import undirected


@dataclass(frozen=True)
class PreparedGraph:
    """A graph ready to be compared: its labels, objects and relations under the rules."""

    graph: LabelGraph
    labels: Labelling
    segments: Segments
    written: Segments | None = None
    """Objects and relations before closure, if there was one: the tree is the same, and quicker to find."""

    @cached_property
    def tree(self) -> Layout | None:
        """The tree of the objects, computed once for all outputs that a truth is compared with."""
        return layout(self.segments if self.written is None else self.written)


class GraphComparison(NamedTuple):
    """What is counted of an output and its truth."""

    n: int
    truth_n: int
    dC: float  # noqa: N815 (the paper's names)
    dS: float  # noqa: N815
    dR: float  # noqa: N815
    merge_class: int
    """Pairs merged in both graphs with another class; part of dR where merges bear their class."""
    pairs: int
    """Wrong pairs, whichever way round; and those of them that dS and merge_class count."""
    merge_pairs: int
    merge_class_pairs: int
    absent_pairs: int
    """How much of dR are pairs of primitives that one of the graphs lacks."""
    right_nodes: int
    missing: int
    extra: int
    mislabelled: int
    objects: int
    found_objects: int
    right_objects: int
    right_classes: int
    class_errors: int
    relations: int
    found_relations: int
    right_places: int
    right_relations: int
    all_objects: int
    all_classes: int
    all_places: int
    all_relations: int
    unclosed: int
    tree: int = 0
    """Whether the truth is a tree; where it is none, this and what follows are 0."""
    same_shape: int = 0
    layout_relations: int = 0
    layout_classes: int = 0
    layout_distinct: int = 0
    inherited: int = 0
    """Relations beside the truth's tree that follow from it; and those beside the output's."""
    found_inherited: int = 0


def prepare(graph: LabelGraph, rules: Rules) -> PreparedGraph:
    """Return what comparing needs of a graph."""
    if rules.labels != "all":
        return replace(_prepare(best(graph), rules), graph=graph)
    return _prepare(graph, rules)


def prepared(output: LabelGraph, truth: PreparedGraph, rules: Rules) -> PreparedGraph:
    """Return what comparing needs of an output: with the truth's labels where they are among its best few."""
    if rules.most is None:
        return prepare(output, rules)
    return replace(_prepare(among(output, truth.graph, rules.most), rules), graph=output)


def _prepare(graph: LabelGraph, rules: Rules) -> PreparedGraph:
    if rules.semantics == "lgeval":
        labels = by_class(graph)
        if rules.inherit:
            labels = _inherited_by_class(labels, graph)
        return PreparedGraph(graph, labels, class_segments(labels))
    labels = by_star(graph)
    if rules.undirected:
        if rules.inherit:
            labels = inherited(labels)
        labels = undirected(labels)
        return PreparedGraph(graph, labels, segments(labels, one_way=True))
    written = segments(labels)
    if not rules.inherit:
        return PreparedGraph(graph, labels, written)
    implied = implied_relations(written.relations)
    closed = replace(written, relations={**written.relations, **implied})
    return PreparedGraph(graph, with_implied(labels, implied), closed, written)


def _inherited_by_class(labels: Labelling, graph: LabelGraph) -> Labelling:
    """Return the closure of labels whose merges have their class: that of the labels with stars, and these labels."""
    closed = inherited(by_star(graph))
    return Labelling(labels.nodes, {**closed.edges, **labels.edges})


def compare(output: PreparedGraph, truth: PreparedGraph, rules: Rules) -> GraphComparison:
    """Count how an output differs from its truth."""
    if rules.most is not None:
        output = prepared(output.graph, truth, rules)
    differing = difference(output.labels, truth.labels)
    if rules.semantics == "paper":
        distances = paper_distances(
            differing,
            output.labels,
            truth.labels,
            absent_edges=rules.absent_edges,
            undirected=rules.undirected,
        )
        right_nodes = _right_nodes(differing, rules)
    else:
        distances = class_distances(differing, output.labels, truth.labels)
        right_nodes = _right_nodes_as_evaluated(differing, output, truth)
    layouts = {} if rules.undirected else _layouts(output, truth)
    counts = GraphComparison(
        n=differing.n,
        truth_n=len(truth.labels.nodes),
        **distances._asdict(),
        right_nodes=right_nodes,
        missing=len(differing.missing),
        extra=len(differing.extra),
        mislabelled=len(differing.nodes) - len(differing.extra),
        **_objects(output.segments, truth.segments, differing),
        unclosed=output.segments.unclosed,
        **layouts,
    )
    if rules.labels != "expected":
        return counts
    distance = expected(output.graph, truth.graph, absent_edges=rules.absent_edges)
    return counts._replace(dC=distance.classes, dS=distance.merges, dR=distance.relations)


Counts = dict[str, int]
"""Some fields of a comparison, by name."""


def _objects(ours: Segments, theirs: Segments, differing: Difference) -> Counts:
    """Return the counts of objects and relations of an output and its truth, and whether all of them are right."""
    right_objects = {group for group in ours.objects if group in theirs.objects}
    right_classes = 0
    for group in right_objects:
        if not ours.objects[group].isdisjoint(theirs.objects[group]):
            right_classes += 1
    class_errors = len(differing.extra)
    for group, labels in theirs.objects.items():
        class_errors += len(labels - ours.objects.get(group, _NO_LABELS))
    right_places = 0
    right_relations = 0
    for ends, labels in ours.relations.items():
        if ends in theirs.relations and right_objects.issuperset(ends):
            right_places += 1
            if labels == theirs.relations[ends]:
                right_relations += 1
    objects = len(theirs.objects)
    relations = len(theirs.relations)
    # A primitive that the output lacks is an object of its own there, which the output did not write.
    same_number = objects == len(ours.objects) + len(differing.missing)
    same_links = len(ours.relations) == relations
    return Counts(
        objects=objects,
        found_objects=len(ours.objects),
        right_objects=len(right_objects),
        right_classes=right_classes,
        class_errors=class_errors,
        relations=relations,
        found_relations=len(ours.relations),
        right_places=right_places,
        right_relations=right_relations,
        all_objects=int(same_number and len(right_objects) == objects),
        all_classes=int(same_number and right_classes == objects),
        all_places=int(same_links and right_places == relations),
        all_relations=int(same_links and right_relations == relations),
    )


_NO_LABELS: Labels = frozenset()


def _layouts(ours: PreparedGraph, theirs: PreparedGraph) -> Counts:
    """Return whether the truth is a tree, whether the output has its shape, and the labels that differ."""
    truth = theirs.tree
    if truth is None:
        return {}
    output = ours.tree
    matched = match(output, truth)
    return Counts(
        tree=1,
        same_shape=int(matched.same_shape),
        layout_relations=matched.relations,
        layout_classes=matched.classes,
        layout_distinct=matched.distinct,
        inherited=truth.inherited,
        found_inherited=0 if output is None else output.inherited,
    )


def _right_nodes(differing: Difference, rules: Rules) -> int:
    """Return how many primitives have their label and the labels of all their pairs right."""
    if rules.absent_edges and differing.missing | differing.extra and differing.n > 1:
        return 0
    wrong = set(differing.nodes)
    for pair in differing.edges:
        wrong.update(pair)
    return differing.n - len(wrong)


def _right_nodes_as_evaluated(
    differing: Difference, output: PreparedGraph, truth: PreparedGraph
) -> int:
    """Return LgEval's nodeCorrect in evaluate mode: labels only, and none if a primitive is absent."""
    wrong = set(differing.nodes)
    if differing.missing and len(truth.labels.nodes) > 1:
        wrong.update(truth.labels.nodes)
    if differing.extra and len(output.labels.nodes) > 1:
        wrong.update(output.labels.nodes)
    return differing.n - len(wrong)
