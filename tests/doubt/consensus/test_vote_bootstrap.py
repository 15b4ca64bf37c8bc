"""The bootstrap over patterns: the law it draws from, its coverage, and the estimators it serves."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.consensus.vote_bootstrap import SPREAD, consensus_bootstrap
from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.spectral import spectral
from karat.measure.consensus.votes import consensus, relevance


def votes(items, *, seed=0, systems=5):
    rng = np.random.default_rng(seed)
    truth = rng.random((items, 1)) < 0.4
    return np.where(
        rng.random((items, systems)) < np.linspace(0.6, 0.9, systems), truth, ~truth
    ).astype(int)


def gathered(table):
    return np.unique(table, axis=0, return_counts=True)


def share(number):
    return number[0] / number.sum()


def test_a_share_is_binomial_over_the_resamples():
    found = consensus_bootstrap(share, [30, 70], draws=4000, seed=3)
    law = stats.binom(100, 0.3)
    counts = np.bincount((found.drawn * 100).round().astype(int), minlength=101)
    common = np.flatnonzero(law.pmf(np.arange(101)) > 0.005)
    expected = law.pmf(common) / law.pmf(common).sum() * counts[common].sum()
    assert stats.chisquare(counts[common], expected).pvalue > 0.001


def test_the_interval_is_the_quantiles():
    found = consensus_bootstrap(share, [30, 70], draws=1000)
    ends = found.interval(level=0.9)
    assert (ends.low, ends.high) == pytest.approx(tuple(np.quantile(found.drawn, [0.05, 0.95])))
    lower = found.interval(level=0.9, side="lower")
    assert (lower.low, lower.high) == pytest.approx((np.quantile(found.drawn, 0.1), 1))


def test_the_seed_decides():
    one, same, other = (
        consensus_bootstrap(share, [3, 7], draws=50, seed=s).drawn for s in (1, 1, 2)
    )
    assert one.tolist() == same.tolist() != other.tolist()


def test_every_estimator_has_an_interval_that_holds_its_value():
    rows, number = gathered(votes(400))
    estimators = [
        lambda n: consensus(rows, n).f()[:5],
        lambda n: consensus(rows, n, leave_out="itself").precision[:5],
        lambda n: dawid_skene(rows, n).accuracy,
        lambda n: spectral(rows, n).balanced_accuracy,
    ]
    for estimator in estimators:
        found = consensus_bootstrap(estimator, number, draws=100)
        ends = found.interval()
        assert found.value.shape == (5,)
        assert ((ends.low < found.value) & (found.value < ends.high)).all()
        assert ends.method == "bootstrap over 400 items (draws=100, seed=0)"


def test_patterns_and_single_items_have_the_same_law():
    table = votes(200, seed=5)
    rows, number = gathered(table)
    one = consensus_bootstrap(lambda n: consensus(rows, n).recall[0], number, draws=600)
    other = consensus_bootstrap(
        lambda n: consensus(table, n).recall[0], np.ones(200, int), draws=600, seed=1
    )
    assert one.value == pytest.approx(other.value)
    assert stats.ks_2samp(one.drawn, other.drawn).pvalue > 0.01


def test_the_precision_by_vote_is_covered():
    many = votes(200_000, seed=99)
    right = consensus(many).precision[0]
    covered = 0
    for seed in range(200):
        rows, number = gathered(votes(300, seed=seed))
        ends = consensus_bootstrap(
            lambda n, rows=rows: consensus(rows, n).precision[0], number, draws=200
        ).interval()
        covered += ends.low <= right <= ends.high
    # .95, less 3 standard errors of 200 runs and .01 for the quantiles of 200 draws.
    assert covered / 200 > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 200) - 0.01


def test_clusters_are_drawn_together_and_widen_the_interval():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(30), 10)
    table = votes(30, seed=1)[cluster]
    table = np.where(rng.random(table.shape) < 0.9, table, 1 - table)
    apart, together = (
        consensus_bootstrap(
            lambda n: n @ relevance(table) / n.sum(), np.ones(300, int), clusters=c
        ).interval()
        for c in (None, cluster)
    )
    assert together.high - together.low > 1.5 * (apart.high - apart.low)
    assert together.method.startswith("bootstrap over 30 clusters")


def test_undefined_resamples_are_counted_and_passed_over():
    found = consensus_bootstrap(lambda n: [1 / n[0] if n[0] else np.nan, np.nan], [1, 9], draws=400)
    assert found.undefined[0] == pytest.approx(0.9**10, abs=3 * np.sqrt(0.35 * 0.65 / 400))
    ends = found.interval()
    assert found.undefined[1] == 1
    assert (ends.low[1], ends.high[1]) == (0, 1)
    assert ends.high[0] == 1


@pytest.mark.parametrize(
    ("number", "options", "words"),
    [
        ([0, 0], {}, "whole counts"),
        ([0.5, 1], {}, "whole counts"),
        ([1, 2], {"draws": 0}, "at least one"),
        ([1, 2], {"clusters": [1]}, "give the cluster of each row"),
    ],
)
def test_errors_say_what_to_do(number, options, words):
    with pytest.raises(OptionError, match=words):
        consensus_bootstrap(share, number, **options)


def test_that_a_spread_is_no_interval_of_what_is_true_is_said_where_there_is_one():
    random = np.random.default_rng(3)
    truth = random.integers(0, 3, 60)
    table = {}
    for name in "abcd":
        wrong = random.random(60) < 0.3
        table[name] = [f"L{label}" for label in np.where(wrong, (truth + 1) % 3, truth)]
    bench = karat.read(table)
    assert SPREAD in bench.consensus(draws=20).notes()
    assert SPREAD not in bench.consensus(draws=0).notes()
    assert SPREAD in bench.consensus(draws=20, estimator="vote").notes()
