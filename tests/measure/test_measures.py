"""The numbers, against scikit-learn and against their own laws; and what their intervals promise."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some
from sklearn import metrics

import karat
from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.delta import delta
from karat.doubt.estimate_from_confusion import f_interval
from karat.doubt.estimates import IntervalOptions
from karat.errors import OptionError
from karat.measure.cells import Cells
from karat.measure.of_answers.precision import precision
from karat.measure.of_answers.recall import recall
from karat.measure.quantity import Quantity, choose, values
from karat.measure.totals import totals
from karat.tally.votes.confusion import Confusion

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
SMALL = settings(LAWS, max_examples=20)
LABELS = ("bird", "cat", "dog", "elk")
CODES = some.integers(0, 3)
ROWS = some.lists(some.tuples(CODES, CODES), min_size=1, max_size=40)
COUNTS = some.integers(0, 200)


def confusion(rows):
    """The confusion of pairs of codes."""
    (truth, answer), number = np.unique(np.array(rows).T, axis=1, return_counts=True)
    return Confusion(
        LABELS, truth.astype(np.int64), answer.astype(np.int64), number.astype(np.int64)
    )


def number(measure, counted):
    return float(values(Quantity.parse(measure), totals(counted)))


def table(rows, **columns):
    truth, answer = zip(*rows, strict=True)
    return {
        "truth": [LABELS[code] for code in truth],
        "a": [LABELS[code] for code in answer],
        **columns,
    }


def score(data, measure, *, per="total", draws=2000, **options):
    return karat.read(data, **options).score(measure=measure, per=per, draws=draws).rows()


def drawn(size, *, seed, right=0.7):
    """Random rows in which three classes are unequally frequent."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size, p=[0.6, 0.3, 0.1])
    return list(
        zip(truth, np.where(rng.random(size) < right, truth, rng.integers(0, 3, size)), strict=True)
    )


# Laws


@LAWS
@given(ROWS)
def test_swapping_truth_and_answer_swaps_precision_and_recall(rows):
    straight, swapped = totals(confusion(rows)), totals(confusion(rows).swapped())
    np.testing.assert_array_equal(precision(straight).values, recall(swapped).values)
    np.testing.assert_array_equal(recall(straight).values, precision(swapped).values)


@LAWS
@given(ROWS)
def test_f1_and_accuracy_do_not_care_which_side_is_the_truth(rows):
    straight, swapped = confusion(rows), confusion(rows).swapped()
    assert number("accuracy", straight) == number("accuracy", swapped)
    np.testing.assert_array_equal(
        values(Quantity("f"), totals(straight)), values(Quantity("f"), totals(swapped))
    )


@LAWS
@given(ROWS)
def test_where_every_item_has_one_answer_all_micro_averages_are_the_accuracy(rows):
    counted = confusion(rows)
    for measure in ("micro-precision", "micro-recall", "micro-f1", "micro-f2"):
        assert number(measure, counted) == pytest.approx(number("accuracy", counted))
    assert number("error-rate", counted) == pytest.approx(1 - number("accuracy", counted))


@LAWS
@given(COUNTS, COUNTS, COUNTS, some.floats(0.1, 10))
def test_f_lies_between_precision_and_recall(hits, missed, false, beta):
    assume(hits > 0)
    found = float(Cells(np.array(hits), np.array(missed), np.array(false), beta).values)
    ends = sorted([hits / (hits + missed), hits / (hits + false)])
    assert ends[0] - 1e-12 <= found <= ends[1] + 1e-12


# scikit-learn


@LAWS
@given(ROWS)
def test_accuracy_and_balanced_accuracy_are_those_of_scikit_learn(rows):
    truth, answer = zip(*rows, strict=True)
    counted = confusion(rows)
    assert number("accuracy", counted) == pytest.approx(metrics.accuracy_score(truth, answer))
    # scikit-learn warns of answered classes that the truth does not have, and leaves them out as well.
    expected = metrics.recall_score(
        truth, answer, labels=sorted(set(truth)), average="macro", zero_division=0
    )
    assert number("balanced-accuracy", counted) == pytest.approx(expected)
    if set(answer) <= set(truth) and len(set(truth)) > 1:
        assert number("balanced-accuracy", counted) == pytest.approx(
            metrics.balanced_accuracy_score(truth, answer)
        )


