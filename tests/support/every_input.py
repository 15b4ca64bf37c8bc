"""Inputs beside those of `valid_inputs`: boxes, images, workbooks, databases, lists, and graphs turned into others."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import openpyxl
from PIL import Image

import karat
from karat.ask.checked_lists import is_checked_list, read_lists
from karat.ask.counts import leaderboard
from karat.boxes.bench import read_boxes
from karat.graphs import check_graphs, convert_graphs, show_graph
from karat.questions.repeat import earlier_result
from karat.serve.journal import Journal
from support.formulas import inkml
from support.valid_inputs import (
    COLUMNS,
    CSV,
    INPUTS,
    LATEX,
    LG,
    LM_EVAL,
    MATHML,
    SAMPLES,
    Input,
    Scored,
    in_gzip,
    in_zip,
    plain,
)

BOX = {"image_id": 1, "category_id": 3, "bbox": [1, 2, 30, 40]}
COCO = {
    "images": [{"id": 1, "width": 64, "height": 48, "file_name": "a.jpg"}],
    "categories": [{"id": 3, "name": "cat"}],
    "annotations": [BOX | {"id": 1, "area": 1200.0, "iscrowd": 0}],
}
FOUND = [BOX | {"score": 0.5}]
POLYGON = [[1, 1, 9, 1, 9, 8, 1, 8]]
IN_TEXT = {"size": [48, 64], "counts": "05Y1020000000001bS1"}
IN_NUMBERS = {"size": [48, 64], "counts": [10, 5, 43, 5, 3009]}
MASKS = [BOX | {"segmentation": mask, "score": 0.5} for mask in (POLYGON, IN_TEXT, IN_NUMBERS)]
MASK_TRUTH = COCO | {"annotations": [BOX | {"id": 1, "segmentation": POLYGON}]}
VOC = (
    "<annotation><size><width>64</width><height>48</height></size><object><name>cat</name><difficult>0</difficult>"
    "<score>0.5</score><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox></object></annotation>"
)
PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page imageWidth="64" imageHeight='
    '"48"><TextRegion id="r1" type="heading" custom="structure {type:title;}"><Coords points="1,2 30,2 30,40 1,40" '
    'conf="0.5"/></TextRegion><TableRegion><Coords><Point x="1" y="2"/><Point x="9" y="9"/><Point x="1" y="9"/>'
    "</Coords></TableRegion></Page></PcGts>"
)
HOCR = (
    '<html><body><div class="ocr_page" title="image p.png; bbox 0 0 100 200"><div class="ocr_carea" '
    'title="bbox 1 2 30 40; x_wconf 95"></div></div></body></html>'
)
PLAIN_BOXES = "image,label,x,y,width,height,score\na,cat,1,2,30,40,0.5\nb,cat,,,,,\n"
JSON_BOXES = '[{"image": "a", "label": "cat", "x1": 1, "y1": 2, "x2": 30, "y2": 40, "score": 0.5}]'
HARNESS = json.dumps(
    {
        "results": {"sums": {"acc,none": 0.5, "acc_stderr,none": 0.1}},
        "n-samples": {"sums": {"effective": 4, "original": 4}},
        "config": {"model": "a"},
        "model_name": "a",
    }
)
BRAT = "T1\tPER 0 3\tAnn\nR1\tin Arg1:T1 Arg2:T2\nT2\tLOC 7 11\tRome\n"
CHECKED = "draw,item,given,right,q,list\n1,3,cat,dog,0.25,abc\n2,4,bird,,0.5,abc\n"
BOARD = "model,accuracy,n\na,0.85,100\nb,90.5%,200\n"
RESULT = json.dumps(
    {
        "karat": "0.1.0",
        "signature": "karat 0.1.0 | score --per class | f1 | level=0.95 bound='exact' | tally=abc8b44e4b7e",
        "rows": [{"system": "a", "value": 0.5}],
    }
)
FORMULA = (
    "O, o1, x, 1.0, s3, s4\nO, o2, 2, 1.0, s5\nO, o3, \\frac, 1.0, s6\nO, o4, y, 1.0, s7\nR, o1, o2, Sup\n"
    "R, o1, o3, Right\nR, o3, o4, Below, 0.5\n"
)
JOURNAL = (
    '{"kind": "begin", "list": "abc"}\n'
    '{"kind": "label", "sequence": 1, "draw": 1, "item": "3", "right": "dog", "note": "", "q": 0.25, '
    '"answers_seen": false, "time": "2025-01-01"}\n{"kind": "answers", "draw": 2}\n'
)


class Boxes:
    """Reads boxes of a truth and of a system and scores them."""

    def __init__(self, truth: str, system: str, **using: object) -> None:
        self.truth = truth
        self.system = system
        self.using = using

    def __call__(self, folder: Path) -> object:
        return self._read(folder).score(draws=5)

    def parse(self, folder: Path) -> object:
        return self._read(folder)

    def _read(self, folder: Path) -> karat.Bench:
        using = {}
        for name, value in self.using.items():
            is_file = isinstance(value, str) and value.startswith("@")
            using[name] = str(folder / value[1:]) if is_file else value
        return read_boxes(folder / self.truth, [folder / self.system], using=using)


class Parsed:
    """Reads a file in a way of its own, without an engine."""

    def __init__(self, read: Callable[[Path], object]) -> None:
        self.read = read

    def __call__(self, folder: Path) -> object:
        return self.read(folder)

    parse = __call__


def _boxes(truth: str, system: str, ending: str, **using: object) -> Input:
    names = f"truth{ending}", f"a{ending}"
    files = dict(zip(names, (plain(truth), plain(system)), strict=True))
    return Input(files, Boxes(*names, **using))


def _parsed(name: str, text: str | bytes, read: Callable[[Path], object]) -> Input:
    return Input({name: plain(text)}, Parsed(lambda folder: read(folder / name)))


def _workbook() -> Mapping[str, bytes]:
    book = openpyxl.Workbook()
    for row in zip(*([name, *values] for name, values in COLUMNS.items()), strict=True):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _database() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table answers (item, truth, a)")
    connection.executemany(
        "insert into answers values (?, ?, ?)", [("1", "x", "x"), ("2", "y", None)]
    )
    connection.commit()
    return connection.serialize()


def _image(ending: str, values: object) -> bytes:
    out = io.BytesIO()
    if ending == "npy":
        np.save(out, np.asarray(values))
    else:
        Image.fromarray(np.asarray(values)).save(out, ending)
    return out.getvalue()


def _images(ending: str, values: object, **options: object) -> Input:
    mask = plain(_image(ending, np.eye(6, dtype=np.uint8) * 255))
    answer = plain(_image(ending, values))
    name = f"a.{ending}"
    return Input({f"truth/{name}": mask, f"b/{name}": answer}, Scored("truth", "b", **options))


def _converted(name: str, text: str | bytes, to: str) -> Input:
    return _parsed(name, text, lambda path: convert_graphs([path], to=to).together())


def _labels(path: Path) -> object:
    return is_checked_list(path), read_lists([path])


def _journal(path: Path) -> object:
    journal = Journal(path, "abc")
    journal.close()
    return journal.labels


MARKS = np.arange(36, dtype=np.uint8).reshape(6, 6)
FURTHER = {
    "boxes of coco": _boxes(json.dumps(COCO), json.dumps(FOUND), ".json"),
    "boxes of coco, gzip": Input(
        {"truth.json.gz": in_gzip(json.dumps(COCO)), "a.json.gz": in_gzip(json.dumps(FOUND))},
        Boxes("truth.json.gz", "a.json.gz"),
    ),
    "masks of coco": _boxes(json.dumps(MASK_TRUTH), json.dumps(MASKS), ".json", shape="mask"),
    "voc": Input({"truth/1.xml": plain(VOC), "a/1.xml": plain(VOC)}, Boxes("truth", "a")),
    "page": _boxes(PAGE, PAGE, ".xml"),
    "page, outlines": _boxes(PAGE, PAGE, ".xml", shape="mask"),
    "hocr": _boxes(HOCR, HOCR, ".hocr"),
    "boxes in csv": _boxes(PLAIN_BOXES, PLAIN_BOXES, ".csv"),
    "boxes in json": _boxes(JSON_BOXES, JSON_BOXES, ".json"),
    "yolo": Input(
        {
            "truth/1.txt": plain("0 0.5 0.5 0.2 0.2\n1 0.1 0.1 0.2 0.2\n"),
            "a/1.txt": plain("0 0.5 0.5 0.2 0.2 0.9\n"),
            "names.yaml": plain("names:\n  0: cat\n  1: dog\n"),
            "sizes.csv": plain("image,width,height\n1,64,48\n"),
        },
        Boxes("truth", "a", names="@names.yaml", sizes="@sizes.csv"),
    ),
    "png": _images("png", MARKS),
    "png, objects": _images("png", np.eye(6, dtype=np.uint8) * 255, using={"unit": "object"}),
    "tiff": _images("tiff", MARKS / np.float32(36)),
    "gif": _images("gif", MARKS),
    "npy": _images("npy", MARKS / 36),
    "xlsx": Input({"t.xlsx": in_zip(_workbook())}, Scored("t.xlsx")),
    "sqlite": Input({"t.db": plain(_database())}, Scored("t.db")),
    "table in a zip": Input({"t.zip": in_zip({"t.csv": CSV.encode()})}, Scored("t.zip")),
    "results of lm-eval": Input(
        {
            "m/results_2025-01-02T03-04-05.678901.json": plain(HARNESS),
            f"m/{LM_EVAL}": plain(SAMPLES),
        },
        Scored("m"),
    ),
    "brat": Input({"t.ann": plain(BRAT), "a.ann": plain(BRAT)}, Scored("t.ann", "a=a.ann")),
    "checked list": _parsed("l.csv", CHECKED, _labels),
    "journal": _parsed("l.journal", JOURNAL, _journal),
    "leaderboard": _parsed("b.csv", BOARD, lambda path: leaderboard(str(path))),
    "earlier result": _parsed("r.json", RESULT, lambda path: earlier_result(str(path))),
    "lg to latex": _converted("a.lg", FORMULA, "latex"),
    "lg to mathml": _converted("a.lg", FORMULA, "mathml"),
    "lg to dot": _converted("a.lg", FORMULA, "dot"),
    "latex to lg": _converted("a.tex", LATEX.partition("\n")[0], "lg"),
    "mathml to latex": _converted("a.mml", MATHML, "latex"),
    "lg, checked": _parsed("a.lg", LG, lambda path: check_graphs([path]).rows()),
    "lg, drawn": _parsed("a.lg", LG, lambda path: show_graph(str(path))),
    "inkml, drawn": _parsed("a.inkml", inkml(), lambda path: show_graph(str(path))),
}
EVERY_INPUT = INPUTS | FURTHER
