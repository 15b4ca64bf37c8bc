"""What an item counts, and what is refused, with its row."""

import numpy as np
import pandas as pd
import pytest

import karat
from karat.errors import InputError, OptionError, RoleError
from karat.tally.votes.patterns import patterns
from support.tables import PETS, WRONG, facts, right, value

# Weights, counts, clusters and runs


def test_a_count_is_a_frequency_and_the_exact_interval_holds():
    counted = karat.read({"truth": ["x", "y"], "a": ["x", "x"], "n": [3, 2]}, count="n")
    repeated = karat.read({"truth": ["x"] * 3 + ["y"] * 2, "a": ["x"] * 5})
    assert counted.score().rows() == repeated.score().rows()


def test_a_weight_is_importance_and_the_interval_is_drawn():
    row = (
        karat.read({"truth": PETS, "a": WRONG, "weight": [1, 2, 3, 4.5]})
        .score(measure="accuracy")
        .rows()[0]
    )
    assert row["value"] == pytest.approx(5 / 10.5)
    assert row["method"].startswith(
        "exact of the effective number of items, by bootstrap over 4 weighted"
    )


@pytest.mark.parametrize(
    ("role", "numbers", "reason"),
    [
        (
            "count",
            [1, 2, 3, 0.5],
            "1 fractions; count= holds frequencies, weight= holds importance",
        ),
        ("weight", [1, 2, 3, -1], "1 negative weight"),
        ("weight", ["1", "2", "3", None], "1 empty weight"),
        ("weight", ["1", "2", "3", "four"], "the weight 'four' in 'n' is not a number"),
        ("weight", [1, 2, 3, float("inf")], "1 infinite weight;"),
        ("count", [1, 2, 3, float("inf")], "1 infinite count;"),
    ],
)
def test_a_weight_that_is_none_is_refused(role, numbers, reason):
    with pytest.raises(karat.KaratError, match=reason):
        karat.read({"truth": PETS, "a": PETS, "n": numbers}, **{role: "n"})


@pytest.mark.parametrize(("role", "bad"), [("weight", "four"), ("count", 0.5), ("error", 3)])
def test_what_an_item_counts_or_errs_is_read_and_checked_in_a_row_per_answer_as_well(role, bad):
    numbers = {"weight": [1.5, 2, 3, 4], "count": [1, 2, 3, 4], "error": [0, 0.1, 0.2, 0.5]}[role]
    wide = {"item": [1, 2, 3, 4], "truth": PETS, "a": PETS, "b": WRONG, "n": numbers}
    long = {name: wide[name] * 2 for name in ("item", "truth", "n")}
    long |= {"system": ["a"] * 4 + ["b"] * 4, "answer": PETS + WRONG}
    one, other = (karat.read(table, **{role: "n"}) for table in (wide, long))
    assert other.score(draws=100).rows() == one.score(draws=100).rows()
    assert (
        other.counter.count(patterns, keys="we").digest()
        == one.counter.count(patterns, keys="we").digest()
    )
    with pytest.raises(karat.KaratError, match="'n'"):
        karat.read({**long, "n": [str(bad), *map(str, long["n"][1:])]}, **{role: "n"})


@pytest.mark.parametrize("role", ["weight", "count", "group", "cluster", "error", "second_truth"])
def test_an_item_of_a_row_per_answer_has_one_of_each(role):
    long = {
        "item": [1, 2, 1],
        "system": ["a", "a", "b"],
        "answer": ["x", "y", "x"],
        "truth": ["x", "x", "x"],
    }
    assert karat.read({**long, "n": [1, 0, 1]}, **{role: "n"}).facts.systems == ("a", "b")
    with pytest.raises(
        InputError,
        match=f"item '1' has two {role.replace('_', ' ')}s, '0' and '1'; an item has one",
    ):
        karat.read({**long, "n": [1, 0, 0]}, **{role: "n"})


