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
        for name in ("marks", "score", "number"):
            assert getattr(ours, name).tolist() == getattr(plain, name).tolist()


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
        (["1,0,0.5", "1,,0.5"], "row 2: y has no value where a number should stand"),
        (["1,0,0.5", "1,0,often"], "row 2: s has 'often' where a number should stand"),
        (["1,0,inf"], "row 1: s has 'inf' where a number should stand"),
        (["1,0,nan"], "row 1: s has 'nan' where a number should stand"),
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
