"""Formulas with matrices, drawn with a stroke for each symbol."""

from karat.graphs.model.formula import walk
from karat.graphs.model.grid import PARTS, over_strokes
from karat.graphs.model.structure import LabelGraph, Object


def drawn(row):
    """The graph of a formula as InkML gives it: matrices are levels over the strokes."""
    symbols = [step.symbol for step in walk(row)]
    for number, one in enumerate(symbols):
        one.id = "" if one.label in PARTS else f"o{number}"
    objects = [Object(one.id, one.label, 1.0, (f"s{one.id}",)) for one in symbols if one.id]
    parts, relations = over_strokes(row, {one.id: one.primitives for one in objects})
    return LabelGraph(objects=(*objects, *parts), relations=tuple(relations))
