"""Agreement beyond chance, against scikit-learn, statsmodels, published examples and a plain loop."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from karat.errors import OptionError
from karat.measure.consensus.agreement_coefficients import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)

# Krippendorff's reliability data C: 12 units, 4 observers; a row a unit.
UNITS = [
    "11.1",
    "2232",
    "3333",
    "3333",
    "2222",
    "1234",
    "4444",
    "1121",
    "2222",
    ".555",
    "..11",
    "..3.",
]
C = np.array([[-1 if mark == "." else int(mark) - 1 for mark in unit] for unit in UNITS])
# Fleiss 1971 as worked in many textbooks: 10 subjects, 14 raters, 5 categories.
SUBJECTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def drawn(seed, systems=3, classes=4, rows=60):
    rng = np.random.default_rng(seed)
    answers = np.where(
        rng.random((rows, systems)) < 0.6, 1, rng.integers(0, classes, (rows, systems))
    )
    return answers, rng.integers(0, 5, rows)


def slow_alpha(answers):
    """Observed over expected disagreement, pair of values by pair of values."""
    units = [[value for value in unit if value >= 0] for unit in answers.tolist()]
    units = [unit for unit in units if len(unit) > 1]
    observed = sum(
        sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    values = [value for unit in units for value in unit]
    expected = sum(a != b for a, b in permutations(values, 2)) / (len(values) - 1)
    return 1 - observed / expected


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_has_the_same_kappa_of_two(seed):
    answers, number = drawn(seed, systems=2)
    first, second = np.repeat(answers, number, axis=0).T
    assert cohen_kappa(*answers.T, number) == pytest.approx(cohen_kappa_score(first, second))


@pytest.mark.parametrize("seed", range(5))
def test_statsmodels_has_the_same_kappa_of_many(seed):
    answers, number = drawn(seed, systems=5)
    counts, _ = aggregate_raters(np.repeat(answers, number, axis=0))
    assert fleiss_kappa(answers, number) == pytest.approx(statsmodels_fleiss(counts))


def test_a_worked_example_of_fleiss_kappa():
    answers = [np.repeat(np.arange(5), counts) for counts in SUBJECTS]
    assert fleiss_kappa(answers) == pytest.approx(0.210, abs=5e-4)


def test_a_worked_example_of_cohen_s_kappa():
    # 50 grants, 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: o = .7, e = .5.
    assert cohen_kappa([1, 1, 0, 0], [1, 0, 1, 0], [20, 5, 10, 15]) == pytest.approx(0.4)


def test_krippendorff_s_own_example():
    # Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section C: .743 for labels without order.
    assert krippendorff_alpha(C) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(C) == pytest.approx(slow_alpha(C))


@pytest.mark.parametrize("seed", range(5))
def test_krippendorff_s_alpha_is_that_of_a_plain_loop(seed):
    answers, number = drawn(seed, systems=4)
    rng = np.random.default_rng(seed)
    answers[rng.random(answers.shape) < 0.3] = -1 - rng.integers(0, 2)
    assert krippendorff_alpha(answers, number) == pytest.approx(
        slow_alpha(np.repeat(answers, number, axis=0))
    )


def test_missing_answers_of_two_leave_the_item_out():
    assert cohen_kappa([0, 0, 1, 1, -1, 0], [0, 0, 1, 0, 1, -2]) == cohen_kappa(
        [0, 0, 1, 1], [0, 0, 1, 0]
    )


def test_agreement_that_cannot_be_told_from_chance_is_undefined():
    assert cohen_kappa([0, 0], [0, 0]) is None
    assert cohen_kappa([0], [-1]) is None
    assert fleiss_kappa([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, 1], [1, -1]]) is None
    assert krippendorff_alpha([[1, -1], [-1, -1]]) is None


def test_full_agreement_is_1_and_full_disagreement_of_two_is_minus_1():
    assert cohen_kappa([0, 1], [0, 1]) == 1
    assert cohen_kappa([0, 1], [1, 0]) == -1
    assert fleiss_kappa([[0, 0, 0], [2, 2, 2]]) == 1
    assert krippendorff_alpha([[0, 0, -1], [2, 2, 2]]) == 1


def test_errors_say_what_to_do():
    with pytest.raises(OptionError, match="use Krippendorff's"):
        fleiss_kappa([[0, 1], [0, -1]])
    with pytest.raises(OptionError, match="give one for each"):
        krippendorff_alpha([[0, 1]], [1, 2])
    with pytest.raises(OptionError, match="a column for each system"):
        krippendorff_alpha([0, 1])
