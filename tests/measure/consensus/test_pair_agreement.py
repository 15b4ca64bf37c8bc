"""How often two systems err alike: what is usual, by hand."""

import numpy as np
import pytest

from karat.measure.consensus.pair_agreement import usual_shared_errors

ITEMS = np.full((4, 4), 100.0)


def test_errors_spread_evenly_over_the_labels_meet_as_often_as_chance():
    errors = np.array([0.1, 0.2, 0.3, 0.4])
    value = np.outer(errors, errors) / 4
    np.fill_diagonal(value, errors)
    assert usual_shared_errors(value, ITEMS, classes=5) == pytest.approx(
        np.outer(errors, errors) / 4
    )


def test_a_third_of_the_pairs_says_what_difficulty_does():
    errors = np.array([0.1, 0.2, 0.3, 0.4])
    ratios = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    value = np.diag(errors)
    value[np.triu_indices(4, 1)] = ratios * np.outer(errors, errors)[np.triu_indices(4, 1)]
    found = usual_shared_errors(value, ITEMS, classes=5)
    assert found == pytest.approx(np.quantile(ratios, 1 / 3) * np.outer(errors, errors))


def test_without_errors_or_common_items_nothing_is_usual():
    assert not usual_shared_errors(np.zeros((4, 4)), ITEMS, classes=3).any()
    apart = np.diag([5.0, 5.0, 5.0, 5.0])
    value = np.full((4, 4), 0.1)
    assert not usual_shared_errors(value, apart, classes=3).any()
    assert usual_shared_errors(value, ITEMS, classes=3).any()
