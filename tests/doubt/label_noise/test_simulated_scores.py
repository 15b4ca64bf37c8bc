"""What holds for any number of classes and any measure under errors in the labels, and for both doubts together."""

from itertools import product

import numpy as np
import pytest

from karat.doubt.label_noise import simulated_labels as module
from karat.doubt.label_noise.error_model import ErrorModel, kept_pair
from karat.doubt.label_noise.ranking_order import ranking_under_label_noise
from karat.doubt.label_noise.simulated_scores import (
    order_under_label_noise,
    scores_under_label_noise,
    scores_under_noise_and_sampling,
)
from karat.doubt.resampling.joint import joint
from karat.doubt.resampling.ranks import ranks
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.numeric.sparse_successes import successes
from karat.table.labels import Labels
from karat.tally.votes.pairs import pairs_of
from karat.tally.votes.patterns import Patterns

DRAWS = 20_000
WITHIN = 5 * 0.5 / DRAWS**0.5
"""Five standard errors of a probability, or of the mean of values from 0 to 1, at the most."""
TEXTS = [
    "accuracy",
    "error-rate",
    "precision[b]",
    "recall[b]",
    "f0.5[b]",
    "macro-f1",
    "macro-recall",
    "micro-recall",
]
TEXTS += ["micro-precision", "balanced-accuracy", "specificity[b]"]


def table(truth, answers, *, number=None, labels="abc", **meaning):
    answers = np.asarray(answers, np.int32)
    names = tuple(f"s{k}" for k in range(answers.shape[1]))
    number = np.ones(len(truth), np.int64) if number is None else np.asarray(number, np.int64)
    return Patterns(
        names, tuple(labels), np.asarray(truth, np.int64), answers, number, Labels(**meaning)
    )


def share(above, below):
    return above / below if below else 0.0


def score(text, truth, answers, classes):
    """The measure in plain words, undefined being 0; `classes` occur in the given truth."""
    quantity = Quantity.parse(text)
    hits = {k: sum((truth == k) & (answers == k)) for k in range(9)}
    true, said = ({k: sum(side == k) for k in range(9)} for side in (truth, answers))
    right = sum(hits.values())
    square = (quantity.parameter or 1.0) ** 2
    single = {
        "precision": lambda k: share(hits[k], said[k]),
        "recall": lambda k: share(hits[k], true[k]),
        "specificity": lambda k: share(sum((truth != k) & (answers != k)), sum(truth != k)),
        "f": lambda k: share((1 + square) * hits[k], said[k] + square * true[k]),
    }
    if quantity.label:
        return single[quantity.measure]("abc".index(quantity.label))
    if quantity.average == "micro":
        return share(right, sum(said.values()) if quantity.measure == "precision" else len(truth))
    if quantity.measure in {"accuracy", "error-rate"}:
        return right / len(truth) if quantity.measure == "accuracy" else 1 - right / len(truth)
    part = single["recall" if quantity.measure == "balanced-accuracy" else quantity.measure]
    return sum(part(k) for k in classes) / len(classes)


def labellings(truth, matrix):
    """Every true labelling with its chance, given P(true | given)."""
    for true in product(range(len(matrix[0])), repeat=len(truth)):
        chance = np.prod([matrix[g][t] for g, t in zip(truth, true, strict=True)])
        if chance:
            yield np.array(true), chance


def uniform(error, classes):
    return np.full((classes, classes), error / (classes - 1)) + np.eye(classes) * (
        1 - error - error / (classes - 1)
    )


def expected(text, truth, answers, matrix):
    """Means of both values, and the chances that the first is greater and that the second is."""
    classes, sums = sorted({*truth.tolist()}), np.zeros(4)
    for true, chance in labellings(truth, matrix):
        one, other = (round(score(text, true, column, classes), 12) for column in answers.T)
        sums += chance * np.array([one, other, one > other, one < other])
    return sums


