"""What an engine counted: small exact numbers, one file per tally, each with its SQL and how two of them add."""

from karat.index import Index

TALLIES = Index(
    "tally",
    confusion="confusion",
    pairs="pairs",
    patterns="patterns",
    curve="curve",
    confidences="confidences",
    graphs="graphs",
    graph_errors="graph_errors",
)
