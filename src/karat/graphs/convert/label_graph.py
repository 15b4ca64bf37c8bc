"""A graph as an .lg file: as it is, as a tree, with inherited relations, or at the level of symbols."""

from collections.abc import Sequence
from typing import get_args

from karat.errors import OptionError
from karat.graphs.formats.label_graph_text import Form, to_lg
from karat.graphs.model.formula import formula_of, graph_of, walk
from karat.graphs.model.reshape import Names, as_inherited, as_tree, renamed
from karat.graphs.model.structure import LabelGraph


def lg(graph: LabelGraph, *, lines: Form = "given", names: Names = "given") -> str:
    """Return the graph with its relations as they are."""
    _check_choice("lines", lines, get_args(Form))
    _check_choice("names", names, get_args(Names))
    return to_lg(renamed(graph, names), form=lines)


def _check_choice(option: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise OptionError(f"--{option} is {value!r}; it takes {', '.join(choices)}")


def tree(graph: LabelGraph, *, lines: Form = "given", names: Names = "given") -> str:
    """Return the graph without the relations that follow from others."""
    return lg(as_tree(graph), lines=lines, names=names)


def inherited(graph: LabelGraph, *, lines: Form = "given", names: Names = "given") -> str:
    """Return the graph with the relations that follow from its tree."""
    return lg(as_inherited(graph), lines=lines, names=names)


def symlg(graph: LabelGraph) -> str:
    """Return the graph at the level of symbols: the one primitive of each is its path from the first symbol."""
    row = formula_of(graph)
    for step in walk(row):
        step.symbol.primitives = ()
    return to_lg(graph_of(row, graph.name, comments=graph.comments))
