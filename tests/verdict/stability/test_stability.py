"""Is the ranking robust to errors in the truth? What must hold whatever the errors are."""

import itertools

import numpy as np
import pytest

import karat
from karat.errors import InputError, OptionError, UnknownNameError


def answers(items, classes, seed=1, **accuracies):
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, items)
    table = {"truth": [f"c{code}" for code in truth]}
    for name, accuracy in accuracies.items():
        wrong = (truth + random.integers(1, classes, items)) % classes
        table[name] = [
            f"c{code}" for code in np.where(random.random(items) < accuracy, truth, wrong)
        ]
    return table


def by_pair(result):
    return {(row["better"], row["worse"]): row for row in result.rows()}


def enumerated(table, first, second, error, classes):
    """P(first strictly better, tie, worse) over every labelling of the items, each weighed by its probability."""
    labels = [f"c{code}" for code in range(classes)]
    chances = np.zeros(3)
    for true in itertools.product(labels, repeat=len(table["truth"])):
        moved = sum(one != given for one, given in zip(true, table["truth"], strict=True))
        weight = (error / (classes - 1)) ** moved * (1 - error) ** (len(true) - moved)
        lead = sum(
            (a == t) - (b == t) for t, a, b in zip(true, table[first], table[second], strict=True)
        )
        chances[0 if lead > 0 else 1 if lead == 0 else 2] += weight
    return chances


@pytest.mark.parametrize(("items", "classes"), [(9, 2), (7, 3), (6, 4)])
@pytest.mark.parametrize("error", [0.05, 0.3])
def test_a_pair_has_the_law_of_a_full_enumeration(items, classes, error):
    for seed in range(4):
        table = answers(items, classes, seed=seed, a=0.8, b=0.5)
        (row,) = karat.read(table).stability(label_error=error, classes=classes).rows()
        if row["kept"] is None:
            continue
        expected = enumerated(table, row["better"], row["worse"], error, classes)
        assert (row["kept"], row["tie"], row["reversed"]) == pytest.approx(
            tuple(expected), abs=1e-12
        )


def test_without_errors_everything_is_kept():
    found = karat.read(answers(200, 3, a=0.9, b=0.7, c=0.5)).stability(label_error=0.0)
    assert all(row["kept"] == pytest.approx(1) for row in found.rows())
    assert found.rankings[0].under_noise.kept == pytest.approx(1)


def test_more_errors_keep_less():
    bench = karat.read(answers(120, 2, a=0.8, b=0.7))
    kept = [
        bench.stability(label_error=error).rows()[0]["kept"]
        for error in (0, 0.05, 0.1, 0.2, 0.3, 0.5)
    ]
    assert kept == sorted(kept, reverse=True)


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_at_the_critical_share_of_wrong_labels_the_order_is_kept_just_often_enough(classes):
    bench = karat.read(answers(150, classes, a=0.8, b=0.72))
    critical = bench.stability(level=0.95).rows()[0]["critical_label_error"]
    assert bench.stability(label_error=critical).rows()[0]["kept"] == pytest.approx(0.95, abs=1e-6)


def test_permuting_items_and_systems_changes_nothing():
    table = answers(80, 3, a=0.8, b=0.7, c=0.6)
    order = np.random.default_rng(0).permutation(80)
    turned = {name: [table[name][place] for place in order] for name in ("truth", "c", "a", "b")}
    first, second = (by_pair(karat.read(one).stability(label_error=0.1)) for one in (table, turned))
    assert {pair: row["kept"] for pair, row in first.items()} == pytest.approx(
        {pair: row["kept"] for pair, row in second.items()}
    )


def test_the_simulation_agrees_with_the_exact_pair():
    bench = karat.read(answers(60, 3, a=0.8, b=0.7))
    found = bench.stability(label_error=0.2, draws=20_000)
    exact, whole = found.rows()[0]["kept"], found.rankings[0].under_noise
    assert whole.kept == pytest.approx(exact, abs=5 * 0.5 / np.sqrt(20_000))
    assert whole.standard_error <= 0.5 / np.sqrt(20_000)


def test_one_rate_by_label_that_is_the_same_everywhere_is_one_rate():
    bench = karat.read(answers(60, 3, a=0.8, b=0.7))
    same = bench.stability(label_error={f"c{code}": 0.1 for code in range(3)}).rows()[0]
    one = bench.stability(label_error=0.1).rows()[0]
    assert (same["model"], one["model"]) == ("per-class", "uniform")
    assert same["kept"] == pytest.approx(one["kept"])


