"""A graph as GraphViz draws it: primitives, objects, the tree, both sides of each edge, or the segmentation.

Beside another graph, the truth, what differs is drawn too: wrong in orange and bold, missing in blue and dotted.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from karat.errors import UnknownNameError
from karat.graphs.model.grid_levels import has_grid_levels, told_apart
from karat.graphs.model.labelling import NOTHING, Labels, by_star
from karat.graphs.model.reshape import as_tree
from karat.graphs.model.segments import segments
from karat.graphs.model.structure import MERGE, LabelGraph

WRONG, MISSING = "#d55e00", "#0072b2"
"""Colours that the colour-blind tell apart."""
Key = Hashable
Ends = tuple[Key, Key]


@dataclass(slots=True)
class Picture:
    """What is drawn of a graph: things with their texts, lines between them with theirs."""

    nodes: dict[Key, str] = field(default_factory=dict)
    edges: dict[Ends, str] = field(default_factory=dict)
    names: dict[Key, str] = field(default_factory=dict)
    shapes: dict[Key, str] = field(default_factory=dict)
    sides: dict[Key, str] = field(default_factory=dict)


def primitives(graph: LabelGraph) -> Picture:
    """Draw every primitive, merges as dashed lines, relations as arrows."""
    labels = by_star(graph)
    return Picture(
        {name: _shown(marks) for name, marks in labels.nodes.items()},
        {pair: _shown(marks) for pair, marks in labels.edges.items()},
        {name: name for name in labels.nodes},
    )


def objects(graph: LabelGraph) -> Picture:
    """Draw every object, and the relations between objects; a matrix as the tree of its rows and cells."""
    found = segments(by_star(graph))
    order = {name: place for place, name in enumerate(graph.primitives())}
    return Picture(
        {group: _shown(marks) for group, marks in found.objects.items()},
        {ends: _shown(marks) for ends, marks in found.relations.items()},
        {group: " ".join(sorted(group, key=order.__getitem__)) for group in found.objects},
    )


def tree(graph: LabelGraph) -> Picture:
    """Draw every object, and the relations that do not follow from others."""
    return objects(as_tree(graph))


def bipartite(graph: LabelGraph) -> Picture:
    """Draw every primitive twice, where its edges begin and where those of others end."""
    labels = by_star(graph)
    found = Picture()
    for side, place in (("from", "min"), ("to", "max")):
        for name, marks in labels.nodes.items():
            found.nodes[side, name] = _shown(marks)
            found.names[side, name] = name
            found.sides[side, name] = place
    found.edges = {
        (("from", a), ("to", b)): _shown(marks) for (a, b), marks in labels.edges.items()
    }
    return found


def segmentation(graph: LabelGraph) -> Picture:
    """Draw every object with its primitives."""
    found = Picture()
    for key, marks, held in _held(graph):
        found.nodes[key] = _shown(marks)
        found.shapes[key] = "box"
        for name in held:
            found.nodes[name] = name
            found.edges[key, name] = MERGE
    return found


def _held(graph: LabelGraph) -> Iterator[tuple[Key, Labels, Iterable[str]]]:
    """Give every object with its class and its primitives."""
    if has_grid_levels(graph):
        for one in graph.objects:
            yield (one.label, frozenset(one.primitives)), frozenset({one.label}), one.primitives
    else:
        for group, marks in segments(by_star(graph)).objects.items():
            yield group, marks, sorted(group)


VIEWS: Mapping[str, Callable[[LabelGraph], Picture]] = {
    "primitives": primitives,
    "objects": objects,
    "tree": tree,
    "bipartite": bipartite,
    "segmentation": segmentation,
}


OF_OBJECTS = {"objects", "tree"}


def dot(graph: LabelGraph, *, view: str = "primitives", against: LabelGraph | None = None) -> str:
    r"""Return the graph as a file for GraphViz.

    >>> from karat.graphs.formats.latex import parse_latex
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
    given = [graph] if against is None else [graph, against]
    pictures = [VIEWS[view](one) for one in (told_apart(*given) if view in OF_OBJECTS else given)]
    name = f"{graph.name} and {against.name}" if against is not None else graph.name
    return "".join(f"{line}\n" for line in _lines(pictures[0], pictures[-1], name))


def _lines(ours: Picture, truth: Picture, name: str) -> Iterator[str]:
    yield f"digraph {_quoted(name)} {{"
    yield '  rankdir=LR; node [shape=ellipse, fontname="Helvetica"]; edge [fontname="Helvetica"];'
    place = {key: number for number, key in enumerate({**truth.nodes, **ours.nodes})}
    shapes, sides, names = (
        truth.shapes | ours.shapes,
        truth.sides | ours.sides,
        truth.names | ours.names,
    )
    for key, number in place.items():
        style = _style(ours.nodes.get(key), truth.nodes.get(key), names.get(key, ""))
        shape = [f"shape={shapes[key]}"] if key in shapes else []
        yield f"  n{number} [{', '.join([*style, *shape])}];"
    for rank in dict.fromkeys(sides.values()):
        yield f"  {{rank={rank}; {' '.join(f'n{place[key]};' for key, side in sides.items() if side == rank)}}}"
    for a, b in sorted(
        {**truth.edges, **ours.edges}, key=lambda ends: (place[ends[0]], place[ends[1]])
    ):
        mine, other = ours.edges.get((a, b)), truth.edges.get((a, b))
        back = ours.edges.get((b, a)), truth.edges.get((b, a))
        if mine == other == MERGE and back == (MERGE, MERGE) and place[a] > place[b]:
            continue
        merge = ["dir=none"] if {mine, other} <= {MERGE, None} else []
        look = ["style=dashed"] if mine == other == MERGE else _style(mine, other)
        yield f"  n{place[a]} -> n{place[b]} [{', '.join([*look, *merge])}];"
    yield "}"


def _style(mine: str | None, truth: str | None, name: str = "") -> list[str]:
    """Return the text and the look of something that one graph or both have."""
    text = (
        (mine or "")
        if truth in {None, mine}
        else f"({truth})"
        if mine is None
        else f"{mine} ({truth})"
    )
    whole = f"{text}\n{name}" if name else text
    label = f"label={_quoted(whole)}"
    if mine == truth:
        return [label]
    colour = MISSING if mine is None else WRONG
    return [
        label,
        f'color="{colour}"',
        f'fontcolor="{colour}"',
        f"style={'dotted' if mine is None else 'bold'}",
    ]


def _shown(marks: Labels) -> str:
    return " | ".join(sorted(marks - NOTHING)) or "_"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
