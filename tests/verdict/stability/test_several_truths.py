"""Several truths of the same items, two by two: against a plain loop over the items."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau

import karat
from karat.errors import OptionError, RoleError
from karat.measure.rank_agreement import kendall
from karat.questions.several_truths import compare_truths

SYSTEMS = ("a", "b", "c", "d")


def drawn(seed, items=30):
    """Truths of which some are absent, and systems that know the first one, each less than the one before."""
    random = np.random.default_rng(seed)
    truth = random.choice(list("xyz"), items)
    noisy = {
        name: np.where(random.random(items) < share, truth, random.choice(list("xyz"), items))
        for name, share in zip(("again", *SYSTEMS), (0.7, 0.8, 0.7, 0.6, 0.5), strict=True)
    }
    table = {"truth": truth.tolist(), **{name: column.tolist() for name, column in noisy.items()}}
    return {
        name: [None if k and random.random() < 0.1 else value for k, value in enumerate(column)]
        for name, column in table.items()
    }


def both(table, systems=SYSTEMS, **options):
    bench = karat.read(table, truth="truth", second_truth="again", systems=systems, **options)
    (found,) = compare_truths({("truth", "again"): bench}).comparisons
    return found


def share(table, truth, system):
    rows = [
        (own, answer)
        for one, two, own, answer in zip(
            table["truth"], table["again"], table[truth], table[system], strict=True
        )
        if one is not None and two is not None
    ]
    return sum(own == answer for own, answer in rows) / len(rows)


@pytest.mark.parametrize("seed", range(8))
def test_only_items_with_both_truths_count_and_each_count_is_that_of_a_loop(seed):
    table = drawn(seed)
    pairs = [
        (one, two)
        for one, two in zip(table["truth"], table["again"], strict=True)
        if None not in {one, two}
    ]
    found = both(table)
    assert len(pairs) < len(table["truth"])
    assert (found.items, found.differ) == (len(pairs), sum(one != two for one, two in pairs))
    for system in SYSTEMS:
        assert found.values[system] == pytest.approx(
            (share(table, "truth", system), share(table, "again", system))
        )


@pytest.mark.parametrize("seed", range(8))
def test_who_changes_places_and_how_far_the_orders_agree(seed):
    table = drawn(seed)
    one, two = (
        {system: share(table, truth, system) for system in SYSTEMS} for truth in ("truth", "again")
    )
    swapped = {(i, j) for i, j in permutations(SYSTEMS, 2) if one[i] > one[j] and two[i] < two[j]}
    found = both(table)
    assert set(found.swapped) == swapped
    assert found.tau == pytest.approx(kendalltau([*one.values()], [*two.values()]).statistic)


def test_where_a_small_value_is_good_the_same_systems_change_places():
    bench = karat.read(drawn(6), truth="truth", second_truth="again", systems=SYSTEMS)
    truths = {("truth", "again"): bench}
    one, other = (
        compare_truths(truths, measure=name).comparisons[0] for name in ("accuracy", "error-rate")
    )
    assert one.swapped
    assert set(other.swapped) == set(one.swapped)
    assert other.tau == pytest.approx(one.tau)


def test_kept_is_that_of_as_many_wrong_labels_in_the_first_truth():
    table = drawn(1)
    rows = [k for k in range(30) if table["truth"][k] is not None and table["again"][k] is not None]
    common = {name: [table[name][k] for k in rows] for name in ("truth", "a", "b")}
    found = both(table, ("a", "b"))
    said = karat.read(common).stability(label_error=found.differ / found.items)
    assert found.kept == pytest.approx(said.rows()[0]["kept"])
    assert found.method.startswith("exact")


def test_equal_truths_differ_in_nothing():
    table = drawn(2)
    found = both({**table, "again": table["truth"]})
    assert (found.differ, found.tau, found.swapped, found.kept) == (0, 1.0, (), 1.0)
    assert all(first == second for first, second in found.values.values())


def test_truths_in_a_second_file_say_what_columns_of_the_table_do(tmp_path):
    table, path = drawn(4), tmp_path / "truths.csv"
    names = [f"i{k}" for k in range(30)]
    rows = zip(names, table["truth"], table["again"], strict=True)
    path.write_text("item,gold,again\n" + "".join(f"{i},{t or ''},{u or ''}\n" for i, t, u in rows))
    answers = {"item": names, **{system: table[system] for system in SYSTEMS}}
    bench = karat.read(answers, truth=f"{path}:gold", second_truth="again")
    (found,) = compare_truths({("truth", "again"): bench}).comparisons
    assert found == both(table)


def test_one_truth_may_be_in_the_table_and_the_other_in_a_file(tmp_path):
    table, path = drawn(5), tmp_path / "truths.csv"
    names = [f"i{k}" for k in range(30)]
    path.write_text(
        "item,gold\n"
        + "".join(f"{i},{t or ''}\n" for i, t in zip(names, table["truth"], strict=True))
    )
    answers = {"item": names, **{name: table[name] for name in ("again", *SYSTEMS)}}
    bench = karat.read(answers, truth=f"{path}:gold", second_truth="again", systems=SYSTEMS)
    (found,) = compare_truths({("truth", "again"): bench}).comparisons
    assert found == both(table)


def test_the_words_say_how_many_items_there_are_in_all():
    table = drawn(3)
    found = compare_truths(
        {("truth", "again"): karat.read(table, second_truth="again", systems=SYSTEMS)}
    )
    assert found.comparisons[0].items < 30
    assert found.notes()[-1] == "30 items in all."


@pytest.mark.parametrize("role", ["weight", "cluster", "error"])
def test_truths_are_compared_item_by_item(role):
    bench = karat.read(
        {**drawn(3), "w": [0.5] * 30}, second_truth="again", systems=SYSTEMS, **{role: "w"}
    )
    with pytest.raises(OptionError, match=f"each counting once; leave {role}= out"):
        compare_truths({("truth", "again"): bench})


def test_yes_and_no_may_be_written_differently():
    table = {"a": [1, 0, 1, 0, 1, 1], "b": [0, 0, 1, 1, 1, 0]}
    numbers = {"truth": [1, 0, 1, 0, 1, None], "again": [1, 0, 0, 0, None, 1], **table}
    words = {**numbers, "again": ["yes", "no", "no", "no", None, "yes"]}
    one, other = both(numbers, ("a", "b")), both(words, ("a", "b"))
    assert (other.items, other.differ) == (4, 1)
    assert other == one


def test_whole_numbers_with_and_without_a_point_are_one_label():
    table = {"truth": [3, 4, 5], "again": [3.0, 4.0, 4.0], "a": [3, 4, 4], "b": [5, 5, 5]}
    found = both(table, ("a", "b"))
    assert found.differ == 1
    assert found.values["a"] == pytest.approx((2 / 3, 1))


def test_a_value_that_means_no_truth_means_so_in_both():
    table = {
        "truth": ["x", "y", "x", "?"],
        "again": ["?", "y", "y", "x"],
        "a": list("xyxx"),
        "b": list("yxxx"),
    }
    found = both(table, ("a", "b"), no_truth=("?",))
    assert (found.items, found.differ) == (2, 1)


def test_three_truths_are_three_pairs_and_the_words_name_who_changes_places():
    table = {
        "truth": list("xxyy"),
        "again": list("yyyy"),
        "third": list("xxyy"),
        "a": list("xxyx"),
        "b": list("yyyx"),
    }
    pairs = [("truth", "again"), ("truth", "third"), ("again", "third")]
    benches = {
        (one, two): karat.read(
            table, truth=one, second_truth=two, systems=("a", "b"), kinds="label"
        )
        for one, two in pairs
    }
    found = compare_truths(benches)
    assert [(row["first"], row["second"], row["inversions"]) for row in found.rows()] == [
        ("truth", "again", 1),
        ("truth", "third", 0),
        ("again", "third", 1),
    ]
    said = found.notes()
    assert said[0] == "'truth' and 'again' differ in 2 of 4 labels; 'a' and 'b' change places."
    assert said[1] == "'truth' and 'third' differ in 0 of 4 labels; no two systems change places."


def test_truths_without_a_common_item_are_refused():
    with pytest.raises(OptionError, match="'truth' and 'again' have no item in common"):
        both(
            {"truth": ["x", None], "again": [None, "y"], "a": list("xy"), "b": list("yx")},
            ("a", "b"),
        )


def test_a_second_truth_that_is_no_column_is_refused():
    with pytest.raises(RoleError, match="has no column 'again'"):
        both({"truth": list("xy"), "a": list("xy"), "b": list("yx")}, ("a", "b"))


def test_an_order_in_which_all_tie_agrees_with_none():
    assert kendall([1, 1, 1], [1, 2, 3]) is None
    assert kendall([1], [2]) is None


@pytest.mark.parametrize("seed", range(20))
def test_tau_with_ties_is_that_of_scipy(seed):
    random = np.random.default_rng(seed)
    one, two = random.integers(0, 4, (2, 7))
    assert kendall(one, two) == pytest.approx(kendalltau(one, two).statistic)
