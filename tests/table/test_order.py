"""Rows stay in the order of the file, and `read` counts what it says."""

import numpy as np
import pytest

import karat

ITEMS = np.random.default_rng(3).permutation(20_000)
TRUTH = {"item": np.arange(30_000), "truth": np.arange(30_000) % 3}
WIDE = {"item": ITEMS, "a": ITEMS % 3, "b": ITEMS % 2}
LONG = {
    "item": np.repeat(ITEMS, 2),
    "system": ["a", "b"] * len(ITEMS),
    "answer": np.repeat(ITEMS, 2) % 3,
}
SHARES = {**LONG, "p": np.full(2 * len(ITEMS), 0.5)}


@pytest.mark.parametrize("table", [WIDE, LONG, SHARES], ids=["wide", "long", "shares"])
@pytest.mark.parametrize("truth", [None, TRUTH], ids=["alone", "with a truth file"])
def test_rows_stay_in_the_order_of_the_file(table, truth):
    bench = karat.read(table, truth=truth)
    assert [row["item"] for row in bench.describe().first] == [str(item) for item in ITEMS[:5]]
    assert [row["item"] for row in bench.consensus(per="item").rows()[:50]] == [
        str(item) for item in ITEMS[:50]
    ]


def test_read_counts_different_values_exactly():
    number = 5_000
    names = [f"x{k}" for k in range(number)]
    wide = {
        "id": range(number),
        "truth": [0, 1] * 2500,
        "page": names,
        "note": names,
        "a": [k % 1447 for k in range(number)],
    }
    counts = {
        use["column"]: use["distinct"] for use in karat.read(wide, group="page").describe().rows()
    }
    assert counts == {"id": number, "truth": 2, "page": number, "note": number, "a": 1447}
    votes = {
        "item": range(number),
        "system": ["a"] * number,
        "answer": names,
        "task": [name[:3] for name in names],
    }
    counts = {use["column"]: use["distinct"] for use in karat.read(votes).describe().rows()}
    assert counts == {
        "item": number,
        "system": 1,
        "answer": number,
        "task": len({name[:3] for name in names}),
    }


def test_what_means_no_answer_is_no_value():
    votes = {"item": [1, 2, 3], "system": ["a"] * 3, "answer": ["x", "NA", "y"]}
    counts = {
        use["column"]: use["distinct"]
        for use in karat.read(votes, no_answer="NA").describe().rows()
    }
    assert counts["answer"] == 2
