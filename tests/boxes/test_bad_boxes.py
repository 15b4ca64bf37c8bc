"""Files of boxes that are wrong: each is named, with the place and what to do."""

import json

import pytest

import karat
from karat.errors import InputError, KaratError, OptionError
from support.boxes import made, written


@pytest.fixture
def files():
    truth, found, _ = made(1, images=5)
    return truth, found


def reading(folder, truth, found, **options):
    path, system = written(folder, truth, a=found)
    return karat.read_boxes(path, system, **options)


def changed(found, **values):
    return [{**found[0], **values}, *found[1:]]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"score": float("nan")}, r"the score of result 1 is nan; it is a finite number"),
        ({"score": "high"}, r"the score of result 1 is 'high'; it is a number"),
        (
            {"bbox": [1, 2, 3]},
            r"the bbox of result 1 is \[1, 2, 3\]; it is \[x, y, width, height\]",
        ),
        ({"bbox": [0, 0, -5, 5]}, r"result 1 is \[0.0, 0.0, -5.0, 5.0\]; its width and height"),
        ({"bbox": [0, 0, float("inf"), 5]}, r"its numbers are finite"),
        ({"image_id": 999}, r"result 1 has the image_id 999, which is not among the images"),
    ],
)
def test_a_bad_result_is_named(tmp_path, files, values, words):
    truth, found = files
    with pytest.raises(InputError, match=words):
        reading(tmp_path, truth, changed(found, **values))


@pytest.mark.parametrize("height", [[480], "tall", 10**400])
def test_a_size_that_is_no_number_is_named(tmp_path, files, height):
    truth, found = files
    truth["images"][1]["height"] = height
    name = truth["images"][1]["id"]
    with pytest.raises(InputError, match=f"the height of the image {name} is .*; it is a number"):
        reading(tmp_path, truth, found)


def test_a_result_of_another_set_is_refused_and_left_out_where_that_is_asked(tmp_path, files):
    truth, found = files
    bad = changed(found, image_id=999)
    with pytest.raises(InputError, match="is it of another set"):
        reading(tmp_path, truth, bad)
    bench = reading(tmp_path, truth, bad, lenient=True)
    assert len(bench.systems[0]) == len(found) - 1
    assert any("left out" in note for note in bench.notes())
    others = [{**one, "image_id": one["image_id"] + 5000} for one in found]
    with pytest.raises(InputError, match=r"so have .* other results; is it of another set"):
        reading(tmp_path, truth, others, lenient=True)


def test_a_class_that_the_truth_lacks_is_left_out_with_a_note(tmp_path, files):
    truth, found = files
    bench = reading(tmp_path, truth, changed(found, category_id=77))
    assert any("category_id 77" in note for note in bench.notes())
    with pytest.raises(InputError, match="not among the categories"):
        reading(tmp_path, truth, [{**one, "category_id": 77} for one in found])


def test_boxes_of_no_size_and_outside_are_reported(tmp_path, files):
    truth, found = files
    bench = reading(tmp_path, truth, [*changed(found, bbox=[5, 5, 0, 9])])
    assert any("1 box of no size" in note for note in bench.notes())
    bench = reading(tmp_path, truth, changed(found, bbox=[7000, 5, 10, 9]))
    assert any("1 box lies outside" in note for note in bench.notes())


def test_of_an_image_of_unknown_height_a_box_outside_is_reported_without_it(tmp_path, files):
    truth, found = files
    image = next(one for one in truth["images"] if one["id"] == found[0]["image_id"])
    del image["height"]
    bench = reading(tmp_path, truth, changed(found, bbox=[-90, 0, 5, 5]))
    (note,) = [note for note in bench.notes() if "outside of" in note]
    assert "[-90.0, 0.0, 5.0, 5.0]; are they in pixels" in note


def test_results_without_a_shape_are_named(tmp_path, files):
    truth, found = files
    bare = [
        {name: value for name, value in found[0].items() if name != "bbox"},
        *found[1:],
    ]
    with pytest.raises(
        InputError, match=r"result 1 has no 'bbox', which is \[x, y, width, height\]"
    ):
        reading(tmp_path, truth, bare)


def test_results_without_scores_are_no_results(tmp_path, files):
    truth, _ = files
    annotations = [
        {name: one[name] for name in ("image_id", "category_id", "bbox")}
        for one in truth["annotations"]
    ]
    with pytest.raises(InputError, match="result 1 has no 'score'"):
        reading(tmp_path, truth, annotations)


@pytest.mark.parametrize(
    ("part", "words"),
    [("images", "two entries of 'images' have the id"), ("annotations", "two annotations")],
)
def test_two_of_the_same_id_are_refused(tmp_path, files, part, words):
    truth, found = files
    truth[part].append(truth[part][0])
    with pytest.raises(InputError, match=words):
        reading(tmp_path, truth, found)


