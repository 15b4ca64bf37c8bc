"""Intervals of clustered items: by leaving out one cluster after the other, as one would by hand."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.resampling import jackknife as doubt
from karat.doubt.resampling.bootstrap import units
from karat.doubt.resampling.jackknife import (
    deleted,
    gap_of_clusters,
    jackknife,
    no_worse_of_clusters,
)
from karat.measure.quantity import Quantity
from karat.tally.votes.confusion import Confusion

MEASURES = (
    "accuracy",
    "macro-f1",
    "recall[x]",
    "precision[y]",
    "f1[x]",
    "balanced-accuracy",
    "error-rate",
    "kappa",
    "matthews",
)
SIGNED = {"kappa", "matthews"}
"""From -1 to 1, not from 0 to 1."""


def made(clusters, seed, *, most=9):
    """Return a table of two systems, right more often on some pages than on others."""
    random = np.random.default_rng(seed)
    page = np.repeat(np.arange(clusters), random.integers(1, most, clusters))
    truth = random.choice(list("xyz"), len(page))
    table = {"truth": truth, "page": page}
    for name in "ab":
        right = random.random(len(page)) < random.beta(4, 2, clusters)[page]
        table[name] = np.where(right, truth, random.choice(list("xyz"), len(page)))
    return table


def without(table, page):
    kept = table["page"] != page
    return {name: column[kept] for name, column in table.items()}


def values(table, measure):
    rows = karat.read(table, systems=("a", "b"), kinds={"": "label"}).score(measure=measure).rows()
    return {row["system"]: row["value"] for row in rows}


def has(table, measure, page):
    """Whether a page has anything that the measure counts, for system a."""
    own = table["page"] == page
    label = measure.partition("[")[2].rstrip("]")
    true, said = (table["truth"][own] == label).any(), (table["a"][own] == label).any()
    return {"recall": true, "precision": said, "f1": true or said}.get(
        measure.partition("[")[0], True
    )


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_interval_is_that_of_leaving_out_one_cluster_after_the_other(measure, level):
    table = made(9, seed=1)
    bench = karat.read(table, systems=("a",), cluster="page", kinds={"": "label"})
    (row,) = bench.score(measure=measure, level=level).rows()
    bottom, width = (-1, 2) if measure in SIGNED else (0, 1)
    value, pages = (row["value"] - bottom) / width, np.unique(table["page"])
    left = np.array([values(without(table, page), measure)["a"] for page in pages])
    left = (left - bottom) / width
    number = sum(has(table, measure, page) for page in pages)
    spread = np.sqrt((number - 1) / number * ((left - value) ** 2).sum())
    trials = row["trials"] or len(table["page"])
    reach = max(
        stats.t.ppf((1 + level) / 2, number - 1) * spread,
        stats.norm.ppf((1 + level) / 2) * np.sqrt(value * (1 - value) / trials),
    )
    odds = np.log(value / (1 - value)) + np.array([-1, 1]) * reach / (value * (1 - value))
    ends = bottom + width / (1 + np.exp(-odds))
    assert (row["low"], row["high"]) == pytest.approx(tuple(ends))
    assert row["method"] == "jackknife over 9 clusters"


def test_the_verdict_is_that_of_leaving_out_one_cluster_after_the_other():
    table = made(12, seed=3)
    (row,) = (
        karat.read(table, systems=("a", "b"), cluster="page").compare(measure="macro-f1").rows()
    )
    pages = np.unique(table["page"])
    gap = [row["first_value"] - row["second_value"]]
    for page in pages:
        found = values(without(table, page), "macro-f1")
        gap.append(found[row["first"]] - found[row["second"]])
    spread = np.sqrt(11 / 12 * ((np.array(gap[1:]) - gap[0]) ** 2).sum())
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(gap[0]) / spread, 11))
    reach = stats.t.ppf(0.975, 11) * spread
    assert (row["low"], row["high"]) == pytest.approx((gap[0] - reach, gap[0] + reach))


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_bound_on_one_side_leaves_the_other_open(side):
    bench = karat.read(made(9, seed=1), systems=("a",), cluster="page")
    (one,) = bench.score(measure="accuracy", side=side).rows()
    (both,) = bench.score(measure="accuracy", level=0.9).rows()
    ends = (both["low"], 1.0) if side == "lower" else (0.0, both["high"])
    assert (one["low"], one["high"]) == pytest.approx(ends)


@pytest.mark.parametrize(
    ("answer", "ends"), [("x", (0.025 ** (1 / 4), 1)), ("y", (0, 1 - 0.025 ** (1 / 4)))]
)
def test_where_all_are_right_or_wrong_every_cluster_is_one_trial(answer, ends):
    table = {"truth": ["x"] * 8, "a": [answer] * 8, "page": list("aabbccdd")}
    (row,) = karat.read(table, cluster="page", kinds={"": "label"}).score(measure="accuracy").rows()
    assert (row["low"], row["high"]) == pytest.approx(ends)


def test_clusters_that_do_not_differ_are_no_surer_than_independent_items():
    table = {"truth": ["x"] * 40, "a": ["x", "y"] * 20, "page": np.arange(40) // 10}
    (row,) = karat.read(table, cluster="page", kinds={"": "label"}).score(measure="accuracy").rows()
    reach = stats.norm.ppf(0.975) * np.sqrt(0.25 / 40) / 0.25
    assert row["high"] == pytest.approx(1 / (1 + np.exp(-reach)))


def test_a_class_of_a_single_cluster_is_unknown():
    table = {"truth": list("xxyyyy"), "a": list("xyyyxy"), "page": list("aabbcc")}
    rows = karat.read(table, cluster="page").score(measure="recall[x],recall[y]").rows()
    assert (rows[0]["low"], rows[0]["high"]) == (0, 1)
    assert rows[1]["low"] > 0


def test_very_many_clusters_are_left_out_in_groups(monkeypatch):
    table = made(300, seed=4)
    bench = karat.read(table, systems=("a", "b"), cluster="page")
    one, other = bench.score(measure="accuracy").rows()[0], bench.compare().rows()[0]
    monkeypatch.setattr(doubt, "GROUPS", 60)
    few, pair = bench.score(measure="accuracy").rows()[0], bench.compare().rows()[0]
    assert few["method"] == pair["test"] == "jackknife over 60 groups of 300 clusters (seed=0)"
    # The standard error of a standard deviation from 60 values is some 9 %; four of them.
    assert few["high"] - few["low"] == pytest.approx(one["high"] - one["low"], rel=0.4)
    assert pair["high"] - pair["low"] == pytest.approx(other["high"] - other["low"], rel=0.4)


def test_few_clusters_are_said():
    bench = karat.read(made(4, seed=1), systems=("a",), cluster="page")
    assert any("4 clusters of correlated items" in note for note in bench.score().notes())
    assert not any(
        "of correlated items" in note
        for note in karat.read(made(9, seed=1), cluster="page").score().notes()
    )


def test_one_cluster_says_nothing():
    found = gap_of_clusters(np.array([[0.7, 0.5]]), np.array([[[0.0, 0.0]]]), least=np.zeros(1))
    assert (found.low, found.high, found.p_value) == (-1, 1, 1)


def test_a_gap_that_all_clusters_share_could_be_another_in_those_not_seen():
    whole, left = np.array([[1.0, 0.0]]), np.tile([1.0, 0.0], (7, 1, 1))
    found = gap_of_clusters(whole, left, least=np.zeros(1))
    assert (found.high, found.p_value) == (1, 0)
    assert found.low == pytest.approx(2 * 0.025 ** (1 / 7) - 1)


def test_the_interval_of_few_clusters_holds_as_often_as_it_says():
    random, runs, held = np.random.default_rng(0), 400, 0
    truth, answer, keys = (
        np.zeros(12, np.int64),
        np.repeat([0, 1], 6),
        {"c": np.tile(np.arange(6), 2)},
    )
    for _ in range(runs):
        right = random.binomial(10, random.beta(3.2, 0.8, 6))
        table = Confusion(("x", "y"), truth, answer, np.concatenate([right, 10 - right]), keys=keys)
        found = jackknife(Quantity("accuracy"), deleted(units(table)), items=60)
        held += found.low <= 0.8 <= found.high
    # Four standard errors of a share of 0.95 in so many runs.
    assert held / runs > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)


def gaps_of(seed, clusters, still):
    """Two systems' values, and those without each cluster; some clusters change nothing."""
    random = np.random.default_rng(seed)
    whole = random.uniform(0.4, 0.8, 2)
    without = whole + random.normal(0, 0.02, (clusters, 2))
    without[:still] = whole
    return whole, without


