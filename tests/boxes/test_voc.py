"""Pascal VOC: annotations, results a class a file, difficult objects; and the names and columns of other tools."""

import pytest

import karat
from karat.boxes.formats.class_names import class_names
from karat.boxes.formats.recognise import shape
from karat.errors import InputError

OBJECT = """<object><name>{}</name><difficult>{}</difficult>{}
<bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object>"""


def voc(folder, **images):
    """Write a folder of annotations: of each image a class, whether it is difficult, a score, and corners."""
    folder.mkdir()
    for image, objects in images.items():
        parts = []
        for label, difficult, score, corners in objects:
            confidence = "" if score is None else f"<score>{score}</score>"
            parts.append(OBJECT.format(label, difficult, confidence, *corners))
        size = "<size><width>100</width><height>80</height><depth>3</depth></size>"
        text = f"<annotation><filename>{image}.jpg</filename>{size}{''.join(parts)}</annotation>"
        (folder / f"{image}.xml").write_text(text)
    return folder


@pytest.fixture
def truth(tmp_path):
    pytest.importorskip("lxml")
    return voc(
        tmp_path / "Annotations",
        p1=[("dog", 0, None, (10, 10, 50, 50)), ("dog", 1, None, (60, 10, 90, 50))],
        p2=[("dining_table", 0, None, (0, 0, 40, 30))],
        p3=[],
    )


def test_annotations_are_read_with_sizes_and_empty_images(truth):
    assert shape(truth) == "voc"
    bench = karat.read_boxes(truth, {"same": truth})
    assert bench.truth.gallery.images == ("p1", "p2", "p3")
    assert bench.truth.box.tolist() == [[10, 10, 40, 40], [60, 10, 30, 40], [0, 0, 40, 30]]
    assert bench.truth.gallery.sizes.tolist() == [[100, 80]] * 3
    assert any("1 of them marked difficult" in note for note in bench.notes())


def test_what_is_difficult_is_neither_to_be_found_nor_wrong(truth, tmp_path):
    """Two boxes on the difficult object count for nothing; a third elsewhere is wrong."""
    found = voc(
        tmp_path / "found",
        p1=[
            ("dog", 0, 0.9, (10, 10, 50, 50)),
            ("dog", 0, 0.95, (60, 10, 90, 50)),
            ("dog", 0, 0.94, (61, 10, 90, 50)),
        ],
        p2=[("dining_table", 0, 0.9, (0, 0, 40, 30)), ("dog", 0, 0.8, (60, 60, 90, 70))],
        p3=[],
    )
    bench = karat.read_boxes(truth, {"found": found})
    assert bench.score(measure="mAP@0.5").rows()[0]["value"] == 1
    row = bench.boxes(matching="greedy").rows()[0]
    assert (row["true"], row["boxes"], row["right"], row["spurious"]) == (2, 3, 2, 1)
    optimal = karat.read_boxes(truth, {"found": found}, using={"matching": "optimal"})
    assert optimal.score(measure="mAP@0.5").rows()[0]["value"] == 1


