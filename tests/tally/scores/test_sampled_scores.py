"""A sample of the items: drawn by their names in whatever form; the highest and the rare are all taken."""

import random
from unittest import mock

import numpy as np
import pytest

import karat
from karat.tally.scores import sampled_scores as module
from karat.tally.scores.curve import curves
from karat.tally.scores.sampled_scores import sampled_scores
from karat.tally.sql import PRIME


def columns(number=600, seed=2):
    draw = random.Random(seed)  # noqa: S311
    truth = [int(draw.random() < 0.3) for _ in range(number)]
    return {
        "item": list(range(1000, 1000 + number)),
        "truth": truth,
        "a": [yes + draw.gauss(0, 1) for yes in truth],
        "b": [None if draw.random() < 0.1 else round(yes + draw.gauss(0, 1), 1) for yes in truth],
    }


def sampled(data, *, drawn=100, taken=40, **options):
    counter = karat.read(data, **options).counter
    with mock.patch.multiple(module, DRAWN=drawn, TAKEN=taken):
        return counter.count(sampled_scores, ["a", "b"], curves=counter.count(curves))


def by_hand(number, share):
    """Is the number drawn? As the SQL says, with whole numbers of any size."""
    stirred = ((number % PRIME + 104729) ** 2 % PRIME * 48271 + 12345) % PRIME
    return stirred**2 % PRIME < round(share * PRIME)


def test_the_highest_are_all_taken_and_the_others_drawn_by_their_names():
    data = columns()
    found = sampled(data)
    a = np.array(data["a"])
    b = np.array([-np.inf if score is None else score for score in data["b"]])
    high_a = np.sort(a)[-20]
    values, counts = np.unique(b, return_counts=True)
    high_b = values[::-1][counts[::-1].cumsum() <= 20][-1]
    is_high = (a >= high_a) | (b >= high_b)
    drawn = np.array([by_hand(item, 100 / 600) for item in data["item"]])
    rows = sorted(zip(a[is_high | drawn], b[is_high | drawn], strict=True))
    assert sorted(map(tuple, found.rows.scores.tolist())) == rows
    assert (found.times == 1).sum() == is_high.sum()
    assert set(found.times) == {1.0, 6.0}
    assert found.items == len(rows)


def test_names_in_any_form_and_order_give_the_same_sample(tmp_path):
    data = columns()
    wanted = sampled(data)
    lines = []
    for row in zip(*data.values(), strict=True):
        line = ",".join("" if cell is None else repr(cell) for cell in row)
        lines.insert(0, line)
    table = tmp_path / "scores.csv"
    table.write_text("\n".join(["item,truth,a,b", *lines]) + "\n")
    as_floats = data | {"item": [float(item) for item in data["item"]]}
    as_texts = data | {"item": [str(item) for item in data["item"]]}
    for other in (str(table), as_floats, as_texts):
        found = sampled(other)
        assert np.array_equal(found.rows.scores, wanted.rows.scores)
        assert np.array_equal(found.times, wanted.times)


def test_names_that_are_no_numbers_are_drawn_by_a_hash():
    data = columns(2000)
    data["item"] = [f"page {item}" for item in data["item"]]
    found = sampled(data, taken=0, drawn=400)
    assert found.items == pytest.approx(400, abs=4 * np.sqrt(400 * 0.8))
    assert set(found.times) == {5.0}


def test_a_rare_kind_is_all_taken_whatever_its_word():
    data = columns()
    data["truth"] = ["cancer" if place % 30 == 0 else "benign" for place in range(600)]
    found = sampled(data, positive="cancer")
    assert found.rows.positive.sum() == 20
    assert set(found.times[found.rows.positive]) == {1.0}
    assert set(found.times[~found.rows.positive]) == {1.0, 6.0}


def test_rows_that_stand_for_many_items_are_sampled_as_rows():
    data = columns() | {"number": [5] * 600}
    found = sampled(data, count="number", drawn=1000)
    assert found.items == 5 * 600
    assert set(found.times) == {1.0}


def test_the_names_decide_as_if_by_chance():
    # Of neighbours, and of numbers with one distance, as many are drawn together as chance would have it.
    numbers = np.arange(200_000)
    drawn = np.array([by_hand(int(number), 0.1) for number in numbers])
    assert drawn.mean() == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / len(numbers)))
    for distance in (1, 2, 3, 7, 10, 64, 100, 1000, 4096):
        both = (drawn[distance:] & drawn[:-distance]).mean()
        assert both == pytest.approx(0.01, abs=4 * np.sqrt(0.0099 / len(numbers)))
    blocks = drawn.reshape(400, 500).sum(axis=1)
    assert blocks.var() == pytest.approx(500 * 0.09, rel=4 * np.sqrt(2 / 399))


def without_names(number=20_000):
    data = columns(number)
    del data["item"]
    return data


def test_items_without_names_are_drawn_by_their_scores_in_whatever_order():
    data = without_names()
    found = sampled(data, drawn=2000)
    backwards = {name: cells[::-1] for name, cells in data.items()}
    again = sampled(backwards, drawn=2000)
    assert np.array_equal(found.rows.scores, again.rows.scores)
    assert np.array_equal(found.rows.number, again.rows.number)
    is_drawn = found.times > 1
    assert set(found.times) == {1.0, 10.0}
    assert found.rows.number[is_drawn].sum() == pytest.approx(2000, abs=4 * np.sqrt(2000 * 0.9))


def test_a_sample_without_names_stands_for_all_items():
    data = without_names()
    found = sampled(data, drawn=2000)
    weight = found.times * found.rows.number
    a = np.array(data["a"])
    truth = np.array(data["truth"])
    for cut in (-0.5, 0.0, 0.5, 1.0):
        for kind in (0, 1):
            wanted = ((a >= cut) & (truth == kind)).sum()
            inside = (found.rows.scores[:, 0] >= cut) & (found.rows.positive == bool(kind))
            assert weight[inside].sum() == pytest.approx(wanted, abs=4 * np.sqrt(9 * wanted))


def test_of_equal_items_without_names_a_share_is_drawn():
    data = without_names() | {"number": [7] * 20_000}
    data["a"] = [round(score) + 0.25 for score in data["a"]]
    data["b"] = [0.5] * 20_000
    found = sampled(data, taken=0, drawn=14_000, count="number")
    assert set(found.times) == {10.0}
    for score, positive, number in zip(
        found.rows.scores[:, 0], found.rows.positive, found.rows.number, strict=True
    ):
        alike = zip(data["a"], data["truth"], strict=True)
        of_all = 7 * sum(pair == (score, int(positive)) for pair in alike)
        assert abs(number - of_all / 10) < 1
