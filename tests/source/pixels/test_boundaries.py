"""Hits within a distance against SciPy's matchings at every threshold, and objects against their definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.ndimage import label
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial.distance import cdist

from karat.source.pixels.boundaries import matched
from karat.source.pixels.objects import objects_of


def most_pairs(truth, answers, tolerance):
    """How many pixels of two sets can be paired, each once, at most so far apart."""
    if not truth.any() or not answers.any():
        return 0
    near = cdist(np.argwhere(truth), np.argwhere(answers)) <= tolerance + 1e-9
    found = maximum_bipartite_matching(csr_array(near.astype(np.int8)), perm_type="column")
    return int((found >= 0).sum())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=some.integers(0, 10**6),
    tolerance=some.sampled_from([0.5, 1, 1.5, 2, 3]),
    levels=some.integers(2, 6),
)
def test_hits_are_as_many_as_possible_at_every_threshold(seed, tolerance, levels):
    random = np.random.default_rng(seed)
    truth = random.random((12, 11)) < random.uniform(0.05, 0.4)
    values = random.integers(0, levels, truth.shape).astype(float)
    counts = random.random(truth.shape) < 0.9
    others, own = matched(truth, values, counts, tolerance=tolerance)
    assert own.total == (truth & counts).sum()
    assert others.total == counts.sum() - own.total
    lowest = values[counts].min()
    for threshold in np.unique(values[counts]):
        answers = counts & (values >= threshold)
        hits = own.number[own.value >= threshold].sum()
        alarms = others.number[others.value >= threshold].sum()
        assert hits + alarms == answers.sum()
        if threshold > lowest:
            assert hits == most_pairs(truth & counts, answers, tolerance)
        else:
            assert hits == own.total


def test_a_thick_line_hits_a_thin_one_once():
    truth = np.zeros((9, 20), bool)
    truth[4, 2:18] = True
    thick = np.zeros((9, 20))
    thick[3:6, 2:18] = 1
    others, own = matched(truth, thick, np.ones(truth.shape, bool), tolerance=2)
    assert own.number.tolist() == [16]
    assert others.number[others.value == 1].tolist() == [32]


def test_a_moved_line_is_a_hit_within_the_distance_only():
    truth = np.zeros((9, 20), bool)
    truth[4] = True
    moved = np.zeros((9, 20))
    moved[6] = 1
    every = np.ones(truth.shape, bool)
    assert matched(truth, moved, every, tolerance=2)[1].value.tolist() == [1]
    assert matched(truth, moved, every, tolerance=1.9)[1].value.tolist() == [0]


def test_nothing_marked_is_nothing_found():
    truth = np.zeros((4, 4), bool)
    truth[1, 1] = True
    others, own = matched(truth, np.zeros((4, 4)), np.ones((4, 4), bool), tolerance=1)
    assert (own.value.tolist(), own.number.tolist()) == ([0], [1])
    assert others.number.tolist() == [15]


@pytest.mark.parametrize("seed", range(8))
def test_objects_are_found_by_the_share_that_is_marked(seed):
    random = np.random.default_rng(seed)
    truth = random.random((25, 25)) < 0.2
    systems = [random.random((25, 25)) < 0.3, truth & (random.random((25, 25)) < 0.6)]
    found = objects_of(truth, systems, overlap=0.5)
    labels, number = label(truth, np.ones((3, 3)))
    for one in range(number):
        inside = labels == one + 1
        expected = [int(system[inside].mean() >= 0.5) for system in systems]
        assert found.answers[one].tolist() == expected
        row, column = np.argwhere(inside)[0]
        assert found.places[one] == f"row {row}, column {column}"
    assert found.truth.sum() == number
    # What only systems have: each false alarm lies in one item that its system has, and no item is nobody's.
    assert (found.answers[number:].sum(axis=1) > 0).all()
    assert found.answers[number:, 1].sum() == 0


def test_small_objects_do_not_count():
    truth = np.zeros((6, 12), bool)
    truth[1, 1] = True
    truth[3, 3:8] = True
    found = objects_of(truth, [truth], overlap=0.5, smallest=3)
    assert found.places == ("row 3, column 3",)
