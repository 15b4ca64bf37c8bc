"""Matthews, kappa, NPV, false discovery rate, Brier and top-k accuracy, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sklearn import metrics

import karat
from karat.doubt.bounds.delta import delta
from karat.doubt.bounds.item_mean import item_mean
from karat.errors import OptionError, TallyError, UnknownNameError
from karat.measure.curves import roc_areas
from karat.measure.item_mean import ItemMean
from karat.measure.measure import measure
from karat.measure.of_answers.npv import npv
from karat.measure.of_answers.precision import precision
from karat.measure.of_scores.brier import brier
from karat.measure.outcomes import of_right_answers, outcomes
from karat.measure.quantity import Quantity, measure_named, values
from karat.measure.totals import Totals, totals
from karat.tally.scores.curve import Curve
from karat.tally.votes.confusion import Confusion

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
LABELS = ("bird", "cat", "dog", "elk")
CODES = some.integers(0, 3)
ROWS = some.lists(some.tuples(CODES, CODES), min_size=1, max_size=40)


def confusion(rows):
    (truth, answer), number = np.unique(np.array(rows).T, axis=1, return_counts=True)
    return Confusion(LABELS, truth.astype(np.int64), answer.astype(np.int64), number)


def value(name, rows):
    return float(values(Quantity(name), totals(confusion(rows))))


# scikit-learn


@LAWS
@given(ROWS)
def test_matthews_and_kappa_are_those_of_scikit_learn(rows):
    truth, answer = zip(*rows, strict=True)
    both_vary = len(set(truth)) > 1 and len(set(answer)) > 1
    if both_vary:
        expected = metrics.matthews_corrcoef(truth, answer)
        assert value("matthews", rows) == pytest.approx(expected)
    else:
        assert np.isnan(value("matthews", rows))
    if len({*truth, *answer}) > 1:
        assert value("kappa", rows) == pytest.approx(metrics.cohen_kappa_score(truth, answer))
    else:
        assert np.isnan(value("kappa", rows))


@LAWS
@given(ROWS)
def test_missing_answers_are_one_more_class_to_matthews_and_kappa(rows):
    truth, answer = (list(side) for side in zip(*rows, strict=True))
    table = {
        "truth": [LABELS[code] for code in truth] + ["cat", "dog"],
        "a": [LABELS[code] for code in answer] + [None, None],
        "b": ["cat"] * (len(rows) + 2),
    }
    result = karat.read(table, kinds="label").score(measure="matthews,kappa")
    found = {(row["system"], row["measure"]): row["value"] for row in result.rows()}
    sides = [*truth, 1, 2], [*answer, 9, 9]
    assert found["a", "matthews"] == pytest.approx(metrics.matthews_corrcoef(*sides))
    assert found["a", "kappa"] == pytest.approx(metrics.cohen_kappa_score(*sides))


@LAWS
@given(ROWS)
def test_npv_is_the_precision_of_the_rest_and_false_discovery_its_complement(rows):
    margins = totals(confusion(rows))
    for code, name in enumerate(margins.labels):
        other = [(truth == code, answer == code) for truth, answer in rows]
        negatives = [truth for truth, answer in other if not answer]
        expected = np.mean([not truth for truth in negatives]) if negatives else np.nan
        place = margins.labels.index(name)
        assert npv(margins).values[place] == pytest.approx(expected, nan_ok=True)
    rate = values(Quantity("false-discovery-rate"), margins)
    np.testing.assert_allclose(rate, 1 - precision(margins).values)


@LAWS
@given(some.lists(some.tuples(some.booleans(), some.floats(0, 1)), min_size=1, max_size=40))
def test_brier_is_that_of_scikit_learn(items):
    truth, score = (np.array(side) for side in zip(*items, strict=True))
    counted = Curve(score, truth.astype(np.int64), (~truth).astype(np.int64))
    expected = metrics.brier_score_loss(truth, score, labels=[False, True], pos_label=True)
    assert float(brier(counted).values) == pytest.approx(expected)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_top_k_accuracy_is_that_of_scikit_learn(k):
    random = np.random.default_rng(k)
    truth = random.integers(0, 6, 200)
    names = [f"label {code}" for code in range(6)]
    table = {"truth": [names[code] for code in truth]}
    shares = {system: random.dirichlet(np.ones(6), 200) for system in ("a", "b")}
    for system, (place, name) in ((s, pair) for s in shares for pair in enumerate(names)):
        table[f"{system}.p.{name}"] = shares[system][:, place]
    bench = karat.read(table)
    for row in bench.score(measure=f"top-{k}-accuracy").rows():
        expected = metrics.top_k_accuracy_score(truth, shares[row["system"]], k=k, labels=range(6))
        assert row["value"] == pytest.approx(expected)
        assert (row["measure"], row["trials"], row["method"]) == (f"top-{k}-accuracy", 200, "exact")
    if k == 1:
        accuracy = {row["system"]: row for row in bench.score(measure="accuracy").rows()}
        for row in bench.score(measure="top-1-accuracy").rows():
            assert row["low"] == accuracy[row["system"]]["low"]
        paired = [bench.compare(measure=name).rows()[0] for name in ("accuracy", "top-1-accuracy")]
        assert paired[0]["only_first"] == paired[1]["only_first"]
        assert paired[0]["p_value"] == paired[1]["p_value"]


# Top-k and Brier, by hand


def test_ties_and_missing_answers_count_against_the_system():
    table = {
        "truth": ["x", "x", "x", "y"],
        "a.p.x": [0.5, 0.2, None, 0.4],
        "a.p.y": [0.5, 0.3, None, 0.3],
        "a.p.z": [0.0, 0.5, None, 0.3],
    }
    bench = karat.read(table)
    assert bench.score(measure="top-1-accuracy").rows()[0]["successes"] == 0
    assert bench.score(measure="top-2-accuracy").rows()[0]["successes"] == 1
    assert bench.score(measure="top-3-accuracy").rows()[0]["successes"] == 3


def test_top_k_accuracy_stands_beside_measures_of_labels_in_the_wanted_order():
    random = np.random.default_rng(0)
    table = {"truth": random.choice(["x", "y", "z"], 30)}
    table |= {f"a.p.{label}": random.random(30) / 3 for label in "xyz"}
    rows = karat.read(table).score(measure="top-2-accuracy,accuracy,top-3-accuracy").rows()
    assert [row["measure"] for row in rows] == ["top-2-accuracy", "accuracy", "top-3-accuracy"]
    assert rows[0]["value"] >= rows[1]["value"]
    assert rows[2]["value"] == 1.0


def test_top_k_accuracy_needs_distributions_and_items_that_count_once():
    labels = karat.read({"truth": ["x", "y"], "a": ["x", "x"]}, kinds="label")
    with pytest.raises(TallyError, match=r"NAME\.p\.LABEL"):
        labels.score(measure="top-2-accuracy")
    table = {"truth": ["x", "y"], "a.p.x": [0.5, 0.6], "a.p.y": [0.5, 0.4], "page": [1, 2]}
    clustered = karat.read(table, cluster="page", systems="a")
    with pytest.raises(OptionError, match="leave groups, cluster="):
        clustered.score(measure="top-2-accuracy")


@pytest.mark.parametrize("score", [[0.2, 1.5], [-0.1, 0.5]])
def test_scores_that_are_no_probabilities_have_no_brier_score(score):
    bench = karat.read({"truth": [1, 0], "a": score}, kinds="score")
    with pytest.raises(OptionError, match="turn them into probabilities first"):
        bench.score(measure="brier")


def test_items_without_a_score_have_no_brier_score():
    bench = karat.read({"truth": [1, 0, 1], "a": [0.5, 0.25, None]}, kinds="score")
    with pytest.raises(OptionError, match="fill them in"):
        bench.score(measure="brier")


# Intervals


@LAWS
@given(ROWS, some.sampled_from(["matthews", "kappa"]), some.sampled_from([0.8, 0.95, 0.99]))
def test_an_interval_of_the_whole_table_lies_in_its_range_and_holds_the_value(rows, name, level):
    found = delta(Quantity(name), confusion(rows), level=level)
    assert -1 <= found.low <= found.high <= 1
    own = value(name, rows)
    if np.isnan(own):
        assert (found.low, found.high) == (-1, 1)
    else:
        assert found.low <= own <= found.high
        assert found.low < found.high


@pytest.mark.parametrize("name", ["matthews", "kappa"])
def test_an_interval_of_the_whole_table_holds_as_often_as_it_says(name):
    runs, items = 400, 200
    random = np.random.default_rng(7)
    shares = np.array([[0.4, 0.05, 0.05], [0.03, 0.25, 0.02], [0.05, 0.05, 0.1]])
    grid = np.indices((3, 3)).reshape(2, -1)

    def table(number):
        return Confusion(LABELS[:3], grid[0], grid[1], number)

    true = values(Quantity(name), totals(table((1e9 * shares.ravel()).astype(np.int64))))
    held = 0
    for _ in range(runs):
        found = delta(Quantity(name), table(random.multinomial(items, shares.ravel())))
        held += bool(found.low <= true <= found.high)
    # Four standard errors of a share of 0.95 in so many runs, and 0.01 for an approximate method.
    assert abs(held / runs - 0.95) < 4 * np.sqrt(0.95 * 0.05 / runs) + 0.01


def test_kappa_of_two_classes_has_about_the_variance_of_fleiss_cohen_and_everitt():
    # Large-sample variance of kappa, Fleiss, Cohen, Everitt 1969, worked out for this table; z = 1.959964.
    cells = np.array([[400, 100], [60, 440]], float) / 1000
    row, column = cells.sum(axis=1), cells.sum(axis=0)
    agreed, chance = np.trace(cells), row @ column
    own = (agreed - chance) / (1 - chance)
    diagonal = sum(cells[i, i] * (1 - (row[i] + column[i]) * (1 - own)) ** 2 for i in range(2))
    off = (1 - own) ** 2 * sum(
        cells[i, j] * (column[i] + row[j]) ** 2 for i in range(2) for j in range(2) if i != j
    )
    variance = (diagonal + off - (own - chance * (1 - own)) ** 2) / ((1 - chance) ** 2 * 1000)
    grid = np.indices((2, 2)).reshape(2, -1)
    number = (1000 * cells).ravel().round().astype(np.int64)
    found = delta(Quantity("kappa"), Confusion(("x", "y"), grid[0], grid[1], number))
    half = 1.959964 * np.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((own - half, own + half), abs=2e-4)


@LAWS
@given(some.lists(some.floats(0, 1), min_size=1, max_size=30), some.sampled_from([0.8, 0.95]))
def test_an_interval_of_a_mean_lies_in_its_range_and_holds_the_mean(each, level):
    mean = ItemMean(np.array(each), np.ones(len(each), np.int64))
    found = item_mean(mean, level=level)
    assert 0 <= found.low <= float(mean.values) + 1e-12
    assert float(mean.values) - 1e-12 <= found.high <= 1
    lower, upper = (item_mean(mean, level=level, side=side) for side in ("lower", "upper"))
    assert (lower.high, upper.low) == (1, 0)


def test_rows_that_occur_often_are_as_many_items():
    often = item_mean(ItemMean(np.array([0.1, 0.6]), np.array([3, 2])))
    single = item_mean(ItemMean(np.array([0.1] * 3 + [0.6] * 2), np.ones(5, np.int64)))
    assert (often.low, often.high) == (pytest.approx(single.low), pytest.approx(single.high))


def test_a_number_of_each_class_that_is_no_share_is_bounded_by_its_derivatives(monkeypatch):
    from types import SimpleNamespace

    from karat.measure import MEASURES

    @measure("confusion", per_class=True, low=-1.0, high=1.0)
    def informedness(totals):
        """Recall + specificity - 1, per class."""
        rest = totals.total[..., None] - totals.truth
        with np.errstate(invalid="ignore", divide="ignore"):
            return totals.hits / totals.truth - (totals.answered - totals.hits) / rest

    points = {"informedness": SimpleNamespace(load=lambda: informedness)}
    monkeypatch.setattr(MEASURES, "_installed", lambda: points)
    cells = Confusion(("x", "y"), *np.indices((2, 2)).reshape(2, -1), np.array([80, 20, 10, 90]))
    found = delta(Quantity("informedness"), cells)
    # Of two independent shares: variance p (1 - p) / n of each, with half a case added.
    half = 1.96 * np.sqrt(0.8 * 0.2 / 100 + 0.9 * 0.1 / 100)
    np.testing.assert_allclose(found.low, 0.7 - half, atol=0.01)
    np.testing.assert_allclose(found.high, 0.7 + half, atol=0.01)
    macro = Quantity("informedness", average="macro")
    micro = Quantity("informedness", average="micro")
    assert float(values(macro, totals(cells))) == pytest.approx(0.7)
    assert float(values(micro, totals(cells))) == pytest.approx(170 / 200 - 30 / 200)


# What a share says of one item


def test_which_trials_are_the_same_items_follows_from_the_share_itself():
    paired = [name for name in ("accuracy", "error-rate", "precision", "recall", "specificity",
              "npv", "false-discovery-rate", "f", "matthews") if outcomes(Quantity(name))]  # fmt: skip
    assert paired == ["accuracy", "error-rate", "recall", "specificity"]
    assert outcomes(Quantity("recall", average="macro")) is None
    assert outcomes(Quantity("recall")).of_class
    assert not outcomes(Quantity("specificity")).of_class
    assert of_right_answers(Quantity("error-rate"))
    assert not of_right_answers(Quantity("recall"))


# Names and traits


@pytest.mark.parametrize(
    "text", ["top-3-accuracy", "P@10", "RR", "false-discovery-rate[cat]", "macro-npv", "f2"]
)
def test_a_measure_is_written_as_it_is_read(text):
    assert str(Quantity.parse(text)) == text


@pytest.mark.parametrize("text", ["top-0-accuracy", "P@0", "top-x-accuracy", "matthews2", "f-1"])
def test_a_parameter_that_means_nothing_is_refused(text):
    with pytest.raises(UnknownNameError):
        Quantity.parse(text)


def test_an_average_of_a_measure_of_the_whole_table_is_refused():
    with pytest.raises(OptionError, match="matthews is of the whole table"):
        Quantity.parse("macro-matthews")


def test_a_plain_function_is_no_measure(monkeypatch):
    from types import SimpleNamespace

    from karat.measure import MEASURES

    points = {"plain": SimpleNamespace(load=lambda: lambda totals: totals)}
    monkeypatch.setattr(MEASURES, "_installed", lambda: points)
    with pytest.raises(OptionError, match="give its traits"):
        Quantity("plain")


def test_a_measure_reads_as_its_formula():
    one = measure_named("kappa")
    assert one.__doc__.startswith("How far do truth and answer agree")
    assert one.__module__ == "karat.measure.of_answers.kappa"
    assert repr(one) == "<measure kappa>"
    counts = Totals(("x", "y"), *(np.array(part) for part in ([4.0, 3.0], [5.0, 5.0], [6.0, 4.0])),
                    np.array(10.0))  # fmt: skip
    assert float(one(counts)) == pytest.approx(0.4)


@pytest.mark.parametrize("name", ["matthews", "kappa", "brier", "top-k-accuracy", "npv", "recall"])
def test_every_added_measure_can_be_cited(name):
    from karat.citation import citations

    assert citations(name)[name]


# Sums of weights


@pytest.mark.parametrize("name", ["kappa", "matthews"])
@pytest.mark.parametrize("size", [0.3, 3e5])
def test_one_class_is_undefined_whatever_the_weights_add_up_to(name, size):
    """Sums of weights differ by rounding, which is no second class."""
    of_class = np.array([size, 0.0])
    rounded = Totals(("x", "y"), of_class, of_class, of_class, np.array(size * (1 + 4e-16)))
    assert np.isnan(values(Quantity(name), rounded))


def test_an_area_of_weighted_items_is_at_most_1():
    """0.6, 0.9 and 0.4 above 0.2: unclipped, the sums of their products are 1.0000000000000002."""
    positive = np.array([0.6, 0.9, 0.4, 0.0])
    negative = np.array([0.0, 0.0, 0.0, 0.2])
    assert float(roc_areas(positive, negative)) == 1.0
