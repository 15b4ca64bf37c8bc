"""Resamples as counts: their law, whichever way they are drawn, and average precision on them."""

import numpy as np
import pytest

from karat.doubt.bounds.areas import resampled_average_precision
from karat.measure.of_scores.average_precision import average_precision
from karat.numeric import resampled_counts as drawn_counts
from karat.numeric.resampled_counts import drawing
from karat.tally.scores.packed_curve import curve_of


@pytest.mark.parametrize("by_item", [0, 100], ids=["cell by cell", "item by item"])
def test_counts_have_the_mean_and_the_spread_of_a_multinomial(monkeypatch, by_item):
    monkeypatch.setattr(drawn_counts, "BY_ITEM", by_item)
    number, rows = np.array([1, 0, 5, 30, 4]), 4000
    found = drawing(number)(np.random.default_rng(3), rows)
    share = number / 40
    assert (found.sum(axis=1) == 40).all()
    assert found.mean(axis=0) == pytest.approx(number, abs=4 * np.sqrt(10 / rows))
    wanted = 40 * (np.diag(share) - np.outer(share, share))
    # The variance of a covariance is at most about 2 / rows times the product of the variances.
    assert np.cov(found.T) == pytest.approx(wanted, abs=4 * np.sqrt(2 / rows) * 10)


@pytest.mark.parametrize(("levels", "rate"), [(5, 0.3), (10**9, 0.5), (10**9, 0.05)])
def test_average_precision_is_redrawn_as_by_a_plain_loop_over_items(levels, rate):
    random = np.random.default_rng(7)
    truth = random.random(300) < rate
    score = np.floor((random.normal(size=300) + truth) * levels) / levels
    found = resampled_average_precision(curve_of(truth, score), level=0.8, draws=1500, seed=5)
    plain = []
    for _ in range(1500):
        rows = random.integers(0, 300, 300)
        plain.append(average_precision(curve_of(truth[rows], score[rows])))
    low, high = np.quantile(plain, [0.1, 0.9])
    # A quantile moves by √(p (1 - p) / draws) of the draws, twice here; 4 times that on either side.
    off = 4 * np.sqrt(2 * 0.1 * 0.9 / 1500)
    for ours, share in ((found.low, 0.1), (found.high, 0.9)):
        assert np.mean(np.array(plain) < ours) == pytest.approx(share, abs=off)
    assert low < high
