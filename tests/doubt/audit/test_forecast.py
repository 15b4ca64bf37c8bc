"""Simulated audits against what they simulate: the losses by the errors, endings counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.doubt.audit.capital import Capitals, Kinds
from karat.doubt.audit.forecast import (
    FIRST,
    NEITHER,
    SECOND,
    UNDECIDED,
    _drawn_kind,
    errors_at,
    errors_seen,
    simulated_checks,
)

KINDS = Kinds(np.array([0.0, -1.0, -2.0]), np.array([2.0, 1.0, 0.0]))
"""Of accuracy: the given label makes A right, neither, or B."""


def simulated(number, lead, share, **options):
    """Simulate audits of claims that all stand alike, the right labels wrong with this share."""
    first = Capitals(KINDS, number, lead)
    second = Capitals(KINDS.turned(), number, -np.array(lead))
    errors = errors_at(KINDS, share, len(lead))
    return simulated_checks(
        first, second, errors, **{"risk": 0.05, "most": 99, "seed": 3} | options
    )


def test_a_share_of_wrong_labels_takes_the_most_or_gives_the_most_or_each_half_the_time():
    errors = errors_at(KINDS, 0.2, 2)
    assert errors.up.tolist() == [[0.2, 0.1, 0.0]] * 2
    assert errors.down.tolist() == [[0.0, 0.1, 0.2]] * 2


@given(
    st.lists(
        st.sampled_from([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, -1), (2, 0), (2, -1), (2, -2)])
    )
)
def test_the_errors_seen_have_the_mean_and_the_square_that_bets_go_by(draws):
    capitals = Capitals(KINDS, [[90.0] * 3], [0.0])
    for kind, loss in draws:
        capitals.draw(np.array([0]), np.array([kind]), float(loss))
    mean, spread = capitals.guesses(np.array([0]))
    errors = errors_seen(capitals, np.array([0]))
    assert (errors.up >= 0).all()
    assert (errors.down >= 0).all()
    assert (errors.up + errors.down <= 1).all()
    found = errors.up * KINDS.most + errors.down * KINDS.least
    square = errors.up * KINDS.most**2 + errors.down * KINDS.least**2
    # A kind whose labels only take, or only give, has one number for both: its mean square goes first.
    assert square == pytest.approx(spread + mean**2)
    assert found[0, 1] == pytest.approx(mean[0, 1])


def test_a_certain_lead_ends_at_once_for_whom_it_is_and_a_tie_when_nothing_is_left():
    found = simulated([[1.0, 0, 0], [0, 0, 1.0], [0, 0, 0]], [3.0, -3.0, 0.0], 0.0)
    assert found.ending.tolist() == [FIRST, SECOND, NEITHER]
    assert found.checks.tolist() == [0, 0, 0]


def test_a_lead_of_just_what_the_labels_could_take_is_not_certain():
    found = simulated([[1.0, 0, 0], [0, 0, 1.0]], [2.0, -2.0], 0.0)
    assert found.ending.tolist() == [FIRST, SECOND]
    assert found.checks.tolist() == [1, 1]


def test_without_wrong_labels_an_audit_takes_as_many_checks_as_its_capital_needs():
    capitals = Capitals(KINDS, [[60.0, 0.0, 0.0]], [60.0])
    needed = 0
    while capitals.capital[0] < 1 / 0.05 and capitals.worst_lead[0] <= 0:
        capitals.draw(np.array([0]), np.array([0]), 0.0)
        needed += 1
    found = simulated([[60.0, 0, 0], [0, 0, 60.0]], [60.0, -60.0], 0.0)
    assert 1 < needed < 30
    assert found.checks.tolist() == [needed, needed]
    assert found.ending.tolist() == [FIRST, SECOND]


def test_an_audit_ends_undecided_after_the_most_checks():
    found = simulated([[60.0, 0, 60.0]] * 2, [0.0, 0.0], 0.3, most=4)
    assert found.checks.tolist() == [4, 4]
    assert found.ending.tolist() == [UNDECIDED, UNDECIDED]


def test_two_items_end_as_often_as_their_labels_are_wrong():
    """A is right by the first, B by the second; each label is wrong one time in four, and only all labels decide."""
    runs = 4000
    found = simulated([[1.0, 0, 1.0]] * runs, [0.0] * runs, 0.25, risk=1e-9)
    assert (found.checks == 2).all()
    shares = np.bincount(found.ending, minlength=4) / runs
    assert shares[UNDECIDED] == 0
    expected = {FIRST: 3 / 16, SECOND: 3 / 16, NEITHER: 10 / 16}
    for ending, share in expected.items():
        error = np.sqrt(share * (1 - share) / runs)
        assert shares[ending] == pytest.approx(share, abs=4 * error)


def test_items_of_neither_kind_move_the_lead_both_ways():
    """One item, right for nobody: a label that is wrong half the time makes A or B right, each one time in four."""
    runs = 4000
    found = simulated([[0, 1.0, 0]] * runs, [0.0] * runs, 0.5, risk=1e-9)
    shares = np.bincount(found.ending, minlength=4) / runs
    assert shares[[FIRST, SECOND]] == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / runs))
    assert shares[NEITHER] == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(runs))


def test_a_kind_is_drawn_as_often_as_its_pull_and_never_without_items():
    chance = np.arange(1000) / 1000
    drawn = _drawn_kind(np.tile([0.0, 3.0, 0.0, 5.0, 2.0], (1000, 1)), chance)
    assert np.bincount(drawn, minlength=5).tolist() == [0, 300, 0, 500, 200]
