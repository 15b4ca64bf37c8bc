"""A graph as GraphViz draws it: primitives, objects, the tree, both sides of each edge, or the segmentation.

Beside another graph, the truth, what differs is drawn too: wrong in orange and bold, missing in blue and dotted.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from karat.errors import UnknownNameError
from karat.graphs.model.grid_levels import has_grid_levels, without_shared_strokes
from karat.graphs.model.labelling import NOTHING, Labels, by_star
from karat.graphs.model.reshape import as_tree
from karat.graphs.model.segments import segments
from karat.graphs.model.structure import MERGE, LabelGraph

WRONG = "#d55e00"
MISSING = "#0072b2"
"""Orange and blue, which most colour-blind readers can distinguish."""
Key = Hashable
Ends = tuple[Key, Key]


@dataclass(slots=True)
class DotPicture:
    """What is drawn of a graph: the text of every node and of every edge between two of them."""

    nodes: dict[Key, str] = field(default_factory=dict)
    edges: dict[Ends, str] = field(default_factory=dict)
    names: dict[Key, str] = field(default_factory=dict)
    """A second line below the text of a node: the primitives."""
    shapes: dict[Key, str] = field(default_factory=dict)
    """GraphViz shapes of the nodes that are no ellipses."""
    ranks: dict[Key, str] = field(default_factory=dict)
    """GraphViz ranks of the nodes that stand on one side: min or max."""

    def over(self, other: "DotPicture") -> "DotPicture":
        """Return what this picture or the other has, with this one's texts where both have one."""
        return DotPicture(
            other.nodes | self.nodes,
            other.edges | self.edges,
            other.names | self.names,
            other.shapes | self.shapes,
            other.ranks | self.ranks,
        )


def primitives(graph: LabelGraph) -> DotPicture:
    """Draw every primitive, merges as dashed lines, relations as arrows."""
    labels = by_star(graph)
    picture = DotPicture()
    for name, classes in labels.nodes.items():
        picture.nodes[name] = _text_of(classes)
        picture.names[name] = name
    for pair, relations in labels.edges.items():
        picture.edges[pair] = _text_of(relations)
    return picture


def objects(graph: LabelGraph) -> DotPicture:
    """Draw every object, and the relations between objects; a matrix as the tree of its rows and cells."""
    parts = segments(by_star(graph))
    order = {name: place for place, name in enumerate(graph.primitives())}
    picture = DotPicture()
    for group, classes in parts.objects.items():
        picture.nodes[group] = _text_of(classes)
        picture.names[group] = " ".join(sorted(group, key=order.__getitem__))
    for ends, relations in parts.relations.items():
        picture.edges[ends] = _text_of(relations)
    return picture


def tree(graph: LabelGraph) -> DotPicture:
    """Draw every object, and the relations that do not follow from others."""
    return objects(as_tree(graph))


def bipartite(graph: LabelGraph) -> DotPicture:
    """Draw every primitive twice, where its edges begin and where those of others end."""
    labels = by_star(graph)
    picture = DotPicture()
    for side, rank in (("from", "min"), ("to", "max")):
        for name, classes in labels.nodes.items():
            key = (side, name)
            picture.nodes[key] = _text_of(classes)
            picture.names[key] = name
            picture.ranks[key] = rank
    for (parent, child), relations in labels.edges.items():
        picture.edges[("from", parent), ("to", child)] = _text_of(relations)
    return picture


def segmentation(graph: LabelGraph) -> DotPicture:
    """Draw every object with its primitives."""
    picture = DotPicture()
    for one in _objects_of(graph):
        picture.nodes[one.key] = _text_of(one.classes)
        picture.shapes[one.key] = "box"
        for name in one.primitives:
            picture.nodes[name] = name
            picture.edges[one.key, name] = MERGE
    return picture


@dataclass(frozen=True, slots=True)
class _DotObject:
    key: Key
    classes: Labels
    primitives: Iterable[str]


def _objects_of(graph: LabelGraph) -> Iterator[_DotObject]:
    """Give every object; in a matrix over strokes two of them, a cell and its symbol, may have the same primitives."""
    if has_grid_levels(graph):
        for one in graph.objects:
            key = (one.label, frozenset(one.primitives))
            yield _DotObject(key, frozenset({one.label}), one.primitives)
        return
    for group, classes in segments(by_star(graph)).objects.items():
        yield _DotObject(group, classes, sorted(group))


VIEWS: Mapping[str, Callable[[LabelGraph], DotPicture]] = {
    "primitives": primitives,
    "objects": objects,
    "tree": tree,
    "bipartite": bipartite,
    "segmentation": segmentation,
}
VIEWS_OF_OBJECTS = {"objects", "tree"}


