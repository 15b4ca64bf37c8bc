"""Forms that a graph can be written in: one function each, from a graph to text; its options are the command's."""

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
    dot="dot",
)
FILE_ENDINGS = {"latex": ".tex", "mathml": ".mml", "dot": ".dot"}
"""How the files of a form end, where that is not .lg."""
ONE_LINE_FORMS = frozenset({"latex", "mathml"})
"""Forms of one line a graph, so that several graphs can share a file."""
