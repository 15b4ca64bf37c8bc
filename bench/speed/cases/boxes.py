"""Objects in images: COCO's twelve numbers of boxes and of masks, from files."""

import contextlib
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from case import Case, Way
from common import made
from pycocotools import mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import karat

CLASSES, OBJECTS, CORNERS = 80, 7.3, 30
"""About as many objects an image as COCO's validation set has."""
HEIGHT, WIDTH = 480, 640


def detected(kind: str, images: int, false: int) -> Path:
    """Return a folder with a truth and the results of a detector."""
    return made(f"detected-{kind}", partial(_write, kind=kind, images=images, false=false))


def _write(folder: Path, *, kind: str, images: int, false: int) -> None:
    chance = np.random.default_rng(1)
    annotations: list[dict[str, Any]] = []
    results = []
    for image in range(1, images + 1):
        for _ in range(chance.poisson(OBJECTS)):
            label, box = int(chance.integers(CLASSES)), a_box(chance)
            own = {"id": len(annotations) + 1, "image_id": image, "category_id": label}
            annotations.append(own | an_object(chance, box, kind))
            for _ in range(chance.poisson(1.2)):
                moved = box + chance.normal(0, 0.06, 4) * np.tile(box[2:], 2)
                results.append(a_result(chance, image, label, moved, 1, kind))
        results += [
            a_result(chance, image, int(chance.integers(CLASSES)), a_box(chance), -1, kind)
            for _ in range(chance.poisson(false))
        ]
    truth = {
        "images": [{"id": one + 1, "width": WIDTH, "height": HEIGHT} for one in range(images)],
        "categories": [{"id": label, "name": f"c{label}"} for label in range(CLASSES)],
        "annotations": annotations,
    }
    folder.mkdir()
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "found.json").write_text(json.dumps(results))


def a_box(chance: np.random.Generator) -> np.ndarray:
    """Return a box in the image, from 8 to 250 pixels on a side."""
    size = np.exp(chance.uniform(np.log(8), np.log(250), 2))
    return np.concatenate([chance.uniform(0, np.array([WIDTH, HEIGHT]) - size), size])


def an_object(chance: np.random.Generator, box: np.ndarray, kind: str) -> dict[str, Any]:
    own: dict[str, Any] = {"bbox": box.tolist(), "iscrowd": int(chance.random() < 0.01)}
    if kind == "boxes":
        return own | {"area": float(box[2] * box[3])}
    polygon = outline(chance, box)
    area = float(mask.area(mask.frPyObjects([polygon], HEIGHT, WIDTH))[0])
    return own | {"segmentation": [polygon], "area": area, "iscrowd": 0}


def a_result(
    chance: np.random.Generator, image: int, label: int, box: np.ndarray, mean: float, kind: str
) -> dict[str, Any]:
    """Return a result with a score around a mean, in log odds."""
    score = float(1 / (1 + np.exp(-chance.normal(mean, 1))))
    own = {"image_id": image, "category_id": label, "score": score}
    if kind == "boxes":
        return own | {"bbox": box.tolist()}
    (coded,) = mask.frPyObjects([outline(chance, box)], HEIGHT, WIDTH)
    shape = {"size": [HEIGHT, WIDTH], "counts": coded["counts"].decode()}
    return own | {"segmentation": shape}


def outline(chance: np.random.Generator, box: np.ndarray) -> list[float]:
    """Return a polygon around the middle of a box."""
    angle = np.sort(chance.uniform(0, 2 * np.pi, CORNERS))
    around = chance.uniform(0.75, 1, (CORNERS, 1)) * np.stack([np.cos(angle), np.sin(angle)], 1)
    corners = box[:2] + box[2:] / 2 * (1 + around)
    return [round(float(side), 2) for side in corners.ravel()]


def ours(folder: Path) -> list[float]:
    rows = karat.read_boxes(folder / "truth.json", folder / "found.json").score().rows()
    return [row["value"] for row in rows]


def theirs(folder: Path, *, kind: str) -> list[float]:
    with contextlib.redirect_stdout(io.StringIO()):
        known = COCO(str(folder / "truth.json"))
        found = known.loadRes(str(folder / "found.json"))
        evaluated = COCOeval(known, found, kind)
        evaluated.evaluate()
        evaluated.accumulate()
        evaluated.summarize()
    return [float(value) for value in evaluated.stats]


def parsed(folder: Path) -> int:
    return sum(len(json.loads(path.read_bytes())) for path in folder.iterdir())


def apart(one: list[float], other: list[float]) -> float:
    return max(abs(first - second) for first, second in zip(one, other, strict=True))


PARSED = Way("Python's json, both files", parsed)
CASES = (
    Case(
        "COCO's twelve numbers of boxes, 5,000 images", partial(detected, "boxes", 5_000, 40), ours, PARSED,
        Way("pycocotools, no intervals", partial(theirs, kind="bbox")), apart, times=1,
        reason="boxes are matched at ten overlaps in four sizes, and images left out in turn for the intervals",
    ),
    Case(
        "COCO's twelve numbers of masks, 1,000 images", partial(detected, "masks", 1_000, 15), ours, PARSED,
        Way("pycocotools, no intervals", partial(theirs, kind="segm")), apart, times=1,
        reason="outlines become pixels, masks are laid over each other, and images left out in turn for the intervals",
    ),
)  # fmt: skip
