"""Distributions over labels are counted as a plain loop counts them, wherever they come from."""

import json
import random
import shutil
from collections import Counter
from importlib.util import find_spec

import numpy as np
import pytest

from karat.errors import TallyError
from karat.table.options import TableOptions
from karat.tally.votes.confidences import confidences

CHANCE = random.Random(4)  # noqa: S311
SHARES = [(0.5, 0.25, 0.25), (0.7, 0.2, 0.1), (0.0, 1.0, 0.0), (0.3, 0.3, 0.3), (None, None, None)]
LABELS = ("bird", "cat", "dog")


def drawn(items=40):
    columns = {
        "item": [f"i{k}" for k in range(items)],
        "truth": CHANCE.choices([*LABELS, "fish", None], k=items),
    }
    for system in "ab":
        rows = [SHARES[0], *CHANCE.choices(SHARES, k=items - 1)]
        columns |= {
            f"{system}.p.{label}": [row[j] for row in rows] for j, label in enumerate(LABELS)
        }
    return columns


ROWS = drawn()


def some(chosen):
    return {name: [column[k] for k in chosen] for name, column in ROWS.items()}


def looped(columns):
    """The number of items of each truth and distributions; a label that is not named has confidence 0."""
    number = Counter()
    for k, truth in enumerate(columns["truth"]):
        if truth is not None:
            held = [columns.get(f"{s}.p.{label}") for s in "ab" for label in (*LABELS, "fish")]
            number[truth, *((column[k] if column else None) or 0.0 for column in held)] += 1
    return number


def rows(tally):
    order = [tally.labels.index(label) for label in (*LABELS, "fish")]
    return Counter(
        {
            (tally.labels[truth], *tally.shares[:, k][:, order].ravel().tolist()): number
            for k, (truth, number) in enumerate(
                zip(tally.truth.tolist(), tally.number.tolist(), strict=True)
            )
        }
    )


def long(columns, *more):
    """A row for each confidence above 0; an item with a truth of its own says it in each row."""
    made = {
        "item": [],
        "system": [],
        "truth": [],
        "label": [],
        "p": [],
        **{name: [] for name in more},
    }
    for k, item in enumerate(columns["item"]):
        for system, label in ((system, label) for system in "ab" for label in LABELS):
            if share := columns[f"{system}.p.{label}"][k]:
                own = (columns[name][k] for name in more)
                for name, value in zip(
                    made, (item, system, columns["truth"][k], label, share, *own), strict=True
                ):
                    made[name].append(value)
    return made


def test_the_counts_are_those_of_a_loop(table):
    found = confidences(table(ROWS, TableOptions()))
    assert (found.systems, found.labels) == (("a", "b"), (*LABELS, "fish"))
    assert rows(found) == looped(ROWS)


@pytest.fixture
def written(tmp_path, as_text):
    def write(columns, kind):
        path = tmp_path / f"rows.{kind}"
        if kind == "jsonl":
            lines = [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
            path.write_text("\n".join(map(json.dumps, lines)))
        else:
            path.write_text(as_text(columns, ","))
        return str(path)

    return write


@pytest.mark.parametrize("kind", ["csv", "jsonl", "pandas"])
def test_every_kind_of_input_gives_the_same_rows(table, written, kind):
    data = (
        pytest.importorskip("pandas").DataFrame(ROWS) if kind == "pandas" else written(ROWS, kind)
    )
    assert (
        confidences(table(data, TableOptions())).digest()
        == confidences(table(ROWS, TableOptions())).digest()
    )


def test_a_row_for_each_label_says_what_a_column_for_each_label_does(table):
    answered = [
        k for k in range(40) if ROWS["a.p.bird"][k] is not None or ROWS["b.p.bird"][k] is not None
    ]
    one, other = (
        confidences(table(data, TableOptions())) for data in (some(answered), long(some(answered)))
    )
    assert rows(one) == rows(other)
    assert one.digest() == other.digest()


def test_the_order_of_the_rows_says_nothing(table):
    order = list(range(40))
    random.Random(7).shuffle(order)  # noqa: S311
    one, other = (confidences(table(data, TableOptions())) for data in (ROWS, some(order)))
    assert one.digest() == other.digest()


def test_other_rows_are_told_apart(table):
    changed = {**ROWS, "a.p.cat": [0.26, *ROWS["a.p.cat"][1:]]}
    assert (
        confidences(table(changed, TableOptions())).digest()
        != confidences(table(ROWS, TableOptions())).digest()
    )


def test_the_rows_of_two_parts_add_up_though_each_has_labels_of_its_own(table):
    fish = [k for k in range(40) if ROWS["truth"][k] == "fish"]
    rest = [k for k in range(40) if ROWS["truth"][k] != "fish"]
    one, other, whole = (
        confidences(table(some(part), TableOptions())) for part in (fish, rest, range(40))
    )
    assert "fish" not in other.labels
    assert (one + other).digest() == (other + one).digest() == whole.digest()


def test_counted_rows_count_as_often_as_they_say(table):
    number = [k % 3 for k in range(40)]
    repeated = some([k for k in range(40) for _ in range(number[k])])
    counted = confidences(table({**ROWS, "n": number}, TableOptions(count="n")))
    every = confidences(table(repeated, TableOptions(duplicate_check=False)))
    there = counted.number > 0
    assert int(counted.number.sum()) == int(every.number.sum())
    assert Counter(dict(rows(counted))) + Counter() == rows(every)
    assert np.array_equal(counted.number[there], every.number)


def test_counts_in_a_row_for_each_label_say_what_they_do_in_a_row_for_each_item(table):
    answered = [
        k for k in range(40) if ROWS["a.p.bird"][k] is not None or ROWS["b.p.bird"][k] is not None
    ]
    counted = {**some(answered), "n": [k % 3 for k in answered]}
    one, other = (
        confidences(table(data, TableOptions(count="n"))) for data in (counted, long(counted, "n"))
    )
    assert rows(one) == rows(other)
    assert one.digest() == other.digest()


def test_different_systems_do_not_add_up(table):
    one, other = (
        confidences(table(ROWS, TableOptions(systems=systems))) for systems in (("a", "b"), ("a",))
    )
    with pytest.raises(TallyError, match="different systems"):
        _ = one + other


def test_labels_alone_say_no_confidences(table):
    with pytest.raises(TallyError, match=r"columns NAME\.p\.LABEL hold them"):
        confidences(table({"truth": list("xy"), "a": list("xx")}, TableOptions()))


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
@pytest.mark.skipif(
    not (find_spec("pyspark") and shutil.which("java")),
    reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
)
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.usefixtures("spark_session")
def test_spark_gives_the_same_rows(table, written):
    path = written(long(ROWS), "csv")
    one, other = (
        confidences(table(path, TableOptions(), engine=engine)) for engine in ("duckdb", "spark")
    )
    assert rows(other) == rows(one)
    assert other.digest() == one.digest()
