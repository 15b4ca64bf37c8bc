"""Leads bounded from below, and McNemar's worst table, against enumeration."""

import numpy as np
import pytest
from scipy.stats import binom

from karat.doubt.audit.capital import Kinds
from karat.doubt.audit.new_items import LeadBound, worst_p_value

KINDS = Kinds(np.array([0.0, -1.0, -2.0]), np.array([2.0, 1.0, 0.0]))


@pytest.mark.parametrize(("lead", "disputed"), [(1, 5), (4, 9), (7, 30), (12, 41), (5, 5), (3, 4)])
def test_no_table_with_at_least_this_lead_has_a_larger_p_value(lead, disputed):
    largest = 0.0
    for better in range(disputed + 1):
        for worse in range(disputed - better + 1):
            if better - worse >= lead:
                largest = max(largest, binom.sf(better - 1, better + worse, 0.5))
    assert worst_p_value(lead, disputed) == pytest.approx(largest)


def test_no_lead_is_no_evidence():
    assert worst_p_value(0, 40) == worst_p_value(-3, 40) == 1.0


@pytest.mark.parametrize("right", [(30, 20, 6), (24, 0, 30), (40, 3, 0)])
def test_the_bound_is_seldom_above_the_lead(right):
    """Given labels that all speak for A; `right`: how many do, how many for B, how many for neither."""
    same, turned, neither = right
    loss = np.array([0.0] * same + [2.0] * turned + [1.0] * neither)
    lead = same - turned
    random = np.random.default_rng(5)
    too_high, runs = 0, 400
    for _ in range(runs):
        bound = LeadBound(KINDS, np.array([float(len(loss)), 0.0, 0.0]), len(loss), risk=0.05)
        highest = bound.low
        for one in random.permutation(loss):
            bound.draw(0, one)
            highest = max(highest, bound.low)
        too_high += highest > lead
        assert bound.low == max(lead, 0) or highest > lead
    assert too_high <= 0.05 * runs + 2 * np.sqrt(0.05 * 0.95 * runs)


def test_the_bound_starts_with_what_no_label_can_change():
    bound = LeadBound(KINDS, np.array([2.0, 1.0, 0.0]), 9.0, risk=0.05)
    assert bound.low == 9 - 2 * 2 - 1
