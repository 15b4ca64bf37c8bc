"""What happens where positives are rarer or more frequent than in the data?"""

import json
from itertools import combinations

import numpy as np
import pytest

import karat
from karat.ask.prevalence import over_range
from karat.errors import KaratError
from karat.measure.prevalence.pr_curve import pr_area
from karat.questions.agreement_levels import agreement_levels

RANDOM = np.random.default_rng(5)
TRUTH = (RANDOM.random(400) < 0.2).astype(int)
SHARP = np.round(RANDOM.normal(TRUTH * 1.5), 1)
EARLY = np.round(
    np.where(RANDOM.random(400) < 0.5, RANDOM.normal(TRUTH * 3), RANDOM.normal(size=400)), 1
)
DATA = {"truth": TRUTH, "sharp": SHARP, "early": EARLY}


def bench(data=DATA, **options):
    return karat.read(data, kinds={"": "score"}, **options)


def weighted_average_precision(truth, score, pi):
    """Average precision with each side weighted, by counting at each score: slow and obvious."""
    weight = np.where(truth == 1, pi / (truth == 1).sum(), (1 - pi) / (truth == 0).sum())
    found, before = 0.0, 0.0
    for cut in sorted(set(score), reverse=True):
        above = score >= cut
        recall = weight[above & (truth == 1)].sum() / pi
        found += (recall - before) * weight[above & (truth == 1)].sum() / weight[above].sum()
        before = recall
    return found


def test_nothing_said_means_the_balance_of_the_data():
    found = bench().skew(draws=0)
    assert {row["low"] for row in found.rows()} == {TRUTH.mean()}
    assert found.deployments[0].name.endswith("as in the data")


@pytest.mark.parametrize("pi", [0.001, 0.2, 0.7])
def test_steps_are_average_precision_with_each_side_weighted(pi):
    for row in bench().skew(to=pi, draws=0).rows():
        assert row["average_precision"] == pytest.approx(
            weighted_average_precision(TRUTH, DATA[row["system"]], pi), rel=1e-12
        )


def test_a_range_has_the_mean_of_its_areas():
    found = bench().skew(low=0.01, high=0.4, draws=0)
    skews = np.linspace(0.01, 0.4, 4001)
    for row in found.rows():
        values = pr_area(found.curves[row["system"]], pi=skews)
        assert row["area"] == pytest.approx(np.trapezoid(values, skews) / 0.39, abs=1e-7)
        assert row["at_low"] == pytest.approx(values[0])
        assert row["at_high"] == pytest.approx(values[-1])


def test_the_area_over_a_range_does_not_depend_on_the_balance_of_the_data():
    rows = np.flatnonzero((TRUTH == 1) | (np.arange(400) % 2 == 0))
    doubled = np.concatenate([rows, rows[TRUTH[rows] == 1]])
    once, twice = (
        bench({name: values[part] for name, values in DATA.items()})
        .skew(low=0.01, high=0.4, draws=0)
        .rows()
        for part in (rows, doubled)
    )
    assert [row["area"] for row in once] == pytest.approx([row["area"] for row in twice], rel=1e-12)


def test_every_inversion_turns_the_order_of_the_areas():
    found = bench().skew(draws=0)
    (turn,) = found.pair_orders
    assert turn.skews
    for skew in turn.skews:
        gaps = [
            np.sign(
                np.subtract(*(pr_area(curve, pi=skew * step) for curve in found.curves.values()))
            )
            for step in (0.999, 1.001)
        ]
        assert gaps[0] == -gaps[1] != 0


def test_the_orders_between_the_inversions_are_those_of_the_areas():
    found = bench().skew(draws=0)
    for stretch in found.orders:
        middle = (stretch.low + stretch.high) / 2
        values = {name: float(pr_area(curve, pi=middle)) for name, curve in found.curves.items()}
        assert list(stretch.order) == sorted(values, key=values.get, reverse=True)


def test_intervals_hold_the_area_and_the_probabilities_of_a_pair_add_up():
    found = bench().skew(to=[0.05, 0.5], draws=200)
    assert all(row["area_low"] <= row["area"] <= row["area_high"] for row in found.rows())
    (first, _), (second, _) = [(gap.better, gap) for gap in found.differences]
    assert 0 <= first <= 1
    assert 0 <= second <= 1


def test_a_system_against_itself_is_as_likely_ahead_as_behind():
    found = bench({"truth": TRUTH, "a": SHARP, "b": SHARP}).skew(to=0.1, draws=50)
    assert found.differences[0].better == 0.5
    assert found.differences[0].low == found.differences[0].high == 0
    assert found.pair_orders[0].skews == ()


