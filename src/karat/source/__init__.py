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