def test_errors_where_the_systems_agree_change_nothing():
    table = {"truth": ["x"] * 9 + ["y"], "a": ["x"] * 9 + ["y"], "b": ["x"] * 8 + ["y", "y"]}
    assert karat.read(table).stability(label_error={"y": 0.3}).rows()[0]["kept"] == pytest.approx(1)


def test_a_check_of_labels_is_averaged_over_what_it_lets_believe():
    found = karat.read(answers(100, 2, a=0.9, b=0.8)).stability(label_error="2/100")
    (row,) = found.rows()
    bench = karat.read(answers(100, 2, a=0.9, b=0.8))
    low, high = (bench.stability(label_error=rate).rows()[0]["kept"] for rate in (0.07, 0.003))
    assert row["label_error"] == pytest.approx(2.5 / 101)
    assert low < row["kept"] < high
    assert (
        "2 of 100 checked labels were wrong: between 0.243 % and 7.04 % of all" in found.notes()[-2]
    )


def test_a_pair_that_is_tied_has_no_order_to_keep():
    table = {"truth": list("xyxy"), "a": list("xyyy"), "b": list("xyxx")}
    (row,) = karat.read(table).stability(label_error=0.1).rows()
    assert (row["kept"], row["critical_label_error"], row["safe_errors"]) == (None, None, None)


def test_a_single_system_has_a_place_and_no_pair():
    found = karat.read({"truth": list("xy"), "a": list("xx")}).stability(label_error=0.1)
    assert found.rows() == []
    assert found.rankings[0].under_noise.kept == pytest.approx(1)


def test_both_doubts_together_keep_less_than_one_alone():
    bench = karat.read(answers(300, 2, a=0.8, b=0.76))
    faulty = bench.stability(label_error=0.05).rows()[0]["kept"]
    both = bench.stability(label_error=0.05, few=True).rows()[0]["kept"]
    assert both < faulty


def test_missing_answers_are_never_right_whatever_the_label():
    rows = [("yes", "yes", None), ("no", "no", None)] * 2 + [
        ("yes", "yes", None),
        ("no", None, "no"),
        ("no", "no", "no"),
    ]
    table = dict(zip(("truth", "a", "b"), map(list, zip(*rows, strict=True)), strict=True))
    found = karat.read(table).stability(label_error=0.2, draws=40_000)
    assert found.rankings[0].under_noise.kept == pytest.approx(found.rows()[0]["kept"], abs=0.01)


def test_equal_errors_of_every_item_are_one_share():
    table = answers(60, 3, a=0.8, b=0.7)
    one = karat.read(table).stability(label_error=0.1).rows()[0]
    each = karat.read({**table, "doubt": [0.1] * 60}, error="doubt").stability().rows()[0]
    assert each["model"] == "per-item"
    assert (each["kept"], each["tie"]) == pytest.approx((one["kept"], one["tie"]))


def test_items_that_are_sure_cannot_change_the_order():
    table = {"truth": list("xxy"), "a": list("xxy"), "b": list("xyx"), "doubt": [0.4, 0.0, 0.0]}
    assert karat.read(table, error="doubt").stability().rows()[0]["kept"] == pytest.approx(1)


def test_a_doubt_that_is_no_probability_is_refused():
    with pytest.raises(
        InputError, match=r"row 2: the error in 'doubt' is 1\.5, which is not a probability"
    ):
        karat.read(
            {"truth": list("xy"), "a": list("xy"), "b": list("yx"), "doubt": [0.1, 1.5]},
            error="doubt",
        )


@pytest.mark.parametrize("measure", ["precision[c1]", "recall[c1]", "f1[c1]"])
def test_two_systems_and_two_classes_have_an_exact_law_that_the_simulation_meets(measure):
    table = answers(40, 2, a=0.85, b=0.7)
    (row,) = karat.read(table).stability(label_error=0.1, measure=measure).rows()
    third = {**table, "c": table["b"]}
    drawn = by_pair(
        karat.read(third).stability(label_error=0.1, measure=measure, draws=20_000, all_pairs=True)
    )
    assert row["method"] == "exact"
    assert drawn[row["better"], row["worse"]]["kept"] == pytest.approx(row["kept"], abs=0.02)


def test_the_error_rate_has_the_law_of_the_accuracy():
    bench = karat.read(answers(60, 3, a=0.8, b=0.7))
    one, other = (
        bench.stability(label_error=0.1, measure=measure).rows()[0]
        for measure in ("accuracy", "error-rate")
    )
    assert one == other