def test_a_weight_may_differ_from_run_to_run():
    long = {
        "item": [1, 1],
        "system": ["a", "a"],
        "answer": ["x", "y"],
        "truth": ["x", "x"],
        "r": [1, 2],
        "n": [3, 1],
    }
    assert (
        karat.read(long, run="r", weight="n").score(measure="accuracy").rows()[0]["value"] == 0.75
    )


@pytest.mark.parametrize("role", ["cluster", "run"])
def test_items_without_a_cluster_or_run_do_not_hang_together_by_that(role):
    table = {"item": [1, 2, 3, 4], "truth": PETS, "a": PETS, "k": ["p", "q", None, None]}
    long = {"item": [1, 2], "system": ["a", "a"], "answer": ["x", "y"], "k": ["p", None]}
    for rows, empty in ((table, "2 rows"), (long, "1 row")):
        with pytest.raises(InputError, match=f"'k' is empty in {empty}; every row needs a {role}"):
            karat.read(rows, **{role: "k"})


def test_items_without_a_group_are_called_so():
    table = {"truth": PETS, "a": PETS, "k": ["p", "p", None, None]}
    rows = karat.read(table, group="k").score(measure="accuracy", per="group").rows()
    assert [(row["group"], row["trials"]) for row in rows[:2]] == [("(no group)", 2), ("p", 2)]


def test_weight_and_count_and_cluster_and_run_exclude_each_other():
    with pytest.raises(OptionError, match="weight= and count= exclude each other"):
        karat.read({"truth": PETS, "a": PETS}, weight="w", count="n")
    with pytest.raises(OptionError, match="cluster= and run= exclude each other"):
        karat.read({"truth": PETS, "a": PETS}, cluster="c", run="r")


@pytest.mark.parametrize("role", ["weight", "count", "error"])
def test_the_names_of_items_are_no_numbers(role):
    with pytest.raises(
        RoleError, match=f"'item' names the items; {role}= needs a column of numbers"
    ):
        karat.read({"item": list("abcd"), "truth": PETS, "a": WRONG}, **{role: "item"})


def test_items_that_hang_together_are_drawn_together():
    row = (
        karat.read({"truth": PETS, "a": WRONG, "book": [1, 1, 2, 2]}, cluster="book")
        .score()
        .rows()[0]
    )
    assert row["method"].startswith("jackknife over 2 clusters")


def test_runs_of_a_system_share_their_items_and_show_their_spread():
    table = {
        "item": [1, 2, 1, 2],
        "run": [1, 1, 2, 2],
        "truth": ["x", "y", "x", "y"],
        "a": ["x", "y", "x", "x"],
    }
    row = karat.read(table, run="run").score(measure="accuracy").rows()[0]
    assert (row["value"], row["runs"], row["run_low"], row["run_high"]) == (0.75, 2, 0.5, 1.0)
    assert row["method"].startswith("jackknife over 2 clusters")


def test_a_run_holds_an_item_once():
    with pytest.raises(InputError, match="item '1' occurs 2 times"):
        karat.read({"item": [1, 1], "run": [1, 1], "truth": ["x", "x"], "a": ["x", "y"]}, run="run")


# Checks


def test_names_that_differ_only_in_case_are_two_names():
    assert facts({"truth": PETS, "a": PETS, "A": WRONG}).systems == ("A", "a")


def test_a_duplicate_item_is_refused_with_its_rows():
    with pytest.raises(
        InputError, match=r"item '1' occurs 2 times \(rows 1 and 3\); an item must occur once"
    ):
        karat.read({"item": [1, 2, 1], "truth": ["x", "y", "x"], "a": ["x", "y", "x"]})
    assert right({"item": [1, 1], "truth": ["x", "y"], "a": ["x", "y"]}, duplicate_check=False) == {
        "a": (2, 2)
    }


