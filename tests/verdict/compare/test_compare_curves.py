"""Areas and average precisions are compared as every other measure is."""

import numpy as np
import pytest
from scipy.stats import norm, t

import karat
from karat.doubt.resampling.delong_test import delong_test
from karat.errors import OptionError
from karat.tally.scores import paired_scores
from karat.verdict.compare.compared_curves import AREA_CAUTION, CLUSTER_CAUTION, RARE_CAUTION
from karat.verdict.compare.comparison import BETTER, NO_WORSE, UNDECIDED, WORSE
from karat.verdict.requirement import parse, unmet_by_comparisons


def scored(items=300, seed=1, **apart):
    """Scores of systems, the positives of each so far above the negatives; items are hard or easy for all."""
    random = np.random.default_rng(seed)
    truth = (np.arange(items) < items // 4).astype(int)
    hard = random.normal(size=items)
    table = {"item": [f"i{number}" for number in range(items)], "truth": truth}
    for name, distance in apart.items():
        table[name] = (distance * truth + hard + random.normal(size=items)).round(2)
    return table


@pytest.fixture(scope="module")
def table():
    return scored(good=2.5, fair=2.2, poor=0.3)


def by_pair(result):
    return {(row["first"], row["second"]): row for row in result.rows()}


def test_the_areas_are_compared_by_delong(table):
    rows = by_pair(karat.read(table).compare(measure="roc-area"))
    assert len(rows) == 3
    for (first, second), row in rows.items():
        wanted = delong_test(table["truth"], table[first], table[second])
        assert row["p_value"] == pytest.approx(wanted.p_value)
        assert row["low"] < row["difference"] < row["high"]
        assert row["difference"] == pytest.approx(row["first_value"] - row["second_value"])
        assert row["test"] == "delong"
    assert rows["good", "poor"]["verdict"] == BETTER
    assert rows["good", "fair"]["verdict"] == UNDECIDED


def derivatives(truth, score):
    """By how much the average precision moves with the weight of each item, by a plain loop and a small step."""

    def average_precision(weight):
        total = 0.0
        for item in np.flatnonzero(truth == 1):
            above = score >= score[item]
            hits = weight[above & (truth == 1)].sum()
            total += weight[item] * hits / weight[above].sum()
        return total / weight[truth == 1].sum()

    step = 1e-5
    moved = []
    for item in range(len(truth)):
        weight = np.ones(len(truth))
        weight[item] += step
        more = average_precision(weight)
        weight[item] -= 2 * step
        moved.append((more - average_precision(weight)) / (2 * step))
    return np.array(moved)


def test_average_precisions_are_compared_by_what_each_item_adds():
    table = scored(items=100, good=2.5, fair=2.0)
    (row,) = karat.read(table).compare(measure="average-precision").rows()
    of_good, of_fair = (derivatives(table["truth"], table[name]) for name in ("good", "fair"))
    spread = np.sqrt(((of_good - of_fair) ** 2).sum() * 100 / 99)
    assert row["p_value"] == pytest.approx(2 * t.sf(row["difference"] / spread, 25 - 1), rel=1e-6)
    reach = t.ppf(0.975, 24) * spread
    assert (row["high"] - row["low"]) / 2 == pytest.approx(reach, rel=0.1)


@pytest.mark.parametrize("measure", ["roc-area", "average-precision"])
def test_the_interval_of_a_difference_is_recovered_from_those_of_both(measure):
    table = scored(items=100, good=2.5, fair=2.0)
    bench = karat.read(table)
    (row,) = bench.compare(measure=measure).rows()
    first, second = bench.score(measure=measure).rows()
    if measure == "roc-area":
        placed = [placements(table["truth"], table[name]) for name in ("good", "fair")]
        covariance = sum(
            np.cov(placed[0][kind], placed[1][kind]) / len(placed[0][kind]) for kind in (0, 1)
        )
    else:
        covariance = np.cov(
            *(derivatives(table["truth"], table[name]) for name in ("good", "fair"))
        )
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    down = first["value"] - first["low"], second["high"] - second["value"]
    up = first["high"] - first["value"], second["value"] - second["low"]

    def reach(one, other):
        return np.sqrt(one**2 + other**2 - 2 * correlation * one * other)

    wanted = row["difference"] - reach(*down), row["difference"] + reach(*up)
    assert (row["low"], row["high"]) == pytest.approx(wanted, rel=1e-5)


def placements(truth, score):
    """For positives the share of negatives below, for negatives the share of positives above; ties half."""
    above = np.subtract.outer(score[truth == 1], score[truth == 0])
    won = (above > 0) + 0.5 * (above == 0)
    return won.mean(axis=1), won.mean(axis=0)


@pytest.mark.parametrize("measure", ["roc-area", "average-precision"])
def test_the_bootstrap_comes_to_the_same(table, measure):
    bench = karat.read(table, systems=["good", "fair"])
    (usual,) = bench.compare(measure=measure).rows()
    (drawn,) = bench.compare(measure=measure, test="bootstrap", draws=1000).rows()
    assert drawn["test"] == "bootstrap over 300 items (draws=1000, seed=0)"
    width = usual["high"] - usual["low"]
    assert drawn["high"] - drawn["low"] == pytest.approx(width, rel=0.1)


def test_an_area_at_another_prevalence_is_resampled(table):
    result = karat.read(table).compare(measure="pr-area@0.01", draws=500)
    rows = by_pair(result)
    skewed = karat.read(table).skew(to=0.01, draws=500)
    areas = {row["system"]: row["area"] for row in skewed.rows()}
    for (first, second), row in rows.items():
        assert row["first_value"] == pytest.approx(areas[first])
        assert row["measure"] == "pr-area@0.01"
        gap = next(
            g for g in skewed.beside()["pairs"] if {g["first"], g["second"]} == {first, second}
        )
        width = gap["high"] - gap["low"]
        assert row["high"] - row["low"] == pytest.approx(width, rel=0.5)
    assert rows["good", "poor"]["test"].startswith("bootstrap over 300 items")


def test_holm_baselines_groups_and_ranks_are_as_with_every_measure(table):
    bench = karat.read(table)
    result = bench.compare(measure="roc-area")
    rows = by_pair(result)
    least = min(row["p_value"] for row in rows.values())
    smallest = min(rows.values(), key=lambda row: row["p_value"])
    assert smallest["p_adjusted"] == pytest.approx(3 * least)
    field = result.beside()["ranking"][0]
    assert field["order"] == ["good", "fair", "poor"]
    assert field["groups"] == [["good", "fair"], ["poor"]]
    assert sum(field["best"].values()) == pytest.approx(1)
    alone = bench.compare(measure="roc-area", baseline="poor").rows()
    assert [(row["first"], row["second"]) for row in alone] == [("good", "poor"), ("fair", "poor")]
    turned = bench.compare(measure="roc-area", baseline="good").rows()
    assert turned[-1]["verdict"] == WORSE


def test_no_worse_is_one_sided_by_the_margin(table):
    (row,) = (
        karat.read(table, systems=["fair", "good"])
        .compare(measure="roc-area", margin=0.05, baseline="good")
        .rows()
    )
    plain = delong_test(table["truth"], table["fair"], table["good"])
    error = (plain.high - plain.low) / (2 * norm.ppf(0.975))
    assert row["p_no_worse"] == pytest.approx(norm.sf((row["difference"] + 0.05) / error), rel=1e-6)
    assert row["verdict"] == NO_WORSE


def test_a_requirement_may_be_of_an_area(table):
    result = karat.read(table).compare(measure="roc-area")
    better = parse("better:good,poor")
    assert not unmet_by_comparisons([better], {None: result})
    assert unmet_by_comparisons([parse("better:fair,good")], {None: result})


def test_the_order_of_systems_and_rows_does_not_matter(table):
    usual = by_pair(
        karat.read(table).compare(measure="average-precision", test="bootstrap", draws=100)
    )
    order = np.random.default_rng(0).permutation(len(table["truth"]))
    shuffled = {
        name: np.asarray(table[name])[order] for name in ("item", "truth", "poor", "fair", "good")
    }
    again = by_pair(
        karat.read(shuffled).compare(measure="average-precision", test="bootstrap", draws=100)
    )
    assert usual == again


def test_many_items_are_compared_in_blocks(monkeypatch):
    bench = karat.read(scored(items=3000, good=2.5, fair=2.2))
    (whole,) = bench.compare(measure="roc-area").rows()
    monkeypatch.setattr("karat.questions.scored_items.MOST", 1000)
    (blocks,) = bench.compare(measure="roc-area").rows()
    assert "jackknife over 256 blocks of items" in blocks["test"]
    assert blocks["difference"] == whole["difference"]
    assert blocks["high"] - blocks["low"] == pytest.approx(whole["high"] - whole["low"], rel=0.2)
    assert paired_scores.MOST == 1_000_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"measure": "average-precision", "test": "delong"},
            "compares ROC areas; average-precision is none",
        ),
        ({"measure": "pr-area@0.1", "test": "jackknife"}, "leaves out clusters"),
        ({"measure": "roc-area", "test": "mcnemar"}, "does not have the same trials"),
        ({"measure": "roc-area", "test": "exact"}, "is not a share"),
        ({"measure": "pr-area@2"}, "2"),
    ],
)
def test_what_does_not_fit_is_refused(table, options, message):
    with pytest.raises(OptionError, match=message):
        karat.read(table).compare(**options)


def test_delong_is_not_for_answers():
    answers = {
        "item": [1, 2, 3],
        "truth": ["x", "y", "x"],
        "a": ["x", "y", "y"],
        "b": ["y", "y", "x"],
    }
    with pytest.raises(OptionError, match="compares ROC areas; accuracy is none"):
        karat.read(answers).compare(test="delong")


def test_what_was_seen_to_fall_short_is_said_at_the_number():
    few = karat.read(scored(items=100, good=2.5, fair=2.0))
    many = karat.read(scored(items=800, good=2.5, fair=2.0))
    for measure, caution in (("roc-area", AREA_CAUTION), ("pr-area@0.01", RARE_CAUTION)):
        assert caution in few.compare(measure=measure, draws=100).notes()
    assert AREA_CAUTION not in many.compare(measure="roc-area", draws=100).notes()
    assert RARE_CAUTION not in many.compare(measure="pr-area@0.3", draws=100).notes()
    paged = scored(items=800, good=2.5, fair=2.0) | {"page": np.arange(800) % 40}
    clustered = karat.read(paged, cluster="page", systems=["good", "fair"])
    assert CLUSTER_CAUTION in clustered.compare(measure="roc-area").notes()
