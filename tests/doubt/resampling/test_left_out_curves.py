"""Curves without one cluster after the other: against scikit-learn on the items that are left."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from karat.doubt.resampling import left_out_curves as module
from karat.doubt.resampling.left_out_curves import (
    left_out_curves,
    most_groups,
    number_of,
    variance_without,
)
from karat.measure.quantity import Quantity
from karat.tally.scores.paired_scores import PairedScores

RANDOM = np.random.default_rng(6)
CLUSTER = np.repeat(np.arange(7), [3, 9, 4, 6, 2, 8, 5])
TRUTH = RANDOM.random(len(CLUSTER)) < 0.45
# The fifth cluster is all negative, so that positives are in six clusters only.
TRUTH[CLUSTER == 4] = False
SCORES = RANDOM.normal(size=(len(CLUSTER), 2)) + 1.0 * TRUTH[:, None]


def paired(truth=TRUTH, cluster=CLUSTER):
    once = np.ones(len(truth), np.int64)
    clusters = int(cluster.max()) + 1
    items = PairedScores(
        ("a", "b"), truth, SCORES[: len(truth)], once, cluster=cluster, clusters=clusters
    )
    return items.in_clusters()


@pytest.mark.parametrize(
    ("name", "oracle"),
    [("roc-area", roc_auc_score), ("average-precision", average_precision_score)],
)
def test_each_cluster_is_left_out_once(name, oracle):
    found = left_out_curves(paired(), ("a", "b"), number_of(Quantity.parse(name)))
    assert found.what == "7 clusters"
    assert found.without.shape == (7, 2)
    for system in range(2):
        assert found.whole[system] == pytest.approx(oracle(TRUTH, SCORES[:, system]))
        for cluster in range(7):
            kept = cluster != CLUSTER
            expected = oracle(TRUTH[kept], SCORES[kept, system])
            assert found.without[cluster, system] == pytest.approx(expected)


def test_variance_and_degrees_of_freedom():
    found = left_out_curves(paired(), ("a", "b"), number_of(Quantity.parse("roc-area")))
    squares = (found.without - found.whole) ** 2
    assert found.variance == pytest.approx(6 / 7 * squares.sum(axis=0))
    assert variance_without(np.array(2.0), np.array([1.0, 3.0, 5.0])) == pytest.approx(2 / 3 * 11)
    # Positives are in six clusters, so that five degrees of freedom are left.
    assert (found.clusters, found.freedom) == (6, 5)


def test_what_is_left_without_one_kind_of_items_is_unknown():
    """All positives in one cluster: without it there is no curve."""
    truth = CLUSTER == 1
    found = left_out_curves(paired(truth), ("a", "b"), number_of(Quantity.parse("roc-area")))
    assert np.isnan(found.without[1]).all()
    assert not np.isnan(np.delete(found.without, 1, axis=0)).any()
    assert (found.clusters, found.freedom) == (1, 1)


def test_very_many_rows_are_left_out_in_groups(monkeypatch):
    blocks = paired()
    rows = sum(len(one.bin) for one in blocks.systems.values())
    monkeypatch.setattr(module, "WORK", 5 * rows)
    monkeypatch.setattr(module, "FEWEST_GROUPS", 3)
    assert most_groups(blocks) == 5
    value = number_of(Quantity.parse("roc-area"))
    found = left_out_curves(blocks, ("a", "b"), value)
    assert found.without.shape == (5, 2)
    assert found.what == "5 groups of 7 clusters (seed=0)"
    assert left_out_curves(blocks, ("a", "b"), value, most=4).without.shape == (4, 2)
