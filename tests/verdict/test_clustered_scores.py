"""Clusters and weights of items with scores: in `score`, `compare` and `skew`, over all items and by group."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit
from scipy.stats import t

import karat
from karat.errors import InputError, OptionError
from karat.verdict.compare.compared_curves import WEIGHT_CAUTION
from karat.verdict.compare.comparison import UNDECIDED
from karat.verdict.prevalence.words import AHEAD_MEANS


def pages(clusters=12, seed=4, *, size=12, spread=1.0):
    """Scores of two systems; all items of a page are easy or hard together."""
    random = np.random.default_rng(seed)
    page = np.repeat(np.arange(clusters), size)
    items = len(page)
    truth = (random.random(items) < 0.35).astype(int)
    ease = spread * random.normal(size=(2, clusters))[:, page]
    table = {
        "item": [f"i{number}" for number in range(items)],
        "page": [f"p{one:02}" for one in page],
    }
    table |= {"truth": truth, "w": random.uniform(0.2, 3, items).round(2)}
    table |= {"half": np.array(["x", "y"])[np.arange(items) % 2]}
    for place, name in enumerate(("good", "fair")):
        noise = random.normal(size=items)
        apart = 1.6 - 0.3 * place + ease[place]
        table[name] = expit(apart * (truth - 0.5) + noise).round(3)
    return table


SYSTEMS = ["good", "fair"]


def weights_of(table, *, weighted):
    return np.asarray(table["w"]) if weighted else np.ones(len(table["truth"]))


def average_precision(truth, score, weight):
    """By a plain loop over the positives."""
    total = 0.0
    for item in np.flatnonzero(truth == 1):
        above = score >= score[item]
        total += weight[item] * weight[above & (truth == 1)].sum() / weight[above].sum()
    return total / weight[truth == 1].sum()


def roc_area(truth, score, weight):
    """By a plain loop over all pairs."""
    total = 0.0
    for item in np.flatnonzero(truth == 1):
        other = truth == 0
        below = (score[other] < score[item]) + 0.5 * (score[other] == score[item])
        total += weight[item] * (below @ weight[other])
    return total / (weight[truth == 1].sum() * weight[truth == 0].sum())


def brier(truth, score, weight):
    return float((weight @ (score - truth) ** 2) / weight.sum())


MEASURES = {"average-precision": average_precision, "roc-area": roc_area, "brier": brier}


def without_pages(table, name, measure, *, weighted):
    """The value of a system on all items, and without one page after the other."""
    truth, score = np.asarray(table["truth"]), np.asarray(table[name])
    weight, page = weights_of(table, weighted=weighted), np.asarray(table["page"])
    whole = measure(truth, score, weight)
    parts = []
    for left_out in sorted(set(page)):
        kept = page != left_out
        parts.append(measure(truth[kept], score[kept], weight[kept]))
    return whole, np.array(parts)


def jackknife_error(whole, parts):
    k = len(parts)
    return np.sqrt((k - 1) / k * ((parts - whole) ** 2).sum())


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_score_leaves_out_one_cluster_after_the_other(measure, weighted):
    table = pages(spread=3.0)
    options = {"weight": "w"} if weighted else {}
    bench = karat.read(table, systems=SYSTEMS, cluster="page", **options)
    for row in bench.score(measure=measure).rows():
        whole, parts = without_pages(table, row["system"], MEASURES[measure], weighted=weighted)
        assert row["value"] == pytest.approx(whole)
        assert row["method"] == "jackknife over 12 clusters"
        if measure != "roc-area":
            reach = t.ppf(0.975, 11) * jackknife_error(whole, parts) / (whole * (1 - whole))
            wanted = expit(logit(whole) - reach), expit(logit(whole) + reach)
            assert (row["low"], row["high"]) == pytest.approx(wanted)
        else:
            reach = t.ppf(0.975, 11) * jackknife_error(whole, parts)
            assert row["high"] - row["low"] == pytest.approx(2 * reach, rel=0.3)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_comparison_leaves_out_one_cluster_after_the_other(measure, weighted):
    table = pages()
    options = {"weight": "w"} if weighted else {}
    bench = karat.read(table, systems=SYSTEMS, cluster="page", **options)
    (row,) = bench.compare(measure=measure).rows()
    first, first_parts = without_pages(table, row["first"], MEASURES[measure], weighted=weighted)
    second, second_parts = without_pages(table, row["second"], MEASURES[measure], weighted=weighted)
    assert row["difference"] == pytest.approx(first - second)
    error = jackknife_error(first - second, first_parts - second_parts)
    p_value = 2 * t.sf(abs(first - second) / error, 11)
    assert row["p_value"] >= p_value - 1e-9
    assert row["p_value"] == pytest.approx(p_value, abs=0.1)
    assert row["low"] < first - second < row["high"]
    assert row["test"] == "jackknife over 12 clusters"


@pytest.mark.parametrize("measure", [*MEASURES, "pr-area@0.1"])
def test_a_cluster_of_its_own_for_each_item_is_no_cluster(measure):
    table = pages(spread=0.0)
    alone = (
        karat.read(table, systems=SYSTEMS, cluster="item").score(measure=measure, draws=400).rows()
    )
    plain = karat.read(table, systems=SYSTEMS).score(measure=measure, draws=400).rows()
    for one, other in zip(alone, plain, strict=True):
        assert one["value"] == pytest.approx(other["value"])
        assert one["high"] - one["low"] == pytest.approx(other["high"] - other["low"], rel=0.2)


@pytest.mark.parametrize("measure", [*MEASURES, "pr-area@0.1"])
def test_equal_weights_are_no_weights(measure):
    table = pages()
    table["w"] = np.full(len(table["truth"]), 2.5)
    weighted = karat.read(table, systems=SYSTEMS, weight="w").score(measure=measure).rows()
    plain = karat.read(table, systems=SYSTEMS).score(measure=measure).rows()
    for one, other in zip(weighted, plain, strict=True):
        assert one["value"] == pytest.approx(other["value"])
        assert one["high"] - one["low"] == pytest.approx(other["high"] - other["low"], rel=0.1)


@pytest.mark.parametrize("measure", MEASURES)
def test_weights_count_in_the_value(measure):
    table = pages()
    for row in karat.read(table, systems=SYSTEMS, weight="w").score(measure=measure).rows():
        score = np.asarray(table[row["system"]])
        wanted = MEASURES[measure](np.asarray(table["truth"]), score, np.asarray(table["w"]))
        assert row["value"] == pytest.approx(wanted)
        assert row["low"] < wanted < row["high"]


def test_a_weight_of_two_is_worth_two_in_the_area_at_a_prevalence():
    table = pages()
    table["w"] = np.where(np.arange(len(table["truth"])) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(len(table["truth"])), table["w"])
    doubled = {name: np.asarray(table[name])[twice] for name in ("truth", "good", "fair")}
    by_weight = karat.read(table, systems=SYSTEMS, weight="w").skew(to=0.05)
    by_copies = karat.read(doubled, systems=SYSTEMS).skew(to=0.05)
    for one, other in zip(by_weight.rows(), by_copies.rows(), strict=True):
        assert one["area"] == pytest.approx(other["area"])
        assert one["average_precision"] == pytest.approx(other["average_precision"])
        # Copies would make the interval too narrow.
        assert one["area_high"] - one["area_low"] > other["area_high"] - other["area_low"]
    data, other_data = by_weight.beside()["data"][0], by_copies.beside()["data"][0]
    assert data["skew"] == pytest.approx(other_data["skew"])
    assert data["positives"] == sum(table["truth"])


def test_an_area_at_another_prevalence_allows_for_clusters():
    table = pages(spread=1.5, size=30)
    plain = karat.read(table, systems=SYSTEMS).skew(to=0.1)
    clustered = karat.read(table, systems=SYSTEMS, cluster="page").skew(to=0.1)
    for one, other in zip(clustered.rows(), plain.rows(), strict=True):
        assert one["area"] == pytest.approx(other["area"])
        assert one["area_high"] - one["area_low"] > 1.5 * (other["area_high"] - other["area_low"])
        assert one["method"].startswith("jackknife over 12 clusters, and paired bootstrap over 12")
    gap, gap_of_items = clustered.beside()["pairs"][0], plain.beside()["pairs"][0]
    assert gap["high"] - gap["low"] > gap_of_items["high"] - gap_of_items["low"]
    assert 0 < gap["better"] < 1


def test_the_mean_over_groups_leaves_a_cluster_out_of_all_groups():
    table = pages()
    bench = karat.read(table, systems=SYSTEMS, cluster="page", group="half")
    rows = {(row["group"], row["system"]): row for row in bench.skew(to=0.2, per="group").rows()}
    page = np.asarray(table["page"])

    def mean_without(name, left_out):
        kept = page != left_out
        part = {key: np.asarray(column)[kept] for key, column in table.items()}
        again = karat.read(part, systems=SYSTEMS, group="half").skew(to=0.2, per="group", draws=0)
        return next(
            r["area"] for r in again.rows() if (r["group"], r["system"]) == ("(mean)", name)
        )

    row = rows["(mean)", "good"]
    whole = row["area"]
    parts = np.array([mean_without("good", left_out) for left_out in sorted(set(page))])
    reach = t.ppf(0.975, 11) * jackknife_error(whole, parts) / (whole * (1 - whole))
    wanted = expit(logit(whole) - reach), expit(logit(whole) + reach)
    assert (row["area_low"], row["area_high"]) == pytest.approx(wanted, rel=0.02)


def test_positives_in_one_cluster_say_nothing_about_others():
    table = pages(clusters=4)
    table["truth"] = (np.asarray(table["page"]) == "p00").astype(int)
    bench = karat.read(table, systems=SYSTEMS, cluster="page")
    for row in bench.score().rows():
        assert (row["low"], row["high"]) == (0, 1)
    (row,) = bench.compare(measure="roc-area").rows()
    assert row["verdict"] == UNDECIDED


def test_few_clusters_are_warned_of():
    bench = karat.read(pages(clusters=3), systems=SYSTEMS, cluster="page")
    for result in (bench.score(), bench.compare(measure="roc-area"), bench.skew(to=0.1)):
        assert any("3 clusters of correlated items" in note for note in result.notes())


def test_the_order_of_rows_does_not_matter():
    table = pages()
    order = np.random.default_rng(0).permutation(len(table["truth"]))
    shuffled = {name: np.asarray(column)[order] for name, column in table.items()}
    for options in ({"cluster": "page"}, {"weight": "w"}, {"cluster": "page", "weight": "w"}):
        one, other = (karat.read(each, systems=SYSTEMS, **options) for each in (table, shuffled))
        assert one.score().rows() == other.score().rows()
        assert one.skew(to=0.1, draws=100).rows() == other.skew(to=0.1, draws=100).rows()
        wanted = one.compare(measure="average-precision").rows()
        assert wanted == other.compare(measure="average-precision").rows()


def test_what_looks_like_a_cluster_is_remarked_on_where_none_is_named():
    table = {name: column for name, column in pages().items() if name != "half"}
    remark = "Items that share a value of 'page' may be correlated"
    bench = karat.read(table, systems=SYSTEMS)
    asked = (bench.score(), bench.compare(measure="roc-area"), bench.skew(to=0.1, draws=100))
    for result in asked:
        assert sum(remark in note for note in result.notes()) == 1
    assert not any(
        remark in note
        for note in karat.read(table, systems=SYSTEMS, cluster="page").score().notes()
    )
    labelled = {**table, "good": table["truth"], "fair": table["truth"]}
    assert any(remark in note for note in karat.read(labelled, systems=SYSTEMS).compare().notes())
    table["page"] = table["item"]
    assert not any(
        "correlated" in note for note in karat.read(table, systems=SYSTEMS).score().notes()
    )


def test_a_cluster_that_was_taken_for_the_item_is_named():
    table = {name: pages()[name] for name in ("page", "truth", "good", "fair")}
    table["image"] = table.pop("page")
    with pytest.raises(
        InputError, match="if several items come from one image, use cluster='image'"
    ):
        karat.read(table)
    assert (
        karat.read(table, cluster="image").score().rows()[0]["method"]
        == "jackknife over 12 clusters"
    )


def test_draws_that_are_few_are_remarked_on():
    bench = karat.read(pages(), systems=SYSTEMS)
    assert any("100 draws: beyond an end" in note for note in bench.skew(to=0.1, draws=100).notes())
    assert not any("beyond an end" in note for note in bench.skew(to=0.1, draws=400).notes())
    assert not any("beyond an end" in note for note in bench.skew(to=0.1).notes())


def test_clusters_that_take_long_are_left_out_but_not_resampled(monkeypatch):
    monkeypatch.setattr("karat.doubt.prevalence.joint_areas.WORK", 1000)
    bench = karat.read(pages(), systems=SYSTEMS, cluster="page")
    result = bench.skew(to=0.1)
    assert result.draws == 0
    assert all(row["method"] == "jackknife over 12 clusters" for row in result.rows())
    assert any("not resampled" in note for note in result.notes())
    assert result.beside()["pairs"][0]["low"] < result.beside()["pairs"][0]["high"]


@pytest.mark.parametrize(
    ("options", "what"), [({"cluster": "page"}, "12 clusters"), ({"weight": "w"}, "weighted")]
)
def test_bands_are_over_clusters_and_weights(options, what):
    (band,) = (
        karat.read(pages(), systems=SYSTEMS[:1], **options).skew(to=0.1, bands=True).bands.values()
    )
    (alone,) = karat.read(pages(), systems=SYSTEMS[:1]).skew(to=0.1, bands=True).bands.values()
    assert what in band.method
    middle = slice(20, 80)
    assert (band.high - band.low)[middle].mean() > (alone.high - alone.low)[middle].mean()
    assert np.all(band.low <= band.precision)
    assert np.all(band.precision <= band.high)


@pytest.mark.parametrize(
    ("options", "asked", "message"),
    [
        ({"cluster": "page"}, {"label_error": 0.1}, "leave label_error= or cluster= out"),
        ({"weight": "w"}, {"bins": 20}, "leave bins= out"),
    ],
)
def test_what_takes_independent_items_is_refused(options, asked, message):
    bench = karat.read(pages(), systems=SYSTEMS, **options)
    with pytest.raises(OptionError, match=message):
        bench.skew(to=0.1, **asked)


def test_delong_takes_items_as_independent():
    bench = karat.read(pages(), systems=SYSTEMS, cluster="page")
    with pytest.raises(OptionError, match="takes items as independent"):
        bench.compare(measure="roc-area", test="delong")
    (row,) = bench.compare(measure="roc-area", test="bootstrap", draws=300).rows()
    assert row["test"].startswith("bootstrap over 12 clusters")


def test_a_threshold_is_bounded_over_clusters():
    """The recall's bounds are exact ones of as many items as the clusters are worth, worked out here from the rows."""
    table = pages()
    bench = karat.read(table, systems=SYSTEMS, cluster="page")
    found = bench.skew(to=0.1, threshold=0.5).deployed[0]
    truth = np.array(table["truth"], bool)
    reached = np.array(table[found.system], float) >= 0.5
    page = np.array(table["page"])
    share = reached[truth].mean()
    names = sorted(set(page[truth].tolist()))
    squares = 0.0
    for name in names:
        kept = truth & (page != name)
        squares += (reached[kept].mean() - share) ** 2
    variance = (len(names) - 1) / len(names) * squares
    narrowed = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, len(names) - 1)) ** 2
    trials = min(truth.sum(), share * (1 - share) / variance * narrowed)
    low = stats.beta.ppf(0.025, share * trials, trials - share * trials + 1)
    high = stats.beta.ppf(0.975, share * trials + 1, trials - share * trials)
    recall = found.deployed.tpr
    assert (recall.value, recall.low, recall.high) == pytest.approx((share, low, high))
    assert found.deployed.method.endswith(f"by {len(set(page.tolist())):,} clusters")
    alone = karat.read(table, systems=SYSTEMS).skew(to=0.1, threshold=0.5).deployed[0].deployed
    assert found.deployed.precision.low <= alone.precision.low
    assert found.deployed.precision.value == pytest.approx(alone.precision.value)


