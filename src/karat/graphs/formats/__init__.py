"""Files that hold graphs: label graph files, LaTeX, MathML, InkML."""

from karat.index import Index

GRAPH_FORMATS = Index(
    "graphs.formats",
    "graph format",
    "graph_formats",
    lg="files",
    inkml="files",
    mathml="files",
    latex="files",
)
"""Formats of files that hold graphs rather than tables."""
