"""Masks and score maps: the pixels of images are the items, counted without a row for each.

A pixel has a truth (a mask, or how many annotators marked it) and a value of each system. Counts of these, image by
image, are a table: the rows say which values occur and how often, the images are clusters and groups. Systems that gave
masks are counted together; score maps one by one, since what scores have in common on a pixel is too much to count.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError, RoleError
from karat.keywords import takes_options
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.pixels.counting import SceneRows, count_scene, whole_scene
from karat.source.pixels.folders import folder
from karat.source.pixels.matching import JoinedFolders
from karat.source.pixels.objects import objects_of
from karat.source.pixels.options import PixelOptions, Reading, described, reading
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scenes import (
    ImageScene,
    SceneFolders,
    open_scene,
    scene_folders,
    truth_folders,
)
from karat.source.pixels.values import Depth, MarkedValues
from karat.source.truth_and_systems import TRUTH, Parts, parted
from karat.words import counted, listing

IMAGE, OBJECT, COUNT, MARKED, LOOKED = "image", "object", "count", "marked", "looked"
OWN = (IMAGE, OBJECT, COUNT, MARKED, LOOKED)
MOST_ROWS = 20_000_000
ONE_BY_ONE = (
    "the systems were counted one by one: where a number is of pixels that only one of two systems got right, it is "
    "the least that is possible"
)
NOT_INDEPENDENT = (
    "--using clusters=none takes every pixel by itself, and these systems are counted one at a time; "
    "make masks of score maps with --using threshold=VALUE, or leave it out"
)
OF_OBJECTS = (
    "objects of one image are correlated; with --cluster image intervals and tests go over images"
)


@takes_options(PixelOptions)
def pixels(paths: Sequence[str], **options: Any) -> Source:
    """Masks and score maps (PNG, TIFF, GIF, BMP, PNM, .npy): a folder of images for the truth and one for each system.

    `unit` is what a row is about: pixel or object (connected pixels). `ignore` and `within` are folders of masks: of
    pixels that do not count, or of the only ones that do; `void` is a value of the truth that does not count.
    `truth_threshold` and `threshold` make masks of grey values, of the truth and of the systems: from there on is yes.
    Where a folder of the truth holds a folder for each annotator, or `annotators` says that its values are numbers of
    so many, `at_least` is how many must have marked a pixel. `step` rounds scores down to its multiples. `tolerance`
    counts hits within so many pixels, matched one to one. `overlap` is the share of an object that must be marked,
    `smallest` how many pixels an object has at least. `clusters` is image, or none where pixels are to be taken as
    independent. `most_pixels` is the largest image that is decoded.
    """
    given = PixelOptions(**options)
    how = reading(given)
    faults = Faults(lenient=given.lenient)
    _check_truth(given.truth)
    _check_folders(paths)
    parts = _chosen(parted(paths, taken=OWN, sets=True), given.systems)
    _check_asked(parts, how, given.asked)
    systems = [folder(path) for path in parts.systems.values()]
    truths = truth_folders(parts, systems, how)
    how = _with_levels(how, truths, parts)
    folders = scene_folders(systems, truths, given, faults)
    if how.is_of_objects:
        source = _of_objects(folders, parts, how)
    else:
        source = _of_pixels(folders, parts, how)
    notes = (*folders.notes, *source.notes, *faults.notes())
    roles = {**source.roles, "source": described(given)}
    return replace(source, roles=roles, notes=notes)


def _check_truth(truth: str | None) -> None:
    """Refuse a truth that is not there: one that is stands before the systems by now."""
    if truth is not None:
        raise InputError(
            f"there is no file or folder {truth}; the truth of images is a folder of masks, or a file"
        )


def _check_folders(paths: Sequence[str]) -> None:
    """Refuse the images of a folder one by one, as a shell writes net/*.png: each would be a system."""
    if not any(Path(path).is_dir() for path in paths):
        return
    inside: dict[Path, list[Path]] = {}
    for path in map(Path, paths):
        if path.is_file():
            inside.setdefault(path.parent, []).append(path)
    for home, files in inside.items():
        if len(files) > 1:
            raise InputError(
                f"{len(files)} images of {home} are named one by one, and each would be a system; name the folder, "
                f"or a pattern in quotes, as '{home}/*{files[0].suffix}': either is one set of images"
            )


def _chosen(parts: Parts, systems: Sequence[str] | None) -> Parts:
    if systems is None:
        return parts
    for name in systems:
        if name not in parts.systems:
            raise InputError(f"no system is called {name!r}; there are {listing(parts.systems)}")
    return Parts(parts.truth, {name: parts.systems[name] for name in systems})


def _check_asked(parts: Parts, how: Reading, asked: frozenset[str]) -> None:
    known = {IMAGE, OBJECT} if how.is_of_objects else {IMAGE}
    unknown = asked - known
    if unknown:
        raise RoleError(
            f"{parts.origin} has no column {min(unknown)!r}; "
            f"rows of images are distinguished by {listing(sorted(known))}"
        )


def _with_levels(how: Reading, truths: JoinedFolders | None, parts: Parts) -> Reading:
    """Return the reading of several annotators; refuse to choose for the user how many must agree."""
    if truths is None:
        if how.tolerance is not None or how.is_of_objects or how.by_level:
            raise OptionError("without a truth images are counted pixel by pixel; name the truth")
        return how
    several = how.annotators or truths.several
    if not several:
        if how.at_least is not None or how.by_level:
            raise OptionError(
                f"{parts.truth} has one truth for each image; levels of agreement need a folder for each annotator "
                "inside of it, or --using annotators=N where its values are numbers of annotators"
            )
        return how
    if how.at_least is None and not how.by_level:
        raise OptionError(_how_many(truths, several))
    if how.at_least is not None and how.at_least > several:
        raise OptionError(f"--using at-least={how.at_least}; there are {several} annotators")
    return how


def _how_many(truths: JoinedFolders, several: int) -> str:
    """Return the request to say how many annotators must agree, and who they are."""
    levels = (
        f"how many must have marked a pixel with --using at-least={several // 2 + 1}, or look at every level with "
        "karat skew agreement"
    )
    if not truths.several:
        return f"{truths.union.path} holds the marks of {several} annotators; say {levels}"
    first = ",".join(truths.names[:2])
    return (
        f"{truths.union.path} holds {several} sets of images, {listing(truths.names)}. If each is an annotator's, say "
        f"{levels}; if only some are, name them with --using annotators={first}; else name the one that is the truth"
    )


def _of_pixels(folders: SceneFolders, parts: Parts, how: Reading) -> Source:
    found: list[SceneRows] = []
    depths: dict[str, Depth] = {}
    total = 0
    annotators = how.annotators or folders.annotators or 1
    for files in folders.scenes:
        with rasters() as opener:
            scene = open_scene(files, opener, how, annotators)
            _check_depths(parts, scene, depths)
            found.append(count_scene(scene, list(parts.systems)))
        total += len(found[-1].rows.number)
        if total > MOST_ROWS:
            raise InputError(
                f"{parts.origin}: more than {MOST_ROWS:,} different rows of truth and scores after {len(found)} "
                "images; round the scores with --using step=..., or read fewer images at a time"
            )
    if not total:
        raise InputError(f"{parts.origin}: no pixel counts; look at --using ignore and within")
    return _source(found, parts, how)


def _check_depths(parts: Parts, scene: ImageScene, depths: dict[str, Depth]) -> None:
    """Refuse score maps of one system that are stored in different ways."""
    for name, raster in zip(parts.systems, scene.systems, strict=True):
        dtype = np.dtype(raster.header.dtype)
        depths.setdefault(name, Depth(dtype, raster.path)).check(dtype, raster.path)


def _source(found: Sequence[SceneRows], parts: Parts, how: Reading) -> Source:
    """Return the rows of all images as one table."""
    are_masks = all(one.tops is not None for one in found)
    lengths = [len(one.rows.number) for one in found]
    columns: dict[str, npt.NDArray[Any]] = {}
    names = np.array([one.name for one in found], object)
    columns[IMAGE] = np.repeat(names, lengths)
    level = np.concatenate([one.rows.level for one in found])
    if how.by_level:
        columns[MARKED] = level
        columns[LOOKED] = np.repeat([one.looked for one in found], lengths)
    elif parts.truth is not None:
        columns[TRUTH] = level
    values = np.concatenate([one.rows.values if are_masks else one.scores for one in found])
    for place, system in enumerate(parts.systems):
        own = values[:, place]
        columns[system] = own.astype(np.int64) if are_masks else own
    columns[COUNT] = np.concatenate([one.rows.number for one in found])
    roles: dict[str, Any] = {"systems": tuple(parts.systems), "count": COUNT, "group": IMAGE}
    if parts.truth is not None and not how.by_level:
        roles["truth"] = TRUTH
    if how.clustered:
        roles["cluster"] = IMAGE
    roles["kinds"] = {"": "yesno" if are_masks else "score"}
    notes = []
    if not all(one.together for one in found):
        if not how.clustered:
            raise OptionError(NOT_INDEPENDENT)
        roles["one_by_one"] = True
        if are_masks:
            notes.append(ONE_BY_ONE)
    if how.by_level:
        roles["marked"] = (MARKED, LOOKED)
    return Source(parts.origin, "frame", data=columns, roles=roles, notes=tuple(notes))


def _of_objects(folders: SceneFolders, parts: Parts, how: Reading) -> Source:
    """Return a row for each object."""
    annotators = how.annotators or folders.annotators or 1
    images: list[str] = []
    places: list[str] = []
    truths, answers = [], []
    for files in folders.scenes:
        with rasters() as opener:
            scene = open_scene(files, opener, how, annotators)
            truth, bands, counts = whole_scene(scene)
            marks = []
            for raster, band in zip(scene.systems, bands, strict=True):
                reader = MarkedValues(raster.path, how.threshold, "threshold")
                marks.append(reader.of(band, 0) & counts)
            found = objects_of(truth & counts, marks, overlap=how.overlap, smallest=how.smallest)
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