def test_a_chosen_threshold_is_bounded_over_clusters_and_with_weights():
    table = pages()
    alone = karat.read(table, systems=SYSTEMS).skew(to=0.1, choose="recall>=0.8").chosen
    clustered = karat.read(table, systems=SYSTEMS, cluster="page")
    for own, single in zip(clustered.skew(to=0.1, choose="recall>=0.8").chosen, alone, strict=True):
        assert own.threshold == single.threshold
        assert own.recall_low < single.recall_low
        assert own.precision_low <= single.precision_low
    same = {**table, "w": [2.5] * len(table["truth"])}
    weighted = karat.read(same, systems=SYSTEMS, weight="w")
    for own, single in zip(weighted.skew(to=0.1, choose="recall>=0.8").chosen, alone, strict=True):
        # Equal weights are no weights, but for Student's quantile in the place of the normal one.
        assert own.recall_low == pytest.approx(single.recall_low, abs=0.01)
        assert own.precision_low <= single.precision_low + 1e-9


def test_a_share_of_resamples_is_not_called_a_probability():
    result = karat.read(pages(), systems=SYSTEMS).skew(to=0.1, draws=50)
    text = str(result)
    assert "ahead in" in text
    assert "P(better)" not in text
    assert AHEAD_MEANS in result.notes()
    assert AHEAD_MEANS not in karat.read(pages(), systems=SYSTEMS).skew(to=0.1, draws=0).notes()


