"""Tables of labels: scores, comparisons, classes, and the check that no item occurs twice."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from case import Case, Way
from common import made
from sklearn.metrics import classification_report

import karat

LABEL = "['cat', 'dog', 'horse', 'cow', 'hen', 'goat'][1 + cast(floor(random() * 6) as int)]"


def table(items: int, systems: int, form: str) -> Path:
    """Return a table of names of items, a truth, and systems that agree with it four times in five."""
    return made(
        f"labels-{items}-{systems}.{form}",
        partial(_write, items=items, systems=systems, form=form),
    )


def _write(path: Path, *, items: int, systems: int, form: str) -> None:
    answers = ", ".join(
        f"case when random() < 0.8 then truth else {LABEL} end as system{k}" for k in range(systems)
    )
    rows = f"select 'item' || i as item, {LABEL} as truth from range({items}) as r(i)"
    written = "format parquet" if form == "parquet" else "header"
    connection = duckdb.connect()
    connection.execute("select setseed(0.5)")
    connection.execute(
        f"copy (select item, truth, {answers} from ({rows})) to '{path}' ({written})"
    )


def numbered(items: int) -> Path:
    """Return a table of items named by whole numbers, a truth of yes and no, and six systems."""
    return made(f"numbered-{items}.parquet", partial(_write_numbered, items=items))


def _write_numbered(path: Path, *, items: int) -> None:
    rows = f"select i as item, cast(random() < 0.5 as tinyint) as truth from range({items}) as r(i)"
    systems = ", ".join(
        f"case when random() < 0.8 then truth else 1 - truth end as system{k}" for k in range(6)
    )
    duckdb.connect().execute(
        f"copy (select item, truth, {systems} from ({rows})) to '{path}' (format parquet)"
    )


def plain_scan(path: Path) -> Any:
    """Read every cell: the lengths of texts, or the numbers, summed."""
    connection = duckdb.connect()
    rows = f"'{path}'" if path.suffix == ".parquet" else f"read_csv('{path}', all_varchar=true)"
    columns = connection.execute(f"describe select * from {rows}").fetchall()
    sums = ", ".join(
        f"sum(length({name}))" if kind == "VARCHAR" else f"sum({name})"
        for name, kind, *_ in columns
    )
    return connection.execute(f"select {sums} from {rows}").fetchall()


def accuracies(path: Path, *, check: bool) -> dict[str, float]:
    found = karat.read(path, duplicate_check=check).score(measure="accuracy")
    return {row["system"]: row["value"] for row in found.rows()}


def theirs(path: Path) -> dict[str, float]:
    import pandas as pd

    data = pd.read_parquet(path)
    names = [name for name in data if name.startswith("system")]
    return {name: float((data["truth"] == data[name]).mean()) for name in names}


def classes() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    truth = random.integers(0, 1_000, 10_000_000)
    other = random.integers(0, 1_000, len(truth))
    return truth, np.where(random.random(len(truth)) < 0.7, truth, other)


def by_class(data: tuple[np.ndarray, np.ndarray]) -> dict[tuple[str, str], float]:
    truth, answer = data
    rows = karat.read({"truth": truth, "system": answer}).score(per="class").rows()
    return {(row["label"], row["measure"]): row["value"] for row in rows}


def reported(data: tuple[np.ndarray, np.ndarray]) -> dict[tuple[str, str], float]:
    found = classification_report(*data, output_dict=True)
    names = {"precision": "precision", "recall": "recall", "f1": "f1-score"}
    labels = [str(label) for label in range(1_000)]
    return {(label, ours): found[label][name] for label in labels for ours, name in names.items()}


def apart_by_name(ours: dict[Any, float], others: dict[Any, float]) -> float:
    return max(abs(ours[name] - value) for name, value in others.items())


def counted(data: tuple[np.ndarray, np.ndarray]) -> int:
    truth, answer = data
    return int(np.bincount(truth * 1_000 + answer).max())


def compared(path: Path) -> int:
    return len(karat.read(path).compare(ranks=False).rows())


SCAN = Way("DuckDB, every cell read", plain_scan)
LARGE: Callable[[], Path] = partial(table, 10_000_000, 6, "parquet")
CASES = (
    Case(
        "accuracy of 6 systems, 1e7 items, Parquet",
        LARGE,
        partial(accuracies, check=False),
        SCAN,
        Way("pandas, no intervals", theirs),
        apart_by_name,
    ),
    Case(
        "the same, with the check that no item occurs twice",
        LARGE,
        partial(accuracies, check=True),
        SCAN,
        reason="names of items are hashed and sorted to find one that occurs twice",
    ),
    Case(
        "accuracy of 6 systems, 1e7 items, CSV",
        partial(table, 10_000_000, 6, "csv"),
        partial(accuracies, check=False),
        SCAN,
        times=1,
    ),
    Case(
        "accuracy of 500 systems, 10,000 items, CSV",
        partial(table, 10_000, 500, "csv"),
        partial(accuracies, check=True),
        SCAN,
    ),
    Case(
        "all 124,750 pairs of 500 systems, 10,000 items, CSV",
        partial(table, 10_000, 500, "csv"),
        compared,
        SCAN,
        reason="124,750 exact tests with intervals, and Holm's order of them",
        times=1,
    ),
    Case(
        "precision, recall, F of 1,000 classes, 1e7 items in memory",
        classes,
        by_class,
        Way("NumPy, pairs of labels counted", counted),
        Way("scikit-learn's report, no intervals", reported),
        apart_by_name,
        reason="both columns are looked through before their pairs are counted; then come 3,000 exact intervals",
    ),
    Case(
        "accuracy of 6 systems, 1e8 numbered items, Parquet, checked",
        partial(numbered, 100_000_000),
        partial(accuracies, check=True),
        SCAN,
        times=1,
    ),
)
