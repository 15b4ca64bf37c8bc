"""Shares of scores in bins: drawn from posteriors, by cluster, and with weights; and what few clusters add."""

import numpy as np
import pytest
from scipy.stats import norm, t

from karat.doubt.few_clusters import allowance, stretched, worth
from karat.doubt.prevalence.score_bins import ScoreUnits, binned, drawn_shares, edges_of, smoothed
from karat.doubt.prevalence.unlabelled_scores import (
    deployed_by_unlabelled_scores,
    likeliest_prevalence,
)
from karat.tally.scores.paired_scores import PairedScores


def items(seed, *, clusters=10, size=30, alike=0.0):
    random = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), size)
    truth = np.tile(np.arange(size) < size // 3, clusters)
    shared = np.sqrt(alike) * random.normal(size=clusters)[cluster]
    score = shared + np.sqrt(1 - alike) * random.normal(size=len(cluster)) + 1.5 * truth
    once = np.ones(len(cluster), int)
    return PairedScores(("a",), truth, score[:, None], once, cluster=cluster, clusters=clusters)


def field(seed, number=400, positive=0.1):
    random = np.random.default_rng(seed)
    return random.normal(size=number) + 1.5 * (random.random(number) < positive)


def test_allowance_and_worth_by_hand():
    assert allowance(12, 0.95) == pytest.approx(
        t.ppf(0.975, 11) / norm.ppf(0.975) * np.sqrt(12 / 11)
    )
    assert allowance(np.inf, 0.95) == 1
    assert allowance(1.2, 0.9) == pytest.approx(t.ppf(0.95, 1) / norm.ppf(0.95) * np.sqrt(2))
    assert worth([4, 4, 4, 4]) == 4
    assert worth([3, 1]) == pytest.approx(16 / 10)


def test_draws_are_stretched_around_their_median_on_log_odds():
    drawn = np.array([[0.1], [0.2], [0.5], [0.0], [1.0]])
    wide = stretched(drawn, 2.0)
    # The median is 0.2, with odds 1:4. Of 0.5 the log odds are log 4 away: twice that is 16 times the odds, 4.
    assert wide[:, 0] == pytest.approx([1 / (1 + 20.25), 0.2, 0.8, 0, 1])


def test_clusters_of_independent_items_draw_as_independent_items_do():
    table = items(1, clusters=300, size=3)
    curve = table.curve("a")
    edges = edges_of(curve)
    unlabelled = field(2)
    counts = binned(curve, unlabelled, edges)
    blocks = table.in_clusters().systems["a"]
    options = {"draws": 4000, "seed": 3}
    by_items = drawn_shares(counts, unlabelled, edges, ScoreUnits(), **options)
    clustered = ScoreUnits(blocks, np.arange(len(unlabelled)))
    by_cluster = drawn_shares(counts, unlabelled, edges, clustered, **options)
    for kind in ("positive", "negative", "unlabelled"):
        one, other = getattr(by_cluster, kind), getattr(by_items, kind)
        assert one.mean(axis=0) == pytest.approx(other.mean(axis=0), abs=0.01)
        # With one positive and two negatives in each cluster the negatives are drawn in twos.
        assert one.std(axis=0) == pytest.approx(other.std(axis=0), rel=0.25)


def test_a_cluster_is_drawn_with_all_its_items():
    # Two clusters, each with all its items in one bin: the share is that of two exponential weights, any from 0 to 1.
    truth = np.tile([True, False], 200)
    score = np.repeat([2.0, 0.0], 200)
    cluster = np.repeat([0, 1], 200)
    table = PairedScores(
        ("a",), truth, score[:, None], np.ones(400, int), cluster=cluster, clusters=2
    )
    edges = np.array([1.0])
    counts = binned(table.curve("a"), score, edges)
    units = ScoreUnits(table.in_clusters().systems["a"])
    drawn = drawn_shares(counts, score, edges, units, draws=4000, seed=1)
    quarters = np.quantile(drawn.positive[:, 1], [0.25, 0.5, 0.75])
    assert quarters == pytest.approx([0.25, 0.5, 0.75], abs=0.04)
    # Positives and negatives of a cluster have the same weight.
    assert np.corrcoef(drawn.positive[:, 1], drawn.negative[:, 1])[0, 1] > 0.99
    assert units.clusters == 2


def test_weights_count_as_so_many_equal_items():
    table = items(4)
    curve = table.curve("a")
    edges = edges_of(curve)
    unlabelled = field(5)
    counts = binned(curve, unlabelled, edges)
    fewer = ScoreUnits(worth=(25.0, 50.0))
    few = drawn_shares(counts, unlabelled, edges, fewer, draws=4000, seed=1)
    many = drawn_shares(counts, unlabelled, edges, ScoreUnits(), draws=4000, seed=1)
    for drawn, number in ((few.positive, 25), (many.positive, 100)):
        # Shares of a Dirichlet distribution: a = n c + 1/2, variance a (A - a) / (A² (A + 1)).
        a = number * counts.positive / counts.positive.sum() + 0.5
        deviation = np.sqrt(a * (a.sum() - a) / (a.sum() ** 2 * (a.sum() + 1)))
        assert drawn.std(axis=0) == pytest.approx(deviation, rel=0.06)
    assert few.unlabelled.mean(axis=0) == pytest.approx(many.unlabelled.mean(axis=0), abs=0.01)


def test_correlated_items_widen_every_interval():
    table = items(6, alike=0.4)
    curve = table.curve("a")
    unlabelled = field(7)
    units = ScoreUnits(table.in_clusters().systems["a"], np.arange(400) // 20)
    alone = likeliest_prevalence(curve, unlabelled)
    together = likeliest_prevalence(curve, unlabelled, units=units)
    assert together.value == alone.value
    assert together.low <= together.value <= together.high
    assert together.high - together.low > 1.3 * (alone.high - alone.low)
    wide = deployed_by_unlabelled_scores(curve, unlabelled, threshold=1.0, units=units)
    narrow = deployed_by_unlabelled_scores(curve, unlabelled, threshold=1.0)
    for name in ("balance", "precision", "tpr", "fpr", "misses"):  # alarms are of the field alone
        one, other = getattr(wide, name), getattr(narrow, name)
        assert one.value == other.value
        assert one.high - one.low > other.high - other.low, name


def test_smoothed_shares_by_hand():
    # 3, 0 and 1 items, half an item more in each bin: 3.5, 0.5 and 1.5 of 5.5.
    assert smoothed(np.array([3.0, 0.0, 1.0])) == pytest.approx([3.5 / 5.5, 0.5 / 5.5, 1.5 / 5.5])
