"""Expected counts are those of every way the truth could be wrong; the interval holds both doubts."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.doubt.estimates import IntervalOptions
from karat.doubt.label_noise.uncertain_truth import UncertainTruth
from karat.errors import InputError, OptionError
from karat.measure.of_answers.precision import precision
from karat.measure.of_answers.recall import recall
from karat.measure.quantity import Quantity
from karat.measure.totals import totals
from karat.tally.votes.confusion import Confusion

ACCURACY, PRECISION, RECALL = Quantity("accuracy"), Quantity("precision"), Quantity("recall")
LABELS = ("x", "y", "z")


def confusion(rows, labels=LABELS):
    truth, answer, error = (np.array([row[k] for row in rows]) for k in range(3))
    number = np.ones(len(rows), np.int64)
    return Confusion(
        labels, truth.astype(int), answer.astype(int), number, keys={"e": error.astype(object)}
    )


def every_truth(rows, classes):
    """Every way the truths could be, with its probability."""
    for true in itertools.product(range(classes), repeat=len(rows)):
        chance = [
            1 - e if t == u else e / (classes - 1) for (t, _, e), u in zip(rows, true, strict=True)
        ]
        yield float(np.prod(chance)), true


ROW = st.tuples(st.integers(0, 2), st.integers(-1, 2), st.sampled_from([0.0, 0.1, 0.4, 1.0]))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(rows=st.lists(ROW, min_size=1, max_size=5))
def test_the_expected_counts_are_those_of_every_way_the_truth_could_be(rows):
    found = UncertainTruth(confusion(rows), LABELS, IntervalOptions(draws=2))
    hits, true = np.zeros(3), np.zeros(3)
    for chance, truths in every_truth(rows, 3):
        margins = totals(confusion([(t, a, 0) for t, (_, a, _) in zip(truths, rows, strict=True)]))
        hits, true = hits + chance * margins.hits, true + chance * margins.truth
    one, other = found.estimate(PRECISION), found.estimate(RECALL)
    assert one.successes == pytest.approx(hits)
    assert other.trials == pytest.approx(true)
    assert found.estimate(ACCURACY).value == pytest.approx(hits.sum() / len(rows))


@settings(derandomize=True, deadline=None, max_examples=20)
@given(rows=st.lists(ROW, min_size=1, max_size=8))
def test_a_truth_without_errors_is_scored_as_ever(rows):
    certain = confusion([(t, a, 0.0) for t, a, _ in rows])
    found = UncertainTruth(certain, LABELS, IntervalOptions(draws=2))
    assert found.estimate(PRECISION).value == pytest.approx(
        precision(totals(certain)).values, nan_ok=True
    )
    assert found.estimate(RECALL).value == pytest.approx(
        recall(totals(certain)).values, nan_ok=True
    )


def drawn_accuracies(given, answer, error, repeats):
    """The accuracy by the true labels, where the truths that are given are wrong as often as they say."""
    chance = np.random.default_rng(3)
    for _ in range(repeats):
        wrong = chance.random(len(given)) < error
        yield float(np.mean(np.where(wrong, 1 - given, given) == answer))


def test_the_interval_holds_where_the_errors_lie_even_if_the_items_are_all_there_are():
    chance = np.random.default_rng(5)
    truth = chance.integers(0, 2, 400)
    answer = np.where(chance.random(400) < 0.8, truth, 1 - truth)
    error = chance.choice([0.05, 0.3], 400)
    rows = list(zip(truth, answer, error, strict=True))
    found = UncertainTruth(
        confusion(rows, ("0", "1")), ("0", "1"), IntervalOptions(draws=2000)
    ).estimate(ACCURACY)
    possible = np.array(list(drawn_accuracies(truth, answer, error, 2000)))
    assert found.value[0] == pytest.approx(possible.mean(), abs=4 * possible.std() / np.sqrt(2000))
    inside = (possible >= found.interval.low[0]) & (possible <= found.interval.high[0])
    assert (
        inside.mean() > 0.95
    )  # the interval is of other items, too, so it is wider than the labels alone make it
    # Given the items' own variance, one draw is right with the mean chance: the standard deviation is known.
    p = float(found.value[0])
    width = (found.interval.high[0] - found.interval.low[0]) / (2 * 1.96)
    assert width == pytest.approx(np.sqrt(p * (1 - p) / 400), rel=0.1)


def test_the_interval_of_many_classes_is_that_of_the_draws_of_few():
    # Above MOST_SPREAD classes the other labels are spread evenly, not drawn: the accuracy does not depend on it.
    labels = tuple(f"l{k:02}" for k in range(25))
    rows = [(k % 25, (k * k) % 25 if k % 3 else k % 25, 0.2) for k in range(300)]
    found = UncertainTruth(confusion(rows, labels), labels, IntervalOptions(draws=500))
    assert found.estimate(ACCURACY).interval.low[0] < found.estimate(ACCURACY).value[0]
    assert found.estimate(RECALL).trials.sum() == pytest.approx(300)


def test_a_class_that_the_system_never_says_is_still_what_a_wrong_label_may_be():
    found = UncertainTruth(
        confusion([(0, 0, 0.5)] * 4, ("x",)), ("x", "y"), IntervalOptions(draws=10)
    ).estimate(RECALL)
    assert found.trials.tolist() == [2.0]
    assert found.value.tolist() == [1.0]


def uncertain():
    return {
        "truth": ["a", "b", "a", "b"],
        "error": [0.0, 0.2, 0.5, 0.0],
        "one": list("abab"),
        "two": list("aaab"),
    }


def test_score_takes_errors_by_item():
    found = karat.read(uncertain(), error="error").score(measure="accuracy", draws=200)
    assert [row["value"] for row in found.rows()] == pytest.approx(
        [(1 + 0.8 + 0.5 + 1) / 4, (1 + 0.2 + 0.5 + 1) / 4]
    )
    assert "expected" in " ".join(found.notes())
    assert (
        found.rows()[0]["method"]
        == "bootstrap over 4 items and their wrong labels (draws=200, seed=0)"
    )


def test_classes_are_scored_by_expected_counts():
    rows = (
        karat.read(uncertain(), error="error", systems=("one",)).score(per="class", draws=50).rows()
    )
    recalls = {
        row["label"]: (row["successes"], row["trials"])
        for row in rows
        if row["measure"] == "recall"
    }
    assert recalls["a"] == pytest.approx((1.5, 1.7))
    assert recalls["b"] == pytest.approx((1.8, 2.3))


@pytest.mark.parametrize(
    ("reading", "options", "words"),
    [
        ({"group": "g"}, {"per": "group"}, "leave cluster="),
        ({"weight": "w"}, {}, "leave cluster="),
        ({"truth_sep": " "}, {}, "set of labels"),
        ({}, {"bound": "wilson"}, "of whole counts"),
    ],
)
def test_what_does_not_go_with_errors_by_item_is_refused(reading, options, words):
    data = {**uncertain(), "g": list("xxyy"), "w": [1, 2, 1, 1]}
    with pytest.raises(OptionError, match=words):
        karat.read(data, error="error", systems=("one", "two"), **reading).score(**options)


def test_an_item_that_nobody_voted_on_has_neither_truth_nor_error(tmp_path):
    table = {
        "item": ["1", "2", "3"],
        "one": [1, 0, None],
        "two": [1, 1, None],
        "three": [1, 0, None],
    }
    path = tmp_path / "voted.csv"
    path.write_text(karat.read(table).consensus(per="item", estimator="vote").to_csv())
    found = karat.read(table, truth=f"{path}:label", error="error").score(
        measure="accuracy", draws=50
    )
    assert found.about["input"]["without_truth"] == 1
    # 0.8 for yes and 0.2 + 1 of 5 votes for no: the vote's own doubt is in the expected number.
    assert found.rows()[0]["value"] == pytest.approx((0.8 + 0.6) / 2)


def test_a_truth_without_its_error_is_refused():
    with pytest.raises(
        InputError, match="row 2: the error in 'error' is empty, where there is a truth"
    ):
        karat.read({**uncertain(), "error": [0.1, None, 0.0, 0.2]}, error="error")


@settings(derandomize=True, deadline=None, max_examples=30)
@given(rows=st.lists(ROW, min_size=2, max_size=8), level=st.sampled_from([0.5, 0.95]))
def test_an_interval_holds_its_value_and_a_perfect_one_is_no_surer_than_its_trials(rows, level):
    measured = UncertainTruth(confusion(rows), LABELS, IntervalOptions(level=level, draws=100))
    for quantity in (ACCURACY, PRECISION, RECALL, Quantity("f")):
        found = measured.estimate(quantity)
        known = ~np.isnan(found.value)
        assert (found.interval.low[known] <= found.value[known] + 1e-12).all()
        assert (found.interval.high[known] >= found.value[known] - 1e-12).all()
    share = measured.estimate(PRECISION)
    perfect = (share.value == 1) & (share.interval.high == 1)
    assert (
        share.interval.low[perfect]
        <= ((1 - level) / 2) ** (1 / np.maximum(1, share.trials[perfect])) + 1e-12
    ).all()
