"""What holds for precision, recall, F, divergences and mean errors under errors in the truth."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from karat.doubt.label_noise import divergence_order as divergence_module
from karat.doubt.label_noise import precision_recall_order as prf_module
from karat.doubt.label_noise.divergence_order import divergence_under_label_noise
from karat.doubt.label_noise.number_order import grades_under_label_noise, numbers_under_label_noise
from karat.doubt.label_noise.precision_recall_order import precision_recall_under_label_noise
from karat.doubt.label_noise.ranking_order import ranking_under_label_noise
from karat.errors import OptionError

MEASURES = ["precision", "recall", "f", "accuracy"]
DRAWS = 20_000
WITHIN = 5 * 0.5 / DRAWS**0.5
"""Five standard errors of a probability, at the most."""


def pair(found):
    return [found.before[0, 1], found.tied(0, 1), found.before[1, 0]]


def tallied(outcomes):
    """Sum the chances of first, tie and second over (first's value, second's value, chance)."""
    sums = [0.0, 0.0, 0.0]
    for one, other, chance in outcomes:
        sums[0 if one > other else 1 if one == other else 2] += chance
    return sums


# Precision, recall, F, accuracy


def value(measure, answers, truth, square):
    hits, answered, true = int((answers & truth).sum()), int(answers.sum()), int(truth.sum())
    above, below = {
        "precision": (hits, answered),
        "recall": (hits, true),
        "f": ((1 + square) * hits, answered + square * true),
        "accuracy": (int((answers == truth).sum()), len(truth)),
    }[measure]
    return Fraction(above) / Fraction(below) if below else Fraction(0)


def enumerated_prf(answers, truth, errors, measure, beta):
    square = Fraction(beta).limit_denominator(100) ** 2
    chances = np.where(truth == 1, errors[1], errors[0])
    for wrong in product([0, 1], repeat=len(truth)):
        chance = np.prod(np.where(wrong, chances, 1 - chances))
        true = truth ^ np.array(wrong)
        yield *(value(measure, system, true, square) for system in answers), chance


def cells_of(answers, truth):
    cells = np.zeros((2, 2, 2), int)
    np.add.at(cells, (*answers, truth), 1)
    return cells


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(12))
def test_precision_recall_f_and_accuracy_are_those_of_all_sets_of_wrong_labels(measure, seed):
    rng = np.random.default_rng(seed)
    size, beta = rng.integers(1, 9), [1.0, 0.5, 2.0, 0.1, 0.0, 0.3][seed % 6]
    answers, truth = rng.random((2, size)) < rng.uniform(0.1, 0.8), rng.random(size) < 0.5
    answers, truth = answers.astype(int), truth.astype(int)
    errors = tuple(rng.uniform(0, 1, 2)) if seed % 2 else (0.2, 0.2)
    wanted = tallied(enumerated_prf(answers, truth, errors, measure, beta))
    found = precision_recall_under_label_noise(
        cells_of(answers, truth), errors, measure=measure, beta=beta
    )
    assert found.method == "exact"
    assert pair(found) == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_simulation_of_precision_and_recall_agrees_with_the_exact_law(measure, monkeypatch):
    cells = np.array([[[900, 40], [50, 60]], [[45, 52], [12, 300]]])
    exact = precision_recall_under_label_noise(cells, (0.02, 0.1), measure=measure)
    monkeypatch.setattr(prf_module, "MOST", 0)
    drawn = precision_recall_under_label_noise(cells, (0.02, 0.1), measure=measure, draws=DRAWS)
    assert (exact.method, drawn.method) == ("exact", f"simulation (draws={DRAWS}, seed=0)")
    assert pair(drawn) == pytest.approx(pair(exact), abs=WITHIN)
    assert drawn.kept == pytest.approx(exact.kept, abs=WITHIN)


@pytest.mark.parametrize("measure", MEASURES)
def test_without_errors_precision_and_recall_keep_their_order(measure):
    cells = np.array([[[9, 4], [5, 6]], [[4, 5], [1, 3]]])
    found = precision_recall_under_label_noise(cells, 0.0, measure=measure)
    swapped = precision_recall_under_label_noise(cells.transpose(1, 0, 2), 0.1, measure=measure)
    assert found.kept == 1
    assert pair(swapped)[::-1] == pytest.approx(
        pair(precision_recall_under_label_noise(cells, 0.1, measure=measure)), abs=1e-14
    )


def test_accuracy_of_two_systems_is_their_joint_ranking():
    cells = np.array([[[90, 14], [25, 36]], [[30, 25], [11, 70]]])
    right = [[a == t, b == t] for a, b, t in product([0, 1], repeat=3)]
    found = precision_recall_under_label_noise(cells, 0.07, measure="accuracy")
    assert pair(found) == pytest.approx(
        pair(ranking_under_label_noise(right, cells.ravel(), 0.07)), abs=1e-13
    )
    assert found.given == pytest.approx(cells.ravel() @ np.array(right) / cells.sum())


# Divergence


def enumerated_divergence(first, second, labels, error, floor):
    width = len(first[0])
    for true in product(range(width), repeat=len(labels)):
        chance = np.prod(
            [
                1 - error if t == g else error / (width - 1)
                for t, g in zip(true, labels, strict=True)
            ]
        )
        pairs = []
        for system in (first, second):
            own = [max(system[i][t], floor) for i, t in enumerate(true)]
            rest = Fraction(1)
            for part in own:
                rest *= part or 1
            pairs.append((-sum(part == 0 for part in own), rest))
        yield *pairs, float(chance)


@pytest.mark.parametrize("floor", [Fraction(0), Fraction(1, 1000), Fraction(1, 5)])
@pytest.mark.parametrize("seed", range(6))
def test_the_order_by_cross_entropy_is_that_of_all_labellings(seed, floor):
    rng = np.random.default_rng(seed)
    items, width = 5, 3
    tenths = rng.multinomial(10, np.ones(width) / width, (2, items))
    first, second = ([[Fraction(int(x), 10) for x in row] for row in system] for system in tenths)
    labels, error = rng.integers(0, width, items), rng.uniform(0, 0.7)
    wanted = tallied(enumerated_divergence(first, second, labels, error, floor))
    found = divergence_under_label_noise(tenths / 10, labels, error, floor=float(floor))
    assert pair(found) == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize(
    ("direction", "floor"), [("reverse", 0.0), ("reverse", 0.01), ("forward", 1e-10)]
)
def test_the_simulation_of_divergences_agrees_with_the_exact_law(direction, floor, monkeypatch):
    rng = np.random.default_rng(2)
    tenths, labels = rng.multinomial(10, [0.5, 0.3, 0.2], (2, 12)) / 10, rng.integers(0, 3, 12)
    exact = divergence_under_label_noise(tenths, labels, 0.3, direction=direction, floor=floor)
    monkeypatch.setattr(divergence_module, "MOST", 0)
    drawn = divergence_under_label_noise(
        tenths, labels, 0.3, direction=direction, floor=floor, draws=DRAWS
    )
    assert (exact.method, drawn.method) == ("exact", f"simulation (draws={DRAWS}, seed=0)")
    assert pair(drawn) == pytest.approx(pair(exact), abs=WITHIN)
    assert drawn.kept == pytest.approx(exact.kept, abs=WITHIN)


def test_many_systems_by_divergence_agree_with_their_pairs():
    rng = np.random.default_rng(3)
    tenths, labels = rng.multinomial(10, [0.5, 0.3, 0.2], (3, 7)) / 10, rng.integers(0, 3, 7)
    found = divergence_under_label_noise(tenths, labels, 0.2, draws=DRAWS)
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        both = divergence_under_label_noise(tenths[[i, j]], labels, 0.2)
        assert [found.before[i, j], found.before[j, i]] == pytest.approx(
            [both.before[0, 1], both.before[1, 0]], abs=WITHIN
        )


def test_without_errors_divergences_keep_their_order():
    tenths = np.random.default_rng(4).multinomial(10, [0.5, 0.3, 0.2], (2, 30)) / 10
    for systems in (tenths[:1], tenths, np.concatenate([tenths, tenths])):
        assert divergence_under_label_noise(systems, np.zeros(30, int), 0.0, draws=50).kept == 1


def test_divergences_of_equal_systems_tie_whatever_the_order_of_the_items():
    tenths, order = (
        np.random.default_rng(5).dirichlet([1, 2, 3], 9),
        np.random.default_rng(6).permutation(9),
    )
    found = divergence_under_label_noise([tenths, tenths], np.zeros(9, int), 0.4)
    assert pair(found) == pytest.approx([0, 1, 0], abs=1e-13)
    both = np.stack([tenths, tenths[:, ::-1]])
    one, other = (
        divergence_under_label_noise(part, np.zeros(9, int), 0.4) for part in (both, both[:, order])
    )
    assert pair(one) == pytest.approx(pair(other), abs=1e-13)


def test_what_is_no_divergence_is_refused():
    good = [[[0.5, 0.5]], [[0.4, 0.6]]]
    for call in (
        lambda: divergence_under_label_noise(good, [2], 0.1),
        lambda: divergence_under_label_noise(good, [0], 1.1),
        lambda: divergence_under_label_noise(good, [0], 0.1, direction="forward"),
        lambda: divergence_under_label_noise([[[1.5, 0.5]]], [0], 0.1),
        lambda: divergence_under_label_noise([[[1.0]]], [0], 0.1),
    ):
        with pytest.raises(OptionError):
            call()


# Numbers and grades


def test_the_normal_law_of_two_mean_squared_errors_agrees_with_the_simulation():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=60)
    answers, spread = (
        truth[:, None] + rng.normal(size=(60, 3)) * [1, 1.05, 1.1],
        rng.uniform(0.5, 2, 60),
    )
    drawn = numbers_under_label_noise(truth, answers, spread, draws=DRAWS)
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        exact = numbers_under_label_noise(truth, answers[:, [i, j]], spread)
        assert exact.method == "exact (normal)"
        assert drawn.before[i, j] == pytest.approx(exact.before[0, 1], abs=WITHIN)
    assert drawn.method == f"simulation (draws={DRAWS}, seed=0)"


def test_one_item_by_absolute_error_is_worked_by_hand():
    # Truth 0, answers 1 and -3: the first is nearer while the true value is above -1, P(Z > -1/2) at s = 2.
    from scipy.stats import norm

    found = numbers_under_label_noise([0.0], [[1.0, -3.0]], 2.0, loss="absolute", draws=DRAWS)
    assert found.kept == pytest.approx(norm.cdf(0.5), abs=WITHIN)


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_grades_agree_with_all_ways_to_be_one_off(loss):
    rng = np.random.default_rng(7)
    truth = np.array([1, 2, 3, 5, 4, 5])
    answers, error = np.clip(truth[:, None] + rng.integers(-2, 3, (6, 2)), 1, 5), 0.3
    ways = [
        [(0, 0.7), (1, 0.3)] if t == 1 else [(0, 0.7), (-1, 0.3)] if t == 5 else None for t in truth
    ]
    ways = [way or [(0, 0.7), (1, 0.15), (-1, 0.15)] for way in ways]
    outcomes = []
    for chosen in product(*ways):
        gaps = np.abs(truth + [step for step, _ in chosen] - answers.T) ** (
            1 if loss == "absolute" else 2
        )
        outcomes.append((*(-gaps.sum(axis=1)), np.prod([chance for _, chance in chosen])))
    found = grades_under_label_noise(truth, answers, error, loss=loss, draws=DRAWS)
    assert pair(found) == pytest.approx(tallied(outcomes), abs=WITHIN)


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_without_noise_numbers_keep_their_order(loss):
    rng = np.random.default_rng(1)
    truth, answers = rng.normal(size=40) * 1e-6, rng.normal(size=(40, 5))
    for systems in (1, 2, 5):
        assert (
            numbers_under_label_noise(truth, answers[:, :systems], 0.0, loss=loss, draws=50).kept
            == 1
        )
    order = rng.permutation(40)
    one, other = (
        numbers_under_label_noise(truth[o], answers[o][:, :2], 0.4) for o in (np.arange(40), order)
    )
    assert pair(one) == pytest.approx(pair(other), abs=1e-12)


def test_equal_answers_tie():
    assert pair(numbers_under_label_noise([1e6, 2.0], [[1e6, 1e6], [3.0, 3.0]], 1.0)) == [0, 1, 0]
    assert grades_under_label_noise([1, 2], [[1, 1], [1, 1]], 0.5).kept == 1


def test_noise_that_is_none_is_refused():
    for call in (
        lambda: numbers_under_label_noise([1.0], [[1.0, 2.0]], -1.0),
        lambda: numbers_under_label_noise([1.0], [[1.0, 2.0]], 1.0, loss="cubic"),
        lambda: numbers_under_label_noise([1.0, np.nan], [[1.0, 2.0]] * 2, 1.0),
        lambda: grades_under_label_noise([1.5], [[1.0, 2.0]], 0.1),
        lambda: grades_under_label_noise([1], [[1, 2]], 1.1),
        lambda: grades_under_label_noise([1], [[1, 2, 3]], 0.1, lowest=2),
    ):
        with pytest.raises(OptionError):
            call()


@pytest.mark.parametrize("cells", [np.zeros((2, 2)), -np.ones((2, 2, 2))])
def test_cells_that_are_none_are_refused(cells):
    with pytest.raises(OptionError, match="2 x 2 x 2 counts"):
        precision_recall_under_label_noise(cells, 0.1)


def test_an_unknown_measure_or_error_is_refused():
    cells = np.ones((2, 2, 2), int)
    for options in ({"measure": "kappa"}, {"beta": -1.0}):
        with pytest.raises(OptionError, match="does not define an order"):
            precision_recall_under_label_noise(cells, 0.1, **options)
    with pytest.raises(OptionError, match="it is a probability"):
        precision_recall_under_label_noise(cells, (0.1, 2.0))
