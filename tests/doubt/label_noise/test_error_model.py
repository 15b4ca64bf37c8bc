"""Where wrong labels come from: rows of probabilities that sum to 1, whatever is known of them."""

import numpy as np
import pytest

from karat.doubt.label_noise.error_model import ErrorModel

LABELS = ("a", "b", "c")


def test_one_rate_is_shared_by_all_other_classes_those_without_an_answer_among_them():
    found = ErrorModel(0.12, 7).matrix(LABELS)
    assert found.shape == (3, 4)
    for given in range(3):
        for true in range(3):
            assert found[given, true] == pytest.approx(0.88 if given == true else 0.12 / 6)
        assert found[given, 3] == pytest.approx(4 * 0.12 / 6)


def test_with_all_classes_answered_nothing_is_left():
    found = ErrorModel(0.12, 3).matrix(LABELS)
    assert found[:, 3] == pytest.approx(0)
    assert found.sum(axis=1) == pytest.approx(1)


def test_rates_by_label_and_a_rest_for_those_not_named():
    model = ErrorModel({"b": 0.3}, 4, rest=0.06)
    assert model.rates(LABELS).tolist() == [0.06, 0.3, 0.06]
    found = model.matrix(LABELS)
    assert np.diag(found) == pytest.approx([0.94, 0.7, 0.94])
    assert found[1, [0, 2, 3]] == pytest.approx(0.1)
    assert (ErrorModel(0.1, 2).name, model.name) == ("uniform", "per-class")


def test_moves_are_the_row_of_their_label_and_what_they_lack_goes_to_no_answer():
    model = ErrorModel({"a": 0.4}, 3, {"a": {"a": 0.6, "c": 0.3}})
    found = model.matrix(LABELS)
    assert found[0] == pytest.approx([0.6, 0, 0.3, 0.1])
    assert found[1] == pytest.approx([0, 1, 0, 0])
    assert model.name == "matrix"