@LAWS
@given(ROWS, some.sampled_from([0.5, 1.0, 2.0]))
def test_measures_of_each_class_are_those_of_scikit_learn(rows, beta):
    truth, answer = zip(*rows, strict=True)
    expected = metrics.precision_recall_fscore_support(
        truth, answer, beta=beta, labels=range(4), zero_division=np.nan
    )
    found = [
        values(Quantity(name, parameter=beta), totals(confusion(rows)))
        for name in ("precision", "recall", "f")
    ]
    for mine, theirs in zip(found[:2], expected[:2], strict=True):
        np.testing.assert_allclose(mine, theirs)
    occurs = [code in truth or code in answer for code in range(4)]
    np.testing.assert_allclose(found[2][occurs], np.nan_to_num(expected[2])[occurs])
    assert np.isnan(found[2][np.logical_not(occurs)]).all()


@LAWS
@given(ROWS, some.sampled_from([0.5, 1.0, 2.0]))
def test_macro_averages_are_those_of_scikit_learn_over_the_classes_of_the_truth(rows, beta):
    truth, answer = zip(*rows, strict=True)
    options = {"labels": sorted(set(truth)), "average": "macro", "zero_division": 0}
    counted = confusion(rows)
    assert number("macro-precision", counted) == pytest.approx(
        metrics.precision_score(truth, answer, **options)
    )
    assert number("macro-recall", counted) == pytest.approx(
        metrics.recall_score(truth, answer, **options)
    )
    expected = metrics.fbeta_score(truth, answer, beta=beta, **options)
    assert number(f"macro-f{beta:g}", counted) == pytest.approx(expected)


@SMALL
@given(ROWS, some.data())
def test_weighted_values_are_those_of_scikit_learn(rows, data):
    weights = data.draw(some.lists(some.floats(0.25, 4), min_size=len(rows), max_size=len(rows)))
    truth, answer = zip(*rows, strict=True)
    found = score(
        table(rows, weight=weights),
        "accuracy,macro-recall,macro-f1",
        kinds="label",
        systems="a",
        draws=10,
    )
    options = {
        "labels": sorted(set(truth)),
        "average": "macro",
        "zero_division": 0,
        "sample_weight": weights,
    }
    assert [row["value"] for row in found] == pytest.approx(
        [
            metrics.accuracy_score(truth, answer, sample_weight=weights),
            metrics.recall_score(truth, answer, **options),
            metrics.f1_score(truth, answer, **options),
        ]
    )


# Undefined


def test_undefined_is_none_and_nothing_is_known_of_it():
    rows = score({"truth": ["x", "y"], "a": ["x", "x"]}, "precision[y],recall[x]")
    found = {row["measure"]: row for row in rows}
    assert (found["precision"]["value"], found["precision"]["low"], found["precision"]["high"]) == (
        None,
        0.0,
        1.0,
    )
    assert found["recall"]["value"] == 1.0


def test_a_class_that_is_never_answered_counts_as_nothing_in_a_mean():
    assert score({"truth": ["x", "y"], "a": ["x", "x"]}, "macro-precision")[0]["value"] == 0.25


# Names


@pytest.mark.parametrize(
    "text", ["accuracy", "macro-f1", "micro-f0.5", "recall[cat]", "f2[a,b]", "precision[]]"]
)
def test_a_measure_is_written_as_it_is_read(text):
    assert str(Quantity.parse(text)) == text


def test_commas_part_measures_but_not_the_names_of_classes():
    assert [str(quantity) for quantity in choose("recall[a,b],accuracy, f2[c]")] == [
        "recall[a,b]",
        "accuracy",
        "f2[c]",
    ]


@pytest.mark.parametrize(
    "text", ["macro-accuracy", "accuracy[cat]", "macro-recall[cat]", "recall2", "", "f1["]
)
def test_a_measure_that_means_nothing_is_refused(text):
    with pytest.raises(karat.KaratError):
        Quantity.parse(text)


@pytest.mark.parametrize("beta", [-1.0, float("nan"), float("inf")])
def test_recall_weighs_a_number_of_times_as_much(beta):
    with pytest.raises(karat.KaratError, match="beta="):
        choose("f", beta=beta)