def seen(drawn):
    one, other = drawn.T
    return [one.mean(), other.mean(), (one > other).mean(), (one < other).mean()]


@pytest.mark.parametrize("text", TEXTS)
def test_wrong_labels_that_move_uniformly_are_those_of_all_labellings(text):
    rng = np.random.default_rng(len(text))
    truth, answers = rng.integers(0, 3, 5), rng.integers(-1, 3, (5, 2))
    drawn = scores_under_label_noise(
        table(truth, answers), Quantity.parse(text), 0.3, draws=DRAWS
    ).drawn
    assert seen(drawn) == pytest.approx(expected(text, truth, answers, uniform(0.3, 3)), abs=WITHIN)


@pytest.mark.parametrize("text", ["accuracy", "macro-f1", "micro-recall", "recall[b]"])
def test_classes_that_nobody_named_take_wrong_labels_too(text):
    truth, answers = np.array([0, 1, 1, 2]), np.array([[0, 1], [1, 1], [2, 1], [2, 0]])
    drawn = scores_under_label_noise(
        table(truth, answers), Quantity.parse(text), 0.4, classes=6, draws=DRAWS
    ).drawn
    assert seen(drawn) == pytest.approx(expected(text, truth, answers, uniform(0.4, 6)), abs=WITHIN)


@pytest.mark.parametrize("text", ["accuracy", "macro-f1", "precision[b]"])
def test_wrong_labels_that_move_by_a_matrix(text):
    truth, answers = np.array([0, 1, 1, 2, 0]), np.array([[0, 1], [1, 1], [2, 1], [2, 0], [0, 2]])
    matrix = np.array([[1.0, 0.0, 0.0], [0.2, 0.7, 0.1], [0.05, 0.45, 0.5]])
    drawn = scores_under_label_noise(
        table(truth, answers), Quantity.parse(text), matrix, draws=DRAWS
    ).drawn
    assert seen(drawn) == pytest.approx(expected(text, truth, answers, matrix), abs=WITHIN)


@pytest.mark.parametrize("text", ["accuracy", "f1[b]", "macro-recall"])
def test_both_doubts_are_all_resamples_and_all_labellings(text):
    truth, answers = np.array([0, 1, 1]), np.array([[0, 1], [1, 1], [0, 1]])
    sums = np.zeros(4)
    for picked in product(range(3), repeat=3):
        for true, chance in labellings(truth[list(picked)], uniform(0.2, 2)):
            one, other = (
                round(score(text, true, column[list(picked)], [0, 1]), 12) for column in answers.T
            )
            sums += chance / 27 * np.array([one, other, one > other, one < other])
    both = scores_under_noise_and_sampling(
        table(truth, answers, labels="ab"), Quantity.parse(text), 0.2, draws=DRAWS
    )
    assert seen(both.drawn) == pytest.approx(sums, abs=WITHIN)
    assert both.method == f"simulation of bootstrap and wrong labels (draws={DRAWS}, seed=0)"


def random_patterns(seed, systems=3, labels="ab", rows=8):
    rng = np.random.default_rng(seed)
    size = len(labels)
    truth, answers = rng.integers(0, size, rows), rng.integers(0, size, (rows, systems))
    return table(truth, answers, number=rng.integers(1, 40, rows), labels=labels)


@pytest.mark.parametrize("seed", range(4))
def test_two_classes_follow_the_binary_law(seed):
    patterns, accuracy = random_patterns(seed), Quantity("accuracy")
    drawn = scores_under_label_noise(patterns, accuracy, 0.1, draws=DRAWS, seed=seed)
    found = order_under_label_noise(patterns, accuracy, drawn)
    exact = ranking_under_label_noise(
        patterns.answers == patterns.truth[:, None], patterns.number, 0.1
    )
    for field in ("kept", "no_inversion", "ranks", "before"):
        assert getattr(found, field) == pytest.approx(getattr(exact, field), abs=WITHIN)
    assert ranks(drawn).chance == pytest.approx(found.ranks, abs=1e-12)


