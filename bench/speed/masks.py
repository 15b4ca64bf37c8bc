"""COCO's twelve numbers of masks: karat, with intervals, against pycocotools; polygons in the truth, run lengths found.

Claim: not slower than pycocotools, which gives no intervals; the numbers are the same.
"""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import DATA, clock, header, line
from pycocotools import mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import karat

IMAGES, CLASSES, OBJECTS, FALSE, CORNERS = 1_000, 80, 7.3, 15, 30
HEIGHT, WIDTH = 480, 640


def made() -> tuple[Path, Path]:
    """Write a truth and the results of a detector."""
    folder = DATA / "masks"
    paths = folder / "truth.json", folder / "found.json"
    if all(path.exists() for path in paths):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(1)
    annotations: list[dict[str, Any]] = []
    results = []
    for image in range(1, IMAGES + 1):
        for _ in range(chance.poisson(OBJECTS)):
            label, box = int(chance.integers(CLASSES)), a_box(chance)
            own = {"id": len(annotations) + 1, "image_id": image, "category_id": label}
            polygon = outline(chance, box)
            area = float(mask.area(mask.frPyObjects([polygon], HEIGHT, WIDTH))[0])
            shape = {"segmentation": [polygon], "bbox": box.tolist(), "area": area, "iscrowd": 0}
            annotations.append({**own, **shape})
            moved = box + chance.normal(0, 0.06, 4) * np.tile(box[2:], 2)
            results.append(found(chance, image, label, moved, 1))
        results += [
            found(chance, image, int(chance.integers(CLASSES)), a_box(chance), -1)
            for _ in range(chance.poisson(FALSE))
        ]
    truth = {
        "images": [{"id": one + 1, "width": WIDTH, "height": HEIGHT} for one in range(IMAGES)],
        "categories": [{"id": label, "name": f"c{label}"} for label in range(CLASSES)],
        "annotations": annotations,
    }
    for path, data in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(data))
    return paths


def a_box(chance: np.random.Generator) -> np.ndarray:
    """Return a box in the image, from 8 to 250 pixels on a side."""
    size = np.exp(chance.uniform(np.log(8), np.log(250), 2))
    return np.concatenate([chance.uniform(0, np.array([WIDTH, HEIGHT]) - size), size])


def outline(chance: np.random.Generator, box: np.ndarray) -> list[float]:
    """Return a polygon around the middle of a box."""
    angle = np.sort(chance.uniform(0, 2 * np.pi, CORNERS))
    around = chance.uniform(0.75, 1, (CORNERS, 1)) * np.stack([np.cos(angle), np.sin(angle)], 1)
    corners = box[:2] + box[2:] / 2 * (1 + around)
    return [round(float(side), 2) for side in corners.ravel()]


def found(
    chance: np.random.Generator, image: int, label: int, box: np.ndarray, mean: float
) -> dict[str, object]:
    """Return a result with a score around a mean, in log odds."""
    (coded,) = mask.frPyObjects([outline(chance, box)], HEIGHT, WIDTH)
    shape = {"size": [HEIGHT, WIDTH], "counts": coded["counts"].decode()}
    score = float(1 / (1 + np.exp(-chance.normal(mean, 1))))
    return {"image_id": image, "category_id": label, "segmentation": shape, "score": score}


def theirs(truth: Path, results: Path) -> list[float]:
    """Return the twelve numbers of pycocotools."""
    with contextlib.redirect_stdout(io.StringIO()):
        known = COCO(str(truth))
        evaluated = COCOeval(known, known.loadRes(str(results)), "segm")
        evaluated.evaluate()
        evaluated.accumulate()
        evaluated.summarize()
    return list(evaluated.stats)


def ours(truth: Path, results: Path) -> list[float]:
    """Return karat's, each with its interval."""
    return [row["value"] for row in karat.read_boxes(truth, results).score().rows()]


files = made()
header(f"COCO's twelve numbers of masks, {IMAGES:,} images x {CLASSES} classes", "pycocotools")
numbers: dict[str, list[float]] = {}
by_karat = clock(lambda: numbers.update(karat=ours(*files)), times=2)
by_peer = clock(lambda: numbers.update(peer=theirs(*files)), times=1)
ratio = by_peer[1] / by_karat[1]
line("pycocotools", by_peer)
line("karat, with intervals", by_karat, f"{ratio:.1f} times as fast (claim: 1)")
pairs = zip(numbers["karat"], numbers["peer"], strict=True)
print(f"  largest difference of a number: {max(abs(one - other) for one, other in pairs):.1e}")
