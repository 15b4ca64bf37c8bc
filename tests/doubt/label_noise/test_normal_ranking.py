"""A normal distribution in place of very many wrong labels: exact moments, and rankings as simulated."""

import numpy as np
import pytest

from karat.doubt.label_noise import normal_ranking as module
from karat.doubt.label_noise.normal_ranking import normal_ranking, scores_under_uniform_noise
from karat.doubt.label_noise.simulated_scores import (
    order_under_label_noise,
    scores_under_label_noise,
)
from karat.measure.quantity import Quantity
from karat.table.labels import Labels
from karat.tally.votes.patterns import Patterns

DRAWS = 10_000
ITEMS = 30_000


@pytest.fixture(autouse=True)
def _any_size(monkeypatch):
    monkeypatch.setattr(module, "MOST_ANSWERS", 0)
    monkeypatch.setattr(module, "LEAST_WRONG", 100)


def table(
    *, items: int = ITEMS, systems: int = 6, classes: int = 4, apart: float = 0.001
) -> Patterns:
    """Return systems of nearly equal accuracy, whose errors lie on the same hard items; some answers are missing."""
    random = np.random.default_rng(7)
    truth = random.integers(0, classes, items)
    hardness = random.random(items)
    answers = np.empty((items, systems), np.int32)
    for system in range(systems):
        is_wrong = random.random(items) < (0.2 + apart * system) * 2 * hardness
        # Half of the wrong answers are the next label, so that systems agree in their errors.
        other = np.where(random.random(items) < 0.5, truth + 1, random.integers(0, classes, items))
        answers[:, system] = np.where(is_wrong, other % classes, truth)
    answers[random.random((items, systems)) < 0.01] = -1
    truth[:500] = -1
    names = tuple(f"s{system}" for system in range(systems))
    labels = tuple("abcdefgh"[:classes])
    number = random.integers(1, 4, items)
    return Patterns(names, labels, truth, answers, number, Labels())


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_mean_and_covariance_are_those_of_a_sum_over_items_and_labels(classes):
    seen = table(items=300, systems=4, classes=2)
    error = 0.13
    mean = np.zeros(4)
    covariance = np.zeros((4, 4))
    for truth, answers, number in zip(seen.truth, seen.answers, seen.number, strict=True):
        if truth < 0:
            continue
        # A label that stays, and each of those that it may be instead: who is right then.
        others = [label for label in range(classes) if label != truth]
        cases = [(1 - error, answers == truth)]
        cases += [(error / (classes - 1), answers == label) for label in others]
        own = sum(chance * right for chance, right in cases)
        square = sum(chance * np.outer(right, right) for chance, right in cases)
        mean += number * own
        covariance += number * (square - np.outer(own, own))
    scores = scores_under_uniform_noise(seen, error, classes)
    assert scores.mean == pytest.approx(mean)
    assert scores.covariance == pytest.approx(covariance)


@pytest.mark.parametrize(("classes", "error"), [(2, 0.05), (4, 0.05), (4, 0.3), (9, 0.2)])
def test_rankings_are_those_of_simulated_labels(classes, error):
    seen = table(classes=min(classes, 4))
    accuracy = Quantity("accuracy")
    simulated = scores_under_label_noise(
        seen, accuracy, error, classes=classes, draws=DRAWS, seed=1
    )
    expected = order_under_label_noise(seen, accuracy, simulated)
    normal = normal_ranking(seen, error, classes=classes, draws=DRAWS, seed=2)
    assert normal is not None
    assert normal.given == pytest.approx(expected.given)
    within = 5 * 0.5 * (2 / DRAWS) ** 0.5
    assert normal.kept == pytest.approx(expected.kept, abs=within)
    assert normal.no_inversion == pytest.approx(expected.no_inversion, abs=within)
    assert normal.best_kept == pytest.approx(expected.best_kept, abs=within)
    assert normal.best_among == pytest.approx(expected.best_among, abs=within)
    assert normal.ranks == pytest.approx(expected.ranks, abs=within)
    assert normal.before == pytest.approx(expected.before, abs=within)


def test_equal_systems_stay_tied():
    seen = table(systems=3)
    seen.answers[:, 1] = seen.answers[:, 0]
    normal = normal_ranking(seen, 0.1, classes=4, draws=500)
    assert normal is not None
    assert normal.tied(0, 1) == 1


def test_what_few_wrong_labels_decide_is_not_taken_to_be_normal(monkeypatch):
    seen = table(systems=3)
    seen.answers[:, 1] = seen.answers[:, 0]
    seen.answers[600:640, 1] = seen.truth[600:640]
    assert normal_ranking(seen, 0.1, classes=4) is None
    monkeypatch.setattr(module, "LEAST_WRONG", 10_000)
    assert normal_ranking(table(), 0.05, classes=4) is None
    monkeypatch.setattr(module, "LEAST_WRONG", 100)
    monkeypatch.setattr(module, "MOST_ANSWERS", 6 * ITEMS)
    assert normal_ranking(table(), 0.05, classes=4) is None