@pytest.mark.parametrize("text", TEXTS)
def test_without_errors_every_measure_keeps_its_order(text):
    patterns = random_patterns(9, labels="abc")
    drawn = scores_under_label_noise(patterns, Quantity.parse(text), 0.0, draws=20)
    assert np.ptp(drawn.drawn, axis=0).max() == 0
    assert order_under_label_noise(patterns, Quantity.parse(text), drawn).kept == 1


@pytest.mark.parametrize("text", ["accuracy", "precision[b]", "f1[b]"])
def test_without_errors_both_doubts_are_the_bootstrap(text):
    patterns, quantity = random_patterns(5, labels="abc"), Quantity.parse(text)
    one, other = (
        scores_under_noise_and_sampling(patterns, quantity, 0.0, draws=4000),
        joint(patterns, quantity, draws=4000),
    )
    assert one.drawn.mean(axis=0) == pytest.approx(
        other.drawn.mean(axis=0), abs=5 * 0.1 * (2 / 4000) ** 0.5
    )
    assert one.drawn.std(axis=0) == pytest.approx(other.drawn.std(axis=0), rel=0.1)


@pytest.mark.parametrize("missing", ["wrong", "skip", "as:b"])
@pytest.mark.parametrize("text", ["accuracy", "macro-f1", "recall[b]"])
def test_missing_answers_are_treated_as_in_the_score(missing, text):
    rng = np.random.default_rng(3)
    patterns = table(rng.integers(0, 3, 30), rng.integers(-1, 3, (30, 2)), missing=missing)
    quantity = Quantity.parse(text)
    from karat.measure.quantity import values
    from karat.measure.totals import totals

    wanted = []
    for system in patterns.systems:
        margins = totals(patterns.confusion(system))
        found = values(quantity, margins)
        wanted.append(float(found if quantity.label is None else found[margins.labels.index("b")]))
    drawn = scores_under_label_noise(patterns, quantity, 0.0, draws=1).drawn[0]
    assert drawn == pytest.approx(wanted, abs=1e-11)


def test_nothing_is_no_class():
    # Truth and answer are nothing in the first item, which then does not count: 1 of 2 and 2 of 3.
    patterns = table([0, 1, 1], [[0, 1], [1, 1], [0, 1]], labels="∅b")
    drawn = scores_under_label_noise(patterns, Quantity("accuracy"), 0.0, draws=1).drawn[0]
    assert drawn == pytest.approx([1 / 2, 2 / 3], abs=1e-11)


def test_items_in_any_order_and_steps_of_any_size_give_the_same_law(monkeypatch):
    patterns, accuracy = random_patterns(7, labels="abc"), Quantity("accuracy")
    one = scores_under_label_noise(patterns, accuracy, 0.2, draws=4000)
    again = scores_under_label_noise(patterns, accuracy, 0.2, draws=4000)
    assert (one.drawn == again.drawn).all()
    order = np.random.default_rng(0).permutation(8)
    moved = table(patterns.truth[order], patterns.answers[order], number=patterns.number[order])
    monkeypatch.setattr(module, "AT_ONCE", 1000)
    other = scores_under_label_noise(moved, accuracy, 0.2, draws=4000)
    assert other.drawn.shape == one.drawn.shape
    assert other.drawn.mean(axis=0) == pytest.approx(
        one.drawn.mean(axis=0), abs=5 * 0.1 * (2 / 4000) ** 0.5
    )
    assert ranks(other).chance == pytest.approx(ranks(one).chance, abs=5 * 0.5 * (2 / 4000) ** 0.5)


