"""Curves by group and in bins: the counts of a plain loop on every engine, and bounds that hold the exact area."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import md5
from typing import Any

import numpy as np
import pytest

import karat
from karat.errors import InputError, OptionError, TallyError
from karat.measure.prevalence.binning_limits import area_bounds, bin_costs
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.table.options import TableOptions
from karat.tally.scores import paired_scores as module
from karat.tally.scores import sampled_scores as samples
from karat.tally.scores.binned_curve import (
    _summed,
    binned,
    binned_groups,
    binning,
    binning_of_curves,
    count,
)
from karat.tally.scores.bins import best_bins
from karat.tally.scores.curve import Curve, curves, group_curves
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import paired_blocks, paired_groups, paired_scores
from karat.tally.scores.sampled_scores import sampled_scores


@dataclass(frozen=True)
class Scored:
    """Items with a truth, a group and two systems' scores, some of them missing."""

    name: str = "scored"
    columns: dict[str, list[Any]] = field(default_factory=dict)
    spark: tuple[str, ...] = ("parquet",)
    reading: TableOptions = field(
        default_factory=lambda: TableOptions(
            item="item", truth="truth", group="group", positive="1"
        )
    )


def items(number=200, seed=5):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.3
    scores = [np.round(random.normal(size=number) + truth, 1) + 0.05 for _ in range(2)]
    gaps = [random.random(number) < 0.05 for _ in scores]
    return {
        "item": [f"i{k}" for k in range(number)],
        "truth": [None if random.random() < 0.05 else int(yes) for yes in truth],
        "group": random.choice(["x", "y", "z"], number).tolist(),
        "a": [None if gap else float(score) for score, gap in zip(scores[0], gaps[0], strict=True)],
        "b": [None if gap else float(score) for score, gap in zip(scores[1], gaps[1], strict=True)],
    }


CASE = Scored(columns=items())


def plain(columns, system, where=lambda _: True):
    found = Counter()
    for row in zip(columns["truth"], columns["group"], columns[system], strict=True):
        if row[0] is not None and where(row[1]):
            found[-np.inf if row[2] is None else row[2], row[0]] += 1
    values = sorted({value for value, _ in found}, reverse=True)
    return [(value, found[value, 1], found[value, 0]) for value in values]


def rows(found):
    return list(
        zip(found.score.tolist(), found.positive.tolist(), found.negative.tolist(), strict=True)
    )


@pytest.mark.parametrize("case", [CASE], ids=["scored"])
def test_every_engine_counts_the_same_curves(read, case):
    table = read.table(case)
    assert rows(curves(table)["b"]) == plain(case.columns, "b")
    by_group = group_curves(table)["a"]
    assert list(by_group) == ["x", "y", "z"]
    for name, found in by_group.items():
        assert rows(found) == plain(case.columns, "a", lambda group, name=name: group == name)


@pytest.mark.parametrize("case", [CASE], ids=["scored"])
def test_every_engine_counts_the_same_bins(read, case):
    table, exact = read.table(case), plain(case.columns, "a")
    found = binned(table, bins=12)["a"]
    # Between the lowest scores of two bins lie the items of the upper one.
    for place, low in enumerate(found.score):
        top = found.score[place - 1] if place else np.inf
        inside = [
            row for row in exact if low <= row[0] + 1e-9 and (row[0] + 1e-9 < top or not place)
        ]
        assert found.positive[place] == sum(row[1] for row in inside)
        assert found.negative[place] == sum(row[2] for row in inside)
    assert found.score[-1] == -np.inf


@pytest.mark.parametrize("case", [CASE], ids=["scored"])
def test_every_engine_counts_the_same_rows_of_scores(read, case):
    found = paired_scores(read.table(case), ["b", "a"])
    wanted = Counter(
        (yes == 1, *(-np.inf if score is None else score for score in pair))
        for yes, *pair in zip(*(case.columns[name] for name in ("truth", "b", "a")), strict=True)
        if yes is not None
    )
    ours = zip(
        found.positive.tolist(), *found.scores.T.tolist(), found.number.tolist(), strict=True
    )
    assert {row[:-1]: row[-1] for row in ours} == dict(wanted)
    assert found.items()[1].shape == (sum(wanted.values()), 2)


CLUSTERED = Scored(
    name="clustered",
    columns=items()
    | {"page": [f"p{k // 7}" for k in range(200)], "w": [0.25 + k % 3 for k in range(200)]},
    reading=TableOptions(item="item", truth="truth", cluster="page", weight="w", positive="1"),
)


