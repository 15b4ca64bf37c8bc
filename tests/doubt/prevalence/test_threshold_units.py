"""A threshold over clusters and weighted items: by hand, by leaving out in a loop, and against single items."""

import numpy as np
import pytest

from karat.doubt.prevalence.deployment import deployed, precision_interval, recall_interval
from karat.doubt.prevalence.melded import Seen
from karat.doubt.prevalence.threshold_units import ThresholdUnits, units_at
from karat.measure.prevalence.distribution import single
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import Blocks

CURVE = Curve(np.array([1.0, 0.0]), np.array([8, 2]), np.array([3, 17]))


def clusters(hits, positives, false, negatives, **options):
    arrays = [np.array(part, float) for part in (hits, positives, false, negatives)]
    return ThresholdUnits(*arrays, what="clusters", **options)


def single_items():
    """The items of the curve, each its own cluster."""
    positive = np.array([1.0] * 10 + [0.0] * 20)
    reached = np.array([1.0] * 8 + [0.0] * 2 + [1.0] * 3 + [0.0] * 17)
    return clusters(positive * reached, positive, (1 - positive) * reached, 1 - positive)


def test_single_items_are_worth_what_they_are_but_for_students_quantile():
    """Of 10 items with 8 hits p (1-p) / V = n - 1 = 9, and (1.960 / 2.262)² of that are 6.76."""
    hits, _ = single_items().seen(level=0.95)
    assert hits.of == pytest.approx(6.757, abs=1e-3)
    assert hits.number / hits.of == pytest.approx(0.8)


def test_clusters_of_copies_are_worth_one_item_each():
    """Four times as many items in the same clusters tell no more."""
    once = clusters([1, 1, 1, 0, 0], [1] * 5, [0, 0, 1, 0, 0], [1] * 5)
    fourfold = clusters([4, 4, 4, 0, 0], [4] * 5, [0, 0, 4, 0, 0], [4] * 5)
    for own, copied in zip(once.seen(level=0.9), fourfold.seen(level=0.9), strict=True):
        assert (own.number, own.of) == pytest.approx((copied.number, copied.of))


def test_where_nothing_was_wrong_each_cluster_is_one_trial():
    units = clusters([5, 5, 5], [5, 5, 5], [0, 0, 0], [9, 9, 9])
    assert units.seen(level=0.95) == (Seen(3, 3), Seen(0, 3))
    weighted = clusters([2, 1], [2, 1], [0, 0], [2, 1], weighted=True)
    hits, _ = weighted.seen(level=0.95)
    assert hits.of == pytest.approx(9 / 5)


def test_positives_in_one_cluster_say_nothing_of_others():
    units = clusters([3, 0, 0], [4, 0, 0], [1, 0, 1], [5, 5, 5])
    assert units.seen(level=0.95)[0] == Seen(0, 0)
    found = deployed(CURVE, threshold=0.5, pi=0.1, units=units)
    assert (found.tpr.value, found.tpr.low, found.tpr.high) == (0.75, 0, 1)
    assert found.precision.high == 1


def test_the_jackknife_is_that_of_a_loop():
    units = clusters([3, 1, 4, 2], [4, 2, 5, 5], [1, 0, 2, 1], [9, 8, 10, 7])

    def share(tpr, fpr):
        return 0.3 * tpr + 0.7 * fpr

    values = []
    for place in range(4):
        kept = np.arange(4) != place
        tpr = units.hits[kept].sum() / units.positives[kept].sum()
        values.append(share(tpr, units.false[kept].sum() / units.negatives[kept].sum()))
    whole = share(*units.rates)
    error = np.sqrt(3 / 4 * ((np.array(values) - whole) ** 2).sum()) / (whole * (1 - whole))
    reach = 3.182446305 * error
    odds = np.log(whole / (1 - whole))
    low, high = units.ends(share, level=0.95)
    assert np.log(low / (1 - low)) == pytest.approx(odds - reach)
    assert np.log(high / (1 - high)) == pytest.approx(odds + reach)


def test_no_interval_is_narrower_than_of_independent_items():
    alone = deployed(CURVE, threshold=0.5, pi=0.1)
    wide = deployed(CURVE, threshold=0.5, pi=0.1, units=single_items())
    for name in ("tpr", "fpr", "precision", "alarms", "misses"):
        inner = getattr(alone, name)
        outer = getattr(wide, name)
        assert outer.value == pytest.approx(inner.value)
        assert outer.low <= inner.low
        assert outer.high >= inner.high
    precision = precision_interval(CURVE, single(0.1), threshold=0.5, units=single_items())
    assert (precision.low, precision.high) == (wide.precision.low, wide.precision.high)
    recall = recall_interval(CURVE, threshold=0.5, units=single_items())
    assert (recall.low, recall.high) == (wide.tpr.low, wide.tpr.high)


def test_what_reaches_the_threshold_is_counted_by_cluster():
    blocks = Blocks(
        block=np.array([0, 0, 1, 2, 2]),
        bin=np.array([0, 1, 1, 0, 2]),
        positive=np.array([2, 1, 0, 0, 3]),
        negative=np.array([0, 4, 1, 5, 0]),
        score=np.array([0.9, 0.5, 0.1]),
    )
    units = units_at(blocks, 0.5, what="3 clusters")
    assert units.hits.tolist() == [3, 0, 0]
    assert units.positives.tolist() == [3, 0, 3]
    assert units.false.tolist() == [4, 1, 5]
    assert units.negatives.tolist() == [4, 1, 5]


def test_clusters_that_all_have_the_same_share_are_worth_their_items():
    units = clusters([2, 4, 6], [4, 8, 12], [1, 1, 1], [3, 3, 3])
    assert units.seen(level=0.95) == (Seen(12, 24), Seen(3, 9))
    weighted = clusters([1, 2], [2, 4], [0, 1], [1, 1], weighted=True)
    assert weighted.seen(level=0.95)[0] == Seen(0.9, 1.8)


def test_a_cluster_is_never_worth_more_than_its_items():
    # Shares so alike that the jackknife sees hardly any variance.
    units = clusters([51, 50, 49, 50], [100] * 4, [1, 2, 3, 4], [9] * 4)
    hits, _ = units.seen(level=0.95)
    assert (hits.number, hits.of) == (200, 400)
