"""The likeliest labels are Dawid and Skene's as far as the answers bear the model, and else the majority's."""

import numpy as np
import pytest

import karat
from karat.measure.consensus import likeliest as room
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.likeliest import FEW_ROUNDS, likeliest
from karat.measure.consensus.majority import majority


def drawn(seed, accuracies, *, items=400, classes=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    right = rng.random((items, len(accuracies))) < accuracies
    return np.where(
        right, truth[:, None], (truth[:, None] + rng.integers(1, classes, right.shape)) % classes
    )


@pytest.mark.parametrize("seed", range(3))
def test_with_enough_answers_they_are_those_of_dawid_and_skene(seed):
    codes = drawn(seed, [0.9, 0.8, 0.7, 0.6])
    fit = dawid_skene(codes, np.ones(400), classes=3)
    found = likeliest(codes, np.ones(400), classes=3)
    assert (found.labels == fit.chances.argmax(axis=1)).all()
    assert found.why == f"dawid-skene's likeliest labels ({fit.rounds} rounds)"


def test_with_few_answers_for_each_error_rate_the_model_is_stopped():
    codes = drawn(1, [0.6] * 6, items=40, classes=5)
    found = likeliest(codes, np.ones(40), classes=5)
    fit = dawid_skene(codes, np.ones(40), classes=5, rounds=FEW_ROUNDS)
    assert (found.labels == fit.chances.argmax(axis=1)).all()
    assert "stopped early" in found.why


def test_a_model_that_turns_most_labels_over_is_not_believed(monkeypatch):
    codes = drawn(2, [0.8, 0.8, 0.7], classes=2)
    fit = dawid_skene(codes, np.ones(400), classes=2)

    class Turned:
        chances, rounds = fit.chances[:, ::-1], 3

    monkeypatch.setattr(room, "dawid_skene", lambda *_, **__: Turned)
    found = likeliest(codes, np.ones(400), classes=2)
    assert (found.labels == majority(codes).labels).all()
    assert "changes most of them" in found.why


def test_too_many_error_rates_leave_the_majority(monkeypatch):
    monkeypatch.setattr(room, "MOST_CELLS", 10)
    codes = drawn(3, [0.8, 0.7, 0.6])
    found = likeliest(codes, np.ones(400), classes=3)
    assert (found.labels == majority(codes).labels).all()
    assert "too many for a model" in found.why


def test_who_is_silent_has_no_label():
    found = likeliest([[0, 0, 1], [1, 1, 1], [-1, -1, -1]], [5, 5, 2], classes=2)
    assert found.labels[2] == -1
    assert found.unanswered == 2


def test_a_table_is_ranked_by_agreement_with_them():
    codes = drawn(4, [0.9, 0.75, 0.6, 0.5])
    labels = likeliest(codes, np.ones(400), classes=3).labels
    result = karat.read({name: codes[:, k] for k, name in enumerate("abcd")}).consensus(
        estimator="likeliest", draws=0
    )
    shares = {row["system"]: row["value"] for row in result.rows()}
    assert shares == pytest.approx(
        {name: (codes[:, k] == labels).mean() for k, name in enumerate("abcd")}
    )
    assert list(result.ranks) == ["a", "b", "c", "d"]
