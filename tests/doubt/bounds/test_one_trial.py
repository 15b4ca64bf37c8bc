"""The bounds of a share of one trial, and of none, by hand."""

from math import sqrt

import pytest
from scipy.stats import beta, norm

from karat.doubt.bounds.exact import exact
from karat.doubt.bounds.jeffreys import jeffreys
from karat.doubt.bounds.wilson import wilson

LEVELS = [0.8, 0.95, 0.999]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("side", ["both", "lower", "upper"])
def test_a_share_is_no_less_than_what_would_give_one_success_so_rarely(level, side):
    tail = (1 - level) / (2 if side == "both" else 1)
    low = 0.0 if side == "upper" else tail
    high = 1.0 if side == "lower" else 1 - tail
    found = exact([0, 1], 1, level=level, side=side)
    assert found.low == pytest.approx([0.0, low])
    assert found.high == pytest.approx([high, 1.0])


@pytest.mark.parametrize("level", LEVELS)
def test_wilsons_interval_of_one_trial(level):
    z = norm.ppf((1 + level) / 2)
    # (p + z²/2 ± z √(p(1-p) + z²/4)) / (1 + z²) with p = 0 and 1.
    reach = z * sqrt(z**2 / 4)
    found = wilson([0, 1], 1, level=level)
    assert found.low == pytest.approx([0.0, (1 + z**2 / 2 - reach) / (1 + z**2)], abs=1e-12)
    assert found.high == pytest.approx([(z**2 / 2 + reach) / (1 + z**2), 1.0])


@pytest.mark.parametrize("level", LEVELS)
def test_jeffreys_interval_of_one_trial(level):
    tail = (1 - level) / 2
    found = jeffreys([0, 1], 1, level=level)
    assert found.low == pytest.approx([0.0, beta.ppf(tail, 1.5, 0.5)])
    assert found.high == pytest.approx([beta.ppf(1 - tail, 0.5, 1.5), 1.0])


@pytest.mark.parametrize("bound", [exact, wilson, jeffreys])
def test_of_nothing_nothing_is_known(bound):
    found = bound(0, 0)
    assert (float(found.low), float(found.high)) == (0.0, 1.0)
