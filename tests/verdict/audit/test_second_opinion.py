"""Two checkers: how far they agree, and what holds whoever is right."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import InputError, UnknownNameError
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.second_opinion import agreement_of, random_part, second_opinion

LABELS = ("a", "b", "(other)", "(undecidable)")
CODES = {"a": 0, "b": 1}


def label(text):
    if text in CODES:
        return RightLabel(text, frozenset({CODES[text]}))
    return RightLabel(text, undecidable=text == "(undecidable)")


def audited(items=12, *, seed=1):
    """An audit of a and b on items that they dispute, all labels of which were looked up and found to be right."""
    table = {
        "item": [f"i{k:02}" for k in range(items)],
        "truth": ["a"] * (items - 2) + ["b"] * 2,
        "one": ["a"] * items,
        "two": ["b"] * items,
    }
    audit = karat.read(table).audit(claim=("one", "two"), seed=seed, risk=0.001)
    return audit.apply({row["item"]: row["given"] for row in audit.next(items).rows()})


PAIRS = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=40
)


@given(PAIRS)
def test_kappa_is_cohens(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    found = agreement_of([(label(one), label(other)) for one, other in pairs])
    first, second = zip(*pairs, strict=True)
    assert found.both == len(pairs)
    assert found.same == sum(one == other for one, other in pairs)
    if len({*first, *second}) == 1:
        assert found.kappa is None
        return
    expected = metrics.cohen_kappa_score(first, second)
    assert found.kappa == pytest.approx(expected, abs=1e-12)
    assert -1 <= found.kappa_low <= found.kappa <= found.kappa_high <= 1
    assert found.share_low <= found.share <= found.share_high


def test_the_interval_of_the_share_is_exact():
    """Clopper and Pearson, 9 of 10 at 0.95, as R's binom.test(9, 10) prints it: 0.5549839, 0.9974714."""
    pairs = (
        [(label("a"), label("a"))] * 5 + [(label("b"), label("b"))] * 4 + [(label("a"), label("b"))]
    )
    found = agreement_of(pairs)
    assert (found.share_low, found.share_high) == pytest.approx((0.5549839, 0.9974714), abs=1e-6)


def test_nobody_has_looked_twice():
    found = second_opinion(audited(), {})
    assert found.agreement.share is None
    assert found.agreement.sentence() == "No item has been looked at by both checkers yet."
    assert found.first.rows() == found.second.rows() == found.either.rows()


def test_where_they_agree_nothing_changes():
    first = audited()
    found = second_opinion(first, dict(first.labels))
    assert found.first.rows() == found.second.rows() == found.either.rows()
    assert found.agreement.same == found.agreement.both == 12


def test_the_second_replaces_labels_and_either_takes_the_worst():
    first = audited()
    reader = first.setup.reader
    items = sorted(first.labels)[:3]
    found = second_opinion(first, {item: reader.read("b", "here") for item in items})
    by_second = {**first.labels, **{item: reader.read("b", "here") for item in items}}
    assert found.second.labels == by_second
    worst = {item: reader.read("(undecidable)", "here") for item in items}
    assert found.either.labels == {**first.labels, **worst}


def test_what_either_settles_holds_whoever_is_right_item_by_item():
    first = audited(14)
    reader = first.setup.reader
    seen_certain = 0
    for flipped in ([0], [0, 1], [0, 1, 2], [3, 5, 7, 9]):
        labels = {item: reader.read("b", "here") for item in flipped}
        found = second_opinion(first, labels)
        (row,) = found.either.rows()
        for mixture in product([False, True], repeat=len(flipped)):
            truth = dict(first.labels)
            for item, is_second in zip(flipped, mixture, strict=True):
                if is_second:
                    truth[item] = labels[item]
            leads = sum(1 if one.text == "a" else -1 for one in truth.values())
            if row["verdict"] == "certain":
                seen_certain += 1
                assert (leads > 0) == (row["better"] == "one")
    assert seen_certain


def test_items_that_the_first_did_not_look_at_are_refused():
    first = audited()
    unlabelled = karat.read(
        {"item": ["x", "y"], "truth": ["a", "b"], "one": ["a", "a"], "two": ["b", "b"]}
    ).audit(claim=("one", "two"), seed=1)
    with pytest.raises(InputError, match="1 item that the first checker did not look at"):
        second_opinion(unlabelled, {0: first.labels[0]})


@given(st.integers(0, 10**6), st.integers(1, 30), st.lists(st.integers(1, 10**6), unique=True))
def test_fewer_are_the_first_of_more_in_whatever_order_they_come(seed, number, draws):
    chosen = random_part(str(seed), draws, number)
    assert len(chosen) == min(number, len(draws))
    assert set(chosen) <= set(draws)
    assert random_part(str(seed), draws[::-1], number) == chosen
    assert random_part(str(seed), draws, number + 1)[:number] == chosen


def test_each_draw_is_chosen_equally_often():
    """Of 4,000 seeds, how often each of ten draws is among the first three: 1,200 times on average."""
    times = np.zeros(10)
    for seed in range(4_000):
        for draw in random_part(str(seed), range(10), 3):
            times[draw] += 1
    deviation = np.sqrt(4_000 * 0.3 * 0.7)
    assert np.abs(times - 1_200).max() < 4 * deviation


def test_labels_by_item_are_a_second_opinion_too():
    first = audited()
    found = first.second({"i00": "b", "i01": "a"})
    by_function = second_opinion(
        first, {0: first.setup.reader.read("b", "here"), 1: first.labels[1]}
    )
    assert found.rows() == by_function.rows()
    assert found.agreement == by_function.agreement
    assert (found.agreement.same, found.agreement.both) == (1, 2)


def test_labels_of_unknown_items_are_refused_with_the_name():
    with pytest.raises(UnknownNameError, match="elsewhere"):
        audited().second({"elsewhere": "a"})