def test_labels_that_are_all_noise_leave_no_winner():
    data = {"truth": TRUTH, "sharp": SHARP, "useless": RANDOM.normal(size=400)}
    sure = bench(data).skew(to=0.2, draws=200).differences[0].better
    noise = bench(data).skew(to=0.2, draws=200, label_error=0.49).differences[0].better
    assert sure > 0.99
    assert 0.3 < noise < 0.7


def test_the_same_seed_gives_the_same_result_and_another_seed_another():
    one, again, other = (bench().skew(to=0.1, draws=100, seed=seed).to_json() for seed in (1, 1, 2))
    assert one == again != other


def test_two_tables_are_compared_at_a_common_balance():
    half = {name: values[:200] for name, values in DATA.items()}
    found = bench().skew(to=0.1, beside={"half": bench(half)}, draws=100)
    assert {row["system"].split(" in ")[0] for row in found.rows()} == {"sharp", "early"}
    assert len(found.rows()) == 4
    alone = {row["system"]: row["area"] for row in bench(half).skew(to=0.1, draws=0).rows()}
    assert {row["system"]: row["area"] for row in found.rows() if "half" in row["system"]} == {
        f"{name} in half": pytest.approx(area) for name, area in alone.items()
    }
    with pytest.raises(KaratError, match="common prevalence"):
        bench().skew(beside={"half": bench(half)})


def test_a_threshold_does_what_its_rates_do():
    found = bench().skew(to=0.01, threshold=1.0, draws=0)
    for placed in found.deployed:
        score = DATA[placed.system]
        tpr, fpr = (score[TRUTH == 1] >= 1).mean(), (score[TRUTH == 0] >= 1).mean()
        assert placed.deployed.alarms.value == pytest.approx(1000 * (0.01 * tpr + 0.99 * fpr))
        assert placed.deployed.misses.value == pytest.approx(1000 * 0.01 * (1 - tpr))
        for part in (placed.deployed.precision, placed.deployed.alarms, placed.deployed.misses):
            assert part.low <= part.value <= part.high


def test_at_a_range_a_threshold_is_judged_at_both_ends():
    found = bench().skew(low=0.01, high=0.3, threshold=1.0, draws=0)
    assert {each.field for each in found.deployed} == {"1 % positive", "30 % positive"}


def test_a_threshold_at_a_named_balance_has_nothing_to_do_with_the_scores_of_the_field(tmp_path):
    field = tmp_path / "field.csv"
    field.write_text(
        "sharp,early\n" + "\n".join(f"{a},{b}" for a, b in zip(SHARP, EARLY, strict=True))
    )
    both = bench().skew(to=[str(field), 0.5], threshold=1.0, draws=0).deployed
    alone = bench().skew(to=0.5, threshold=1.0, draws=0).deployed
    assert [each for each in both if each.field == "50 % positive"] == list(alone)


def test_fields_that_are_alike_by_rounding_stay_apart():
    found = bench().skew(to=[0.12341, 0.12344, 0.12344], draws=0)
    assert [where.name for where in found.deployments] == ["12.3 % positive", "12.344 % positive"]
    assert len(found.rows()) == 4


@pytest.mark.parametrize("kind", ["positives", "negatives"])
def test_of_one_item_of_a_kind_no_order_is_reported(kind):
    truth = np.arange(60) == 7 if kind == "positives" else np.arange(60) != 7
    scores = RANDOM.normal(size=(2, 60))
    found = bench({"truth": truth.astype(int), "a": scores[0], "b": scores[1]}).skew(
        to=0.5, draws=100
    )
    assert found.differences == ()
    assert all(not turn.intervals for turn in found.pair_orders)
    assert any("no order is reported" in note for note in found.notes())
    assert all(row["area_high"] - row["area_low"] > 0.3 for row in found.rows())


def test_a_probability_is_never_quite_one():
    data = {
        "truth": TRUTH,
        "good": TRUTH + RANDOM.normal(size=400) / 100,
        "poor": RANDOM.normal(size=400),
    }
    assert 0.99 < bench(data).skew(to=0.2, draws=200).differences[0].better < 1


def test_where_positives_are_far_rarer_than_in_the_data_a_warning_is_given():
    assert any("the few highest" in note for note in bench().skew(to=0.001, draws=0).notes())
    assert not any("the few highest" in note for note in bench().skew(to=0.2, draws=0).notes())


def test_with_label_errors_the_areas_by_true_labels_stand_beside_the_values():
    (row, *_) = bench().skew(to=0.2, label_error=0.05, draws=200).rows()
    assert row["area_low"] < row["expected"] < row["area_high"]
    assert row["expected"] < row["area"]