@pytest.mark.parametrize("case", [CLUSTERED], ids=["clustered"])
def test_every_engine_counts_the_same_clusters_and_weights(read, case):
    found = paired_scores(read.table(case), ["b", "a"])
    columns = [case.columns[name] for name in ("page", "w", "truth", "b", "a")]
    judged = [row for row in zip(*columns, strict=True) if row[2] is not None]
    pages = sorted({row[0] for row in judged})
    wanted = Counter(
        (pages.index(page), weight, yes == 1, *(-np.inf if one is None else one for one in pair))
        for page, weight, yes, *pair in judged
    )
    assert found.clusters == len(pages)
    keys = [found.cluster.tolist(), found.weight.tolist(), found.positive.tolist()]
    ours = zip(*keys, *found.scores.T.tolist(), found.number.tolist(), strict=True)
    assert {row[:-1]: row[-1] for row in ours} == dict(wanted)
    curve = found.curve("a")
    assert curve.positive.sum() == pytest.approx(sum(row[1] for row in judged if row[2] == 1))
    by_cluster = found.in_clusters().systems["a"]
    sums = np.bincount(by_cluster.block, by_cluster.positive + by_cluster.negative)
    for place, page in enumerate(pages):
        assert sums[place] == pytest.approx(sum(row[1] for row in judged if row[0] == page))


@pytest.mark.parametrize("case", [CASE], ids=["scored"])
def test_every_engine_tells_groups_apart(read, case):
    table = read.table(case)
    held = paired_groups(table, ["b", "a"])
    bins = binned_groups(table, bins=12)["a"]
    assert list(held) == list(bins) == ["x", "y", "z"]
    assert sum(len(part.items()[0]) for part in held.values()) == len(
        paired_scores(table, ["b", "a"]).items()[0]
    )
    for name, part in held.items():
        truth, scores = part.items()
        wanted = plain(case.columns, "a", lambda group, name=name: group == name)
        assert rows(counted_by_hand(truth, scores[:, 1])) == wanted
        assert bins[name].positive.sum() == truth.sum()
    together = sum(list(bins.values())[1:], bins["x"])
    assert rows(together) == rows(binned(table, bins=12)["a"])


def counted_by_hand(truth, score):
    distinct = np.unique(score)[::-1]
    return Curve(
        distinct,
        *(
            np.array([((score == each) & kind).sum() for each in distinct])
            for kind in (truth, ~truth)
        ),
    )


@pytest.mark.parametrize("case", [CASE], ids=["scored"])
def test_every_engine_puts_the_same_items_into_a_block(read, case):
    found = paired_blocks(read.table(case), ["b", "a"], bins=12)
    held = Counter()
    for item, yes in zip(case.columns["item"], case.columns["truth"], strict=True):
        held[md5(item.encode(), usedforsecurity=False).hexdigest()[:2]] += yes is not None
    wanted = [held[name] for name in sorted(held) if held[name]]
    assert found.number == len(wanted)
    for blocks in found.systems.values():
        assert np.bincount(blocks.block, blocks.positive + blocks.negative).tolist() == wanted
    whole = binned(read.table(case), bins=12)["a"]
    joined = found.systems["a"].curve()
    kept = joined.positive + joined.negative > 0
    assert joined.positive[kept].tolist() == whole.positive.tolist()
    assert joined.negative[kept].tolist() == whole.negative.tolist()


NUMBERED = replace(CASE, name="numbered", columns=items() | {"item": list(range(200))})
UNNAMED = replace(
    CASE,
    name="unnamed",
    columns={name: cells for name, cells in items().items() if name != "item"},
    reading=TableOptions(truth="truth", group="group", positive="1"),
)


@pytest.mark.parametrize("case", [CASE, NUMBERED, UNNAMED], ids=["named", "numbered", "unnamed"])
def test_every_engine_draws_the_same_sample(read, reference, case, monkeypatch):
    monkeypatch.setattr(samples, "DRAWN", 50)
    monkeypatch.setattr(samples, "TAKEN", 40)
    found, wanted = (
        sampled_scores(table, ["b", "a"], curves=curves(table))
        for table in (read.table(case), reference.table(case))
    )
    assert 40 <= wanted.items < 120
    assert np.array_equal(found.rows.scores, wanted.rows.scores)
    assert np.array_equal(found.rows.positive, wanted.rows.positive)
    assert np.array_equal(found.times, wanted.times)