def weighted_table(items=40):
    random = np.random.default_rng(8)
    truth = random.integers(0, 2, items)
    table = {"truth": truth.tolist(), "w": random.lognormal(0, 1, items).tolist()}
    for name, right in (("a", 0.9), ("b", 0.6)):
        table[name] = np.where(random.random(items) < right, truth, 1 - truth).tolist()
    return table


def test_weighted_answers_have_as_many_degrees_of_freedom_as_items_of_equal_weight():
    table = weighted_table()
    (row,) = karat.read(table, weight="w").compare(draws=20_000).rows()
    weight = np.array(table["w"])
    right = [
        np.array(table[name]) == np.array(table["truth"]) for name in (row["first"], row["second"])
    ]
    better = right[0].astype(float) - right[1]
    gap = float(weight @ better / weight.sum())
    spread = np.sqrt((weight**2 * (better - gap) ** 2).sum()) / weight.sum()
    freedom = weight.sum() ** 2 / (weight**2).sum() - 1
    assert row["difference"] == pytest.approx(gap)
    # The linearised error beside that of 20,000 resamples of few heavy items.
    assert row["high"] - gap == pytest.approx(t.ppf(0.975, freedom) * spread, rel=0.06)
    assert row["p_value"] == pytest.approx(2 * t.sf(abs(gap) / spread, freedom), rel=0.5)
    assert (row["high"] - gap) / spread > 1.05 * t.ppf(0.975, 39)


