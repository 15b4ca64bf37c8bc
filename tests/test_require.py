"""`Bench.require`: the conditions of the command line, in a test."""

import pytest

import karat
from karat.errors import KaratError, OptionError, UnknownNameError

TRUTH = ["cat", "dog"] * 100
GOOD = TRUTH[:195] + TRUTH[194:199]
POOR = ["dog"] * 40 + TRUTH[40:]
TABLE = {"truth": TRUTH, "new": GOOD, "old": POOR}


@pytest.fixture
def bench():
    return karat.read(TABLE)


@pytest.mark.parametrize(
    "conditions",
    [
        ["better:new,old"],
        ["no-worse:new,old,0.01"],
        ["accuracy>=0.8", "error-rate<=0.2"],
        ["recall[dog]>=0.8", "better:new,old"],
    ],
)
def test_what_is_met_says_nothing(bench, conditions):
    assert bench.require(*conditions) is None


def test_all_that_is_not_met_is_told(bench):
    with pytest.raises(AssertionError) as told:
        bench.require("better:old,new", "accuracy>=0.95", "no-worse:old,new,0.01")
    reasons = str(told.value).split("; ")
    assert len(reasons) == 4
    assert "accuracy of 'new': the lower bound is 0.9426, not 0.95" in reasons
    assert "'old' is not shown to be better than 'new': worse" in reasons


def test_orders_are_kept_at_a_share_of_wrong_labels(bench):
    bench.require("kept>=0.9", label_error=0.01)
    with pytest.raises(AssertionError, match="'new' before 'old' is kept with probability"):
        bench.require("kept>=0.9", label_error=0.45)


def test_the_measure_the_level_and_the_side_are_those_of_the_questions(bench):
    low = bench.score(measure="accuracy", level=0.9, side="lower").rows()
    least = min(row["low"] for row in low)
    bench.require(f"accuracy>={least:.6f}"[:-1], level=0.9, side="lower")
    with pytest.raises(AssertionError):
        bench.require(f"accuracy>={least + 1e-4}", level=0.9, side="lower")
    bench.require("better:new,old", measure="macro-f1")


def test_scores_have_a_threshold():
    scores = karat.read({"truth": [1, 0] * 50, "a": [0.9, 0.2] * 50})
    scores.require("accuracy>=0.9", threshold=0.5)


@pytest.mark.parametrize(
    ("conditions", "error", "words"),
    [
        ([], OptionError, "nothing is required"),
        (["bettr:new,old"], KaratError, "is not a condition"),
        (["better:new,older"], UnknownNameError, "did you mean 'old'"),
    ],
)
def test_what_is_no_condition_is_an_error_and_not_a_failure(bench, conditions, error, words):
    with pytest.raises(error, match=words):
        bench.require(*conditions)
