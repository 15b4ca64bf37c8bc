"""The objects of all images as one table: a row for each, with what the truth and the systems have."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.each import Each
from karat.source.origin import Source
from karat.source.pixels.counting import marks_of_systems, whole_scene
from karat.source.pixels.objects import Objects, objects_of
from karat.source.pixels.options import Reading
from karat.source.pixels.pixel_rows import IMAGE
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scene_files import SceneFiles, SceneFolders
from karat.source.pixels.scenes import open_scene
from karat.source.truth_and_systems import TRUTH, Parts
from karat.words import counted

OBJECT = "object"
OF_OBJECTS = (
    "objects of one image are correlated; with --cluster image intervals and tests go over images"
)


def object_rows(folders: SceneFolders, parts: Parts, how: Reading, each: Each) -> Source:
    """Return a row for each object; `each` finds those of images here or elsewhere."""
    annotators = how.annotators or folders.annotators or 1
    images: list[str] = []
    places: list[str] = []
    truths, answers = [], []
    find = partial(_objects_of_scene, how=how, annotators=annotators)
    for files, found in zip(folders.scenes, each(find, folders.scenes), strict=True):
        images += [files.name] * len(found.places)
        places += [f"{files.name}: {place}" for place in found.places]
        truths.append(found.truth)
        answers.append(found.answers)
    if not places:
        raise InputError(f"{parts.origin}: no image has an object, in the truth or of a system")
    columns: dict[str, npt.NDArray[Any]] = {
        OBJECT: np.array(places, object),
        IMAGE: np.array(images, object),
        TRUTH: np.concatenate(truths),
    }
    whole = np.concatenate(answers)
    for place, system in enumerate(parts.systems):
        columns[system] = whole[:, place]
    roles = {
        "systems": tuple(parts.systems),
        "truth": TRUTH,
        "item": OBJECT,
        "group": IMAGE,
        "kinds": {"": "yesno"},
    }
    number = counted(int(columns[TRUTH].sum()), "object")
    notes = (
        f"{number} of the truth, and {len(places) - int(columns[TRUTH].sum()):,} that only systems have",
        OF_OBJECTS,
    )
    return Source(parts.origin, "frame", data=columns, roles=roles, notes=notes)


def _objects_of_scene(files: SceneFiles, *, how: Reading, annotators: int) -> Objects:
    """Open the files of one image and find its objects."""
    with rasters() as opener:
        scene = open_scene(files, opener, how, annotators)
        truth, bands, counts = whole_scene(scene)
        marks = []
        for reader, band in zip(marks_of_systems(scene), bands, strict=True):
            marks.append(reader.of(band, 0) & counts)
        return objects_of(truth & counts, marks, overlap=how.overlap, smallest=how.smallest)
