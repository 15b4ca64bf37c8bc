"""Marks and scores counted by the engine: what a count in memory gives, and words for cells that are none."""

import numpy as np
import polars as pl
import pytest

from karat.ask.prevalence_options import open_series
from karat.errors import InputError, UnknownNameError
from karat.questions.agreement_levels import agreement_levels
from karat.tally.scores.annotator_marks import marks, marks_of

RANDOM = np.random.default_rng(3)
MARKS = (RANDOM.random((300, 3)) < 0.4).astype(int)
COLUMNS = {
    **{f"a{k}": MARKS[:, k] for k in range(3)},
    "s": np.round(MARKS.sum(axis=1) + RANDOM.normal(size=300), 1),
    "t": np.where(RANDOM.random(300) < 0.3, -0.0, RANDOM.normal(size=300)),
}


@pytest.fixture(params=["csv", "parquet", "boolean", "columns"])
def data(request, tmp_path):
    frame = pl.DataFrame(COLUMNS)
    if request.param == "columns":
        return COLUMNS
    if request.param == "boolean":
        frame = frame.with_columns(pl.col("a0", "a1", "a2").cast(pl.Boolean))
    path = tmp_path / f"marks.{'csv' if request.param == 'csv' else 'parquet'}"
    frame.write_csv(path) if request.param == "csv" else frame.write_parquet(path)
    return path


def test_the_engine_counts_what_a_count_in_memory_gives(data):
    found = marks(*open_series(data), ["a0", "a1", "a2"], ["s", "t"])
    for system, ours in found.items():
        plain = marks_of(MARKS, COLUMNS[system])
        assert ours.annotators == plain.annotators == 3
        assert ours.by_all
        assert (ours.left_out, ours.clustered) == (0, False)
        assert whole(ours) == whole(plain)


def whole(found):
    """How many items have each number of marks and each score, whatever their blocks."""
    sums = {}
    for place, key in enumerate(zip(found.marks.tolist(), found.score.tolist(), strict=True)):
        sums[key] = sums.get(key, 0) + int(found.number[place])
    return sums


def test_the_order_of_items_changes_nothing():
    order = RANDOM.permutation(300)
    shuffled = {name: values[order] for name, values in COLUMNS.items()}
    found = [
        agreement_levels(each, annotators=["a0", "a1"], systems=["s"])
        for each in (COLUMNS, shuffled)
    ]
    assert found[0].to_json() == found[1].to_json()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1,0,0.5", "1,0,"], "row 2: s has no value where a number belongs"),
        (["1,0,0.5", "1,maybe,0.5"], "row 2: y has 'maybe' where a number belongs"),
        (["1,0,0.5", "1,0,often"], "row 2: s has 'often' where a number belongs"),
        (["1,0,inf"], "row 1: s has 'inf' where a number belongs"),
        (["1,0,nan"], "row 1: s has 'nan' where a number belongs"),
        (["1,0,0.5", "1,2,0.5"], "row 2: y has '2'; a mark is 1, and none is 0"),
        (["0.5,1,0.5"], "row 1: x has '0.5'; a mark is 1, and none is 0"),
        ([], "has no rows"),
    ],
)
def test_cells_that_are_no_marks_or_scores_are_named(tmp_path, lines, words):
    path = tmp_path / "marks.csv"
    path.write_text("\n".join(["x,y,s", *lines]) + "\n")
    with pytest.raises(InputError, match=words):
        marks(*open_series(path), ["x", "y"], ["s"])


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(UnknownNameError, match="a9"):
        marks(*open_series(COLUMNS), ["a0", "a9"], ["s"])


def some_looked(random, items=400, annotators=4):
    """Marks of which some are missing, one item by all."""
    marks = (random.random((items, annotators)) < 0.4).astype(float)
    marks[random.random((items, annotators)) < 0.3] = np.nan
    marks[0] = np.nan
    return marks


@pytest.mark.parametrize("form", ["csv", "words", "columns", "parquet"])
def test_empty_cells_are_annotators_who_did_not_look(tmp_path, form):
    random = np.random.default_rng(8)
    marks_of_items = some_looked(random)
    score = np.round(random.normal(size=400), 1)
    columns = {f"a{k}": marks_of_items[:, k] for k in range(4)} | {"s": score}
    frame = pl.DataFrame(columns).fill_nan(None)
    path = tmp_path / f"marks.{'parquet' if form == 'parquet' else 'csv'}"
    if form == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, null_value="n/a" if form == "words" else "")
    data = columns if form == "columns" else path
    found = marks(*open_series(data), list(columns)[:4], ["s"])["s"]
    # A plain loop over the items is the oracle.
    expected = {}
    for row, value in zip(marks_of_items, score.tolist(), strict=True):
        known = [mark for mark in row if not np.isnan(mark)]
        if known:
            key = (int(sum(known)), len(known), value + 0.0)
            expected[key] = expected.get(key, 0) + 1
    keys = zip(found.marks.tolist(), found.looked.tolist(), found.score.tolist(), strict=True)
    sums = {}
    for key, number in zip(keys, found.number.tolist(), strict=True):
        sums[key] = sums.get(key, 0) + number
    assert sums == expected
    assert found.left_out == 1 + int(np.isnan(marks_of_items[1:]).all(axis=1).sum())
    assert not found.by_all


def test_a_level_is_reached_by_as_large_a_share_of_those_who_looked():
    random = np.random.default_rng(9)
    looked = random.integers(1, 9, 500)
    marked = random.integers(0, looked + 1)
    columns = {"yes": marked, "of": looked, "s": random.normal(size=500)}
    found = marks(*open_series(columns), ["yes", "of"], ["s"], counted=True)["s"]
    most = int(looked.max())
    assert found.annotators == most
    for level in range(1, most + 1):
        shares = int((marked / looked >= level / most - 1e-12).sum())
        assert int(found.number[found.level >= level].sum()) == shares
    assert found.agreement == pytest.approx(found.marks / found.looked * most)


def test_marks_are_counted_by_cluster():
    random = np.random.default_rng(10)
    image = np.array([f"p{k}" for k in random.integers(0, 12, 300)])
    data = COLUMNS | {"image": image}
    found = marks(*open_series(data), ["a0", "a1", "a2"], ["s", "t"], cluster="image")
    for own in found.values():
        sizes = np.bincount(own.cluster, own.number)
        assert sizes.tolist() == np.unique(image, return_counts=True)[1].tolist()
    frame = pl.DataFrame({"a": [1, 0], "b": [1, 0], "s": [0.5, 0.1], "image": ["x", None]})
    with pytest.raises(InputError, match="row 2: image has no value; each item is in a cluster"):
        marks(*open_series(frame), ["a", "b"], ["s"], cluster="image")


@pytest.mark.parametrize(
    ("yes", "of", "words"),
    [
        ([1, 3], [2, 2], "row 2: yes has '3'.*no more marked an item than looked at it"),
        ([1, -1], [2, 2], "row 2: yes has '-1'; it is a whole number from 0 up"),
        ([0, 0], [0, 0], "nobody looked at any item"),
    ],
)
def test_counts_of_marks_that_cannot_be_are_named(yes, of, words):
    columns = {"yes": yes, "of": of, "s": [0.5, 0.1]}
    with pytest.raises(InputError, match=words):
        marks(*open_series(columns), ["yes", "of"], ["s"], counted=True)
