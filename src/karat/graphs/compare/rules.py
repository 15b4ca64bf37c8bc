"""How two graphs are compared: the semantics, and what is counted of a pair of graphs under it."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

from karat.errors import ChoiceError, OptionError
from karat.graphs.compare.difference import Difference, class_distances, difference, paper_distances
from karat.graphs.compare.label_sets import among, best, expected
from karat.graphs.model.class_segments import class_segments
from karat.graphs.model.inherit import inherited
from karat.graphs.model.labelling import Labelling, by_class, by_star
from karat.graphs.model.layout import layout, match
from karat.graphs.model.segments import Segments, segments
from karat.graphs.model.structure import LabelGraph
from karat.graphs.options import LABELS, RuleOptions, Semantics


@dataclass(frozen=True, kw_only=True)
class Rules(RuleOptions):
    """What a difference is.

    `paper`: merges are `*`, and the pairs that an absent primitive begins are `?` (or nothing, without `absent_edges`);
    `lgeval`: as LgEval 0.3.8 in its evaluate mode. `inherit` closes both graphs first. In `undirected` graphs an edge
    has no direction and every pair counts once. `labels` says what becomes of sets of labels: `all` of them are
    compared, as many differing as must be changed at the least; the `best` of each by its confidence; `top:K`, the
    truth's where it is among the best K; or `expected`, the distance where each label is drawn by its confidence.
    """

    def __post_init__(self) -> None:
        if self.semantics not in get_args(Semantics):
            raise ChoiceError("--semantics", self.semantics, get_args(Semantics))
        if self.semantics == "lgeval" and (self.undirected or not self.absent_edges):
            raise OptionError(
                "LgEval knows no undirected graphs and no ? edges; leave these options to paper semantics"
            )

        if self.labels not in {"all", "best", "expected"} and not re.fullmatch(
            r"top:[1-9]\d*", self.labels
        ):
            raise ChoiceError("--labels", self.labels, LABELS)
        if self.labels == "expected" and (
            self.semantics == "lgeval" or self.inherit or self.undirected
        ):
            raise OptionError(
                "--labels expected is for directed graphs as written, by paper semantics"
            )

    @property
    def most(self) -> int | None:
        """How many labels may hold the right one."""
        return int(self.labels.removeprefix("top:")) if self.labels.startswith("top:") else None

    @property
    def marks_absent(self) -> bool:
        """Whether pairs of a primitive that a graph lacks have the label `?` there."""
        return self.semantics == "paper" and self.absent_edges

    def options(self) -> dict[str, str]:
        """Return what a signature says of the rules."""
        said: dict[str, str] = {"semantics": self.semantics}
        said |= {"inherit": "yes"} if self.inherit else {}
        said |= {} if self.absent_edges else {"absent_edges": "_"}
        said |= {"undirected": "yes"} if self.undirected else {}
        return said | ({} if self.labels == "all" else {"labels": self.labels})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A graph ready to be compared: its labels, objects and relations under the rules."""

    graph: LabelGraph
    labels: Labelling
    segments: Segments


class Comparison(NamedTuple):
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
    tree: int
    same_shape: int
    layout_relations: int
    layout_classes: int
    layout_distinct: int


def prepare(graph: LabelGraph, rules: Rules) -> Prepared:
    """Return what comparing needs of a graph."""
    if rules.labels != "all":
        return replace(_prepare(best(graph), rules), graph=graph)
    return _prepare(graph, rules)


def prepared(output: LabelGraph, truth: Prepared, rules: Rules) -> Prepared:
    """Return what comparing needs of an output: with the truth's labels where they are among its best few."""
    if rules.most is None:
        return prepare(output, rules)
    return replace(_prepare(among(output, truth.graph, rules.most), rules), graph=output)


def _prepare(graph: LabelGraph, rules: Rules) -> Prepared:
    labels = by_star(graph) if rules.semantics == "paper" else by_class(graph)
    if rules.inherit:
        labels = (
            inherited(labels) if rules.semantics == "paper" else _inherited_by_class(labels, graph)
        )
    if rules.undirected:
        labels = undirected(labels)
    if rules.semantics == "lgeval":
        return Prepared(graph, labels, class_segments(labels))
    return Prepared(graph, labels, segments(labels, one_way=rules.undirected))


