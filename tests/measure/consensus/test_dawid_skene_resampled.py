"""Many resamples at once give what each of them gives alone."""

import numpy as np
import pytest

from karat.measure.consensus import dawid_skene_resampled as room
from karat.measure.consensus import likeliest as likeliest_room
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.dawid_skene_resampled import resampled_labels
from karat.measure.consensus.likeliest import likeliest, resampled_likeliest


def drawn(seed, *, items=150, systems=4, classes=3, missing=0.2, draws=12):
    """Distinct rows of answers, some with none, and how often each is in every resample."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    right = rng.random((items, systems)) < np.linspace(0.55, 0.9, systems)
    codes = np.where(right, truth[:, None], rng.integers(0, classes, right.shape))
    codes[rng.random(codes.shape) < missing] = -1
    codes[0] = -1
    rows, first, number = np.unique(codes, axis=0, return_index=True, return_counts=True)
    return rows, truth[first], rng.multinomial(items, number / items, size=draws)


def one_by_one(rows, numbers, **options):
    return np.array(
        [dawid_skene(rows, number, **options).chances.argmax(axis=1) for number in numbers]
    )


def same(rows, one, other):
    """Rows that somebody answered; of the others nothing is known but which class is most frequent."""
    answered = (rows >= 0).any(axis=1)
    return (one[:, answered] == other[:, answered]).all()


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_labels_are_those_of_each_resample_alone(seed, classes):
    rows, _, numbers = drawn(seed, classes=classes)
    assert same(
        rows,
        resampled_labels(rows, numbers, classes=classes),
        one_by_one(rows, numbers, classes=classes),
    )


def test_a_known_truth_and_families_are_heard():
    rows, truth, numbers = drawn(3)
    options = {
        "classes": 3,
        "truth": np.where(np.arange(len(rows)) % 3, -1, truth),
        "weights": [0.5, 0.5, 1, 1],
    }
    assert same(
        rows, resampled_labels(rows, numbers, **options), one_by_one(rows, numbers, **options)
    )


def test_every_resample_has_its_own_last_round():
    rows, _, numbers = drawn(4, systems=3, classes=2, draws=6)
    rounds = [1, 2, 3, 5, 50, 2000]
    alone = [
        one_by_one(rows, [number], classes=2, rounds=most)[0]
        for number, most in zip(numbers, rounds, strict=True)
    ]
    assert same(rows, resampled_labels(rows, numbers, classes=2, rounds=rounds), np.array(alone))


def test_resamples_too_large_for_one_step_are_taken_in_several(monkeypatch):
    rows, _, numbers = drawn(5)
    whole = resampled_labels(rows, numbers, classes=3)
    monkeypatch.setattr(room, "AT_ONCE", 5 * rows.shape[0] * 3)
    assert (resampled_labels(rows, numbers, classes=3) == whole).all()


@pytest.mark.parametrize(
    ("seed", "items"), [(6, 150), (7, 30), (8, 38)]
)  # enough answers, too few, now and then
def test_the_likeliest_labels_are_those_of_each_resample_alone(seed, items):
    rows, _, numbers = drawn(seed, items=items)
    alone = np.array([likeliest(rows, number, classes=3).labels for number in numbers])
    assert (resampled_likeliest(rows, numbers, classes=3) == alone).all()


def test_where_a_model_is_too_large_or_turned_over_the_majority_stays(monkeypatch):
    rows, _, numbers = drawn(9, classes=2)
    most = likeliest_room.majority(rows).labels
    monkeypatch.setattr(
        likeliest_room, "resampled_labels", lambda *_, **__: np.tile(1 - most, (len(numbers), 1))
    )
    assert (resampled_likeliest(rows, numbers, classes=2) == most).all()
    monkeypatch.setattr(likeliest_room, "MOST_CELLS", 1)
    assert (resampled_likeliest(rows, numbers, classes=2) == most).all()
