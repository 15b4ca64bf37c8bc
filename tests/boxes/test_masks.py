"""Masks: polygons and run lengths, pixel by pixel, and COCO's twelve numbers of them, as pycocotools has them."""

import json

import numpy as np
import pytest

import karat
from karat.boxes.formats.outlines import Outlines, masks_of_outlines
from karat.boxes.formats.run_lengths import lengths_of_texts, runs_of_lengths
from karat.errors import InputError, OptionError
from support.boxes import made, written
from support.coco import ours, theirs
from support.masks import polygon, run_lengths, with_masks

# pycocotools 2.0 is older than NumPy's rule about copies.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


def pixels(masks, place, height, width):
    """One mask as an image."""
    flat = np.zeros(height * width, np.uint8)
    for run in range(masks.bounds[place], masks.bounds[place + 1]):
        flat[masks.begin[run] : masks.end[run]] = 1
    return flat.reshape((height, width), order="F")


def drawn(polygons, height, width):
    """The mask of one object."""
    corners = [np.array(one, float) for one in polygons]
    owners = np.zeros(len(corners), np.int64)
    outlines = Outlines(corners, owners, np.array([height]), np.array([width]))
    return masks_of_outlines(outlines)


def test_a_rectangle_by_hand():
    masks = drawn([[1, 1, 4, 1, 4, 3, 1, 3]], 5, 6)
    expected = np.zeros((5, 6), np.uint8)
    expected[1:3, 1:4] = 1
    assert pixels(masks, 0, 5, 6).tolist() == expected.tolist()
    assert masks.areas().tolist() == [6]
    assert masks.boxes().tolist() == [[1, 1, 3, 2]]


def test_polygons_that_overlap_are_one_mask():
    one = [0, 0, 3, 0, 3, 3, 0, 3]
    other = [2, 2, 5, 2, 5, 5, 2, 5]
    assert drawn([one, other], 6, 6).areas().tolist() == [9 + 9 - 1]
    assert drawn([one, one], 6, 6).areas().tolist() == [9]


@pytest.mark.parametrize("seed", range(4))
def test_polygons_have_the_pixels_of_pycocotools(seed):
    mask = pytest.importorskip("pycocotools.mask")
    chance = np.random.default_rng(seed)
    for trial in range(150):
        height, width = map(int, chance.integers(1, 60, 2))
        corners = chance.uniform(-0.3, 1.3, (int(chance.integers(3, 12)), 2)) * [width, height]
        if trial % 3 == 1:
            corners = corners.round()
        if trial % 3 == 2:
            corners = (5 * corners).round() / 5 + 0.1
        polygons = [corners.ravel().tolist(), polygon([0, 0, width, height], chance)]
        expected = mask.decode(mask.merge(mask.frPyObjects(polygons, height, width)))
        found = drawn(polygons, height, width)
        assert pixels(found, 0, height, width).tolist() == expected.tolist()
        assert found.areas()[0] == expected.sum()


def test_run_lengths_in_text_by_hand():
    # Of 100 the lowest five bits are 4, with a sixth as more follow; then 3: T is 48 + 32 + 4, 3 is 48 + 3.
    lengths, numbers = lengths_of_texts([b"52", b"T3", b"1232", b""])
    assert numbers.tolist() == [2, 1, 4, 0]
    # The fourth number is the difference to the second: 2 + 2.
    assert lengths.tolist() == [5, 2, 100, 1, 2, 3, 4]


def test_run_lengths_in_text_are_those_of_pycocotools():
    mask = pytest.importorskip("pycocotools.mask")
    chance = np.random.default_rng(3)
    texts = []
    expected = []
    for _ in range(60):
        shape = tuple(map(int, chance.integers(1, 200, 2)))
        image = (chance.random(shape) < chance.uniform(0, 0.3)).astype(np.uint8)
        texts.append(mask.encode(np.asfortranarray(image))["counts"])
        expected.append(run_lengths(image))
    lengths, numbers = lengths_of_texts(texts)
    assert numbers.tolist() == [len(one) for one in expected]
    assert lengths.tolist() == [length for one in expected for length in one]


def test_runs_are_what_lies_between():
    begin, end, counts = runs_of_lengths(np.array([2, 3, 1, 0, 4]), np.array([2, 3]))
    assert (begin.tolist(), end.tolist(), counts.tolist()) == ([2], [5], [1, 0])


@pytest.mark.parametrize("seed", range(4))
def test_all_twelve_numbers_of_masks_are_those_of_pycocotools(tmp_path, seed):
    pytest.importorskip("pycocotools.mask")
    truth, found, _ = with_masks(seed, images=10 + 5 * seed, classes=1 + seed, crowds=0.2)
    path, system = written(tmp_path, truth, a=found)
    expected = theirs(path, system, shape="segm").stats
    assert ours(path, system) == pytest.approx(expected, abs=1e-12)


