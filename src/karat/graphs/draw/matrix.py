"""A graph as the paper's Figure 2 prints it: the labels of primitives on the diagonal, those of pairs beside it."""

from karat.graphs.model.labelling import NOTHING, Labelling, Labels, by_star
from karat.graphs.model.structure import LabelGraph
from karat.graphs.model.undirected import undirected as without_directions

ABSENT = frozenset(("?",))


def matrix(graph: LabelGraph, other: LabelGraph | None = None, *, undirected: bool = False) -> str:
    r"""Return the adjacency matrix as text: `*` joins primitives of one object, `_` means no relation.

    With another graph, what it has instead follows `≠`; the row of a primitive that a graph lacks is `?` there. In an
    `undirected` graph a pair has the same label both ways.

    >>> from karat.graphs.formats.label_graph import parse
    >>> print(matrix(parse("O, o, +, 1.0, s2, s3\nN, s1, 2\nE, s1, s2, R\nE, s1, s3, R").graph), end="")
    s1  2  R  R
    s2  _  +  *
    s3  _  *  +
    """
    first = _both_ways(by_star(graph)) if undirected else by_star(graph)
    second = first
    if other is not None:
        second = _both_ways(by_star(other)) if undirected else by_star(other)
    primitives = sorted(
        first.nodes.keys() | second.nodes.keys(), key=lambda name: (len(name), name)
    )
    table = []
    for row in primitives:
        cells = [_cell(first, second, row, column) for column in primitives]
        table.append([row, *cells])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    text = ""
    for line in table:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        text += "  ".join(padded).rstrip() + "\n"
    return text


def _both_ways(labels: Labelling) -> Labelling:
    edges = without_directions(labels).edges
    turned = {(b, a): marks for (a, b), marks in edges.items()}
    return Labelling(labels.nodes, {**edges, **turned})


def _cell(first: Labelling, second: Labelling, row: str, column: str) -> str:
    ours = _labels(first, row, column)
    theirs = _labels(second, row, column)
    return _text(ours) if ours == theirs else f"{_text(ours)}≠{_text(theirs)}"


def _labels(graph: Labelling, row: str, column: str) -> Labels:
    if row not in graph.nodes:
        return ABSENT
    if row == column:
        return graph.nodes[row]
    return graph.edges.get((row, column), NOTHING)


def _text(labels: Labels) -> str:
    return "|".join(sorted(labels))
