"""The majority vote and its limits, against every joint law of a few systems."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.optimize import linprog

from karat.errors import OptionError
from karat.measure.consensus.majority import majority, majority_limits

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
CHANCES = some.lists(some.integers(0, 20).map(lambda whole: whole / 20), min_size=1, max_size=5)


def slow_limits(accuracies, ties):
    """The least and the largest share of items with a right majority over all joint laws of who is right."""
    size = len(accuracies)
    cases = list(product([0, 1], repeat=size))
    right = [sum(case) * 2 > size or (ties == "right" and sum(case) * 2 == size) for case in cases]
    equal = [[case[k] for case in cases] for k in range(size)] + [[1] * len(cases)]
    found = [
        linprog(sign * np.array(right, float), A_eq=equal, b_eq=[*accuracies, 1], bounds=(0, 1))
        for sign in (1, -1)
    ]
    return found[0].fun, -found[1].fun


@pytest.mark.parametrize("ties", ["wrong", "right"])
@LAWS
@given(CHANCES)
def test_the_limits_are_those_over_all_joint_laws(ties, accuracies):
    found = majority_limits(accuracies, ties=ties)
    assert (found.low, found.high) == pytest.approx(slow_limits(accuracies, ties), abs=1e-9)


@LAWS
@given(CHANCES)
def test_independent_errors_lie_between_the_limits_and_are_summed_right(accuracies):
    found, size = majority_limits(accuracies), len(accuracies)
    direct = sum(
        np.prod([p if hit else 1 - p for p, hit in zip(accuracies, case, strict=True)])
        for case in product([0, 1], repeat=size)
        if sum(case) * 2 > size
    )
    assert found.independent == pytest.approx(direct, abs=1e-12)
    assert found.low - 1e-12 <= found.independent <= found.high + 1e-12


@pytest.mark.parametrize("systems", [3, 5, 7, 9])
@pytest.mark.parametrize("p", [0.4, 0.5, 0.6, 0.7, 0.95])
def test_the_patterns_of_success_and_failure_of_the_paper(systems, p):
    # Kuncheva et al. 2003, equations for the pattern of success and of failure, l = floor(L/2).
    half = systems // 2
    found = majority_limits([p] * systems)
    assert found.high == pytest.approx(min(1, p * systems / (half + 1)))
    assert found.low == pytest.approx(max(0, (p * systems - half) / (half + 1)))


def test_three_systems_of_60_percent():
    # Kuncheva et al. 2003, section 3: from .4 to .9 beside .648 for independent errors.
    found = majority_limits([0.6] * 3)
    assert (found.low, found.independent, found.high) == pytest.approx((0.4, 0.648, 0.9))


def test_one_perfect_voter_does_not_carry_two_bad_ones():
    # The mean accuracy alone would allow (1 + .1 + .1) / 2 = .6.
    assert majority_limits([1, 0.1, 0.1]).high == pytest.approx(0.2)


@LAWS
@given(
    some.lists(some.lists(some.integers(-2, 3), min_size=3, max_size=3), min_size=1, max_size=20)
)
def test_the_vote_is_that_of_a_counter(rows):
    found = majority(rows)
    ties = unanswered = 0
    for row, label, share in zip(rows, found.labels, found.shares, strict=True):
        votes = Counter(answer for answer in row if answer >= 0)
        if not votes:
            unanswered += 1
            assert label == -1
            assert np.isnan(share)
            continue
        best = [answer for answer in votes if votes[answer] == max(votes.values())]
        ties += len(best) > 1
        assert label == min(best)
        assert share == max(votes.values()) / votes.total()
    assert (found.ties, found.unanswered) == (ties, unanswered)


def test_errors_say_what_to_do():
    with pytest.raises(OptionError, match="each from 0 to 1"):
        majority_limits([0.5, 1.5])
    with pytest.raises(OptionError, match="'wrong' or as 'right'"):
        majority_limits([0.5], ties="maybe")
