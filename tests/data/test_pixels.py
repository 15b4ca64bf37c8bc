"""Boundaries in natural images, written as masks and score maps, give the curves of the table of their cells."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.questions.agreement_levels import agreement_in_images, agreement_levels

Image = pytest.importorskip("PIL.Image")

DATA = Path(__file__).parents[3] / "shared" / "data" / "bsds500_boundaries" / "cells.csv.gz"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.exists(), reason="needs the real data beside the project"),
]
ANNOTATORS = ("a1", "a2", "a3", "a4", "a5")
SYSTEMS = ("gpb_owt_ucm", "sobel", "canny")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The cells of each image as pixels: a folder for each annotator and each detector."""
    home = tmp_path_factory.mktemp("boundaries")
    cells = {}
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cells.setdefault(row["image"], []).append(row)
    for image, rows in cells.items():
        place = tuple(np.array([[int(row["row"]), int(row["col"])] for row in rows]).T)
        shape = tuple(part.max() + 1 for part in place)
        for name in (*ANNOTATORS, *SYSTEMS):
            is_mask = name in ANNOTATORS
            values = np.zeros(shape, np.uint8 if is_mask else np.uint16)
            assert len(rows) == values.size
            values[place] = [int(row[name]) for row in rows]
            folder = home / "annotators" / name if is_mask else home / name
            folder.mkdir(parents=True, exist_ok=True)
            Image.fromarray(values * 255 if is_mask else values).save(folder / f"{image}.png")
    return home


def test_the_curves_are_those_of_the_table(folders):
    table = karat.read(DATA, truth="a1", systems=SYSTEMS, cluster="image", kinds={"": "score"})
    paths = [str(folders / name) for name in ("annotators/a1", *SYSTEMS)]
    images = karat.read(paths)
    assert images.facts.counts.items == table.facts.counts.items
    asked = {"low": 0.01, "high": 0.5, "draws": 0, "seed": 2}
    first, second = table.skew(**asked), images.skew(**asked)
    for one, other in zip(first.rows(), second.rows(), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    first, second = (bench.compare(measure="roc-area") for bench in (table, images))
    for one, other in zip(first.rows(), second.rows(), strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_the_levels_of_agreement_are_those_of_the_table(folders):
    table = agreement_levels(DATA, annotators=ANNOTATORS, systems=["sobel"], cluster="image")
    images = agreement_in_images([str(folders / "annotators"), str(folders / "sobel")])
    for one, other in zip(table.rows(), images.rows(), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    for key, curve in table.curves.items():
        assert np.array_equal(curve.tpr, images.curves[key].tpr)
        assert np.array_equal(curve.fpr, images.curves[key].fpr)
