"""Intervals over images: what each image adds is the derivative by its weight, and sums to nothing."""

from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.boxes.measures.at_prevalence import average_precisions_at, balanced_halves
from karat.boxes.measures.by_class import average_precisions, average_recalls
from karat.boxes.measures.influenced import Influenced
from karat.boxes.measures.precision_curve import influence_of_boxes, precision_curve
from karat.boxes.questions.remarks import beyond_remarks
from karat.doubt.estimates import Estimates
from karat.doubt.interval import Interval
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.score.result import Entry
from support.boxes import made, written


@pytest.fixture
def bench(tmp_path):
    truth, one, other = made(7, images=60, classes=3, objects=5)
    return karat.read_boxes(*_as_two(written(tmp_path, truth, a=one, b=other)))


def _as_two(paths):
    truth, *systems = paths
    return truth, systems


def value_of_hits(outcomes, image, true, weight):
    """The average over all hits of the best precision from there on, with a weight for each image."""
    curve = precision_curve(outcomes, float(true @ weight), weight[image])
    return (curve.hit * curve.best).sum() / curve.wanted


def test_what_an_image_adds_is_the_derivative_by_its_weight(bench):
    tally = bench.tallies()["a"]
    rows = tally.of_class(0)
    outcomes = tally.outcome[0, :1, rows]
    image = tally.image[rows]
    true = tally.true_by_image(0, 0)
    (of_found,), (of_true,) = influence_of_boxes(precision_curve(outcomes, true.sum()))
    added = np.bincount(image, of_found, minlength=len(true)) + of_true * true
    step = 1e-6
    for place in range(len(true)):
        more = np.ones(len(true))
        less = np.ones(len(true))
        more[place] += step
        less[place] -= step
        slope = value_of_hits(outcomes, image, true, more) - value_of_hits(
            outcomes, image, true, less
        )
        assert added[place] == pytest.approx(slope / (2 * step), abs=1e-6)


@pytest.mark.parametrize("size", ["all", "small", "medium", "large"])
def test_what_images_add_sums_to_nothing(bench, size):
    for tally in bench.tallies().values():
        for found in (average_precisions(tally, size=size), average_recalls(tally, size=size)):
            np.testing.assert_allclose(found.by_image.sum(axis=0), 0, atol=1e-12)


def test_the_first_order_is_near_what_leaving_images_out_gives(bench):
    """Left out one by one, the images of the jackknife spread the value about as much."""
    tally = bench.tallies()["a"]
    images = tally.images
    without = []
    for place in range(images):
        kept = np.ones(images, bool)
        kept[place] = False
        without.append(average_precisions(tally.of_images(kept)).mean())
    jackknife = (images - 1) / images * np.square(np.array(without) - np.mean(without)).sum()
    spread = average_precisions(tally).spread()
    assert np.sqrt(spread.variance) == pytest.approx(np.sqrt(jackknife), rel=0.2)


def test_intervals_lie_in_the_range_and_narrow_with_the_level(bench):
    wide = bench.score(level=0.99).rows()
    narrow = bench.score(level=0.8).rows()
    for one, other in zip(wide, narrow, strict=True):
        assert 0 <= one["low"] <= other["low"] <= other["high"] <= one["high"] <= 1


def test_a_system_does_not_differ_from_itself(tmp_path):
    truth, found, _ = made(3)
    path, one, other = written(tmp_path, truth, a=found, b=found)
    (row,) = karat.read_boxes(path, [one, other]).compare().rows()
    assert (row["difference"], row["p_value"], row["verdict"]) == (0, 1, "undecided")
    assert row["low"] < 0 < row["high"]


def test_who_comes_first_turns_the_difference(tmp_path):
    truth, one, other = made(7, images=60, classes=3, objects=5)
    path, first, second = written(tmp_path, truth, a=one, b=other)
    (row,) = karat.read_boxes(path, {"a": first, "b": second}).compare().rows()
    (turned,) = karat.read_boxes(path, {"a": second, "b": first}).compare().rows()
    assert row["p_value"] == pytest.approx(turned["p_value"])
    assert row["difference"] == pytest.approx(turned["difference"])
    assert {row["first"], turned["first"]} == {"a", "b"}


def test_one_image_says_nothing(tmp_path):
    truth, found, _ = made(2, images=1, objects=10)
    path, system = written(tmp_path, truth, a=found)
    row = karat.read_boxes(path, system).score(measure="mAP").rows()[0]
    assert (row["low"], row["high"]) == (0, 1)
    assert row["method"] == "infinitesimal jackknife over 1 image"