# Intervals


@LAWS
@given(
    COUNTS, COUNTS, COUNTS, some.sampled_from([0.5, 1.0, 2.0]), some.sampled_from([0.8, 0.95, 0.99])
)
def test_the_interval_of_f_contains_it(hits, missed, false, beta, level):
    cells = Cells(*(np.array([part]) for part in (hits, missed, false)), beta)
    found = f_interval(cells, IntervalOptions(level=level))
    assert 0 <= found.low[0] <= found.high[0] <= 1
    if not np.isnan(cells.values[0]):
        assert found.low[0] <= cells.values[0] + 1e-9
        assert cells.values[0] <= found.high[0] + 1e-9


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_interval_of_f1_rises_with_every_hit(bound):
    hits = np.arange(51)
    found = f_interval(Cells(hits, 50 - hits, np.zeros(51), 1.0), IntervalOptions(bound=bound))
    assert np.all(np.diff(found.low) >= 0)
    assert np.all(np.diff(found.high) >= 0)


def test_a_higher_level_never_narrows():
    rows = drawn(200, seed=1)
    for measure in ("accuracy", "macro-f1", "macro-recall", "micro-f1"):
        data = karat.read(table(rows))
        wide, narrow = (data.score(measure=measure, level=level).rows()[0] for level in (0.99, 0.9))
        assert wide["low"] <= narrow["low"] <= narrow["value"] <= narrow["high"] <= wide["high"]


def test_clusters_of_one_item_give_about_the_exact_interval():
    rows = drawn(400, seed=2)
    exact = score(table(rows), "accuracy")[0]
    found = score(table(rows, page=list(range(400))), "accuracy", cluster="page")[0]
    assert found["value"] == exact["value"]
    # Two thousand draws place a quantile within about 0.002; Clopper and Pearson's ends lie 1/800 further out.
    assert found["low"] == pytest.approx(exact["low"], abs=0.008)
    assert found["high"] == pytest.approx(exact["high"], abs=0.008)


def test_copies_of_an_item_in_its_cluster_say_nothing_new():
    rows = drawn(100, seed=3)
    once = score(table(rows, page=list(range(100))), "accuracy", cluster="page")[0]
    copies = score(table(rows * 5, page=list(range(100)) * 5), "accuracy", cluster="page")[0]
    alone = score(table(rows * 5), "accuracy")[0]
    assert (copies["low"], copies["high"]) == pytest.approx((once["low"], once["high"]), abs=0.02)
    assert copies["high"] - copies["low"] > 1.5 * (alone["high"] - alone["low"])


@pytest.mark.parametrize("measure", ["macro-recall", "macro-f1", "macro-precision"])
def test_the_interval_of_an_average_holds_as_often_as_it_says(measure):
    runs, size, quantity = 400, 300, Quantity.parse(measure)
    true = number(measure, confusion(drawn(400_000, seed=4)))
    found = [delta(quantity, confusion(drawn(size, seed=seed))) for seed in range(100, 100 + runs)]
    held = np.mean([interval.low <= true <= interval.high for interval in found])
    # Four standard errors of a share of 0.95 in so many runs, and 0.01 for an approximate method.
    assert abs(held - 0.95) < 4 * np.sqrt(0.95 * 0.05 / runs) + 0.01


@pytest.mark.parametrize("role", ["weight", "cluster"])
@pytest.mark.parametrize(
    "measure", ["macro-recall", "macro-precision", "macro-f1", "balanced-accuracy"]
)
def test_a_perfect_system_is_perfect_in_every_resample_whichever_classes_are_drawn(measure, role):
    classes = [f"class {k}" for k in range(10)]
    data = {
        "truth": classes,
        "a": classes,
        "role": [1.0] * 10 if role == "weight" else list(range(10)),
    }
    (row,) = score(data, measure, kinds="label", **{role: "role"})
    assert (row["value"], row["high"]) == (1, 1)
    assert row["low"] == pytest.approx(0.025 ** (1 / 10))


def test_the_same_seed_gives_the_same_interval():
    rows = table(drawn(50, seed=5), weight=[1.5] * 50)
    assert score(rows, "accuracy,macro-f1") == score(rows, "accuracy,macro-f1")