def test_a_file_that_is_cut_is_named_with_its_line(tmp_path, files):
    path, system = written(tmp_path, files[0], a=files[1])
    system.write_text(system.read_text()[:200])
    with pytest.raises(InputError, match=r"a.json, line 1, column \d+: not valid JSON"):
        karat.read_boxes(path, system)


def test_a_truth_is_no_list(tmp_path, files):
    path, system = written(tmp_path, files[0], a=files[1])
    path.write_text(json.dumps({"images": [], "annotations": {}}))
    with pytest.raises(InputError, match="needs the lists images, annotations and categories"):
        karat.read_boxes(path, system)


def test_invalid_xml_is_named_with_its_line(tmp_path):
    pytest.importorskip("lxml")
    for name in ("gold", "a"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p.xml").write_text("<PcGts>\n<Page>\n</PcGts>")
    with pytest.raises(InputError, match=r"p.xml, line 3: not well-formed XML"):
        karat.read_boxes(tmp_path / "gold", tmp_path / "a")


@pytest.mark.parametrize("where", ["gold", "labels/val"])
def test_outlines_of_yolo_are_refused_as_such(tmp_path, where):
    for name in (where, "a"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "p.txt").write_text("0 0.1 0.1 0.25 0.1 0.25 1 .1 1.0\n")
    with pytest.raises(InputError, match=r"p\.txt, line 1 has 9 numbers; .* outlines are not read"):
        karat.read_boxes(tmp_path / where, tmp_path / "a")


def test_labels_of_yolo_in_folders_of_a_folder(tmp_path):
    for name in ("labels/train", "labels/val", "a"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "p.txt").write_text("0 0.5 0.5 0.1 0.1\n")
    inside = r"labels holds no \.txt; .* name a folder in it: '.*labels/train', '.*labels/val'"
    with pytest.raises(InputError, match=inside):
        karat.read_boxes(tmp_path / "labels", tmp_path / "a")


def test_a_line_of_yolo_that_is_no_box(tmp_path):
    for name in ("gold", "a"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p.txt").write_text("0 0.5 0.5 0.1 0.1\n0 0.5 x 0.1 0.1\n")
    with pytest.raises(InputError, match=r"p.txt, line 2: .* is not a box; write class"):
        karat.read_boxes(tmp_path / "gold", tmp_path / "a", format="yolo")


@pytest.mark.parametrize(
    ("using", "words"),
    [
        ({"matching": "best"}, "it takes greedy or optimal"),
        ({"overlap": 1.5}, "it must be above 0 and at most 1"),
        ({"most": "many"}, "it is a number"),
        ({"matchin": "greedy"}, "did you mean 'matching'"),
    ],
)
def test_options_out_of_range(tmp_path, files, using, words):
    with pytest.raises(KaratError, match=words):
        reading(tmp_path, *files, using=using)


def test_measures_of_tables_are_refused_with_those_of_boxes(tmp_path, files):
    bench = reading(tmp_path, *files)
    with pytest.raises(OptionError, match="accuracy is not a measure of boxes"):
        bench.score(measure="accuracy")
    with pytest.raises(OptionError, match="is of one class"):
        bench.score(measure="class-AP")
    with pytest.raises(OptionError, match="no class is called 'unicorn'"):
        bench.score(measure="class-AP[unicorn]")
    with pytest.raises(OptionError, match="a comparison needs two"):
        bench.compare()


def test_images_may_be_named_by_text_or_by_their_files(tmp_path, files):
    truth, found = files
    expected = reading(tmp_path, truth, found).score().rows()
    names = {one["id"]: one["file_name"] for one in truth["images"]}
    for called in (str, names.get, lambda own: names[own].removesuffix(".jpg")):
        renamed = [{**one, "image_id": called(one["image_id"])} for one in found]
        bench = reading(tmp_path, truth, renamed)
        assert bench.score().rows() == expected
        assert any("are taken as" in note for note in bench.notes())


def test_classes_counted_from_nothing_are_suspicious(tmp_path, files):
    truth, found = files
    renumbered = [{**one, "category_id": (one["category_id"] - 1) // 2} for one in found]
    bench = reading(tmp_path, truth, renumbered)
    assert any("those of classes counted from 0" in note for note in bench.notes())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x, y, w, h: [x, y, x + w, y + h], "are they x1, y1, x2, y2?"),
        (lambda x, y, w, h: [x / 640, y / 480, w / 640, h / 480], "are its boxes parts of the"),
    ],
)
def test_boxes_written_otherwise_are_suspicious(tmp_path, files, change, words):
    truth, found = files
    assert not any("are they" in note for note in reading(tmp_path, truth, found).notes())
    bench = reading(tmp_path, truth, [{**one, "bbox": change(*one["bbox"])} for one in found])
    assert any(words in note for note in bench.notes())


def test_boxes_that_occur_twice_are_counted(tmp_path, files):
    truth, found = files
    bench = reading(tmp_path, truth, [*found, *found[:3]])
    assert any("a.json: 3 boxes are the same as another one" in note for note in bench.notes())
