"""Every format gives the same boxes: COCO, YOLO, plain tables, PAGE-XML, hOCR, and spans of text."""

import json
import struct

import pytest

import karat
from karat.boxes.formats.recognise import shape
from karat.boxes.formats.yolo import picture_size
from karat.errors import InputError
from support.boxes import made, written


@pytest.fixture
def coco(tmp_path):
    truth, found, _ = made(5, images=15, crowds=0)
    return truth, found, written(tmp_path, truth, a=found)


def numbers(bench, measure="mAP,mAP@0.5,mAR@10"):
    return [row["value"] for row in bench.score(measure=measure).rows()]


def yolo_folder(folder, images, rows, *, scores):
    """Write boxes as YOLO does; an image without any has an empty file."""
    folder.mkdir()
    for image in images:
        lines = []
        for row in rows:
            if row["image_id"] != image["id"]:
                continue
            x, y, width, height = row["bbox"]
            parts = [x + width / 2, y + height / 2, width, height]
            sides = [image["width"], image["height"]] * 2
            cells = [(row["category_id"] - 1) // 2]
            cells += [repr(part / side) for part, side in zip(parts, sides, strict=True)]
            if scores:
                cells.append(repr(row["score"]))
            lines.append(" ".join(map(str, cells)))
        (folder / f"{image['id']:04d}.txt").write_text("\n".join(lines))
    return folder


def test_yolo_is_coco_in_parts_of_the_image(coco, tmp_path):
    truth, found, paths = coco
    labels = yolo_folder(tmp_path / "labels", truth["images"], truth["annotations"], scores=False)
    results = yolo_folder(tmp_path / "run", truth["images"], found, scores=True)
    assert shape(labels) == "yolo"
    expected = numbers(karat.read_boxes(*paths))
    assert numbers(karat.read_boxes(labels, results)) == pytest.approx(expected)


def test_yolo_knows_sizes_and_names_if_they_are_given(coco, tmp_path):
    truth, found, _ = coco
    labels = yolo_folder(tmp_path / "labels", truth["images"], truth["annotations"], scores=False)
    results = yolo_folder(tmp_path / "run", truth["images"], found, scores=True)
    sizes = tmp_path / "sizes.csv"
    lines = [f"{image['id']:04d}.jpg,640,480" for image in truth["images"]]
    sizes.write_text("\n".join(["image,width,height", *lines]))
    names = tmp_path / "names.txt"
    names.write_text("cat\ndog\ncow\nhen\n")
    # The sizes of objects are those of their boxes: YOLO has no others.
    for one in truth["annotations"]:
        one["area"] = one["bbox"][2] * one["bbox"][3]
    expected = numbers(karat.read_boxes(*written(tmp_path, truth, a=found)), "mAP-small,mAP-large")
    using = {"sizes": str(sizes), "names": str(names)}
    bench = karat.read_boxes(labels, results, using=using)
    assert numbers(bench, "mAP-small,mAP-large") == pytest.approx(expected)
    assert bench.truth.gallery.classes == ("cat", "cow", "dog", "hen")


def plain_rows(truth, rows):
    names = {one["id"]: one["name"] for one in truth["categories"]}
    table = []
    for row in rows:
        x, y, width, height = row["bbox"]
        cells = {"image": f"{row['image_id']}", "class": names[row["category_id"]]}
        cells |= {"x": x, "y": y, "width": width, "height": height}
        if "score" in row:
            cells["score"] = row["score"]
        table.append(cells)
    return table


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl"])
def test_plain_tables_are_read_by_their_columns(coco, tmp_path, ending):
    truth, found, paths = coco
    known = {one["image_id"] for one in truth["annotations"]}
    empty = [{"image": str(one["id"])} for one in truth["images"] if one["id"] not in known]
    files = []
    for name, rows in (("gold", truth["annotations"]), ("b", found)):
        table = plain_rows(truth, rows) + (empty if name == "gold" else [])
        files.append(_written_table(tmp_path / f"{name}.{ending}", table))
    assert shape(files[0]) == "boxes"
    expected = numbers(karat.read_boxes(*paths))
    assert numbers(karat.read_boxes(*files)) == pytest.approx(expected)


def _written_table(path, rows):
    if path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        names = list(rows[0])
        mark = "," if path.suffix == ".csv" else "\t"
        lines = [mark.join(str(row.get(name, "")) for name in names) for row in rows]
        path.write_text("\n".join([mark.join(names), *lines]))
    return path


def test_corners_are_boxes_too(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("page,xmin,ymin,xmax,ymax,label\np1,10,10,30,50,table\np1,0,60,30,90,text\n")
    found = tmp_path / "a.csv"
    found.write_text(
        "page,xmin,ymin,xmax,ymax,label,confidence\np1,10,10,30,50,table,0.9\np1,0,60,30,90,table,0.8\n"
    )
    row = karat.read_boxes(gold, found).boxes(matching="optimal").rows()[0]
    assert (row["true"], row["found"], row["right"], row["wrong_class"]) == (2, 2, 1, 1)


def test_spans_of_text_overlap_as_boxes_do(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("document,start,end,label\nd1,0,10,person\nd1,20,30,place\n")
    found = tmp_path / "a.csv"
    found.write_text("document,start,end,label\nd1,0,8,person\nd1,26,40,place\n")
    bench = karat.read_boxes(gold, found, format="boxes")
    row = bench.boxes(matching="optimal").rows()[0]
    # 8 of 10 characters are shared by the first two spans, 4 of 20 by the others.
    assert (row["found"], row["right"], row["missed"], row["spurious"]) == (1, 1, 1, 1)


def test_a_span_that_ends_before_it_starts_is_refused(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("document,start,end,label\nd1,10,0,person\n")
    with pytest.raises(InputError, match="line 2: a span from 10 to 0 ends before it starts"):
        karat.read_boxes(path, {"a": path}, format="boxes")


PAGE = """<?xml version="1.0"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="p.png" imageWidth="100" imageHeight="200">
<TextRegion id="r1" type="paragraph"><Coords points="{}"/></TextRegion>
<ImageRegion id="r2">
<Coords><Point x="10" y="100"/><Point x="90" y="100"/><Point x="90" y="190"/></Coords></ImageRegion>
</Page></PcGts>"""


def test_regions_of_pages_are_the_boxes_around_them(tmp_path):
    pytest.importorskip("lxml")
    for name, points in (("gold", "10,10 90,10 90,50 10,50"), ("a", "10,12 88,10 90,50 10,50")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p1.xml").write_text(PAGE.format(points))
    assert shape(tmp_path / "gold") == "page"
    bench = karat.read_boxes(tmp_path / "gold", tmp_path / "a")
    assert bench.truth.gallery.classes == ("ImageRegion", "TextRegion:paragraph")
    assert bench.truth.box.tolist() == [[10, 10, 80, 40], [10, 100, 80, 90]]
    row = bench.boxes(matching="greedy").rows()[0]
    assert (row["found"], row["right"]) == (2, 2)


HOCR = """<html><body><div class="ocr_page" title="image p.png; bbox 0 0 100 200">
<div class="ocr_carea" title="bbox 10 10 90 50"><span class="ocr_line" title="bbox 10 10 90 20">
<span class="ocrx_word" title="bbox 10 10 40 20; x_wconf 91">a</span></span></div></div></body></html>"""


def test_hocr_has_areas_lines_and_words(tmp_path):
    pytest.importorskip("lxml")
    for name in ("gold.hocr", "a.hocr"):
        (tmp_path / name).write_text(HOCR)
    paths = (tmp_path / "gold.hocr", tmp_path / "a.hocr")
    assert shape(paths[0]) == "hocr"
    areas = karat.read_boxes(*paths)
    assert areas.truth.box.tolist() == [[10, 10, 80, 40]]
    words = karat.read_boxes(*paths, using={"element": "ocrx_word"})
    assert words.systems[0].score.tolist() == [0.91]


def test_an_audit_says_where_a_place_is_and_who_sees_it(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("image,class,x,y,w,h\np1,dog,0,0,10,10\np1,cat,50,0,10,10\n")
    a = tmp_path / "a.csv"
    a.write_text("image,class,x,y,w,h\np1,dog,0,0,10,10\np1,cat,50,0,10,10\np1,cat,80,0,10,10\n")
    b = tmp_path / "b.csv"
    b.write_text("image,class,x,y,w,h\np1,dog,50,0,10,10\n")
    audit = karat.read_boxes(gold, {"a": a, "b": b}).audit(claim="best", seed=1)
    rows = {row["item"]: row for row in audit.next(5).rows()}
    assert {name: rows["p1/+1"][name] for name in ("image", "x", "width", "seen_by")} == {
        "image": "p1",
        "x": 80,
        "width": 10,
        "seen_by": "a",
    }
    assert rows["p1/2"]["seen_by"] == "a b"
    assert any("whose truth is (none)" in note for note in audit.next(5).notes())


def test_the_size_of_a_picture_is_read_from_its_first_bytes(tmp_path):
    png = tmp_path / "a.png"
    png.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 31, 17))
    assert picture_size(png) == (31, 17)
    jpeg = tmp_path / "a.jpg"
    head = b"\xff\xd8" + b"\xff\xe0" + struct.pack(">H", 4) + b"ab"
    frame = b"\xff\xc0" + struct.pack(">HBHH", 11, 8, 17, 31) + b"\0" * 9
    jpeg.write_bytes(head + frame)
    assert picture_size(jpeg) == (31, 17)


TRANSKRIBUS = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15">
<Page imageFilename="p.jpg" imageWidth="100" imageHeight="200">
<TextRegion id="r1" custom="readingOrder {{index:0;}} structure {{type:heading;}}">
<Coords points="{0}" conf="0.9"/>
<TextLine id="l1"><Coords points="10,10 90,10 90,20 10,20"/></TextLine></TextRegion>
<SeparatorRegion id="s1"><Coords points="0,100 99,100 99,104 0,104"/></SeparatorRegion>
</Page></PcGts>"""
SQUARE = "10,10 50,10 50,50 10,50"
TRIANGLE = "10,10 50,10 50,50"


def test_pages_of_transkribus(tmp_path):
    """Types in custom, lines as elements, outlines as masks, and scores that only some regions have."""
    pytest.importorskip("lxml")
    for name, points in (("gold", SQUARE), ("a", TRIANGLE)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p1.xml").write_text(TRANSKRIBUS.format(points))
    paths = (tmp_path / "gold", tmp_path / "a")
    bench = karat.read_boxes(*paths)
    assert bench.truth.gallery.classes == ("SeparatorRegion", "TextRegion:heading")
    assert any("1 of 2 boxes have no score, so none counts" in note for note in bench.notes())
    heading = "class-AP@0.75[TextRegion:heading]"
    assert bench.score(measure=heading).rows()[0]["value"] == 1
    # Half of the square: it overlaps by half, and not by three quarters.
    outlines = karat.read_boxes(*paths, using={"shape": "mask"})
    assert outlines.score(measure=heading).rows()[0]["value"] == 0
    lines = karat.read_boxes(*paths, using={"element": "TextLine"})
    assert lines.truth.box.tolist() == [[10, 10, 80, 10]]
