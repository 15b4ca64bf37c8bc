"""Made-up boxes: truths and results as COCO writes them, with crowds, ties and crowded images."""

import json
from pathlib import Path

import numpy as np


def made(seed, *, images=20, classes=4, objects=4.0, ties=False, crowds=0.1):
    """A truth and the results of two systems; with ties all numbers are coarse, so that many are equal."""
    chance = np.random.default_rng(seed)
    truth = {
        "images": [
            {"id": 3 * number + 1, "width": 640, "height": 480, "file_name": f"{number}.jpg"}
            for number in range(images)
        ],
        "categories": [{"id": 2 * one + 1, "name": f"c{one}"} for one in range(classes)],
        "annotations": [],
    }
    results = ([], [])
    step = 20.0 if ties else 0.0
    for image in truth["images"]:
        for _ in range(chance.poisson(objects)):
            label = int(chance.integers(classes))
            box = _box(chance, step)
            truth["annotations"].append(
                {
                    "id": len(truth["annotations"]) + 1,
                    "image_id": image["id"],
                    "category_id": 2 * label + 1,
                    "bbox": box,
                    "area": box[2] * box[3] * float(chance.uniform(0.5, 1)),
                    "iscrowd": int(chance.random() < crowds),
                }
            )
            for found in results:
                for _ in range(chance.poisson(1.2)):
                    moved = _moved(box, chance, step)
                    other = label if chance.random() < 0.85 else int(chance.integers(classes))
                    found.append(_result(image, other, moved, chance, 1, ties=ties))
        for found in results:
            for _ in range(chance.poisson(3)):
                label = int(chance.integers(classes))
                found.append(_result(image, label, _box(chance, step), chance, -1, ties=ties))
    for found in results:
        chance.shuffle(found)
    return truth, *results


def _box(chance, step):
    width, height = np.exp(chance.uniform(np.log(8), np.log(250), 2))
    x = chance.uniform(0, 640 - width)
    y = chance.uniform(0, 480 - height)
    return _rounded([x, y, width, height], step)


def _moved(box, chance, step):
    shift = chance.normal(0, 0.07, 4)
    x, y, width, height = box
    moved = [
        x + shift[0] * width,
        y + shift[1] * height,
        width * np.exp(shift[2]),
        height * np.exp(shift[3]),
    ]
    return _rounded(moved, step / 2)


def _rounded(values, step):
    if not step:
        return [float(value) for value in values]
    x, y, width, height = (float(round(value / step) * step) for value in values)
    return [x, y, max(width, step), max(height, step)]


def _result(image, label, box, chance, mean, *, ties):
    score = float(1 / (1 + np.exp(-chance.normal(mean, 1))))
    return {
        "image_id": image["id"],
        "category_id": 2 * label + 1,
        "bbox": box,
        "score": round(score, 1) if ties else score,
    }


def written(folder: Path, truth, **systems):
    """Write a truth and systems as COCO's files; return the paths of the truth and of each system."""
    paths = []
    for name, data in {"truth": truth, **systems}.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(data))
        paths.append(path)
    return paths