def _inherited_by_class(labels: Labelling, graph: LabelGraph) -> Labelling:
    """Return the closure of labels whose merges bear their class: that of the stars, put beside the classes."""
    stars = by_star(graph)
    closed = inherited(stars).edges
    return Labelling(labels.nodes, {**closed, **labels.edges})


def undirected(labels: Labelling) -> Labelling:
    """Return the labels with one pair for both directions, in the order of the names."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for (a, b), marks in labels.edges.items():
        pair = (a, b) if a < b else (b, a)
        known = found.get(pair)
        found[pair] = marks if known is None else known | marks
    return Labelling(labels.nodes, found)


def compare(output: Prepared, truth: Prepared, rules: Rules) -> Comparison:
    """Count how an output differs from its truth."""
    if rules.most is not None:
        output = prepared(output.graph, truth, rules)
    found = difference(output.labels, truth.labels)
    paper = rules.semantics == "paper"
    if paper:
        distances = paper_distances(
            found,
            output.labels,
            truth.labels,
            absent_edges=rules.absent_edges,
            undirected=rules.undirected,
        )
    else:
        distances = class_distances(found, output.labels, truth.labels)
    right = _right_nodes(found, rules) if paper else _right_nodes_as_evaluated(found, output, truth)
    counts = (
        found.n,
        len(truth.labels.nodes),
        *distances,
        right,
        len(found.missing),
        len(found.extra),
        len(found.nodes) - len(found.extra),
        *_objects(output.segments, truth.segments, found),
        output.segments.unclosed,
        *(_NO_TREE if rules.undirected else _layouts(output.segments, truth.segments)),
    )
    counted = Comparison._make(counts)
    if rules.labels != "expected":
        return counted
    classes, merges, relations = expected(
        output.graph, truth.graph, absent_edges=rules.absent_edges
    )
    return counted._replace(dC=classes, dS=merges, dR=relations)


def _objects(ours: Segments, theirs: Segments, found: Difference) -> tuple[int, ...]:
    """Return the counts of objects and relations, and whether all of them are right."""
    shared = [group for group in ours.objects if group in theirs.objects]
    right = set(shared)
    classes = sum(
        1 for group in shared if not ours.objects[group].isdisjoint(theirs.objects[group])
    )
    lost = sum(
        len(labels - ours.objects.get(group, frozenset()))
        for group, labels in theirs.objects.items()
    )
    places = [
        ends
        for ends in ours.relations
        if ends in theirs.relations and ends[0] in right and ends[1] in right
    ]
    relations = sum(1 for ends in places if ours.relations[ends] == theirs.relations[ends])
    number, many = len(theirs.objects), len(ours.objects)
    whole = number == many + len(found.missing)
    same = len(ours.relations) == len(theirs.relations)
    return (
        number,
        many,
        len(shared),
        classes,
        lost + len(found.extra),
        len(theirs.relations),
        len(ours.relations),
        len(places),
        relations,
        int(whole and len(shared) == number),
        int(whole and classes == number),
        int(same and len(places) == len(ours.relations)),
        int(same and relations == len(ours.relations)),
    )


_NO_TREE = (0, 0, 0, 0, 0)


def _layouts(ours: Segments, theirs: Segments) -> tuple[int, ...]:
    """Return whether the truth is a tree, whether the output has its shape, and the labels that differ."""
    truth = layout(theirs)
    if truth is None:
        return _NO_TREE
    found = match(layout(ours), truth)
    return 1, int(found.same_shape), found.relations, found.classes, found.distinct


def _right_nodes(found: Difference, rules: Rules) -> int:
    """Return the primitives whose label and pairs are all right."""
    if rules.absent_edges and found.missing | found.extra and found.n > 1:
        return 0
    wrong = set(found.nodes)
    for pair in found.edges:
        wrong.update(pair)
    return found.n - len(wrong)


def _right_nodes_as_evaluated(found: Difference, output: Prepared, truth: Prepared) -> int:
    """Return LgEval's nodeCorrect in evaluate mode: labels only, and none if a primitive is absent."""
    wrong = set(found.nodes)
    if found.missing and len(truth.labels.nodes) > 1:
        wrong.update(truth.labels.nodes)
    if found.extra and len(output.labels.nodes) > 1:
        wrong.update(output.labels.nodes)
    return found.n - len(wrong)