def test_systems_that_tie_share_a_rank():
    table = {"truth": list("xyxy"), "a": list("xyyy"), "b": list("xyxx"), "c": list("yxyx")}
    rows = karat.read(table).stability(label_error=0.1).rankings[0].rows()
    assert [row["rank"] for row in rows] == [1, 1, 3]
    assert float(rows[0]["P(same rank)"]) > 0.5
    assert float(rows[1]["P(same rank)"]) > 0.5


@pytest.mark.parametrize("options", [{"weight": "w"}, {"cluster": "w"}, {"missing": "skip"}])
def test_what_has_no_law_is_refused(options):
    with pytest.raises(OptionError, match=r"no common distribution|no distribution"):
        karat.read(
            {"truth": list("xy"), "a": list("xx"), "b": list("yy"), "w": [1, 2]}, **options
        ).stability()


@pytest.mark.parametrize("measure", ["macro-f1", "precision[c1]", "recall[c0]"])
def test_other_measures_are_simulated_and_say_so(measure):
    found = karat.read(answers(150, 3, a=0.9, b=0.6)).stability(
        label_error=0.05, measure=measure, draws=500
    )
    (row,) = found.rows()
    assert "draws=500" in row["method"]
    assert row["kept"] + row["tie"] + row["reversed"] == pytest.approx(1)
    assert row["better"] == "a"


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"label_error": 3}, OptionError, "it is a probability, from 0 to 1"),
        ({"label_error": "5/4"}, OptionError, "more wrong labels than were checked"),
        ({"label_error": {"c9": 0.1}}, UnknownNameError, "no class is called 'c9'"),
        ({"classes": 1, "label_error": 0.1}, OptionError, "classes= is 1"),
        ({"pair": ("a", "z")}, UnknownNameError, "no system is called 'z'"),
        ({"level": 95}, OptionError, "level is 95"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, error, says):
    with pytest.raises(error, match=says):
        karat.read(answers(20, 3, a=0.9, b=0.6)).stability(**options)


def test_a_set_of_right_labels_has_no_single_label_that_could_be_wrong():
    with pytest.raises(OptionError, match="a set of labels"):
        karat.read(
            {"truth": ["x y", "y"], "a": ["x", "y"], "b": ["y", "x"]}, truth_sep=" "
        ).stability()


OF_TWO = {"label_error": None, "wrong": 3}


@pytest.mark.parametrize(
    ("instead", "options"),
    [
        *itertools.product(("c0", "c9"), ({}, {"measure": "macro-f1"}, {"few": True})),
        ("c1", OF_TWO),
    ],
)
def test_a_label_that_stands_for_missing_answers_is_as_good_as_written(instead, options):
    table = answers(60, 2, a=0.8, b=0.6)
    gaps = {
        name: [None if k % 5 == "ab".index(name) else one for k, one in enumerate(table[name])]
        for name in "ab"
    }
    written = {name: [text or instead for text in column] for name, column in gaps.items()}
    told, plain = (
        karat.read({**table, **columns}, missing=missing).stability(
            **{"label_error": 0.1, "draws": 200, **options}
        )
        for columns, missing in ((gaps, f"as:{instead}"), (written, "wrong"))
    )
    assert told.rows() == plain.rows()


def test_what_stands_for_missing_answers_counts_the_same_in_a_comparison():
    table = {"truth": list("xxyy"), "a": ["x", "x", "y", None], "b": ["x", None, "x", "x"]}
    bench = karat.read(table, missing="as:y")
    (compared,), (survives,) = bench.compare().rows(), bench.stability().rows()
    assert (compared["only_first"], compared["only_second"]) == (3, 0)
    assert (survives["only_better"], survives["only_worse"]) == (3, 0)


def test_what_is_rounded_to_certainty_is_not_printed_as_certain():
    table = {"truth": ["x"] * 200, "a": ["x"] * 200, "b": ["x"] * 120 + ["y"] * 80}
    found = karat.read(table).stability(label_error=0.01)
    (row,) = found.rows()
    (line,) = found.lines()
    assert row["kept"] == 1
    assert 0 < row["reversed"] < 1e-50
    assert (line["order kept"], line["order reversed"]) == ("> 0.9999", "< 0.0001")
    (certain,) = karat.read(table).stability(label_error=0.0).lines()
    assert (certain["order kept"], certain["order reversed"]) == ("1", "0")
