"""Graphs in the forms that others read: one function each, from a graph to text; its options are the command's."""

from karat.index import Index

GRAPH_FORMS = Index(
    "graphs.convert",
    "form",
    "graph_forms",
    lg="label_graph",
    tree="label_graph",
    inherited="label_graph",
    symlg="label_graph",
    latex="latex",
    mathml="mathml",
    text="translated",
    dot="dot",
)
ENDINGS = {"latex": ".tex", "mathml": ".mml", "text": ".txt", "dot": ".dot"}
"""What a file of a form is called, where that is not .lg."""
LINES = frozenset({"latex", "mathml", "text"})
"""Forms of one line, so that several graphs may share a file."""