def test_a_frame_with_two_columns_of_one_name_is_refused():
    frame = pd.DataFrame([["x", "x", "y"]], columns=["truth", "a", "a"])
    with pytest.raises(
        InputError, match="the pandas frame has 'a' more than once; rename one of them"
    ):
        karat.read(frame)


def test_a_row_without_its_item_is_refused():
    with pytest.raises(InputError, match=r"1 rows? (has|have) no 'item'"):
        karat.read({"item": ["1", None], "truth": ["x", "y"], "a": ["x", "y"]})


@pytest.mark.parametrize("table", [{}, {"truth": [], "a": []}])
def test_an_empty_table_is_refused(table):
    with pytest.raises(InputError, match="no rows; karat needs at least one item"):
        karat.read(table)


def test_a_table_with_a_header_and_no_rows_is_refused(file):
    with pytest.raises(InputError, match=r"table.csv has a header but no rows"):
        karat.read(file("item,truth,a\n"))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"truth": [1, 0], "a": [1]}, "different lengths"),
        ({"truth": [1, 0], "a": 1}, "'a' is the single value 1"),
        ({"truth": "xy", "a": ["x", "y"]}, "'truth' is the single value 'xy'"),
        ({"truth": [1, 0], "a": [[1], [0]]}, "a column holds 'list'"),
        ({"truth": np.zeros((2, 2)), "a": [1, 0]}, "'truth' has 2 dimensions"),
        ({"truth": np.array([b"x"]), "a": ["x"]}, "'truth' holds .S1"),
    ],
)
def test_columns_that_are_no_columns_are_refused(columns, reason):
    with pytest.raises(InputError, match=reason):
        karat.read(columns)


def test_numpy_columns_of_every_kind_are_read():
    small = np.array([-128, 127, 0], np.int8)
    assert right({"truth": small, "a": small.astype(np.int64), "b": [-128, 0, 0]}) == {
        "a": (3, 3),
        "b": (2, 3),
    }
    large = np.array([5, 6], np.uint64)
    assert right({"truth": [5, 6], "a": large, "b": large.astype(np.float32)}) == {
        "a": (2, 2),
        "b": (2, 2),
    }
    assert right({"truth": np.array(["x", "y"]), "a": np.array([True, False])}) == {"a": (0, 2)}
    masked = np.ma.array([5, 6], mask=[False, True])
    assert facts({"truth": [5, 6], "a": masked}).counts.missing == {"a": 1}


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, pd.NA, 0], dtype="Int64"),
        pd.Series(["x", pd.NA, "y"], dtype=object),
        pd.array([True, None, False], dtype="boolean"),
        [1.5, np.float32("nan"), 2.5],
        [pd.Timestamp(0), pd.NaT, pd.Timestamp(1)],
    ],
)
def test_what_pandas_writes_where_there_is_nothing_is_missing(values):
    assert facts({"truth": ["x", "y", "x"], "a": values}, systems="a").counts.missing == {"a": 1}


@pytest.mark.parametrize("data", [None, 5, [{"truth": 1, "a": 1}]])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(InputError, match="give it a path, a data frame or a dict of columns"):
        karat.read(data)


def test_a_positive_that_never_occurs_is_undefined_not_an_error():
    assert value({"truth": [0, 0], "a": [0, 0]}, "recall") is None


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        (
            [0.1, 1.5, -1.0],
            r"row 2: the error in 'e' is 1.5, which is not a probability from 0 to 1; 1 more row cannot be used either",
        ),
        (
            [0.1, 0.2, None],
            r"row 3: the error in 'e' is empty, where there is a truth; write 0 where it is sure",
        ),
    ],
)
def test_an_error_that_is_no_probability_is_named_with_its_row(chances, message):
    table = {"truth": ["x", "y", "x"], "e": chances, "a": ["x", "x", "x"]}
    with pytest.raises(InputError, match=message):
        karat.read(table, error="e", systems=("a",))
