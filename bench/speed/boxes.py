"""COCO's twelve numbers of 5,000 images and 80 classes, from files: karat, with intervals, against pycocotools.

Claim: not slower than pycocotools, which gives no intervals; the numbers are the same.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import DATA, clock, header, line
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import karat

IMAGES, CLASSES, OBJECTS, FALSE = 5_000, 80, 7.3, 40


def made() -> tuple[Path, Path]:
    """Write a truth and the results of a detector, about as many boxes as COCO's validation set has."""
    folder = DATA / "boxes"
    paths = folder / "truth.json", folder / "found.json"
    if all(path.exists() for path in paths):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(1)
    annotations, results = [], []
    for image in range(1, IMAGES + 1):
        for _ in range(chance.poisson(OBJECTS)):
            label, box = int(chance.integers(CLASSES)), a_box(chance)
            size = box[2] * box[3]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image,
                    "category_id": label,
                    "bbox": box,
                    "area": size,
                    "iscrowd": int(chance.random() < 0.01),
                }
            )
            for _ in range(chance.poisson(1.2)):
                shift = chance.normal(0, 0.06, 4) * [box[2], box[3], box[2], box[3]]
                moved = [float(side + step) for side, step in zip(box, shift, strict=True)]
                results.append(found(chance, image, label, moved, 1))
        results += [
            found(chance, image, int(chance.integers(CLASSES)), a_box(chance), -1)
            for _ in range(chance.poisson(FALSE))
        ]
    truth = {
        "images": [{"id": image + 1, "width": 640, "height": 480} for image in range(IMAGES)],
        "categories": [{"id": label, "name": f"c{label}"} for label in range(CLASSES)],
        "annotations": annotations,
    }
    for path, data in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(data))
    return paths


def a_box(chance: np.random.Generator) -> list[float]:
    """Return a box in the image, from 8 to 250 pixels on a side."""
    width, height = np.exp(chance.uniform(np.log(8), np.log(250), 2))
    return [
        float(value)
        for value in (
            chance.uniform(0, 640 - width),
            chance.uniform(0, 480 - height),
            width,
            height,
        )
    ]


def found(
    chance: np.random.Generator, image: int, label: int, box: list[float], mean: float
) -> dict[str, object]:
    """Return a result with a score around a mean, in log odds."""
    score = float(1 / (1 + np.exp(-chance.normal(mean, 1))))
    return {"image_id": image, "category_id": label, "bbox": box, "score": score}


def theirs(truth: Path, results: Path) -> list[float]:
    """Return the twelve numbers of pycocotools."""
    with contextlib.redirect_stdout(io.StringIO()):
        known = COCO(str(truth))
        evaluated = COCOeval(known, known.loadRes(str(results)), "bbox")
        evaluated.evaluate()
        evaluated.accumulate()
        evaluated.summarize()
    return list(evaluated.stats)


def ours(truth: Path, results: Path) -> list[float]:
    """Return karat's, each with its interval."""
    return [row["value"] for row in karat.read_boxes(truth, results).score().rows()]


files = made()
header(f"COCO's twelve numbers, {IMAGES:,} images x {CLASSES} classes, from files", "pycocotools")
numbers: dict[str, list[float]] = {}
by_karat = clock(lambda: numbers.update(karat=ours(*files)), times=2)
by_peer = clock(lambda: numbers.update(peer=theirs(*files)), times=1)
ratio = by_peer[1] / by_karat[1]
line("pycocotools", by_peer)
line("karat, with intervals", by_karat, f"{ratio:.1f} times as fast (claim: 1)")
pairs = zip(numbers["karat"], numbers["peer"], strict=True)
print(f"  largest difference of a number: {max(abs(one - other) for one, other in pairs):.1e}")