@pytest.mark.parametrize("chance", [0.0, 1e-19, 1e-9, 1e-4, 0.05, 0.25, 0.6, 1.0])
def test_successes_are_those_of_independent_trials(chance):
    found = successes(np.random.default_rng(1), 100_000, chance)
    assert (np.diff(found) > 0).all()
    assert found.size == 0 or (found[0] >= 0 and found[-1] < 100_000)
    assert found.size == pytest.approx(
        1e5 * chance, abs=1 + 5 * (1e5 * chance * (1 - chance)) ** 0.5
    )
    assert found.sum() / 1e5 == pytest.approx(
        1e5 * chance / 2, abs=1 + 5 * (1e5 * chance / 3) ** 0.5
    )


def test_a_single_system_is_computed():
    patterns = random_patterns(1, systems=1)
    found = order_under_label_noise(
        patterns,
        Quantity("accuracy"),
        scores_under_label_noise(patterns, Quantity("accuracy"), 0.1, draws=50),
    )
    assert (found.kept, found.best_kept) == (1, 1)


def test_what_cannot_be_computed_is_refused():
    patterns, accuracy = random_patterns(1, labels="abc"), Quantity("accuracy")
    for error in (-0.1, 1.1, float("nan")):
        with pytest.raises(OptionError, match="it is a probability, from 0 to 1"):
            scores_under_label_noise(patterns, accuracy, error)
    with pytest.raises(OptionError, match="3 labels occur"):
        scores_under_label_noise(patterns, accuracy, 0.1, classes=2)
    with pytest.raises(OptionError, match="each row sums to 1"):
        scores_under_label_noise(patterns, accuracy, np.eye(3) * 0.9)
    with pytest.raises(OptionError, match="sets, clusters and weights"):
        scores_under_label_noise(table([0], [[1]], truth_sep="|"), accuracy, 0.1)
    with pytest.raises(OptionError, match="no item has a truth"):
        scores_under_label_noise(table([-1], [[1]]), accuracy, 0.1)
    with pytest.raises(OptionError, match="draws is 0"):
        scores_under_label_noise(patterns, accuracy, 0.1, draws=0)


def test_a_thousand_million_items_are_drawn_by_pattern():
    # Were labels drawn one by one, a single draw would take minutes. The exact distribution is that of the pair.
    number = [900_000_000, 40_000_100, 40_000_000, 20_000_000]
    answers = [[0, 0], [0, 1], [1, 0], [1, 2]]
    seen = table([0, 0, 0, 0], answers, number=number)
    draws = 4_000
    within = 5 * 0.5 / draws**0.5
    accuracy = Quantity("accuracy")
    drawn = scores_under_label_noise(seen, accuracy, 0.03, draws=draws)
    order = order_under_label_noise(seen, accuracy, drawn)
    exact = kept_pair(pairs_of(seen, "s0", "s1"), ErrorModel(0.03, 3))
    assert order.kept == pytest.approx(exact.kept, abs=within)
    both = scores_under_noise_and_sampling(seen, accuracy, 0.03, draws=draws)
    first, second = both.drawn.T
    # The lead of 100 is nothing beside the spread of resampled items.
    assert (first > second).mean() == pytest.approx(0.5, abs=within + 0.01)


def test_frequent_and_rare_patterns_are_drawn_alike():
    # The same table with every label wrong as often, once as many small patterns, once as few large ones.
    truth = [0, 0, 1, 1, 2]
    answers = [[0, 1], [0, 0], [1, 0], [2, 1], [0, 2]]
    number = np.array([200, 900, 200, 100, 100])
    parts = table(
        np.repeat(truth, 100), np.repeat(answers, 100, axis=0), number=np.repeat(number // 100, 100)
    )
    whole = table(truth, answers, number=number)
    for text in ("accuracy", "macro-f1"):
        quantity = Quantity.parse(text)
        one = scores_under_label_noise(whole, quantity, 0.2, draws=DRAWS).drawn
        other = scores_under_label_noise(parts, quantity, 0.2, draws=DRAWS).drawn
        spread = one.std(axis=0)
        assert np.abs(one.mean(axis=0) - other.mean(axis=0)).max() < 8 * spread.max() / DRAWS**0.5
        assert other.std(axis=0) == pytest.approx(spread, rel=0.05)