def test_a_table_of_labels_has_no_curve():
    with pytest.raises(KaratError, match="a curve is of scores"):
        karat.read({"truth": ["x", "y"], "a": ["x", "x"]}, positive="x").skew()


def test_a_table_beside_with_the_same_name_is_refused():
    with pytest.raises(KaratError, match="the name of the first"):
        bench().skew(to=0.1, beside={next(iter(bench().skew(draws=0).sides)): bench()})


def test_the_balance_of_the_field_is_read_from_its_scores(tmp_path):
    take = np.concatenate([np.flatnonzero(TRUTH == 1)[:10], np.flatnonzero(TRUTH == 0)])
    field = tmp_path / "field.csv"
    field.write_text("sharp,early\n" + "\n".join(f"{SHARP[k]},{EARLY[k]}" for k in take))
    found = bench().skew(to=str(field), threshold=1.0, draws=0)
    for balance in found.estimated_prevalences.values():
        assert balance.low <= 10 / len(take) <= balance.high
    assert len(found.deployments) == 2
    assert all(each.deployed.method.startswith("likeliest prevalence") for each in found.deployed)


def test_a_point_is_checked_in_every_field():
    found = bench().skew(to=[0.1, 0.5], check=(0.3, 1.0), draws=0)
    assert [check.found.possible for check in found.checks] == [True, False]


def test_json_has_what_the_design_promises():
    found = json.loads(bench().skew(low=0.01, high=0.4, draws=100).to_json())
    assert {"system", "low", "high", "area", "minimum", "normalised", "random"} <= set(
        found["rows"][0]
    )
    assert {"first", "second", "skews", "crossings"} <= set(found["inversions"][0])
    assert set(found["points"][0]) == {"system", "low", "high", "precision", "recall"}


def test_points_lie_between_the_least_and_one():
    found = bench().skew(low=0.01, high=0.4, draws=0)
    recall = np.linspace(0.01, 1, 50)
    least = over_range(0.01, 0.4).minimum(recall)
    for name in found.curves:
        points = found.precision(name, found.deployments[0], recall)
        assert np.all(points >= least - 1e-12)
        assert np.all(points <= 1)


def test_scores_that_are_all_equal_are_the_random_classifier():
    found = bench({"truth": [1, 0, 0, 1], "flat": [0.5, 0.5, 0.5, 0.5]}).skew(to=0.3, draws=0)
    assert found.rows()[0]["area"] == pytest.approx(0.3)
    assert found.rows()[0]["random"] == pytest.approx(0.3)


def test_a_missing_score_is_below_every_other():
    whole = (
        bench({"truth": [1, 0, 1, 0], "a": [0.9, 0.5, 0.3, 0.1]})
        .skew(to=0.3, draws=0)
        .rows()[0]["area"]
    )
    gap = (
        bench({"truth": [1, 0, 1, 0], "a": [0.9, 0.5, 0.3, None]})
        .skew(to=0.3, draws=0)
        .rows()[0]["area"]
    )
    assert whole == gap


@pytest.mark.parametrize("truth", [[1, 1, 1], [0, 0, 0]])
def test_one_class_alone_has_no_curve(truth):
    with pytest.raises(KaratError, match="a curve needs both sides"):
        bench({"truth": truth, "a": [0.1, 0.2, 0.3]}).skew()


