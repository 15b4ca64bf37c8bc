"""Label graphs: what they are, what they hold, and where two of them differ. Nothing here reads a file."""

from karat.graph.structure import LabelGraph, Object, Relation

__all__ = ["LabelGraph", "Object", "Relation"]
