"""The spectral estimate against exact moments, a simulation and Dawid and Skene's estimate."""

from itertools import product

import numpy as np
import pytest

from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.spectral import spectral


def law(balance, sensitivity, specificity, answered=1.0):
    """Every row of answers (-1 missing) and its exact probability, if errors are independent."""
    rows, chances = [], []
    for row in product([-1, 0, 1] if answered < 1 else [0, 1], repeat=len(sensitivity)):
        chance = 0.0
        for truth, share in ((1, balance), (0, 1 - balance)):
            each = [
                1 - answered
                if a < 0
                else answered * ((p if truth else 1 - q) if a else (1 - p if truth else q))
                for a, p, q in zip(row, sensitivity, specificity, strict=True)
            ]
            chance += share * np.prod(each)
        rows.append(row)
        chances.append(chance)
    return np.array(rows), np.array(chances)


CASES = [
    (0.5, [0.9, 0.8, 0.7], [0.9, 0.8, 0.7]),
    (0.2, [0.9, 0.6, 0.7, 0.8], [0.7, 0.9, 0.8, 0.6]),
    (0.9, [0.95, 0.6, 0.75, 0.8, 0.55], [0.6, 0.8, 0.9, 0.7, 0.65]),
    (0.35, [0.9, 0.8, 0.7, 0.3], [0.9, 0.8, 0.7, 0.2]),  # one is worse than chance
    (0.35, [0.9, 0.8, 0.7, 1.0], [0.9, 0.8, 0.7, 0.0]),  # one always says yes
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("answered", [1.0, 0.6])
def test_exact_moments_give_exact_rates(case, answered):
    balance, sensitivity, specificity = case
    found = spectral(*law(balance, sensitivity, specificity, answered))
    assert found.sensitivity == pytest.approx(sensitivity, abs=1e-7)
    assert found.specificity == pytest.approx(specificity, abs=1e-7)
    assert found.prevalence == pytest.approx(balance, abs=1e-7)
    better = np.array(sensitivity) + specificity > 1 + 1e-9
    assert found.better in {better.sum(), better.sum() + 1}  # the last one may be at chance
    right = balance * np.array(sensitivity)
    assert found.accuracy == pytest.approx(right + (1 - balance) * np.array(specificity), abs=1e-7)
    assert found.precision == pytest.approx(
        right / (right + (1 - balance) * (1 - np.array(specificity))), abs=1e-6
    )


def test_most_systems_are_taken_to_be_better_than_chance():
    rows, chances = law(0.3, [0.9, 0.8, 0.7], [0.9, 0.7, 0.8])
    straight, mirrored = spectral(rows, chances), spectral(1 - rows, chances)
    # All systems say the opposite: the same systems are found, and the classes change their names.
    assert mirrored.better == straight.better == 3
    assert mirrored.balanced_accuracy == pytest.approx(straight.balanced_accuracy, abs=1e-7)
    assert mirrored.prevalence == pytest.approx(1 - straight.prevalence, abs=1e-7)


def test_a_simulation_comes_near_the_truth_and_near_dawid_and_skene():
    rng = np.random.default_rng(0)
    items, sensitivity, specificity = 40_000, np.linspace(0.6, 0.9, 8), np.linspace(0.85, 0.65, 8)
    truth = rng.random((items, 1)) < 0.3
    answers = np.where(
        rng.random((items, 8)) < np.where(truth, sensitivity, specificity), truth, ~truth
    ).astype(int)
    found, fit = spectral(answers), dawid_skene(answers)
    # 12,000 and 28,000 items: standard errors of .0045 and .003 with the truth; without it, about three times that.
    assert found.sensitivity == pytest.approx(sensitivity, abs=0.05)
    assert found.specificity == pytest.approx(specificity, abs=0.04)
    assert found.prevalence == pytest.approx(0.3, abs=0.04)
    assert found.balanced_accuracy == pytest.approx(fit.recall.mean(axis=1), abs=0.02)


def test_gathered_rows_say_the_same():
    rng = np.random.default_rng(1)
    answers = rng.integers(-1, 2, (500, 5))
    answers[:, 1:] = np.where(rng.random((500, 4)) < 0.6, answers[:, [0]], answers[:, 1:])
    rows, number = np.unique(answers, axis=0, return_counts=True)
    assert spectral(rows, number).sensitivity == pytest.approx(
        spectral(answers).sensitivity, abs=1e-9
    )


def test_yes_may_be_any_code():
    rows, chances = law(0.2, [0.9, 0.6, 0.7], [0.7, 0.9, 0.8])
    assert spectral(rows, chances, yes=0).prevalence == pytest.approx(0.8, abs=1e-7)


def test_rates_stay_between_0_and_1():
    rng = np.random.default_rng(2)
    found = spectral(np.where(rng.random((30, 4)) < 0.9, rng.integers(0, 2, (30, 1)), 0))
    for rate in (found.sensitivity, found.specificity):
        assert ((rate >= 0) & (rate <= 1)).all()


def test_a_system_without_answers_has_no_rates():
    rows, chances = law(0.5, [0.9, 0.8, 0.7], [0.9, 0.8, 0.7])
    found = spectral(np.column_stack([rows, np.full(len(rows), -1)]), chances)
    assert np.isnan(found.sensitivity[3])
    assert found.sensitivity[:3] == pytest.approx([0.9, 0.8, 0.7], abs=1e-7)


@pytest.mark.parametrize(
    "answers",
    [[[0, 1], [1, 0], [1, 1]], [[1, 1, 1]] * 5, list(product([0, 1], repeat=4)), [[-1, -1, -1]]],
)
def test_what_says_nothing_is_none(answers):
    # Two systems; always the same answer; all combinations alike; no answers.
    assert spectral(answers) is None


def test_answers_that_are_no_table_are_refused():
    with pytest.raises(OptionError, match="a column for each system"):
        spectral([0, 1])
