"""Is A really better than B? What must hold whoever asks."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest

import karat
from karat.doubt.tests.noninferiority import noninferior
from karat.errors import OptionError, UnknownNameError
from karat.questions.compare_counts import compare_counts
from karat.verdict.compare.comparison import BETTER, NO_WORSE, UNDECIDED, WORSE
from karat.verdict.requirement import parse, unmet_by_comparisons


def answers(items=400, seed=3, **accuracies):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    table = {"item": np.arange(items), "truth": truth}
    for name, accuracy in accuracies.items():
        wrong = (truth + random.integers(1, 3, items)) % 3
        table[name] = np.where(random.random(items) < accuracy, truth, wrong)
    return table


@pytest.fixture(scope="module")
def table():
    return answers(good=0.9, fair=0.85, poor=0.6)


@pytest.fixture(scope="module")
def compared(table):
    return karat.read(table).compare()


def by_pair(result):
    return {(row["first"], row["second"]): row for row in result.rows()}


def test_the_counts_under_a_comparison_are_those_of_a_plain_loop(table, compared):
    for (first, second), row in by_pair(compared).items():
        right = list(
            zip(table[first] == table["truth"], table[second] == table["truth"], strict=True)
        )
        assert row["only_first"] == right.count((True, False))
        assert row["only_second"] == right.count((False, True))


def test_the_p_value_is_the_exact_binomial_one(compared):
    for row in compared.rows():
        both = row["only_first"] + row["only_second"]
        assert row["p_value"] == pytest.approx(binomtest(row["only_first"], both).pvalue)


def test_swapping_the_systems_swaps_everything(table):
    there = karat.read(table).compare(baseline="fair").rows()
    back = {row["first"]: row for row in there}
    for name, row in back.items():
        turned = karat.read(table, systems=(name, "fair")).compare(baseline=name).rows()[0]
        assert turned["difference"] == pytest.approx(-row["difference"])
        assert turned["low"] == pytest.approx(-row["high"])
        assert turned["p_value"] == pytest.approx(row["p_value"])
        assert (turned["only_first"], turned["only_second"]) == (
            row["only_second"],
            row["only_first"],
        )


def test_the_difference_is_first_minus_second_and_the_verdict_is_about_the_first(compared):
    rows = by_pair(compared)
    assert rows["good", "poor"]["verdict"] == BETTER
    assert rows["good", "poor"]["difference"] > 0
    turned = karat.read(answers(poor=0.6, good=0.9)).compare(baseline="good").rows()[0]
    assert (turned["first"], turned["verdict"]) == ("poor", WORSE)


def test_holm_runs_over_all_pairs_and_over_fewer_with_a_baseline(table, compared):
    alone = {row["first"]: row for row in karat.read(table).compare(baseline="poor").rows()}
    for name in ("good", "fair"):
        row = by_pair(compared)[name, "poor"]
        assert row["p_value"] <= alone[name]["p_adjusted"] <= row["p_adjusted"]


def test_what_is_undecided_says_how_many_more_items_would_settle_it():
    row = karat.read(answers(items=60, good=0.9, fair=0.85)).compare().rows()[0]
    assert row["verdict"] == UNDECIDED
    assert row["more_items"] > 0


def test_a_system_is_not_told_apart_from_its_twin():
    table = answers(one=0.8)
    row = karat.read({**table, "twin": table["one"]}).compare().rows()[0]
    assert (row["difference"], row["p_value"], row["verdict"], row["more_items"]) == (
        0,
        1,
        UNDECIDED,
        None,
    )


def test_no_worse_needs_a_margin(table):
    twin = {**answers(items=2000, one=0.9)}
    twin["two"] = np.where(np.arange(2000) % 500 == 0, (twin["truth"] + 1) % 3, twin["one"])
    assert karat.read(twin).compare(baseline="one", margin=0.03).rows()[0]["verdict"] == NO_WORSE
    assert karat.read(table).compare(baseline="good", margin=0.03).rows()[-1]["verdict"] == WORSE


@pytest.mark.parametrize(
    "measure", ["macro-f1", "precision[1]", "macro-recall", "balanced-accuracy"]
)
def test_what_has_no_common_trials_is_resampled(table, measure):
    rows = by_pair(karat.read(table).compare(measure=measure, draws=400))
    row = rows["good", "poor"]
    assert row["test"].startswith("bootstrap over 400 items (draws=400")
    assert row["low"] <= row["difference"] <= row["high"]
    assert row["verdict"] == BETTER


def test_classes_that_a_resample_does_not_have_take_nothing_from_a_perfect_system():
    classes = [f"class {k}" for k in range(10)]
    table = {"truth": classes, "all": classes, "one": classes[:1] * 10}
    (row,) = karat.read(table, kinds="label").compare(measure="macro-recall").rows()
    assert row["difference"] == pytest.approx(0.9)
    # One is right on a class in k where it is drawn, and on none where it is not: k = 10 happens 4 times in 10,000.
    assert row["low"] < row["difference"] < row["high"] == 1


@pytest.mark.parametrize("options", [{}, {"cluster": "page"}])
def test_the_order_of_the_systems_changes_no_draw(table, options):
    table = {**table, "page": np.arange(400) // 10}
    forth, back = (
        by_pair(
            karat.read(table, systems=systems, **options).compare(measure="macro-f1", draws=200)
        )
        for systems in (("good", "fair", "poor"), ("poor", "fair", "good"))
    )
    assert forth == back


@pytest.mark.parametrize("measure", ["accuracy", "recall[1]", "specificity[2]"])
def test_the_paired_bootstrap_agrees_with_the_exact_test(table, measure):
    bench = karat.read(table)
    exact = by_pair(bench.compare(measure=measure))
    drawn = by_pair(bench.compare(measure=measure, test="bootstrap", draws=4000))
    for pair, row in exact.items():
        assert drawn[pair]["difference"] == pytest.approx(row["difference"])
        assert drawn[pair]["low"] == pytest.approx(row["low"], abs=0.02)
        assert drawn[pair]["high"] == pytest.approx(row["high"], abs=0.02)


def test_clusters_are_drawn_whole(table):
    clustered = {**table, "page": np.arange(400) // 20}
    row = karat.read(clustered, cluster="page").compare().rows()[0]
    assert "20 clusters" in row["test"]


def test_an_exact_test_of_clusters_is_refused(table):
    with pytest.raises(OptionError, match="with clusters use jackknife or bootstrap"):
        karat.read({**table, "page": np.arange(400) // 20}, cluster="page").compare(test="mcnemar")


def test_groups_are_the_stretches_without_a_sure_difference(compared):
    (field,) = compared.rankings
    assert field.order == ("good", "fair", "poor")
    apart = {
        (row["first"], row["second"]) for row in compared.rows() if row["verdict"] != UNDECIDED
    }
    for members in field.groups:
        assert not apart & set(itertools.combinations(members, 2))
    assert {name for members in field.groups for name in members} == set(field.order)


def test_the_chances_of_the_ranks_add_up(compared):
    (field,) = compared.rankings
    assert field.ranks.chance.sum(axis=1) == pytest.approx(1)
    assert sum(field.ranks.best().values()) >= 1 - 1e-12
    assert field.ranks.best()["poor"] == 0
    assert field.ranks.range("poor") == (3, 3)
    assert field.ranks.standard_error <= 0.5 / np.sqrt(2000)


def test_the_range_of_ranks_is_at_the_level_that_was_asked():
    bench = karat.read(answers(items=100, good=0.9, fair=0.85, poor=0.6))
    ranges = [bench.compare(level=level).rankings[0].rows()[0]["ranks"] for level in (0.5, 0.999)]
    assert ranges == ["1", "1 to 2"]


def test_equal_systems_share_a_rank():
    table = {
        "truth": list("xxxx"),
        "a": list("xxxy"),
        "b": list("xxyy"),
        "c": list("xxyz"),
        "d": list("xyyy"),
    }
    assert [row["rank"] for row in karat.read(table).compare().rankings[0].rows()] == [1, 2, 2, 4]


def test_a_smaller_error_rate_is_the_better_one(table):
    rows = by_pair(karat.read(table).compare(measure="error-rate"))
    assert rows["good", "poor"]["difference"] < 0
    assert rows["good", "poor"]["verdict"] == BETTER


def test_missing_answers_that_are_skipped_leave_the_items_both_answered():
    table = {"truth": list("xxyy"), "a": ["x", "x", None, "y"], "b": ["x", "y", "y", None]}
    row = karat.read(table, missing="skip").compare().rows()[0]
    assert (row["only_first"], row["only_second"]) == (1, 0)


def test_a_difference_is_of_the_items_that_its_test_looks_at():
    first, second = ["x"] * 40 + ["y"] * 60 + ["x"] * 100, ["x"] * 60 + ["y"] * 40 + [None] * 100
    compared = karat.read({"truth": ["x"] * 200, "a": first, "b": second}, missing="skip").compare()
    (row,) = compared.rows()
    assert (row["first_value"], row["second_value"], row["items"]) == (0.7, 0.6, 100)
    assert (row["difference"], row["verdict"]) == (-0.2, WORSE)
    assert row["low"] < row["difference"] < row["high"]
    assert any(
        note.startswith("gain: on the items that both answered") for note in compared.notes()
    )


def test_the_paper_errs_at_forty_of_fifty_against_ninety_two_of_a_hundred():
    (row,) = compare_counts([(40, 50), (92, 100)]).rows()
    assert row["p_value"] == pytest.approx(0.06729, abs=5e-6)
    assert row["verdict"] == UNDECIDED
    assert compare_counts([(40, 50), (93, 100)]).rows()[0]["verdict"] == WORSE


def test_barnard_is_more_powerful_than_the_paper_s_test():
    exact, barnard = (
        compare_counts([(25, 50), (35, 50)], test=test).rows()[0] for test in ("exact", "barnard")
    )
    assert barnard["p_value"] < exact["p_value"]
    assert (exact["verdict"], barnard["verdict"]) == (UNDECIDED, WORSE)


def test_one_system_has_nothing_to_be_compared_with():
    with pytest.raises(OptionError, match="has one system, 'a'; a comparison needs two"):
        karat.read({"truth": [1, 0], "a": [1, 0]}).compare()


def test_an_unknown_baseline_is_refused(table):
    with pytest.raises(UnknownNameError, match="no system is called 'god'; did you mean 'good'"):
        karat.read(table).compare(baseline="god")


def test_an_unknown_test_is_refused(table):
    with pytest.raises(
        UnknownNameError, match="no test is called 'mcnamar'; did you mean 'mcnemar'"
    ):
        karat.read(table).compare(test="mcnamar")


def test_items_that_no_two_systems_share_settle_nothing():
    table = {"truth": list("xy"), "a": ["x", None], "b": [None, "y"]}
    row = karat.read(table, missing="skip").compare().rows()[0]
    assert (row["p_value"], row["verdict"]) == (1, UNDECIDED)


def test_a_system_without_any_answer_is_undefined_and_settles_nothing():
    table = {"truth": list("xyxy"), "a": list("xyyy"), "b": [None] * 4, "page": list("ppqq")}
    bench = karat.read(table, missing="skip", cluster="page", systems=("a", "b"))
    (row,) = bench.compare().rows()
    assert (row["difference"], row["low"], row["high"], row["p_value"], row["verdict"]) == (
        None,
        -1,
        1,
        1,
        UNDECIDED,
    )
    assert {
        entry["system"]: entry["value"] for entry in bench.score(measure="accuracy").rows()
    } == {
        "a": 0.75,
        "b": None,
    }


def test_a_system_without_any_answer_is_the_last_by_its_errors_too():
    bench = karat.read(
        {"truth": list("xxyy"), "a": [None] * 4, "b": list("xxyx")},
        missing="skip",
        systems=("a", "b"),
    )
    for measure in ("accuracy", "error-rate"):
        assert [row["system"] for row in bench.score(measure=measure).rows()] == ["b", "a"]
        assert bench.compare(measure=measure).rankings[0].order == ("b", "a")
        assert bench.compare(measure=measure).rankings[0].ranks.best()["a"] < 0.02


def test_a_pair_that_cannot_be_compared_is_no_further_question():
    table = {"truth": ["x"] * 40, "a": ["x"] * 40, "b": ["x"] * 33 + ["y"] * 7}
    alone = karat.read(table).compare(margin=0.01).rows()[0]
    silent = {"c": [None] * 40, "d": [None] * 40}
    beside = by_pair(
        karat.read({**table, **silent}, missing="skip", systems=tuple("abcd")).compare(margin=0.01)
    )
    assert alone["p_adjusted"] == 2 / 2**7
    assert beside["a", "b"] == alone
    assert (
        beside["a", "c"]["p_value"],
        beside["a", "c"]["p_adjusted"],
        beside["a", "c"]["p_no_worse"],
    ) == (1, 1, 1)


# Few items


@pytest.mark.parametrize("measure", ["macro-f1", "precision[x]", "accuracy"])
def test_three_items_settle_nothing_whatever_the_measure(measure):
    table = {"truth": list("xxx"), "a": list("xxx"), "b": list("yxy"), "c": list("yyy")}
    for row in karat.read(table).compare(measure=measure).rows():
        assert row["verdict"] == UNDECIDED
        assert row["low"] <= 0 <= row["high"]


def test_systems_that_never_differ_may_differ_on_items_not_seen():
    table = answers(items=20, one=0.8)
    row = karat.read({**table, "twin": table["one"]}).compare(measure="macro-f1").rows()[0]
    tango = karat.read({**table, "twin": table["one"]}).compare().rows()[0]
    assert (row["low"], row["high"], row["p_value"]) == (
        pytest.approx(tango["low"]),
        pytest.approx(tango["high"]),
        1,
    )


# No worse


def lost(items, only_first, only_second):
    """Two systems, each right on some items that the other has wrong."""
    truth = np.zeros(items, int)
    return {
        "truth": truth,
        "new": np.arange(items) < only_second,
        "old": np.arange(items) >= items - only_first,
    }


def unmet(comparisons, condition, margin):
    return unmet_by_comparisons([parse(condition)], {margin: comparisons})


@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}, {"test": "exact"}])
def test_no_worse_by_errors_is_no_worse_by_what_is_right(options):
    bench = karat.read({name: column.astype(int) for name, column in lost(400, 20, 100).items()})
    for measure in ("accuracy", "error-rate"):
        compared = bench.compare(measure=measure, margin=0.02, **options)
        assert unmet(compared, "no-worse:new,old,0.02", 0.02)
        assert not unmet(compared, "no-worse:old,new,0.02", 0.02)


def test_no_worse_is_one_statement_in_a_table_and_as_a_condition():
    bench = karat.read({name: column.astype(int) for name, column in lost(44, 0, 1).items()})
    for margin in (0.05, 0.1, 0.2):
        compared = bench.compare(baseline="old", margin=margin)
        (row,) = compared.rows()
        assert row["p_no_worse"] == pytest.approx(noninferior(0, 1, 44, margin=margin).p_value)
        assert bool(unmet(compared, f"no-worse:new,old,{margin}", margin)) == (
            row["verdict"] != NO_WORSE
        )


def test_no_worse_is_adjusted_for_all_pairs_as_better_is():
    table = {name: column.astype(int) for name, column in lost(44, 0, 1).items()}
    (alone,) = karat.read(table).compare(baseline="old", margin=0.1).rows()
    twice = karat.read({**table, "newer": table["new"]}).compare(baseline="old", margin=0.1).rows()
    assert alone["verdict"] == NO_WORSE
    for row in twice:
        assert row["p_no_worse"] == pytest.approx(2 * alone["p_no_worse"])
        assert row["verdict"] == UNDECIDED


def test_resamples_find_no_worse_about_as_often_as_tango():
    bench = karat.read({name: column.astype(int) for name, column in lost(400, 20, 24).items()})
    for margin in (0.02, 0.03, 0.05):
        exact, drawn = (
            bench.compare(baseline="old", margin=margin, test=test).rows()[0]
            for test in ("mcnemar", "bootstrap")
        )
        assert drawn["p_no_worse"] == pytest.approx(exact["p_no_worse"], abs=0.03)
    few = karat.read({name: column.astype(int) for name, column in lost(10, 0, 0).items()})
    assert few.compare(margin=0.1, test="bootstrap").rows()[0]["p_no_worse"] == pytest.approx(
        0.9**10
    )


# Options that are heard


@pytest.mark.parametrize("ask", ["score", "compare", "stability"])
def test_a_class_that_nobody_has_is_refused(table, ask):
    options = {"label_error": 0.1} if ask == "stability" else {}
    with pytest.raises(UnknownNameError, match="no class is called 'z'"):
        getattr(karat.read(table), ask)(measure="recall[z]", **options)


def test_errors_of_the_labels_are_not_passed_over_in_silence(table):
    compared = karat.read({**table, "doubt": np.full(400, 0.1)}, error="doubt").compare()
    assert any("comparisons do not take --error" in note for note in compared.notes())


def test_a_verdict_that_the_interval_does_not_show_is_explained():
    """18 against 8 discordant items of 120: Newcombe's interval is [0.0001, 0.1699], McNemar's p .0755."""
    a = [1] * 102 + [0] * 18
    b = [1] * 84 + [0] * 18 + [0] * 10 + [1] * 8
    rows = {"truth": [1] * 120, "a": a, "b": b}
    found = karat.read(rows).compare(measure="accuracy")
    (pair,) = found.comparisons
    assert pair.low > 0
    assert pair.verdict == "undecided"
    assert any("may differ where an interval ends near 0" in note for note in found.notes())


def test_where_interval_and_verdict_agree_nothing_is_explained():
    rows = {"truth": [1] * 100, "a": [1] * 90 + [0] * 10, "b": [1] * 50 + [0] * 50}
    found = karat.read(rows).compare(measure="accuracy")
    assert not any("ends near 0" in note for note in found.notes())