def test_a_cluster_is_in_one_block():
    columns = items(400) | {"book": [f"b{k // 40}" for k in range(400)]}
    counter = karat.read(columns, item="item", cluster="book", group="group").counter
    assert counter.count(paired_blocks, ["a", "b"]).number == 10


def test_more_items_than_memory_holds_are_told_to_go_by_block(monkeypatch):
    monkeypatch.setattr(module, "MOST", 5)
    counter = karat.read({"truth": [1, 0] * 3, "a": [0.5, 0.2] * 3}).counter
    with pytest.raises(TallyError, match="6 items are too many to hold pair by pair, at most 5"):
        counter.count(paired_scores, ["a"])
    with pytest.raises(TallyError, match="blocks of items need the items' names"):
        counter.count(paired_blocks, ["a"])


def scored(number, make, seed=1, rate=0.1):
    random = np.random.default_rng(seed)
    truth = random.random(number) < rate
    return truth, make(random, truth)


SHAPES = {
    "uniform": lambda random, truth: random.random(len(truth)) ** np.where(truth, 0.5, 1.5),
    "normal": lambda random, truth: random.normal(size=len(truth)) + truth,
    "heavy tails": lambda random, truth: random.standard_cauchy(len(truth)) + 2 * truth,
    "heavier tails": lambda random, truth: np.sinh(4 * (random.normal(size=len(truth)) + truth)),
    "a peak and a plain": lambda random, truth: (
        np.where(random.random(len(truth)) < 0.9, 1e-7, 1.0) * random.random(len(truth))
        + 0.1 * truth
    ),
    "few values": lambda random, truth: np.round(random.random(len(truth)) + 0.2 * truth, 1) + 0.05,
    "widest": lambda random, truth: (
        np.where(random.random(len(truth)) < 0.5, -1.7e308, 1.7e308) * truth + 0.5
    ),
    "narrowest": lambda random, truth: (random.integers(0, 9, len(truth)) + truth) * 5e-324,
    "tiny": lambda random, truth: 1 + (random.integers(0, 9, len(truth)) + truth) * 2.3e-16,
    "infinite": lambda random, truth: np.where(
        random.random(len(truth)) < 0.1 + 0.2 * truth, np.inf, random.random()
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_bounds_hold_the_exact_area_whatever_the_scores(shape):
    truth, score = scored(3000, SHAPES[shape])
    counter = karat.read({"truth": truth.astype(int), "a": score}, kinds="score").counter
    exact = roc(counter.count(curves)["a"])
    for bins in (2, 50, 5000):
        found = counter.count(binned, bins=bins)["a"]
        assert len(found.score) <= bins + 1
        assert (found.positive.sum(), found.negative.sum()) == (truth.sum(), (~truth).sum())
        bounds, wanted = (
            area_bounds(found, pi=[0.01, 0.1, 0.6]),
            pr_area(exact, pi=[0.01, 0.1, 0.6]),
        )
        assert np.all(bounds.low <= wanted + 1e-12)
        assert np.all(wanted <= bounds.high + 1e-12)


def test_cutting_where_it_costs_most_beats_even_bins():
    truth, score = scored(20_000, SHAPES["uniform"])
    counter = karat.read({"truth": truth.astype(int), "a": score}).counter
    even = binning(counter.table, ["a"], bins=2000)["a"]
    ours = area_bounds(counter.count(binned, bins=2000)["a"], pi=0.1).width
    plain_bins = replace(even, parts=np.ones(2000, np.int64))
    assert ours < 0.8 * area_bounds(count(counter.table, {"a": plain_bins})["a"], pi=0.1).width


@pytest.mark.parametrize(
    "shape", ["uniform", "normal", "heavy tails", "heavier tails", "a peak and a plain"]
)
def test_bins_lie_where_the_scores_are(shape):
    truth, score = scored(20_000, SHAPES[shape])
    counter = karat.read({"truth": truth.astype(int), "a": score}, kinds="score").counter
    exact = pr_area(roc(counter.count(curves)["a"]), pi=0.1)
    found = area_bounds(counter.count(binned, bins=2000)["a"], pi=0.1)
    assert found.width < 0.002
    assert pr_area(roc(counter.count(binned, bins=2000)["a"]), pi=0.1) == pytest.approx(
        exact, abs=1e-3
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_known_curves_give_the_same_bins_as_the_rows(shape):
    truth, score = scored(3000, SHAPES[shape])
    counter = karat.read({"truth": truth.astype(int), "a": score}, kinds="score").counter
    ours = binning_of_curves(counter.count(curves), bins=300)["a"]
    wanted = binning(counter.table, ["a"], bins=300)["a"]
    assert (ours.low, ours.high, ours.middle, ours.spread) == (
        wanted.low,
        wanted.high,
        wanted.middle,
        wanted.spread,
    )
    assert ours.parts.tolist() == wanted.parts.tolist()
    assert rows(count(counter.table, {"a": ours})["a"]) == rows(
        count(counter.table, {"a": wanted})["a"]
    )


@pytest.mark.parametrize(("shape", "scans"), [("uniform", 1), ("normal", 2), ("heavy tails", 5)])
def test_bins_that_promise_nothing_are_not_counted(shape, scans):
    curve = curve_of(*scored(20_000, SHAPES[shape]))
    rounds = []

    def histograms(by_system):
        (bins,) = by_system.values()
        rounds.append(bins)
        places = bins.places(curve.score)
        return {"a": _summed(bins, places, curve.positive, curve.negative)}

    best_bins({"a": (curve.score.min(), curve.score.max())}, histograms, bins=2000)
    assert len(rounds) == scans


def test_bins_for_another_balance_are_best_there():
    truth, score = scored(20_000, SHAPES["normal"])
    counter = karat.read({"truth": truth.astype(int), "a": score}).counter
    rare = area_bounds(
        counter.count(binned, bins=1000, costs=partial(bin_costs, pi=0.001))["a"], pi=0.001
    ).width
    assert (
        rare
        < area_bounds(
            counter.count(binned, bins=1000, costs=partial(bin_costs, pi=0.9))["a"], pi=0.001
        ).width
    )


def test_counts_of_rows_are_summed_in_bins_and_groups():
    columns = {
        "truth": [1, 0, 1],
        "a": [0.9, 0.5, 0.1],
        "number": [3, 2, 4],
        "group": ["x", "x", "y"],
    }
    counter = karat.read(columns, count="number", group="group").counter
    assert rows(counter.count(group_curves)["a"]["x"]) == [(0.9, 3, 0), (0.5, 0, 2)]
    found = counter.count(binned, bins=100)["a"]
    assert (found.positive.tolist(), found.negative.tolist()) == ([3, 0, 4], [0, 2, 0])


def test_what_cannot_be_counted_is_refused_in_words():
    counter = karat.read({"truth": [1, 0], "a": [0.5, 0.2]}).counter
    with pytest.raises(OptionError, match="bins is 1; a curve needs at least two"):
        counter.count(binned, bins=1)["a"]
    with pytest.raises(TallyError, match="no groups to split the curve by"):
        counter.count(group_curves)
    one = karat.read({"truth": [1, 1], "a": [0.5, 0.2]}, positive="1").counter
    with pytest.raises(InputError, match="nothing but '1'"):
        one.count(binned)
    empty = karat.read(
        {"truth": [1, 0], "a": [None, None], "b": [0.5, 0.1]}, systems=["a", "b"], kinds="score"
    ).counter
    with pytest.raises(InputError, match="'a' has no finite score"):
        empty.count(binned)


def test_an_item_whose_right_labels_hold_the_positive_one_is_a_positive():
    table = {"truth": ["a b", "b", "a", "c"], "s": [0.9, 0.2, 0.8, 0.1]}
    bench = karat.read(table, positive="a", truth_sep=" ")
    assert {row["value"] for row in bench.score().rows()} == {1}
    assert rows(bench.counter.count(curves)["s"]) == [
        (0.9, 1, 0),
        (0.8, 1, 0),
        (0.2, 0, 1),
        (0.1, 0, 1),
    ]


def test_a_document_whose_right_labels_hold_the_positive_one_is_relevant():
    table = {
        "item": list("wxyz"),
        "query": ["q"] * 4,
        "truth": ["a b", "b", "a", "c"],
        "s": [0.9, 0.2, 0.8, 0.1],
    }
    bench = karat.read(table, group="query", positive="a", truth_sep=" ")
    (row,) = bench.retrieval(measure="AP").rows()
    assert row["value"] == 1


@pytest.mark.parametrize("missing", ["skip", "as:0"])
def test_a_missing_score_is_below_every_other_and_nothing_else(missing):
    bench = karat.read({"truth": [1, 0, 1, 0], "s": [0.9, 0.2, 0.8, None]}, missing=missing)
    with pytest.raises(
        OptionError, match="a missing score is below every other; leave missing= out"
    ):
        bench.score()
