"""COCO's twelve numbers: as pycocotools has them, by class too, and five boxes by hand."""

from itertools import product

import numpy as np
import pytest

import karat
from karat.boxes.measures.by_class import average_precisions, average_recalls
from support.boxes import made, written
from support.coco import ours, theirs

SIZES = ("small", "medium", "large")


@pytest.mark.parametrize(("seed", "ties"), list(product(range(6), (False, True))))
def test_all_twelve_are_those_of_pycocotools(tmp_path, seed, ties):
    truth, found, _ = made(seed, images=12 + 5 * seed, classes=1 + seed, ties=ties, crowds=0.2)
    path, system = written(tmp_path, truth, a=found)
    assert ours(path, system) == pytest.approx(theirs(path, system).stats, abs=1e-12)


def test_classes_are_those_of_pycocotools(tmp_path):
    truth, found, _ = made(11, images=40, classes=6, ties=True)
    path, system = written(tmp_path, truth, a=found)
    evaluated = theirs(path, system).eval
    (tally,) = karat.read_boxes(path, system).tallies().values()
    for area, size in enumerate(("all", *SIZES)):
        precision = np.ma.masked_equal(evaluated["precision"][:, :, :, area, 2], -1)
        expected = precision.mean(axis=(0, 1)).filled(np.nan)
        np.testing.assert_allclose(average_precisions(tally, size=size).value, expected)
        recall = np.ma.masked_equal(evaluated["recall"][:, :, area, 2], -1)
        expected = recall.mean(axis=0).filled(np.nan)
        np.testing.assert_allclose(average_recalls(tally, size=size).value, expected)


def test_many_boxes_of_one_image_are_cut_at_one_hundred(tmp_path):
    truth, found, _ = made(5, images=2, classes=1, objects=60)
    many = found * 3
    path, system = written(tmp_path, truth, a=many)
    assert ours(path, system) == pytest.approx(theirs(path, system).stats, abs=1e-12)


FIVE = [
    # score, box: a hit, a second box on the same object, a hit that overlaps by 0.6, and one where nothing is
    (0.9, [0, 0, 100, 100]),
    (0.8, [0, 0, 100, 90]),
    (0.7, [200, 0, 100, 60]),
    (0.6, [400, 400, 100, 100]),
    (0.5, [0, 200, 100, 100]),
]


def by_hand():
    """Three objects of 100 x 100; the last of the five boxes hits the third one."""
    places = [[0, 0], [200, 0], [0, 200]]
    annotations = [
        {"id": number, "image_id": 1, "category_id": 1, "bbox": [*place, 100, 100], "area": 10000}
        for number, place in enumerate(places, 1)
    ]
    truth = {
        "images": [{"id": 1, "width": 600, "height": 600}],
        "categories": [{"id": 1, "name": "thing"}],
        "annotations": annotations,
    }
    found = [{"image_id": 1, "category_id": 1, "bbox": box, "score": score} for score, box in FIVE]
    return truth, found


def test_five_boxes_by_hand(tmp_path):
    """At 0.5: hit, miss, hit, miss, hit: precision 1, then 2/3, then 3/5, at recalls of a third each.

    The recalls 0, 0.01, ... 0.33 are 34 with precision 1; 0.34 to 0.66 are 33 with 2/3, since 3/5 is less; 0.67 to 1
    are 34 with 3/5. At 0.75 the third box, of overlap 0.6, is a miss: hit, miss, miss, miss, hit gives 1 and 2/5.
    """
    truth, found = by_hand()
    path, system = written(tmp_path, truth, a=found)
    bench = karat.read_boxes(path, system)
    rows = bench.score(measure="mAP@0.5,mAP@0.75,mAR@100").rows()
    values = [row["value"] for row in rows]
    at_half = (34 + 33 * 2 / 3 + 34 * 3 / 5) / 101
    at_three_quarters = (34 + 33 * 2 / 5) / 101
    # All three are found at 0.5, 0.55 and 0.6, two of them at the seven larger overlaps.
    assert values == pytest.approx([at_half, at_three_quarters, (3 * 1 + 7 * 2 / 3) / 10])


def test_the_names_that_others_use_are_understood(tmp_path):
    truth, found = by_hand()
    path, system = written(tmp_path, truth, a=found)
    rows = karat.read_boxes(path, system).score(measure="AP,AP50,APs,AR100").rows()
    assert [row["measure"] for row in rows] == ["mAP", "mAP@0.5", "mAP-small", "mAR@100"]


def test_another_overlap_than_those_of_coco(tmp_path):
    truth, found = by_hand()
    path, system = written(tmp_path, truth, a=found)
    rows = karat.read_boxes(path, system).score(measure="mAP@0.62,mAP@0.3").rows()
    assert rows[0]["value"] == pytest.approx((34 + 33 * 2 / 5) / 101)
    assert rows[1]["value"] == pytest.approx((34 + 33 * 2 / 3 + 34 * 3 / 5) / 101)


def test_a_system_that_found_nothing_and_a_truth_without_boxes(tmp_path):
    truth, found, _ = made(3)
    path, nothing = written(tmp_path, truth, nothing=[])
    assert karat.read_boxes(path, nothing).score(measure="mAP").rows()[0]["value"] == 0
    truth["annotations"] = []
    path, system = written(tmp_path, truth, a=found)
    row = karat.read_boxes(path, system).score(measure="mAP").rows()[0]
    assert (row["value"], row["low"], row["high"]) == (None, 0, 1)
