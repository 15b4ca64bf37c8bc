"""Where the bytes come from: one file per format, which says what to open and refuses what it cannot.

An entry turns paths or an object in memory into a `Source`; an engine opens it where the data is.
"""

from karat.index import Index

SOURCES = Index(
    "source",
    csv="delimited",
    tsv="delimited",
    jsonl="jsonlines",
    parquet="parquet",
    arrow="arrow",
    arrays="memory",
    frame="memory",
    predictions="predictions",
    lm_eval="harness",
    inspect="inspect_ai",
    correct="correct",
    apart="apart",
    text="text",
    words="text",
    bag="text",
    conll="conll",
    tokens="conll",
    spans="spans",
    trec="trec",
    categories="categories",
    cells="categories",
)
GRAPHS = Index(
    "source",
    "graph format",
    lg="graph_files",
    inkml="graph_files",
    mathml="graph_files",
    latex="graph_files",
)
"""Formats of files that hold graphs rather than tables."""