def test_delongs_test_of_weighted_items_is_students():
    """The p-value is that of the same statistic with as many degrees of freedom as positives of equal weight."""
    table = {**pages(), "w": np.random.default_rng(2).lognormal(0, 1, 144).tolist()}
    result = karat.read(table, systems=SYSTEMS, weight="w").compare(measure="roc-area")
    (row,) = result.rows()
    truth = np.array(table["truth"], bool)
    weight = np.array(table["w"])
    first, second = (np.array(table[row[place]], float) for place in ("first", "second"))
    squares = 0.0
    for own, other in ((truth, ~truth), (~truth, truth)):
        gaps = []
        for one in np.flatnonzero(own):
            ahead = [np.sign(score[one] - score[other]) / 2 + 0.5 for score in (first, second)]
            gaps.append(float(weight[other] @ (ahead[0] - ahead[1]) / weight[other].sum()))
        mean = np.average(gaps, weights=weight[own])
        squares += (weight[own] ** 2 * (gaps - mean) ** 2).sum() / weight[own].sum() ** 2
    sizes = [weight[own].sum() ** 2 / (weight[own] ** 2).sum() for own in (truth, ~truth)]
    expected = 2 * t.sf(abs(row["difference"]) / np.sqrt(squares), min(sizes) - 1)
    # What each item adds is divided by n - 1 in the product, and by n here.
    assert row["p_value"] == pytest.approx(expected, abs=0.02)
    assert WEIGHT_CAUTION in result.notes()