# Runs and groups


def test_runs_show_their_spread_beside_the_interval():
    rows = [(0, 0), (1, 1), (0, 0), (1, 0), (0, 1), (1, 0)]
    data = table(rows, item=[1, 2] * 3, seed=[1, 1, 2, 2, 3, 3])
    found = score(data, "accuracy", run="seed")[0]
    assert (found["runs"], found["run_low"], found["run_high"]) == (3, 0.0, 1.0)
    assert found["run_sd"] == pytest.approx(0.5)
    assert found["value"] == 0.5


def test_every_group_has_its_number_and_the_mean_counts_groups_alike():
    data = table(
        [(0, 0), (1, 1), (0, 1), (1, 1), (1, 1), (1, 0)], subject=["p", "p", "q", "q", "q", "q"]
    )
    found = {row["group"]: row for row in score(data, "accuracy", per="group", group="subject")}
    assert {group: row["value"] for group, row in found.items()} == {
        "p": 1.0,
        "q": 0.5,
        "(mean)": 0.75,
    }
    assert (found["q"]["successes"], found["q"]["trials"], found["(mean)"]["trials"]) == (
        2,
        4,
        None,
    )
    assert found["(mean)"]["low"] < 0.75 < found["(mean)"]["high"]


def test_a_class_that_a_group_does_not_have_is_undefined_there():
    data = table([(0, 0), (1, 1)], group=["p", "q"])
    found = {row["group"]: row["value"] for row in score(data, "recall[bird]", per="group")}
    assert found["p"] == 1.0
    assert found["q"] is None


@pytest.mark.parametrize("bound", ["exact", "wilson"])
@pytest.mark.parametrize(
    "average", ["macro-recall", "balanced-accuracy", "macro-precision", "macro-f1"]
)
def test_the_average_over_one_class_is_as_sure_as_that_class(average, bound):
    bench = karat.read({"truth": ["x"] * 5, "a": ["x"] * 4 + [None]}, kinds="label")
    alone = {"balanced-accuracy": "recall[x]"}.get(average, f"{average.removeprefix('macro-')}[x]")
    (mean,), (one,) = (
        bench.score(measure=measure, bound=bound).rows() for measure in (average, alone)
    )
    assert (mean["value"], mean["low"], mean["high"]) == (one["value"], one["low"], one["high"])


def test_a_group_that_is_called_as_the_mean_is_refused():
    with pytest.raises(
        OptionError, match=r"a group is called '\(mean\)', as the mean over groups is"
    ):
        score(table([(0, 0), (1, 1)], group=["p", "(mean)"]), "accuracy", per="group")


@pytest.mark.parametrize("role", [{}, {"cluster": "page"}])
@pytest.mark.parametrize("side", ["both", "lower"])
def test_a_group_has_the_numbers_of_its_items_alone(role, side):
    rows, groups, pages = drawn(60, seed=6), ["10", "9", "b"] * 20, list(range(30)) * 2
    bench = karat.read(table(rows, group=groups, page=pages), systems=("a",), **role)
    found = bench.score(measure="accuracy,macro-f1", per="group", side=side, draws=50).rows()
    assert [row["group"] for row in found[:4]] == ["9", "10", "b", "(mean)"]
    for name in ("9", "10", "b"):
        chosen = [k for k, group in enumerate(groups) if group == name]
        own = table([rows[k] for k in chosen], page=[pages[k] for k in chosen])
        alone = (
            karat.read(own, systems=("a",), **role)
            .score(measure="accuracy,macro-f1", side=side, draws=50)
            .rows()
        )
        assert [{**row, "group": name} for row in alone] == [
            row for row in found if row["group"] == name
        ]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("acc", "accuracy"),
        ("ACC", "accuracy"),
        ("mcc", "matthews"),
        ("auc", "roc-area"),
        ("auroc", "roc-area"),
        ("roc_auc", "roc-area"),
        ("roc-auc", "roc-area"),
        ("balanced_accuracy", "balanced-accuracy"),
        ("macro-f1", "macro-f1"),
        ("recall[a_b]", "recall[a_b]"),
    ],
)
def test_measures_are_known_by_what_others_call_them(alias, name):
    assert Quantity.parse(alias) == Quantity.parse(name)