def dot(graph: LabelGraph, *, view: str = "primitives", against: LabelGraph | None = None) -> str:
    r"""Return the graph as a file for GraphViz.

    >>> from karat.graphs.formats.formulas.latex import parse_latex
    >>> print(dot(parse_latex("x^2").graph, view="tree"), end="")
    digraph "" {
      rankdir=LR; node [shape=ellipse, fontname="Helvetica"]; edge [fontname="Helvetica"];
      n0 [label="x\nO"];
      n1 [label="2\nOSup"];
      n0 -> n1 [label="Sup"];
    }
    """
    if view not in VIEWS:
        raise UnknownNameError("view", view, VIEWS)
    graphs = [graph]
    title = graph.name
    if against is not None:
        graphs.append(against)
        title = f"{graph.name} and {against.name}"
    if view in VIEWS_OF_OBJECTS:
        graphs = without_shared_strokes(*graphs)
    pictures = [VIEWS[view](one) for one in graphs]
    # Without a truth the picture is compared with itself, and nothing differs.
    lines = _Lines(pictures[0], pictures[-1]).all(title)
    return "".join(f"{line}\n" for line in lines)


class _Lines:
    """The lines of a file for GraphViz: an output with its differences from the truth."""

    def __init__(self, output: DotPicture, truth: DotPicture) -> None:
        self.output = output
        self.truth = truth
        self.both = output.over(truth)
        self.number = {key: number for number, key in enumerate(self.both.nodes)}

    def all(self, title: str) -> Iterator[str]:
        """Give the whole file."""
        yield f"digraph {_quoted(title)} {{"
        yield '  rankdir=LR; node [shape=ellipse, fontname="Helvetica"]; edge [fontname="Helvetica"];'
        for key in self.number:
            yield self._node(key)
        for rank in dict.fromkeys(self.both.ranks.values()):
            yield self._rank(rank)
        for parent, child in sorted(self.both.edges, key=self._numbers):
            if not self._is_second_half(parent, child):
                yield self._edge(parent, child)
        yield "}"

    def _numbers(self, ends: Ends) -> tuple[int, int]:
        parent, child = ends
        return self.number[parent], self.number[child]

    def _node(self, key: Key) -> str:
        name = self.both.names.get(key, "")
        style = _style(self.output.nodes.get(key), self.truth.nodes.get(key), name)
        if key in self.both.shapes:
            style.append(f"shape={self.both.shapes[key]}")
        return f"  n{self.number[key]} [{', '.join(style)}];"

    def _rank(self, rank: str) -> str:
        """Return the line that puts the nodes of a rank on one side."""
        keys = [key for key, its_rank in self.both.ranks.items() if its_rank == rank]
        nodes = " ".join(f"n{self.number[key]};" for key in keys)
        return f"  {{rank={rank}; {nodes}}}"

    def _is_merge(self, parent: Key, child: Key) -> bool:
        """Return whether both graphs merge two nodes."""
        ends = (parent, child)
        return self.output.edges.get(ends) == self.truth.edges.get(ends) == MERGE

    def _is_second_half(self, parent: Key, child: Key) -> bool:
        """Return whether this edge and the one back are a merge that is already drawn."""
        both_ways = self._is_merge(parent, child) and self._is_merge(child, parent)
        return both_ways and self.number[parent] > self.number[child]

    def _edge(self, parent: Key, child: Key) -> str:
        ours = self.output.edges.get((parent, child))
        theirs = self.truth.edges.get((parent, child))
        style = ["style=dashed"] if self._is_merge(parent, child) else _style(ours, theirs)
        if {ours, theirs} <= {MERGE, None}:
            style.append("dir=none")
        return f"  n{self.number[parent]} -> n{self.number[child]} [{', '.join(style)}];"


def _style(ours: str | None, theirs: str | None, name: str = "") -> list[str]:
    """Return the attributes of a node or an edge that the output, the truth or both have."""
    text = _compared(ours, theirs)
    if name:
        text = f"{text}\n{name}"
    label = f"label={_quoted(text)}"
    if ours == theirs:
        return [label]
    if ours is None:
        return [label, f'color="{MISSING}"', f'fontcolor="{MISSING}"', "style=dotted"]
    return [label, f'color="{WRONG}"', f'fontcolor="{WRONG}"', "style=bold"]


def _compared(ours: str | None, theirs: str | None) -> str:
    """Return the text of the output, followed by that of the truth in brackets if it is another."""
    if theirs is None or theirs == ours:
        return ours or ""
    if ours is None:
        return f"({theirs})"
    return f"{ours} ({theirs})"


def _text_of(labels: Labels) -> str:
    return " | ".join(sorted(labels - NOTHING)) or "_"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