@pytest.mark.parametrize("still", [0, 3])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_clusters_that_change_nothing_give_no_degree_of_freedom(still, level):
    whole, without = gaps_of(still, 9, still)
    gap = whole[0] - whole[1]
    k = 9 - still
    left = [one - other for one, other in without[still:]]
    spread = np.sqrt((k - 1) / k * sum((each - gap) ** 2 for each in left))
    found = gap_of_clusters(whole[None], without[:, None], least=np.zeros(1), level=level)
    reach = stats.t.ppf((1 + level) / 2, k - 1) * spread
    assert (found.low[0], found.high[0]) == pytest.approx((gap - reach, gap + reach))
    assert found.p_value[0] == pytest.approx(2 * stats.t.sf(abs(gap) / spread, k - 1))
    for margin in (0.02, 0.2):
        p_value = no_worse_of_clusters(
            whole[None], without[:, None], least=np.zeros(1), margin=margin
        )
        by_clusters = stats.t.sf((gap + margin) / spread, k - 1) if gap + margin > 0 else 1
        assert p_value[0] == pytest.approx(max(by_clusters, (1 - margin) ** k))


def test_no_worse_is_never_surer_than_for_independent_items():
    whole, without = gaps_of(1, 9, 0)
    gap = whole[0] - whole[1]
    p_value = no_worse_of_clusters(
        whole[None], without[:, None], least=np.array([0.04]), margin=0.3
    )
    assert p_value[0] == pytest.approx(stats.norm.sf((gap + 0.3) / 0.2))
    wider = no_worse_of_clusters(
        whole[None], without[:, None], least=np.zeros(1), margin=0.3, width=2.0
    )
    assert wider[0] == pytest.approx(0.85**9)


def test_one_cluster_and_clusters_that_are_all_the_same_show_what_could_go_unseen():
    whole = np.array([[0.7, 0.4]])
    one = gap_of_clusters(whole, np.full((1, 1, 2), np.nan), least=np.zeros(1))
    assert (one.low[0], one.high[0], one.p_value[0]) == (-1, 1, 1)
    p_value = no_worse_of_clusters(whole, np.full((1, 1, 2), np.nan), least=np.zeros(1), margin=0.1)
    assert p_value[0] == 1
    same = gap_of_clusters(whole, np.tile(whole, (6, 1, 1)), least=np.zeros(1))
    seen = 0.025 ** (1 / 6)
    assert same.low[0] == pytest.approx(seen * 0.3 - (1 - seen))
    assert same.high[0] == pytest.approx(seen * 0.3 + (1 - seen))
