"""Skew of more items than are held: about what resamples of all items say, from the curves and a sample."""

from unittest import mock

import numpy as np
import pytest

import karat
from karat.errors import OptionError
from karat.questions import prevalence
from karat.tally.scores import sampled_scores


def columns(number=6000, seed=4):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.2
    shared = random.normal(size=number)
    return {
        "item": [f"p{k}" for k in range(number)],
        "truth": truth.astype(int),
        "flat": 1.2 * truth + shared,
        "steep": np.where(truth & (shared > 0.6), 4 + shared, 0.3 * truth + shared),
    }


def few_are_held():
    return mock.patch.multiple(prevalence, MOST=1000, FEW_ITEMS=1000)


def sampled_of(number):
    return mock.patch.multiple(sampled_scores, DRAWN=number, TAKEN=number // 2)


def test_intervals_are_about_those_of_resampled_items():
    data = columns()
    by_items = karat.read(data).skew(to=0.05, draws=1000)
    with few_are_held(), sampled_of(3000):
        by_sample = karat.read(data).skew(to=0.05, draws=1000)
    assert [area.integrated for area in by_sample.areas] == [
        area.integrated for area in by_items.areas
    ]
    for ours, theirs in zip(by_sample.areas, by_items.areas, strict=True):
        assert ours.low == pytest.approx(theirs.low, abs=0.1 * (theirs.high - theirs.low))
        assert ours.high == pytest.approx(theirs.high, abs=0.1 * (theirs.high - theirs.low))
        assert "sampled items" in ours.method
    (ours,), (theirs,) = by_sample.differences, by_items.differences
    width = theirs.high - theirs.low
    assert ours.high - ours.low == pytest.approx(width, rel=0.12)
    assert ours.low == pytest.approx(theirs.low, abs=0.12 * width)


def test_changes_of_order_have_about_the_intervals_of_resampled_items():
    data = columns()
    by_items = karat.read(data).skew(to=0.5, draws=1000)
    with few_are_held(), sampled_of(6000):
        by_sample = karat.read(data).skew(to=0.5, draws=1000)
    ours, theirs = by_sample.pair_orders[0].intervals, by_items.pair_orders[0].intervals
    assert len(ours) == len(theirs) >= 1
    for one, other in zip(ours, theirs, strict=True):
        assert one.skew == other.skew
        place = np.log([one.low, one.high, other.low, other.high])
        assert place[:2] == pytest.approx(place[2:], abs=0.25 * (place[3] - place[2]))


def test_the_order_of_columns_and_rows_changes_nothing():
    data = columns()
    turned = {name: list(data[name])[::-1] for name in ("steep", "flat", "truth", "item")}
    with few_are_held(), sampled_of(2000):
        one, other = (karat.read(each).skew(to=0.05, draws=200) for each in (data, turned))
    assert one.rows() == other.rows()
    assert one.differences == other.differences


def test_wrong_labels_are_refused_with_the_number_of_items():
    with (
        few_are_held(),
        sampled_of(2000),
        pytest.raises(OptionError, match="labels are flipped for up to"),
    ):
        karat.read(columns()).skew(to=0.05, label_error=0.02)


def test_labels_are_flipped_and_nameless_items_resampled_as_long_as_they_can_be_held():
    data = columns()
    nameless = {name: values for name, values in data.items() if name != "item"}
    with mock.patch.object(prevalence, "FEW_ITEMS", 1000):
        of_flips = karat.read(data).skew(to=0.05, label_error=0.02, draws=100)
        of_nameless = karat.read(nameless).skew(to=0.05, draws=100)
    assert "label errors" in of_flips.areas[0].method
    assert "paired bootstrap" in of_nameless.areas[0].method