def test_unlabelled_scores_go_over_clusters_of_both_kinds_of_items(tmp_path):
    random = np.random.default_rng(3)
    lines = ["page," + ",".join(SYSTEMS)]
    for page in range(15):
        own = random.normal()
        for _ in range(20):
            scores = own + random.normal(size=len(SYSTEMS)) + 1.5 * (random.random() < 0.1)
            lines.append(f"p{page}," + ",".join(f"{score:.4f}" for score in scores))
    path = tmp_path / "field.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    alone = karat.read(pages(), systems=SYSTEMS).skew(to=str(path))
    bench = karat.read(pages(), systems=SYSTEMS, cluster="page")
    together = bench.skew(to=str(path))
    for name, estimate in together.estimated_prevalences.items():
        other = alone.estimated_prevalences[name]
        assert estimate.value == other.value
        assert estimate.high - estimate.low > other.high - other.low
    assert any("over clusters are approximate" in note for note in together.notes())
    path.write_text("\n".join(line.split(",", 1)[1] for line in lines), encoding="utf-8")
    found = bench.skew(to=str(path))
    assert any("no column 'page'" in note for note in found.notes())
    for name, estimate in found.estimated_prevalences.items():
        assert estimate.high - estimate.low < (
            together.estimated_prevalences[name].high - together.estimated_prevalences[name].low
        )


def test_groups_that_were_named_and_are_not_shown_are_remarked():
    table = {"truth": ["x", "y"] * 4, "a": ["x"] * 8, "task": ["s", "t"] * 4}
    remark = "All groups together; --per group scores each of them."
    assert remark in karat.read(table, group="task").score().notes()
    assert remark not in karat.read(table, group="task").score(per="group").notes()
    assert remark not in karat.read(table).score().notes()
