"""Levels of agreement: each a truth of its own, by plain tables; clusters left out by hand; orders and inversions."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.bounds.binormal_score import binormal_score
from karat.doubt.prevalence.level_areas import cluster_intervals, clustered_correlation
from karat.errors import KaratError
from karat.measure.prevalence.agreement_levels import Correlation
from karat.questions.agreement_levels import agreement_levels
from karat.tally.scores.packed_curve import curve_of

RANDOM = np.random.default_rng(12)
IMAGES = 15
IMAGE = np.repeat(np.arange(IMAGES), 40)
HARD = RANDOM.normal(size=IMAGES)[IMAGE]
MARKS = (RANDOM.random((len(IMAGE), 3)) < 1 / (1 + np.exp(1 - HARD))[:, None]).astype(int)
SCORES = {
    "good": np.round(MARKS.sum(axis=1) + RANDOM.normal(size=len(IMAGE)) + 0.3 * HARD, 2),
    "poor": np.round(0.4 * MARKS.sum(axis=1) + RANDOM.normal(size=len(IMAGE)), 2),
}
DATA = {"x": MARKS[:, 0], "y": MARKS[:, 1], "z": MARKS[:, 2], **SCORES, "image": IMAGE}
ASKED = {"annotators": ["x", "y", "z"], "systems": ["good", "poor"]}


def roc_area(truth, score):
    """The share of pairs in order, a tie a half."""
    above = score[truth][:, None] - score[~truth][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def test_every_level_has_the_areas_of_a_table_with_that_truth():
    found = agreement_levels(DATA, **ASKED, low=0.01, high=0.5, draws=100)
    for one in found.levels:
        truth = MARKS.sum(axis=1) >= one.at_least
        score = SCORES[one.system]
        assert one.roc.area == pytest.approx(roc_area(truth, score))
        plain = karat.read({"truth": truth.astype(int), "s": score})
        own, over = plain.skew(to=truth.mean(), low=0.01, high=0.5, draws=0).rows()
        assert one.own.area == pytest.approx(own["area"])
        assert one.own.normalised == pytest.approx(own["normalised"])
        assert one.areas[0].area == pytest.approx(over["area"])
        bound = binormal_score(curve_of(truth, score))
        assert (one.roc.low, one.roc.high) == pytest.approx((float(bound.low), float(bound.high)))
        assert one.own.low < one.own.area < one.own.high


def test_clusters_left_out_one_by_one_give_the_intervals():
    found = agreement_levels(DATA, **ASKED, cluster="image", to=0.1)
    at_least = {(one.system, one.at_least): one for one in found.levels}
    level = at_least["good", 2]
    truth = MARKS.sum(axis=1) >= 2
    score = SCORES["good"]
    areas = np.array([roc_area(truth[k != IMAGE], score[k != IMAGE]) for k in range(IMAGES)])
    value = level.roc.area
    spread = np.sqrt((IMAGES - 1) / IMAGES * np.sum((areas - value) ** 2))
    kurtosis = np.mean((areas - value) ** 4) / np.mean((areas - value) ** 2) ** 2
    freedom = min(IMAGES - 1, 2 * IMAGES / (kurtosis - 1))
    reach = stats.t.ppf(0.975, freedom) * spread / (value * (1 - value))
    middle = np.log(value / (1 - value))
    expected = 1 / (1 + np.exp([-(middle - reach), -(middle + reach)]))
    assert (level.roc.low, level.roc.high) == pytest.approx(tuple(expected), rel=1e-9)
    assert level.roc.method == "jackknife over 15 clusters"
    areas = []
    for image in range(IMAGES):
        kept = image != IMAGE
        rest = karat.read({"truth": truth[kept].astype(int), "s": score[kept]})
        areas.append(rest.skew(to=0.1, draws=0).rows()[0]["area"])
    at_tenth = level.areas[0]
    ends = cluster_intervals(np.array([at_tenth.area]), np.array(areas)[:, None], level=0.95)
    assert at_tenth.low == pytest.approx(ends.low[0], rel=1e-9)
    assert at_tenth.high == pytest.approx(ends.high[0], rel=1e-9)


def test_the_lead_over_the_next_is_that_of_clusters_left_out():
    found = agreement_levels(DATA, **ASKED, cluster="image")
    order = next(one for one in found.orders if (one.at_least, one.field) == (1, "ROC area"))
    truth = MARKS.sum(axis=1) >= 1
    gaps = []
    for image in range(IMAGES):
        kept = image != IMAGE
        own = [roc_area(truth[kept], SCORES[name][kept]) for name in ("good", "poor")]
        gaps.append(own[0] - own[1])
    (lead,) = order.leads
    spread = np.sqrt((IMAGES - 1) / IMAGES * np.sum((np.array(gaps) - lead.difference) ** 2))
    assert order.order == ("good", "poor")
    assert lead.p_value == pytest.approx(2 * stats.t.sf(lead.difference / spread, IMAGES - 1))
    assert lead.p_value < lead.p_adjusted < 1


def test_correlated_items_have_larger_p_values_over_clusters():
    alone = agreement_levels(DATA, **ASKED).correlations["poor"].over_all[0]
    over = agreement_levels(DATA, **ASKED, cluster="image").correlations["poor"].over_all[0]
    assert over.value == alone.value
    z = [
        np.arctanh(np.corrcoef(MARKS[k != IMAGE].sum(axis=1), SCORES["poor"][k != IMAGE])[0, 1])
        for k in range(IMAGES)
    ]
    whole = np.arctanh(over.value)
    error = np.sqrt((IMAGES - 1) / IMAGES * np.sum((np.array(z) - whole) ** 2))
    assert over.p_value == pytest.approx(2 * stats.t.sf(whole / error, IMAGES - 1), rel=1e-6)
    assert over.p_value > alone.p_value


def test_repeating_every_cluster_changes_items_and_not_p_values():
    # Each item ten times: independent items would be ten times as sure, clusters are not.
    tenfold = {name: np.repeat(values, 10) for name, values in DATA.items()}
    once = agreement_levels(DATA, **ASKED, cluster="image")
    many = agreement_levels(tenfold, **ASKED, cluster="image")
    assert many.items == 10 * once.items
    for first, second in zip(once.levels, many.levels, strict=True):
        assert (first.roc.low, first.roc.high) == pytest.approx((second.roc.low, second.roc.high))
    for name in SCORES:
        pairs = zip(once.correlations[name].over_all, many.correlations[name].over_all, strict=True)
        for first, second in list(pairs)[:2]:
            assert first.p_value == pytest.approx(second.p_value, rel=1e-6)


def test_orders_and_inversions_are_those_of_plain_tables():
    found = agreement_levels(DATA, **ASKED, to=0.1, draws=0)
    for at_least in (1, 2, 3):
        truth = (MARKS.sum(axis=1) >= at_least).astype(int)
        plain = karat.read({"truth": truth, **SCORES}).skew(to=0.1, draws=0)
        best_first = tuple(row["system"] for row in plain.rows())
        own = [one for one in found.orders if one.at_least == at_least]
        assert [one.order for one in own if one.field == "10 % positive"] == [best_first]
        skews = [one.skews for one in found.inversions if one.at_least == at_least]
        assert skews == [plain.pair_orders[0].skews]


def test_systems_that_change_places_between_levels_are_named():
    # "one" ranks what anyone marked, "all" only what all three marked.
    marks = np.array([[1, 0, 0]] * 20 + [[1, 1, 1]] * 20 + [[0, 0, 0]] * 40)
    noise = RANDOM.random(80) / 10
    data = {
        "x": marks[:, 0],
        "y": marks[:, 1],
        "z": marks[:, 2],
        "one": (marks.sum(axis=1) > 0) + noise,
        "all": (marks.sum(axis=1) > 2) + noise,
    }
    found = agreement_levels(data, annotators=["x", "y", "z"], systems=["one", "all"], draws=0)
    changes = [row for row in found.changes() if row["at"] == "ROC area"]
    expected = {
        "at": "ROC area",
        "by": "1 or more",
        "ahead": "one",
        "then by": "2 or more",
        "ahead then": "all",
    }
    assert changes == [expected]


def test_missing_marks_and_counts_of_marks_are_levels_of_those_who_looked():
    some = MARKS.astype(float)
    some[RANDOM.random(some.shape) < 0.2] = np.nan
    some[0] = np.nan
    columns = {"x": some[:, 0], "y": some[:, 1], "z": some[:, 2], **SCORES}
    found = agreement_levels(columns, **ASKED, draws=0)
    looked = (~np.isnan(some)).sum(axis=1)
    marked = np.nansum(some, axis=1)
    seen = looked > 0
    for one in found.levels:
        truth = marked[seen] / looked[seen] >= one.at_least / 3 - 1e-9
        assert one.positives == truth.sum()
        assert one.roc.area == pytest.approx(roc_area(truth, SCORES[one.system][seen]))
    notes = " ".join(found.notes())
    assert f"Nobody looked at {int((~seen).sum())} items" in notes
    assert "Not every annotator looked at every item" in notes
    counts = {"yes": marked[seen], "of": looked[seen]}
    counts |= {name: values[seen] for name, values in SCORES.items()}
    counted = agreement_levels(counts, marked=["yes", "of"], systems=["good", "poor"], draws=0)
    assert [one.roc.area for one in counted.levels] == [one.roc.area for one in found.levels]


def test_blocks_of_independent_items_tell_orders_and_not_the_order_of_rows():
    order = RANDOM.permutation(len(IMAGE))
    shuffled = {name: values[order] for name, values in DATA.items()}
    swapped = {**ASKED, "systems": ["poor", "good"]}
    first = agreement_levels(DATA, **ASKED, draws=0)
    second = agreement_levels(shuffled, **ASKED, draws=0)
    third = agreement_levels(DATA, **swapped, draws=0)
    assert first.to_json() == second.to_json()
    p_values = [
        [lead.p_value for order in each.orders for lead in order.leads] for each in (first, third)
    ]
    assert p_values[0] == pytest.approx(p_values[1])
    assert all(0 <= p <= 1 for p in p_values[0])


def test_an_area_of_one_and_a_cluster_with_all_positives_are_bounded():
    ends = cluster_intervals(
        np.array([1.0, 0.7]), np.array([[1.0, np.nan], [1.0, 0.6]]), level=0.95
    )
    assert ends.low.tolist() == pytest.approx([0.025**0.5, 0.0])
    assert ends.high.tolist() == [1.0, 1.0]
    undefined = [Correlation(None, None, 3, "Pearson"), Correlation(0.5, 0.1, 3, "Pearson")]
    assert clustered_correlation(Correlation(0.5, 0.1, 4, "Pearson"), undefined).p_value == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"annotators": ["x"], "systems": ["good"]}, "agreement needs two annotators"),
        ({"systems": ["good"]}, "name the columns of marks"),
        ({"marked": ["x"], "systems": ["good"]}, "takes two columns"),
        (ASKED | {"marked": ["x", "y"]}, "name the columns of marks"),
        (ASKED | {"cluster": "x"}, "is a column of marks or scores"),
        (ASKED | {"level": 2}, "level= is 2; it must be between 0 and 1"),
        (ASKED | {"draws": -1}, "draws= is -1"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options, words):
    with pytest.raises(KaratError, match=words):
        agreement_levels(DATA, **options)


@pytest.mark.parametrize(("images", "is_told"), [(IMAGE, True), (np.arange(len(IMAGE)), False)])
def test_a_column_that_looks_like_clusters_is_named(images, is_told):
    found = agreement_levels(DATA | {"image": images}, **ASKED, draws=0)
    assert any("--cluster image" in note for note in found.notes()) == is_told
    with_clusters = agreement_levels(DATA, **ASKED, cluster="image")
    assert not any("--cluster image" in note for note in with_clusters.notes())
