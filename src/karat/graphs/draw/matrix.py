"""A graph as the paper's Figure 2 prints it: the labels of primitives on the diagonal, those of pairs beside it."""

from karat.graphs.model.labelling import NOTHING, Labelling, Labels, by_star
from karat.graphs.model.structure import LabelGraph

ABSENT = frozenset(("?",))


def matrix(graph: LabelGraph, other: LabelGraph | None = None) -> str:
    r"""Return the adjacency matrix as text: `*` joins primitives of one object, `_` is no relation.

    With another graph, what it has instead follows `≠`; the row of a primitive that a graph lacks is `?` there.

    >>> from karat.graphs.formats.label_graph import parse
    >>> print(matrix(parse("O, o, +, 1.0, s2, s3\nN, s1, 2\nE, s1, s2, R\nE, s1, s3, R").graph), end="")
    s1  2  R  R
    s2  _  +  *
    s3  _  *  +
    """
    first = by_star(graph)
    second = None if other is None else by_star(other)
    names = sorted(
        {**first.nodes, **(second.nodes if second else {})}, key=lambda name: (len(name), name)
    )
    table = [[name, *(_cell(first, second, name, other) for other in names)] for name in names]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cell(first: Labelling, second: Labelling | None, row: str, column: str) -> str:
    ours = _labels(first, row, column)
    theirs = ours if second is None else _labels(second, row, column)
    return _said(ours) if ours == theirs else f"{_said(ours)}≠{_said(theirs)}"


def _labels(found: Labelling, row: str, column: str) -> Labels:
    if row not in found.nodes:
        return ABSENT
    return found.nodes[row] if row == column else found.edges.get((row, column), NOTHING)


def _said(labels: Labels) -> str:
    return "|".join(sorted(labels))