def test_masks_are_compared_where_there_are_no_boxes_or_where_that_is_asked(tmp_path):
    pytest.importorskip("pycocotools.mask")
    truth, found, _ = with_masks(2)
    path, system = written(tmp_path, truth, a=found)
    by_mask = karat.read_boxes(path, system)
    assert by_mask.truth.masks is not None
    assert any("by their masks" in note for note in by_mask.score(measure="mAP").notes())
    by_box = karat.read_boxes(path, system, using={"shape": "box"})
    assert by_box.truth.masks is None
    boxes = by_box.systems[0].box
    np.testing.assert_array_equal(boxes, by_mask.systems[0].box)
    both = [{**one, "bbox": box.tolist()} for one, box in zip(found, boxes, strict=True)]
    written(tmp_path, truth, a=both)
    plain = karat.read_boxes(path, system)
    assert plain.truth.masks is None
    assert any("shape=mask" in note for note in plain.notes())
    asked = karat.read_boxes(path, system, using={"shape": "mask"})
    assert asked.score().to_json() == by_mask.score().to_json()


def test_every_question_can_be_asked_of_masks(tmp_path):
    pytest.importorskip("pycocotools.mask")
    truth, one, other = with_masks(4, images=30)
    path, *systems = written(tmp_path, truth, a=one, b=other)
    bench = karat.read_boxes(path, systems)
    assert len(bench.compare().rows()) == 1
    assert bench.stability(label_error=0.03).rows()
    assert bench.boxes(matching="both").rows()
    assert bench.prevalence(to=0.5).rows()


def reading(folder, segmentation, **options):
    truth, found, _ = made(1, images=5, crowds=0)
    for row in (*truth["annotations"], *found):
        row["segmentation"] = [[0, 0, 9, 0, 9, 9]]
    found[0]["segmentation"] = segmentation
    path, system = written(folder, truth, a=found)
    return karat.read_boxes(path, system, using={"shape": "mask"}, **options)


@pytest.mark.parametrize(
    ("segmentation", "words"),
    [
        (
            [],
            "result 1 has no segmentation; give one, or compare boxes with using={'shape': 'box'}",
        ),
        ("mask.png", r"the segmentation of result 1 is 'mask.png'; it is \[\[x, y"),
        ([[0, 0, 9, 9]], r"a polygon of result 1 is .*; it is x, y of three corners or more"),
        ([[0, 0, 9, 9, 4]], "three corners or more"),
        ([[0, 0, "a", 9, 4, 5]], "the segmentation of result 1"),
        ({"size": [640, 480], "counts": "52"}, r"its image has \[480, 640\]"),
        ({"size": [480], "counts": [1]}, r"the size of the mask of result 1 is \[480\]"),
        ({"size": [480, 640], "counts": [-1, 5]}, "are not run lengths of an image of 307,200"),
        ({"size": [480, 640], "counts": [307200, 5]}, "are not run lengths"),
        ({"size": [480, 640], "counts": "5é"}, "are not run lengths"),
        ({"size": [480, 640], "counts": "oooooooooooooooo"}, "are not run lengths"),
        ({"size": [480, 640], "counts": [1.5, "a"]}, "are not whole numbers"),
    ],
)
def test_bad_masks_are_named(tmp_path, segmentation, words):
    with pytest.raises(InputError, match=words):
        reading(tmp_path, segmentation)


@pytest.mark.parametrize("width", [None, 0, -8, float("inf"), 10**30])
def test_polygons_need_the_sizes_of_their_images(tmp_path, width):
    truth, found, _ = made(1, images=5, crowds=0)
    for row in (*truth["annotations"], *found):
        row["segmentation"] = [[0, 0, 9, 0, 9, 9]]
    for image in truth["images"]:
        image["width"] = width
    path, system = written(tmp_path, truth, a=found)
    with pytest.raises(InputError, match="is a polygon in an image of unknown size"):
        karat.read_boxes(path, system, using={"shape": "mask"})


def test_corners_far_from_the_image_are_named(tmp_path):
    with pytest.raises(InputError, match="has a corner more than 1,000,000 pixels away"):
        reading(tmp_path, [[0, 0, 9, 10**30, 9, 9]])


def test_shapes_are_boxes_or_masks(tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({}))
    with pytest.raises(OptionError, match="it takes box or mask"):
        karat.read_boxes(path, path, using={"shape": "segm"})
