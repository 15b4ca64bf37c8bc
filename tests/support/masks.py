"""Made-up boxes with masks: polygons in the truth, run lengths of crowds, and of results as text."""

import numpy as np

from support.boxes import made


def with_masks(seed, **options):
    """A truth and the results of two systems, each object with a mask in its box; results have no boxes."""
    from pycocotools import mask

    truth, *results = made(seed, **options)
    chance = np.random.default_rng(seed)
    sizes = {one["id"]: (one["height"], one["width"]) for one in truth["images"]}
    for one in truth["annotations"]:
        size = sizes[one["image_id"]]
        polygons = [polygon(one["bbox"], chance) for _ in range(1 + int(chance.integers(2)))]
        one["segmentation"] = polygons
        if one["iscrowd"]:
            coded = mask.merge(mask.frPyObjects(polygons, *size))
            one["segmentation"] = {"size": list(size), "counts": run_lengths(mask.decode(coded))}
        one["area"] = float(mask.area(mask.merge(mask.frPyObjects(polygons, *size))))
    for found in results:
        for one in found:
            size = sizes[one["image_id"]]
            coded = mask.merge(mask.frPyObjects([polygon(one.pop("bbox"), chance)], *size))
            one["segmentation"] = {"size": list(size), "counts": coded["counts"].decode()}
    return truth, *results


def polygon(box, chance):
    """Corners around the middle of a box, of which some lie outside of the image."""
    x, y, width, height = box
    angle = np.sort(chance.uniform(0, 2 * np.pi, int(chance.integers(5, 20))))
    far = chance.uniform(0.7, 1.1, len(angle))
    corners = np.stack(
        [
            x + width / 2 + far * np.cos(angle) * width / 2,
            y + height / 2 + far * np.sin(angle) * height / 2,
        ],
        axis=1,
    )
    return [round(float(side), 2) for side in corners.ravel()]


def run_lengths(pixels):
    """How many pixels are 0, then 1, and so on, down the columns."""
    flat = pixels.ravel(order="F")
    lengths = [0]
    value = 0
    for pixel in flat:
        if pixel != value:
            lengths.append(0)
            value = pixel
        lengths[-1] += 1
    return lengths
