"""A table with so many rows that threads share them, and commands that sum what each thread has found.

The tables of `same_bytes.py` are too small for that: the engine gives a thread 122,880 rows at once. Here a sum of
fractions could come out otherwise in another order, were it not made exact.
"""

import duckdb

ROWS = 300_000
IS_YES = "hash('truth' || i) % 10 = 0"
TRUTH = "hash('truth' || i) % 4"


def fraction(salt):
    """A number from 0 to 1, in steps of about a millionth."""
    return f"(hash('{salt}' || i) % 1000003) / 1000002.0"


def label(name, right):
    """A label that is right in so many tenths of the items."""
    return f"case when hash('right {name}' || i) % 10 < {right} then {TRUTH} else hash('wrong {name}' || i) % 4 end"


COLUMNS = {
    "item": "'item' || i",
    "truth": TRUTH,
    "checked": f"case when hash('checked' || i) % 100 = 0 then {TRUTH} end",
    "yes": f"cast({IS_YES} as integer)",
    "a": label("a", 8),
    "b": label("b", 7),
    "c": label("c", 6),
    "low": f"0.7 * {fraction('low')}",
    "high": f"0.7 * {fraction('high')} + 0.3 * cast({IS_YES} as integer)",
    "other": fraction("other"),
    "share": f"0.001 + {fraction('share')}",
    "patient": "'patient' || (hash('patient' || i) % 200)",
    "ward": "'ward' || (hash('ward' || i) % 5)",
}
LABELS = "{} --truth truth --systems a,b,c"
SCORES = "{} --truth yes --systems low,high --kind score"
CONFIDENCES = "{} --truth yes --systems low,high,other --kind score"
COMMANDS = {
    "score": f"score {LABELS} --json",
    "score, weights": f"score {LABELS} --weight share --measure accuracy --json",
    "score, clusters": f"score {LABELS} --cluster patient --measure macro-f1,accuracy --json",
    "score, groups": f"score {LABELS} --group ward --per group --json",
    "score, a judge": "score {} --truth checked --systems a,b,c --judge majority --json",
    "score of scores": f"score {SCORES} --measure roc-area,average-precision,brier --json",
    "score of scores, both": f"score {SCORES} --weight share --cluster patient --json",
    "compare": f"compare {LABELS} --ranks --draws 100 --json",
    "compare, both": f"compare {LABELS} --weight share --cluster patient --json",
    "compare areas": f"compare {SCORES} --measure roc-area --json",
    "stability": f"stability {LABELS} --label-error 0.05 --draws 100 --json",
    "stability, informed": f"stability {LABELS} --label-error 0.05 --model informed --draws 100 --json",
    "consensus": f"consensus {LABELS} --draws 20 --json",
    "consensus, confidences": f"consensus {CONFIDENCES} --estimator vote --json",
    "skew": f"skew {SCORES} --to 0.01 --draws 50 --json",
    "skew, both": f"skew {SCORES} --to 0.01 --weight share --cluster patient --draws 50 --json",
    "skew, bins": f"skew {SCORES} --to 0.01 --bins 1000 --json",
    "skew, groups": f"skew {SCORES} --to 0.01 --group ward --per group --draws 50 --json",
    "audit": f"audit {LABELS} --claim a,b --seed 3 --json",
    "report": f"report {LABELS} --date 2020-01-01 --title t -o out.json",
    "tally": f"tally {LABELS} -o out.tally",
}
SUMS = ("compare, both", "consensus, confidences")
"""Those that add fractions up."""


def written(path, *, shuffled=False):
    """Write the table as the name of its file says; shuffled, or as it was made."""
    columns = ", ".join(f"{what} as {name}" for name, what in COLUMNS.items())
    order = "order by hash('shuffled' || i)" if shuffled else ""
    duckdb.execute(f"copy (select {columns} from range({ROWS}) as numbered(i) {order}) to '{path}'")
    return path.name


def as_parquet(folder):
    return written(folder / "table.parquet")


def as_csv(folder):
    return written(folder / "table.csv")


def shuffled(folder):
    return written(folder / "table.parquet", shuffled=True)


FORMS = {"shuffled": shuffled, "csv": as_csv, "two threads": as_parquet, "six threads": as_parquet}
THREADS = {"shuffled": 6, "two threads": 2, "six threads": 6}
