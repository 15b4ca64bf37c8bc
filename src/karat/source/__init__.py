"""Sources: one file per format, which opens what it can read and refuses the rest.

An entry turns paths or an object in memory into a `Source`; an engine opens it where the data is.
"""

from karat.index import Index

SOURCES = Index(
    "source",
    "source",
    "sources",
    csv="files.delimited",
    tsv="files.delimited",
    jsonl="files.jsonlines",
    parquet="files.parquet",
    sqlite="files.sqlite_table",
    xlsx="files.xlsx",
    arrow="files.arrow",
    arrays="files.memory",
    frame="files.memory",
    predictions="files.predictions",
    lm_eval="llm.harness",
    inspect="llm.inspect_ai",
    correct="files.correct",
    files_per_system="files.one_file_per_system",
    text="text.text",
    words="text.text",
    bag="text.text",
    conll="entities.conll",
    tokens="entities.conll",
    spans="entities.spans",
    trec="retrieval.trec",
    categories="files.categories",
    cells="files.categories",
    pixels="pixels.pixels",
)