def test_at_its_own_prevalence_nothing_changes(tmp_path):
    """With one class, weights of 1 are those of the share of images that hold it here."""
    truth, found, _ = made(8, images=50, classes=1, objects=0.8)
    path, system = written(tmp_path, truth, a=found)
    tally = karat.read_boxes(path, system).tallies()["a"]
    share = float((tally.true_by_image(0, 0) > 0).mean())
    plain = average_precisions_at(tally, None)
    at_share = average_precisions_at(tally, share)
    assert plain.mean() == pytest.approx(average_precisions(tally).mean())
    assert at_share.mean() == pytest.approx(plain.mean())


def test_whole_weights_are_images_that_occur_so_often(tmp_path):
    """Images without the class three times as often: as if the file held each of them three times."""
    truth, found, _ = made(8, images=40, classes=1, objects=0.8, crowds=0)
    holding = {one["image_id"] for one in truth["annotations"]}
    copies = _with_copies(truth, found, holding, times=3)
    path, system = written(tmp_path, truth, a=found)
    tally = karat.read_boxes(path, system).tallies()["a"]
    without = len(truth["images"]) - len(holding)
    there = len(holding) / (len(holding) + 3 * without)
    expected = karat.read_boxes(*written(tmp_path, copies[0], a=copies[1])).score(measure="mAP")
    found_there = average_precisions_at(tally, there).mean()
    assert found_there == pytest.approx(expected.rows()[0]["value"])


def _with_copies(truth, found, holding, times):
    images = list(truth["images"])
    results = list(found)
    for image in truth["images"]:
        if image["id"] in holding:
            continue
        for copy in range(1, times):
            number = image["id"] + 1000 * copy
            images.append({**image, "id": number})
            own = [one for one in found if one["image_id"] == image["id"]]
            results += [{**one, "image_id": number} for one in own]
    return {**truth, "images": images}, results


def test_other_prevalences_are_refused(bench):
    with pytest.raises(OptionError, match="between 0 and 1"):
        bench.prevalence(to=1.5)


def influenced(value, holding, bias):
    """A value per class whose images all add the same."""
    by_image = np.zeros((50, len(value)))
    by_image[:10] = 0.01
    by_image[10:20] = -0.01
    return Influenced(np.array(value), by_image, np.array(holding), np.array(bias))


def test_the_bias_of_classes_in_few_images_comes_from_the_others():
    """Of 27 images a bias of 0.01 is 0.01 * 9 = 0.09 of one image; of two and of one it is 0.09 / 2^(2/3)."""
    found = influenced([0.5, 0.4, 0.6], [27, 1, 2], [0.01, 0.0, 0.3]).mean_bias()
    of_few = 0.09 / 2 ** (2 / 3)
    assert found.value == pytest.approx((0.01 + 2 * of_few) / 3)
    assert found.borrowed == pytest.approx(2 * of_few / 3)
    alone = influenced([0.5], [3], [0.02]).mean_bias()
    assert alone.value == pytest.approx(0.02)
    assert influenced([0.5, 0.4], [9, 1], [0.0, 0.0]).mean_bias().value == 0


def test_a_class_of_one_image_varies_no_less_than_its_image_says():
    found = influenced([0.5, 0.5], [10, 1], [0.0, 0.0])
    found.by_image[:, 1] *= 100
    assert (found.variances() >= (found.by_image**2).sum(axis=0)).all()
    assert found.spread().variance > 0


def test_halves_are_balanced_and_give_the_spread_where_it_is_larger():
    halves = balanced_halves(64)
    assert (halves.sum(axis=1) == 32).all()
    # Two images of different groups are as often in one half as not, but for the row that is all of them.
    together = (halves[:, 0] == halves[:, 1]).sum()
    assert together == 7
    plain = influenced([0.5], [10], [0.0])
    by_half = np.zeros((15, 2, 1))
    by_half[:, 0] = 0.4
    assert replace(plain, halves=by_half).spread().variance == pytest.approx(0.4**2 / 4)
    assert replace(plain, halves=by_half * 0).spread().variance == plain.spread().variance
    by_half[3, 1] = np.nan
    assert replace(plain, halves=by_half).spread().variance == plain.spread().variance


def test_values_above_their_intervals_are_named():
    quantity = Quantity.parse("mAP")
    ends = Interval(np.array([0.2]), np.array([0.3]), 0.95, "")
    entries = [
        Entry(name, Estimates(quantity, (None,), np.array([value]), ends))
        for name, value in (("a", 0.25), ("b", 0.31), ("c", 0.35))
    ]
    assert beyond_remarks(entries[:1]) == ()
    (words,) = beyond_remarks(entries)
    assert "Values of 'mAP' lie above their intervals" in words
