"""COCO's twelve numbers by karat and by pycocotools."""

import contextlib
import io

import pytest

import karat


def ours(path, system):
    """Karat's twelve numbers; undefined ones are -1, as pycocotools has them."""
    rows = karat.read_boxes(path, system).score().rows()
    return [-1.0 if row["value"] is None else row["value"] for row in rows]


def theirs(path, system, shape="bbox"):
    """What pycocotools evaluates."""
    coco = pytest.importorskip("pycocotools.coco")
    evaluation = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        truth = coco.COCO(str(path))
        evaluated = evaluation.COCOeval(truth, truth.loadRes(str(system)), shape)
        evaluated.evaluate()
        evaluated.accumulate()
        evaluated.summarize()
    return evaluated
