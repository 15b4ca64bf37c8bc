"""Matching: as a plain loop does it, and optimally, as all assignments tried one by one do."""

from itertools import permutations

import numpy as np
import pytest

import karat
from karat.boxes.matching.detections import match
from karat.boxes.matching.overlap import overlap
from karat.boxes.matching.rules import OVERLAPS, MatchRules
from support.boxes import made, written


def bench_of(folder, seed, **options):
    truth, found, _ = made(seed, **options)
    path, system = written(folder, truth, a=found)
    return karat.read_boxes(path, system)


def plain_overlap(one, other, *, crowd):
    """Intersection over union, from the corners."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    union = one[2] * one[3]
    if not crowd:
        union = one[2] * one[3] + other[2] * other[3] - shared
    return shared / union


def plain_greedy(found, true, crowd, least):
    """From the surest box on, each takes the free true box that it overlaps most; crowds only if there is no other."""
    order = sorted(range(len(true)), key=lambda place: crowd[place])
    taken = set()
    matched = []
    for box in found:
        best = -1
        wanted = least
        for place in order:
            if place in taken and not crowd[place]:
                continue
            if best >= 0 and not crowd[best] and crowd[place]:
                break
            value = plain_overlap(box, true[place], crowd=crowd[place])
            if value >= wanted:
                wanted = value
                best = place
        matched.append(best)
        taken.add(best)
    return matched


@pytest.mark.parametrize("seed", range(8))
def test_greedy_matching_is_that_of_a_plain_loop(tmp_path, seed):
    bench = bench_of(tmp_path, seed, ties=seed % 2 == 1, crowds=0.3, classes=2, objects=8)
    matched = match(bench.truth, bench.systems[0], MatchRules())
    truth, found = matched.truth, matched.found
    for layer, least in enumerate(OVERLAPS):
        for image in range(len(truth.gallery.images)):
            for label in range(2):
                own = np.flatnonzero((found.image == image) & (found.label == label))
                true = np.flatnonzero((truth.image == image) & (truth.label == label))
                expected = plain_greedy(found.box[own], truth.box[true], truth.crowd[true], least)
                places = [-1 if place < 0 else int(true[place]) for place in expected]
                assert matched.true[layer, own].tolist() == places


def best_assignment(values, least):
    """The largest number of matches, and of these the largest sum of overlaps, over all ways to match."""
    number_found, number_true = values.shape
    best = (0, 0.0)
    size = max(number_found, number_true)
    for order in permutations(range(size), number_found):
        pairs = [(row, column) for row, column in enumerate(order) if column < number_true]
        fitting = [values[pair] for pair in pairs if values[pair] >= least]
        best = max(best, (len(fitting), sum(fitting)))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_optimal_matching_is_the_best_of_all(seed):
    chance = np.random.default_rng(seed)
    truth, found = _crowded(chance, 4), _crowded(chance, 5)
    matched = match(truth, found, MatchRules(matching="optimal", overlaps=(0.3,)))
    values = np.array(
        [
            [plain_overlap(one, other, crowd=False) for other in matched.truth.box]
            for one in matched.found.box
        ]
    )
    true = matched.true[0]
    pairs = [(row, int(place)) for row, place in enumerate(true) if place >= 0]
    assert len({place for _, place in pairs}) == len(pairs)
    reached = (len(pairs), sum(values[pair] for pair in pairs))
    assert reached == pytest.approx(best_assignment(values, 0.3))


def _crowded(chance, number):
    """Boxes of one image that overlap each other."""
    from karat.boxes.model.box_set import BoxSet, Gallery

    corner = chance.uniform(0, 8, (number, 2))
    box = np.concatenate([corner, chance.uniform(8, 14, (number, 2))], axis=1)
    zeros = np.zeros(number, np.int64)
    return BoxSet(
        "a",
        "made",
        Gallery(("1",), ("c",)),
        zeros,
        zeros,
        box,
        chance.random(number),
        box[:, 2] * box[:, 3],
        zeros.astype(bool),
        zeros.astype(bool),
    )


def test_the_two_matchings_differ_where_the_surest_box_takes_what_another_needs(tmp_path):
    """The surest box overlaps both objects, more the second, which is the only one that the other box overlaps."""
    objects = [[0, 0, 10, 10], [2, 0, 10, 10]]
    truth = {
        "images": [{"id": 1, "width": 20, "height": 20}],
        "categories": [{"id": 1, "name": "thing"}],
        "annotations": [
            {"id": number, "image_id": 1, "category_id": 1, "bbox": box, "area": 100}
            for number, box in enumerate(objects, 1)
        ],
    }
    found = [
        {"image_id": 1, "category_id": 1, "bbox": [1.5, 0, 10, 10], "score": 0.9},
        {"image_id": 1, "category_id": 1, "bbox": [4, 0, 10, 10], "score": 0.8},
    ]
    path, system = written(tmp_path, truth, a=found)
    rows = karat.read_boxes(path, system).boxes().rows()
    assert [(row["matching"], row["found"]) for row in rows] == [("greedy", 1), ("optimal", 2)]


def test_an_optimal_matching_finds_no_fewer(tmp_path):
    rows = bench_of(tmp_path, 3, images=40, objects=10, classes=1).boxes().rows()
    greedy, optimal = rows
    assert optimal["found"] >= greedy["found"]


def test_overlap_with_a_crowd_is_the_part_inside_of_it():
    one = np.array([[0.0, 0.0, 10.0, 10.0]])
    crowd = np.array([[0.0, 0.0, 100.0, 5.0]])
    assert overlap(one, crowd, np.array([True])) == pytest.approx([0.5])
    assert overlap(one, crowd, np.array([False])) == pytest.approx([50 / 550])


def test_rows_in_another_order_give_the_same(tmp_path):
    truth, found, _ = made(4)
    path, system = written(tmp_path, truth, a=found)
    first = karat.read_boxes(path, system).score(measure="mAP").to_json()
    truth["images"].reverse()
    written(tmp_path, truth, a=found[::-1])
    assert karat.read_boxes(path, system).score(measure="mAP").to_json() == first
