"""Near-copies among systems, against item-by-item counts and what must hold of any weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import OptionError
from karat.measure.near_copies import near_copies, shared_errors, shared_errors_of
from karat.table.labels import Labels
from karat.tally.votes.pairs import pairs_of
from karat.tally.votes.patterns import Patterns


def item_by_item(answers, reference, number):
    """Count the shared errors of every two systems one item at a time."""
    systems = len(answers[0])
    same = np.zeros((systems, systems))
    either = np.zeros((systems, systems))
    for row, label, times in zip(answers, reference, number, strict=True):
        for _ in range(times):
            for k in range(systems):
                for other in range(systems):
                    if label < 0 or row[k] < 0 or row[other] < 0:
                        continue
                    if row[k] != label or row[other] != label:
                        either[k, other] += 1
                        same[k, other] += row[k] == row[other]
    return same, either


@st.composite
def patterns(draw):
    systems = draw(st.integers(1, 4))
    rows = draw(st.integers(1, 6))
    code = st.integers(-1, 2)
    row = st.lists(code, min_size=systems, max_size=systems)
    answers = draw(st.lists(row, min_size=rows, max_size=rows))
    reference = draw(st.lists(code, min_size=rows, max_size=rows))
    number = draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows))
    return answers, reference, number


@given(patterns())
def test_shared_errors_are_those_counted_item_by_item(seen):
    shared = shared_errors(*seen)
    same, either = item_by_item(*seen)
    np.testing.assert_array_equal(shared.same, same)
    np.testing.assert_array_equal(shared.either, either)


@given(patterns())
def test_weights_sum_to_one_whatever_was_answered(seen):
    found = near_copies(shared_errors(*seen))
    assert found.weights.sum() == pytest.approx(1)
    assert (found.weights > 0).all()
    assert (np.diag(found.redundancy) == 1).all()
    assert ((found.redundancy >= 0) & (found.redundancy <= 1)).all()


def test_a_pair_s_tally_gives_the_same_counts():
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 200)
    answers = random.integers(-1, 3, (200, 3)).astype(np.int32)
    number = random.integers(1, 5, 200)
    seen = Patterns(("a", "b", "c"), ("x", "y", "z"), truth, answers, number, Labels())
    shared = shared_errors(answers, truth, number)
    pair = shared_errors_of(pairs_of(seen, "a", "c"))
    assert pair == (shared.same[0, 2], shared.either[0, 2])


def independent(random, systems, items=2_000, classes=10):
    """Answers of systems that err independently, each on a fifth of the items; the right label is 0."""
    errs = random.random((items, systems)) < 0.2
    return np.where(errs, random.integers(1, classes, (items, systems)), 0)


def test_copies_of_one_system_weigh_together_as_one():
    answers = independent(np.random.default_rng(2), 6)
    with_copies = np.column_stack([answers, *[answers[:, 0]] * 3])
    truth = np.zeros(len(answers), int)
    plain = near_copies(shared_errors(answers, truth)).weights
    weights = near_copies(shared_errors(with_copies, truth)).weights
    np.testing.assert_allclose(plain, 1 / 6)
    np.testing.assert_allclose(weights[[0, 6, 7, 8]], 1 / 24)
    np.testing.assert_allclose(weights[1:6], 1 / 6)


def test_a_system_that_half_copies_another_lies_between():
    random = np.random.default_rng(3)
    answers = independent(random, 6)
    follows = random.random(len(answers)) < 0.4
    follower = np.where(follows, answers[:, 0], independent(random, 1)[:, 0])
    found = near_copies(
        shared_errors(np.column_stack([answers, follower]), np.zeros(len(answers), int))
    )
    assert 0 < found.redundancy[0, 6] < 1
    assert found.weights[6] == found.weights[0]
    assert found.weights[6] < found.weights[1]


def test_two_systems_and_perfect_ones_are_no_copies():
    truth = np.zeros(4, int)
    two = near_copies(shared_errors([[1, 1], [2, 2], [0, 0], [0, 0]], truth))
    perfect = near_copies(shared_errors(np.zeros((4, 3), int), truth))
    np.testing.assert_allclose(two.weights, 0.5)
    np.testing.assert_allclose(perfect.weights, 1 / 3)
    assert np.isnan(perfect.agreement).all()


def test_answers_without_a_reference_label_each_are_refused():
    with pytest.raises(OptionError, match="a row for each pattern"):
        shared_errors([[0, 1], [1, 1]], [0])