def test_nan_scores_are_refused_where_they_are(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("truth,a\n1,0.4\n0,nan\n1,0.3\n")
    with pytest.raises(KaratError, match="row 2: the score 'nan' in 'a'"):
        bench(path).skew()


def test_a_perfect_system_on_few_items_is_not_sure_to_be_perfect():
    (row,) = bench({"truth": [1, 0, 1, 0], "a": [0.9, 0.1, 0.8, 0.2]}).skew(to=0.1).rows()
    assert row["area"] == row["area_high"] == 1
    assert row["area_low"] < 0.5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label_error": 0.5}, "below one half"),
        ({"threshold": float("nan")}, "must be a score"),
        ({"draws": 20}, "needs 39 or more"),
        ({"level": 1.5}, "level"),
        ({"label_error": 0.1, "draws": 0}, "label_error= needs resamples"),
        ({"bands": True, "draws": 0}, "bands=True needs resamples"),
        ({"low": 0.1, "high": 0.1, "prior": "landgrebe"}, "nothing to weigh"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(KaratError, match=words):
        bench().skew(**options)


def test_all_pairs_have_a_turn_and_all_fields_a_gap():
    data = DATA | {"third": RANDOM.normal(TRUTH)}
    found = bench(data).skew(to=[0.01, 0.5], draws=40)
    assert [(turn.first, turn.second) for turn in found.pair_orders] == list(
        combinations(["early", "sharp", "third"], 2)
    )
    assert len(found.differences) == 6


def test_bins_say_what_they_cost_and_hold_the_area():
    exact = {row["system"]: row["area"] for row in bench().skew(to=0.1, draws=0).rows()}
    found = bench().skew(to=0.1, draws=0, bins=30)
    assert "moves an area by more than" in " ".join(found.notes())
    cost = float(" ".join(found.notes()).split("by more than ")[1].split()[0].rstrip("."))
    for row in found.rows():
        assert row["area"] == pytest.approx(exact[row["system"]], abs=1.1 * cost)


@pytest.mark.parametrize(
    "aim", ["recall>=0.6", "precision>=30%", "f1", "f0.5", "utility:10,-5,-1,0"]
)
def test_the_best_threshold_is_that_of_a_search_by_hand(aim):
    found = {one.system: one for one in bench().skew(to=0.05, choose=aim, draws=0).chosen}
    for name in ("sharp", "early"):
        best = max(by_hand(aim, DATA[name], cut) for cut in [*set(DATA[name]), np.inf])
        assert found[name].value == pytest.approx(best)
    assert found["sharp"].rank != found["early"].rank


def by_hand(aim, score, cut, pi=0.05):
    """What a threshold is worth, from its two rates."""
    tpr, fpr = (score[TRUTH == 1] >= cut).mean(), (score[TRUTH == 0] >= cut).mean()
    hits, false, missed = pi * tpr, (1 - pi) * fpr, pi * (1 - tpr)
    if aim.startswith("recall"):
        return hits / (hits + false) if tpr >= 0.6 else -1
    if aim.startswith("precision"):
        return tpr if hits >= 0.3 * (hits + false) and tpr else -1
    if aim.startswith("f"):
        weight = float(aim[1:]) ** 2
        return (1 + weight) * hits / ((1 + weight) * hits + false + weight * missed)
    return 10 * hits - 5 * missed - false


def test_bins_move_a_threshold_and_say_where_to():
    found = bench().skew(to=0.2, draws=0, bins=40, threshold=0.5)
    note = next(
        note for note in found.notes() if note.startswith("A threshold counts from the next bin on")
    )
    for one in found.deployed:
        score = float(note.partition(f" of {one.system}")[0].rpartition(" ")[2])
        assert score >= 0.5
        kept = np.array(DATA[one.system])[np.array(DATA["truth"]) == 1] >= score - 1e-5
        assert one.deployed.tpr.value == pytest.approx(kept.mean())
    assert not any(
        "next bin" in note for note in bench().skew(to=0.2, draws=0, threshold=0.5).notes()
    )


def test_a_goal_nobody_knows_is_refused():
    with pytest.raises(KaratError, match="is not a goal"):
        bench().skew(choose="recall>0.5")


def test_agreement_levels_are_truths(tmp_path):
    path = tmp_path / "marks.csv"
    marks = RANDOM.random((400, 3)) < 0.4
    score = np.round(marks.sum(axis=1) + RANDOM.normal(size=400), 2)
    rows = "\n".join(
        ",".join(map(str, [*map(int, row), value])) for row, value in zip(marks, score, strict=True)
    )
    path.write_text("x,y,z,s\n" + rows)
    found = agreement_levels(path, annotators=["x", "y", "z"], systems=["s"], low=0.01, high=0.5)
    assert [one.at_least for one in found.levels] == [1, 2, 3]
    for one in found.levels:
        truth = (marks.sum(axis=1) >= one.at_least).astype(int)
        (row,) = bench({"truth": truth, "s": score}).skew(low=0.01, high=0.5, draws=0).rows()
        assert one.positives == truth.sum()
        assert one.areas[0].area == pytest.approx(row["area"])
    assert found.correlations["s"].over_all[0].value == pytest.approx(
        np.corrcoef(marks.sum(axis=1), score)[0, 1]
    )


def test_bands_hold_the_curves_and_the_whole_band_holds_the_points():
    found = bench().skew(to=0.2, draws=120, bands=True)
    assert all("draws=120" in band.method for band in found.bands.values())
    assert set(found.bands) == {("sharp", "20 % positive"), ("early", "20 % positive")}
    for band in found.bands.values():
        assert np.all(band.lowest <= band.low)
        assert np.all(band.high <= band.highest)
        assert ((band.low <= band.precision) & (band.precision <= band.high)).mean() > 0.9
    assert json.loads(found.to_json())["bands"][0]["system"] == "early"
