"""Conditions on results: met up to the very bound, unmet just beyond it, and turned round where they are stated so."""

import numpy as np
import pytest

import karat
from karat.errors import KaratError, OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.verdict.requirement import (
    AtLeast,
    AtMost,
    OrderKeptAtLeast,
    Pairwise,
    parse,
    unmet_by_comparisons,
    unmet_by_scores,
    unmet_by_stability,
)

ACCURACY = Quantity("accuracy")
RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.choice(list("xy"), 200)
TABLE = {"truth": TRUTH.tolist()} | {
    name: np.where(RANDOM.random(200) < right, TRUTH, RANDOM.choice(list("xy"), 200)).tolist()
    for name, right in (("a", 0.9), ("b", 0.5), ("c", 0.86))
}
BENCH = karat.read(TABLE)


def test_conditions_are_read_with_their_names_and_numbers():
    assert parse("better:new,old") == Pairwise("new", "old")
    assert parse("no-worse:new,old,0.01") == Pairwise("new", "old", 0.01)
    assert parse("better:a,b,c") == Pairwise("a,b", "c")
    assert parse("kept>=0.9") == OrderKeptAtLeast(0.9)
    assert parse("accuracy>=0.5") == AtLeast(ACCURACY, 0.5)
    assert parse("recall[x]<=0.5") == AtMost(Quantity.parse("recall[x]"), 0.5)


@pytest.mark.parametrize(
    "text", ["better:new", "kept<=0.9", "accuracy>0.5", "accuracy>=", "no-worse:a,b", ""]
)
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(KaratError):
        parse(text)


def test_a_bound_is_met_up_to_itself_and_named_beyond():
    scores = BENCH.score(measure="accuracy")
    rows = {row["system"]: row for row in scores.rows()}
    least = min(row["low"] for row in rows.values())
    most = max(row["high"] for row in rows.values())
    assert unmet_by_scores([AtLeast(ACCURACY, least), AtMost(ACCURACY, most)], scores) == []
    (missed,) = unmet_by_scores([AtLeast(ACCURACY, least + 1e-9)], scores)
    assert missed.startswith(f"accuracy of 'b': the lower bound is {least:.4f}, not ")
    (missed,) = unmet_by_scores([AtMost(ACCURACY, most - 1e-9)], scores)
    assert missed.startswith(f"accuracy of 'a': the upper bound is {most:.4f}, not ")
    assert len(unmet_by_scores([AtLeast(ACCURACY, 1), AtMost(ACCURACY, 0)], scores)) == 6


def test_a_condition_on_one_class_looks_at_that_class():
    scores = BENCH.score(measure=("recall[x]", "recall[y]"))
    lows = {(row["label"], row["system"]): row["low"] for row in scores.rows()}
    least = min(low for (label, _), low in lows.items() if label == "x")
    assert unmet_by_scores([parse(f"recall[x]>={least!r}")], scores) == []
    every = [parse("recall[y]>=1")]
    assert len(unmet_by_scores(every, scores)) == 3


def test_what_was_not_computed_is_no_condition_that_is_met():
    with pytest.raises(
        OptionError, match="kappa, which was not computed; ask for it with measure="
    ):
        unmet_by_scores([AtLeast(Quantity("kappa"), 0.5)], BENCH.score(measure="accuracy"))


def test_an_order_is_kept_up_to_its_own_probability():
    found = BENCH.stability(label_error=0.05)
    kept = {(row["better"], row["worse"]): row["kept"] for row in found.rows()}
    least = min(kept.values())
    assert unmet_by_stability([OrderKeptAtLeast(least)], found) == []
    (missed,) = unmet_by_stability([OrderKeptAtLeast(least + 1e-9)], found)
    better, worse = min(kept, key=kept.__getitem__)
    assert missed.startswith(
        f"{better!r} before {worse!r} is kept with probability {least:.4f}, not "
    )
    with pytest.raises(OptionError, match="needs a share of wrong labels"):
        unmet_by_stability([OrderKeptAtLeast(0.5)], BENCH.stability())


def test_better_and_no_worse_are_the_verdicts_whichever_way_the_pair_is_stated():
    made = {
        None: BENCH.compare(measure="accuracy"),
        0.1: BENCH.compare(measure="accuracy", margin=0.1),
    }
    assert unmet_by_comparisons([Pairwise("a", "b")], made) == []
    (missed,) = unmet_by_comparisons([Pairwise("b", "a")], made)
    assert missed == "'b' is not shown to be better than 'a': worse"
    (missed,) = unmet_by_comparisons([Pairwise("a", "c")], made)
    assert missed == "'a' is not shown to be better than 'c': undecided"
    rows = {(row["first"], row["second"]): row for row in made[0.1].rows()}
    close = rows.get(("a", "c")) or rows[("c", "a")]
    assert close["verdict"] == "no worse"
    assert unmet_by_comparisons([Pairwise(close["first"], close["second"], 0.1)], made) == []
    (missed,) = unmet_by_comparisons([Pairwise("b", "a", 0.1)], made)
    pair = rows[("a", "b")]
    ends = f"[{-pair['high']:.4f}, {-pair['low']:.4f}]"
    assert missed == f"'b' may be worse than 'a' by 0.1 or more: the difference lies in {ends}"


def test_of_several_measures_each_is_named():
    made = {None: BENCH.compare(measure=("accuracy", "macro-f1"))}
    missed = unmet_by_comparisons([Pairwise("b", "a")], made)
    assert [one.partition(":")[0] for one in missed] == ["accuracy", "macro-f1"]


def test_systems_that_are_not_there_or_were_not_compared_are_named():
    made = {None: BENCH.compare(measure="accuracy", baseline="a")}
    with pytest.raises(UnknownNameError):
        unmet_by_comparisons([Pairwise("a", "nobody")], made)
    with pytest.raises(OptionError, match="'b' and 'c' were not compared"):
        unmet_by_comparisons([Pairwise("b", "c")], made)
