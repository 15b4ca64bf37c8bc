"""Scores that were written in a way that makes labels of them are refused with what they are."""

import pytest

import karat
from karat.errors import InputError

TRUTH = [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            ["0,9", "0,25", "-1,5", "1"],
            r"'a' holds numbers with a decimal comma, such as .*; write them with a point",
        ),
        (
            ["90%", "2.5%", "0%", None],
            r"'a' holds numbers with a per cent sign, such as .*; write them without it",
        ),
        (["90 %", "25 %", "0 %", "10 %"], "per cent sign"),
        (
            [98, 20, 55, 45],
            "'a' holds whole numbers but neither 0 nor 1, while the truth is 1 or 0, such as '20'",
        ),
        (["98", "20", "55", "45"], "if they are scores, say kinds='score'"),
    ],
)
def test_scores_in_disguise_are_named(cells, message):
    with pytest.raises(InputError, match=message):
        karat.read({"truth": TRUTH, "a": cells})
    votes = {"item": [1, 2, 3, 4], "system": ["a"] * 4, "answer": cells, "truth": TRUTH}
    with pytest.raises(InputError, match=message):
        karat.read(votes)


@pytest.mark.parametrize(
    "table",
    [
        {"truth": TRUTH, "a": [0, 1, 2, 1]},
        {"truth": TRUTH, "a": [-1, 1, 0, 1]},
        {"truth": TRUTH, "a": [0, 1, 1, 1], "length": [12, 14, 15, 9]},
        {"truth": TRUTH, "a": ["yes", "1,2", "no", "5%"]},
        {"truth": ["1,2", "3,4", "1,2", "1,2"], "a": ["1,2", "3,4", "1,2", "1,4"]},
        {"truth": [17, 20, 17, 20], "a": [17, 17, 17, 20]},
    ],
)
def test_labels_are_labels_still(table):
    assert karat.read(table).facts.kind in {"label", "yesno"}


def test_whole_numbers_are_scores_if_one_says_so():
    assert karat.read({"truth": TRUTH, "a": [98, 20, 55, 45]}, kinds="score").facts.kind == "score"
