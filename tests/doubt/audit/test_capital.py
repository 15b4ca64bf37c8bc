"""Capitals against what they promise: no false claim lets them grow on average, however its labels lie."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.doubt.audit.capital import Capitals, Kinds

KINDS = Kinds(np.array([0.0, -1.0, -2.0]), np.array([2.0, 1.0, 0.0]))
"""Of accuracy: the given label makes A right, neither, or B."""
ITEM = st.tuples(st.sampled_from([1, 0, -1]), st.sampled_from([1, 0, -1]))
"""What an item adds to the lead by its given and by its right label."""


def paths(items, weights=None, shift=0.0, pulls=None):
    """The capitals after each draw, in every order of the items at once."""
    given_lead, right_lead = np.array(items).T
    weights = np.ones(len(items)) if weights is None else np.array(weights, float)
    pulls = np.ones(len(items)) if pulls is None else np.array(pulls, float)
    kind = 1 - given_lead
    orders = np.array(list(permutations(range(len(items)))))
    runs = len(orders)

    def by_kind(values):
        return np.tile(np.bincount(kind, weights=values, minlength=3), (runs, 1))

    capitals = Capitals(
        KINDS,
        by_kind(np.ones(len(items))),
        np.full(runs, given_lead @ weights),
        scale=by_kind(weights),
        square=by_kind(weights**2 / pulls),
        largest=np.full((runs, 3), (weights / pulls).max()),
        pull=by_kind(pulls),
    )
    every = np.arange(runs)
    found = []
    for step in range(len(items)):
        drawn = orders[:, step]
        loss = (given_lead - right_lead)[drawn]
        of_item = {"weight": weights[drawn], "pull": pulls[drawn]}
        bet = capitals.draw(every, kind[drawn], loss, **of_item, shift=shift)
        found.append(bet.capital)
    assert np.allclose(capitals.lead, right_lead @ weights)
    return np.array(found)


@given(st.lists(ITEM, min_size=2, max_size=5))
def test_a_false_claim_never_lets_the_capital_grow_on_average(items):
    lead = sum(right for _, right in items)
    found = paths(items, shift=max(0, lead))
    assert (found >= 0).all()
    assert (found.mean(axis=1) <= 1 + 1e-9).all()


@given(st.lists(ITEM, min_size=2, max_size=5))
def test_at_an_exact_tie_the_mean_stays_one(items):
    tied = [*items, *((-right, -right) for _, right in items)][:6]
    lead = sum(right for _, right in tied)
    assert paths(tied, shift=lead).mean(axis=1) == pytest.approx(1.0)


@given(st.lists(st.tuples(ITEM, st.integers(1, 9)), min_size=2, max_size=5))
def test_weights_change_nothing_of_that(items):
    labels, weights = zip(*items, strict=True)
    lead = sum(right * weight for (_, right), weight in items)
    found = paths(labels, weights, shift=lead)
    assert (found >= -1e-12).all()
    assert found.mean(axis=1) == pytest.approx(1.0)


def chance_of_order(pulls):
    """The probability of each order, by hand: at every draw the item's pull over those left."""
    chances = []
    for order in permutations(range(len(pulls))):
        chance = 1.0
        left = sum(pulls)
        for item in order:
            chance *= pulls[item] / left
            left -= pulls[item]
        chances.append(chance)
    return np.array(chances)


@given(st.lists(st.tuples(ITEM, st.integers(1, 9), st.integers(1, 400)), min_size=2, max_size=5))
def test_uneven_draws_change_nothing_of_that(items):
    labels, weights, pulls = zip(*items, strict=True)
    lead = sum(right * weight for (_, right), weight, _ in items)
    found = paths(labels, weights, shift=lead, pulls=pulls)
    assert (found >= -1e-12).all()
    assert found @ chance_of_order(pulls) == pytest.approx(1.0)


def test_equal_pulls_are_even_draws():
    items = [(1, 1), (1, -1), (0, 1), (-1, -1), (1, 0)]
    assert paths(items, pulls=[7] * 5) == pytest.approx(paths(items))


def test_right_labels_of_a_clear_claim_let_it_grow():
    capitals = Capitals(KINDS, [[60.0, 5.0, 20.0]], [40.0])
    claim = np.array([0])
    grown = [capitals.draw(claim, np.array([0]), 0.0).capital[0] for _ in range(12)]
    assert all(later > earlier for earlier, later in pairwise(grown))
    assert grown[-1] > 20


def test_what_a_draw_can_cost_is_limited():
    capitals = Capitals(KINDS, [[50.0, 0.0, 0.0]], [50.0])
    bet = capitals.draw(np.array([0]), np.array([0]), 2.0)
    assert bet.capital[0] >= 0.2 - 1e-9


def test_the_worst_lead_is_that_of_the_worst_labels():
    capitals = Capitals(KINDS, [[5.0, 2.0, 1.0]], [4.0])
    assert capitals.worst_lead.tolist() == [4 - 5 * 2 - 2]
    for kind in (0, 0, 0, 0, 0, 1, 1):
        capitals.draw(np.array([0]), np.array([kind]), 0.0)
    assert capitals.worst_lead.tolist() == [4.0]


def test_a_copy_goes_on_as_the_original():
    capitals = Capitals(KINDS, [[9.0, 4.0, 3.0], [5.0, 5.0, 5.0]], [6.0, 0.0])
    capitals.draw(np.array([0, 1]), np.array([0, 1]), np.array([2.0, -1.0]))
    copy = capitals.repeated(np.array([1, 0, 0]))
    one = capitals.draw(np.array([0]), np.array([2]), -2.0)
    same = copy.draw(np.array([1, 2]), np.array([2, 2]), np.array([-2.0, -2.0]))
    assert same.capital.tolist() == [one.capital[0]] * 2
    assert copy.capital[0] == capitals.capital[1]
