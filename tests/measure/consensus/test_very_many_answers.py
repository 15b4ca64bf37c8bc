"""Very many answers: counted in blocks, and models fitted to items drawn at random."""

import numpy as np
import pytest

import karat
from karat.measure import near_copies as copies
from karat.measure.consensus import given_labels as labels_of_rows
from karat.measure.consensus import model_opinion, pair_agreement
from karat.measure.consensus.given_labels import given_labels
from karat.measure.consensus.pair_agreement import agreement_beyond_chance, agreement_in_errors
from karat.measure.near_copies import shared_errors

RANDOM = np.random.default_rng(8)
CODES = RANDOM.integers(-2, 4, (300, 5))
TRUTH = RANDOM.integers(-1, 4, 300)
NUMBER = RANDOM.integers(1, 9, 300)


def slowly(codes, truth, number):
    """Errors that two systems share, and errors of either, item by item."""
    systems = codes.shape[1]
    same = np.zeros((systems, systems))
    either = np.zeros((systems, systems))
    for row, right, times in zip(codes, truth, number, strict=True):
        if right < 0:
            continue
        for one in range(systems):
            for other in range(systems):
                if min(row[one], row[other]) < 0:
                    continue
                wrong = row[one] != right, row[other] != right
                same[one, other] += times * (all(wrong) and row[one] == row[other])
                either[one, other] += times * any(wrong)
    return same, either


@pytest.mark.parametrize("labels", [4, 40])
@pytest.mark.parametrize("block", [7, 50_000])
@pytest.mark.parametrize("times", [1, 2**22, 0.5])
def test_shared_errors_are_those_counted_item_by_item(monkeypatch, labels, block, times):
    monkeypatch.setattr(copies, "AT_ONCE", block)
    codes = RANDOM.integers(-2, labels, (300, 5))
    truth = RANDOM.integers(-1, labels, 300)
    # Some systems repeat others, so that errors are shared among many labels as well.
    codes[:, 1] = np.where(RANDOM.random(300) < 0.7, codes[:, 0], codes[:, 1])
    same, either = slowly(codes, truth, NUMBER * times)
    found = shared_errors(codes, truth, NUMBER * times)
    assert found.same.tolist() == same.tolist()
    assert found.either.tolist() == either.tolist()


def test_blocks_change_no_agreement(monkeypatch):
    number = NUMBER.astype(float)

    def all_of_them():
        beyond = agreement_beyond_chance(CODES, number, classes=4)
        errors = agreement_in_errors(CODES, number, TRUTH, classes=4)
        given = given_labels(CODES)
        return (
            *(beyond.value, beyond.observed, errors.value, errors.items),
            *(given.row, given.label, given.votes, given.entry),
        )

    whole = all_of_them()
    monkeypatch.setattr(pair_agreement, "AT_ONCE", 11)
    monkeypatch.setattr(labels_of_rows, "AT_ONCE", 13)
    for before, now in zip(whole, all_of_them(), strict=True):
        assert before.tolist() == now.tolist()


@pytest.mark.parametrize("estimator", ["combined", "one-coin", "pooled"])
def test_a_model_of_drawn_items_is_near_that_of_all(monkeypatch, estimator):
    random = np.random.default_rng(2)
    items = 6000
    truth = random.integers(0, 3, items)
    data = {}
    for system in range(5):
        wrong = random.random(items) < 0.1 + 0.07 * system
        data[f"s{system}"] = np.where(wrong, (truth + random.integers(1, 3, items)) % 3, truth)
    bench = karat.read({"item": np.arange(items), **data}, kinds="label")
    whole = bench.consensus(estimator=estimator, draws=0)
    monkeypatch.setattr(model_opinion, "MOST_ANSWERS", 600)
    drawn = bench.consensus(estimator=estimator, draws=0)
    assert "of 120 items drawn from 6,000" in drawn.method
    assert "drawn from" not in whole.method
    values = {one.system: one.value for one in whole.systems}
    # Four standard errors of a share among 120 items.
    assert all(abs(one.value - values[one.system]) < 4 * 0.5 / 120**0.5 for one in drawn.systems)
    assert {one.system: one.answers for one in drawn.systems} == dict.fromkeys(data, items)


def test_few_answers_are_all_used():
    data = {
        "item": range(9),
        "a": list("xyzxyzxyz"),
        "b": list("xyzxyzxyy"),
        "c": list("xyzxyxxyz"),
    }
    assert "drawn from" not in karat.read(data).consensus(draws=0).method