def test_results_are_text_files_of_classes_or_a_table(truth, tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    (results / "comp4_det_test_dog.txt").write_text("p1 0.9 10 10 50 50\np2 0.3 0 0 9 9\n")
    (results / "comp4_det_test_dining_table.txt").write_text("p2 0.9 0 0 40 30\n")
    table = tmp_path / "table.csv"
    lines = [
        "filename,xmin,ymin,xmax,ymax,class,score",
        "p1.jpg,10,10,50,50,dog,0.9",
        "p2.jpg,0,0,9,9,dog,0.3",
        "p2.jpg,0,0,40,30,dining_table,0.9",
    ]
    table.write_text("\n".join(lines))
    bench = karat.read_boxes(truth, {"text": results, "table": table})
    one, other = bench.systems
    assert one.box.tolist() == sorted(other.box.tolist()) or len(one) == len(other) == 3
    values = {row["system"]: row["value"] for row in bench.score(measure="mAP@0.5").rows()}
    assert values == {"text": 1, "table": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<annotation><object><name>a</name></object></annotation>", "has a name and a bndbox"),
        ("<html/>", "its outermost element is html, not annotation"),
        (f"<annotation>{OBJECT.format('a', 0, '', 1, 'x', 3, 4)}</annotation>", "ymin is 'x'"),
    ],
)
def test_bad_annotations_are_named(truth, text, words):
    (truth / "p2.xml").write_text(text)
    with pytest.raises(InputError, match=words):
        karat.read_boxes(truth, {"a": truth}, format="voc")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("classes.txt", "cat\ndog\n"),
        ("data.yaml", "path: x\nnames:\n  0: cat  # a comment\n  1: 'dog'\nnc: 2\n"),
        ("data.yaml", "nc: 2\nnames: ['cat', \"dog\"]\n"),
        ("data.yml", "names:\n- cat\n- dog\ntrain: a\n"),
        ("data.yaml", "names: {0: cat, 1: dog}\n"),
    ],
)
def test_names_of_classes_are_lines_or_yaml(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    assert class_names(path) == {0: "cat", 1: "dog"}


def test_yaml_without_names_is_refused(tmp_path):
    path = tmp_path / "data.yaml"
    path.write_text("train: a\n")
    with pytest.raises(InputError, match="has no names"):
        class_names(path)


def labels(folder, **images):
    folder.mkdir(parents=True)
    for image, text in images.items():
        (folder / f"{image}.txt").write_text(text)
    return folder


def test_yolo_takes_the_names_beside_its_truth_and_empty_images_from_sizes(tmp_path):
    truth = labels(tmp_path / "labels", p1="1 0.5 0.5 0.2 0.2\n", classes="cat\ndog\n")
    found = labels(tmp_path / "run", p1="1 0.5 0.5 0.2 0.2 0.9\n", p2="0 0.5 0.5 0.2 0.2 0.3\n")
    with pytest.raises(
        InputError, match="An image without an object needs an empty file, or a size"
    ):
        karat.read_boxes(truth, {"a": found})
    sizes = tmp_path / "sizes.csv"
    sizes.write_text("image,width,height\np1.jpg,100,100\np2.jpg,100,100\n")
    bench = karat.read_boxes(truth, {"a": found}, using={"sizes": str(sizes)})
    assert bench.truth.gallery.images == ("p1", "p2")
    assert bench.truth.gallery.classes == ("cat", "dog")


def test_yolo_in_pixels_is_refused(tmp_path):
    truth = labels(tmp_path / "labels", p1="1 50 50 20 20\n")
    with pytest.raises(InputError, match="is in pixels; YOLO's boxes are parts of the image"):
        karat.read_boxes(truth, {"a": truth})


def test_columns_of_open_images(tmp_path):
    """A box that stands for a group is as a crowd: what lies in it is not wrong."""
    truth = tmp_path / "truth.csv"
    truth.write_text(
        "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsGroupOf\n"
        "a1,x,/m/01,1,0.1,0.3,0.1,0.3,0,0\na1,x,/m/01,1,0.5,0.9,0.5,0.9,0,1\n"
    )
    found = tmp_path / "found.csv"
    found.write_text(
        "ImageID,LabelName,Score,XMin,XMax,YMin,YMax\n"
        "a1,/m/01,0.8,0.1,0.3,0.1,0.3\na1,/m/01,0.9,0.6,0.7,0.6,0.7\n"
    )
    assert shape(truth) == "boxes"
    bench = karat.read_boxes(truth, found)
    assert bench.truth.crowd.tolist() == [False, True]
    assert bench.score(measure="mAP@0.5").rows()[0]["value"] == 1


def test_boxes_in_one_column(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('image_id,width,height,bbox\na,640,480,"[834.0, 222.0, 56.0, 36.0]"\n')
    bench = karat.read_boxes(path, {"same": path})
    assert bench.truth.box.tolist() == [[834, 222, 56, 36]]
    path.write_text('image_id,bbox\na,"[834.0, 222.0]"\n')
    with pytest.raises(InputError, match=r"line 2: bbox is .*; it is \[x, y, width, height\]"):
        karat.read_boxes(path, {"same": path})


def test_classes_of_another_set_are_refused(tmp_path):
    truth = tmp_path / "truth.csv"
    truth.write_text("image,class,x,y,w,h\na,dog,0,0,9,9\n")
    found = tmp_path / "found.csv"
    found.write_text("image,class,x,y,w,h\na,18,0,0,9,9\n")
    with pytest.raises(InputError, match=r"its classes are '18', and none is one of .* 'dog'"):
        karat.read_boxes(truth, found)
