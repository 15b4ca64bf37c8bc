"""The commands that answer from a table, the forms that a table can have, and what is compared of the answers."""

import csv
import gzip
import json

import duckdb
import numpy as np

RANDOM = np.random.default_rng(11)
NUMBER = 90
SYSTEMS = ("zeta", "alpha", "mid")
"""Not in the order of their names."""
CLASSES = np.array(["cat", "dog", "eel"])
CLASS = RANDOM.integers(0, 3, NUMBER)
POSITIVE = RANDOM.integers(0, 2, NUMBER)


def noisy(share):
    return np.where(RANDOM.random(NUMBER) < share, RANDOM.integers(0, 3, NUMBER), CLASS)


ITEMS = [f"i{k:03d}" for k in range(NUMBER)]
LABELS = {"item": ITEMS, "truth": CLASSES[CLASS].tolist()}
LABELS |= {name: CLASSES[noisy(0.2 + 0.1 * k)].tolist() for k, name in enumerate(SYSTEMS)}
SCORES = {"item": ITEMS, "truth": POSITIVE.tolist()}
SCORES |= {
    # Rounded, so that there are ties.
    name: np.round(RANDOM.normal(size=NUMBER) + POSITIVE * (2 - 0.5 * k), 1).tolist()
    for k, name in enumerate(SYSTEMS)
}
QUERIES = SCORES | {"query": [f"q{k % 6}" for k in range(NUMBER)]}
TRUTHS = LABELS | {"second": CLASSES[noisy(0.1)].tolist()}
COMMANDS = {
    "read": (LABELS, "read {} --json"),
    "score": (LABELS, "score {} --json"),
    "score by class": (LABELS, "score {} --per class --csv"),
    "score of scores": (SCORES, "score {} --kind score --md"),
    "compare": (LABELS, "compare {} --ranks --draws 200 --json"),
    "compare areas": (SCORES, "compare {} --kind score --measure roc-area --json"),
    "stability": (LABELS, "stability {} --label-error 0.05 --draws 200 --json"),
    "stability truths": (TRUTHS, "stability truths {} --truths truth,second --json"),
    "consensus": (LABELS, "consensus {} --draws 20 --json"),
    "consensus of items": (LABELS, "consensus {} --per item --csv"),
    "skew": (SCORES, "skew {} --kind score --to 0.1 --draws 50 --json"),
    "retrieval": (QUERIES, "retrieval {} --kind score --per query --csv"),
    "audit": (LABELS, "audit {} --claim alpha,mid --seed 3 --json"),
    "plot": (LABELS, "plot scores {} -o out.svg"),
    "report": (LABELS, "report {} --date 2020-01-01 --title t -o out.json"),
    "tally": (LABELS, "tally {} -o out.tally"),
}
IN_THE_ORDER_OF_THE_FILE = {"consensus of items"}
OF_THE_FORM = {"read"}
"""Commands that say what form a table has."""


def rows_of(data):
    return [dict(zip(data, cells, strict=True)) for cells in zip(*data.values(), strict=True)]


def write_text(path, rows, delimiter=",", opened=open):
    with opened(path, "wt", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        table.writeheader()
        table.writerows(rows)


def as_csv(folder, data):
    write_text(folder / "table.csv", rows_of(data))
    return "table.csv"


def shuffled(folder, data):
    rows = rows_of(data)
    order = np.random.default_rng(5).permutation(len(rows))
    write_text(folder / "table.csv", [rows[place] for place in order])
    return "table.csv"


def as_tsv(folder, data):
    write_text(folder / "table.tsv", rows_of(data), delimiter="\t")
    return "table.tsv"


def as_gzip(folder, data):
    write_text(folder / "table.csv.gz", rows_of(data), opened=gzip.open)
    return "table.csv.gz"


def as_jsonl(folder, data):
    lines = [json.dumps(row) for row in rows_of(data)]
    (folder / "table.jsonl").write_text("\n".join(lines) + "\n")
    return "table.jsonl"


def as_parquet(folder, data):
    as_csv(folder, data)
    with duckdb.connect() as connection:
        types = "{'item': 'varchar'}"
        connection.execute(
            f"copy (select * from read_csv('{folder}/table.csv', types={types})) to '{folder}/table.parquet'"
        )
    return "table.parquet"


def as_long(folder, data):
    rows = []
    for row in rows_of(data):
        for name in SYSTEMS:
            others = {column: cell for column, cell in row.items() if column not in SYSTEMS}
            rows.append(others | {"system": name, "answer": row[name]})
    write_text(folder / "table.csv", rows)
    return "table.csv"


FORMS = {
    "shuffled": shuffled,
    "tsv": as_tsv,
    "gzip": as_gzip,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
    "long": as_long,
    "one thread": as_csv,
    "six threads": as_csv,
}
THREADS = {"one thread": 1, "six threads": 6}


def compared(folder, printed, name):
    """Return what a command wrote into its folder, or printed, without the names of files."""
    written = list(folder.glob("out.*"))
    content = written[0].read_bytes() if written else printed.encode()
    if content.startswith(b"{"):
        return without_origins(json.loads(content))
    return content.replace(name.encode(), b"table")


def without_origins(found):
    """JSON without what names files."""
    if isinstance(found, dict):
        return {name: without_origins(one) for name, one in found.items() if name != "origin"}
    if isinstance(found, list):
        return [without_origins(one) for one in found]
    return found
