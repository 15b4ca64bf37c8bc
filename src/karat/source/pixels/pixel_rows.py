"""The rows of all images as one table: values that occur together, and how often."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError
from karat.source.each import Each
from karat.source.origin import Source
from karat.source.pixels.counting import SceneRows, counted_scene
from karat.source.pixels.options import Reading
from karat.source.pixels.scene_files import SceneFolders
from karat.source.pixels.values import Depth, in_words
from karat.source.truth_and_systems import TRUTH, Parts

IMAGE, COUNT, MARKED, LOOKED = "image", "count", "marked", "looked"
MOST_ROWS = 20_000_000
MOST_MARKED = 0.5
"""If more of all pixels are marked, a threshold may be that of other scores."""
ONE_BY_ONE = (
    "the systems were counted one by one: where a number is of pixels that only one of two systems got right, it is "
    "the least that is possible"
)
NOT_INDEPENDENT = (
    "--using clusters=none takes every pixel by itself, and these systems are counted one at a time; "
    "make masks of score maps with --using threshold=VALUE, or leave it out"
)


def pixel_rows(folders: SceneFolders, parts: Parts, how: Reading, each: Each) -> Source:
    """Return the counts of all pixels; `each` counts images here or elsewhere."""
    annotators = how.annotators or folders.annotators or 1
    count = partial(counted_scene, how=how, annotators=annotators, systems=list(parts.systems))
    depths: dict[str, Depth] = {}
    found = []
    total = 0
    for one in each(count, folders.scenes):
        _check_depths(parts, one, depths)
        found.append(one)
        total += len(one.rows.number)
        if total > MOST_ROWS:
            raise InputError(
                f"{parts.origin}: more than {MOST_ROWS:,} different rows of truth and scores after {len(found)} "
                "images; round the scores with --using step=..., or read fewer images at a time"
            )
    if not total:
        raise InputError(f"{parts.origin}: no pixel counts; look at --using ignore and within")
    source = _source(found, parts, how)
    return replace(source, notes=(*source.notes, *_odd_thresholds(source, parts, how, depths)))


def _check_depths(parts: Parts, scene: SceneRows, depths: dict[str, Depth]) -> None:
    """Refuse score maps of one system that are stored in different ways."""
    for name, own in zip(parts.systems, scene.depths, strict=True):
        depths.setdefault(name, own).check(own.dtype, own.path)


def _odd_thresholds(
    source: Source, parts: Parts, how: Reading, depths: Mapping[str, Depth]
) -> list[str]:
    """Return sentences about thresholds that may be meant for scores of another scale."""
    odd = []
    number = source.data[COUNT]
    for name, threshold in zip(parts.systems, how.thresholds, strict=bool(how.thresholds)):
        marked = float(number[source.data[name] == 1].sum() / number.sum())
        dtype = depths[name].dtype
        is_fraction_of_whole = dtype.kind in "iu" and 0 < threshold < 1
        if 0 < marked <= MOST_MARKED and not is_fraction_of_whole:
            continue
        odd.append(
            f"threshold {threshold:g} marks {100 * marked:.3g} % of the pixels of {name!r}, whose files hold "
            f"{in_words(dtype)}; if it is meant for other scores, give each system its own, "
            f"--using threshold={name}:VALUE,..."
        )
    return odd


def _source(found: Sequence[SceneRows], parts: Parts, how: Reading) -> Source:
    """Return the rows of all images as one table."""
    are_masks = all(one.tops is not None for one in found)
    one_by_one = not all(one.together for one in found)
    if one_by_one and not how.clustered:
        raise OptionError(NOT_INDEPENDENT)
    columns = _columns(found, parts, how, are_masks=are_masks)
    roles = _roles(parts, how, are_masks=are_masks)
    notes: tuple[str, ...] = ()
    if one_by_one:
        roles["one_by_one"] = True
        if are_masks:
            notes = (ONE_BY_ONE,)
    return Source(parts.origin, "frame", data=columns, roles=roles, notes=notes)


def _columns(
    found: Sequence[SceneRows], parts: Parts, how: Reading, *, are_masks: bool
) -> dict[str, npt.NDArray[Any]]:
    """Return the image, the truth, each system's answer, and the number of each row."""
    lengths = [len(one.rows.number) for one in found]
    names = np.array([one.name for one in found], object)
    columns: dict[str, npt.NDArray[Any]] = {IMAGE: np.repeat(names, lengths)}
    level = np.concatenate([one.rows.level for one in found])
    if how.by_level:
        columns[MARKED] = level
        columns[LOOKED] = np.repeat([one.looked for one in found], lengths)
    elif parts.truth is not None:
        columns[TRUTH] = level
    if are_masks:
        values = np.concatenate([one.rows.values for one in found]).astype(np.int64)
    else:
        values = np.concatenate([one.scores for one in found])
    for place, system in enumerate(parts.systems):
        columns[system] = values[:, place]
    columns[COUNT] = np.concatenate([one.rows.number for one in found])
    return columns


def _roles(parts: Parts, how: Reading, *, are_masks: bool) -> dict[str, Any]:
    """Return what each column is."""
    roles: dict[str, Any] = {"systems": tuple(parts.systems), "count": COUNT, "group": IMAGE}
    roles["kinds"] = {"": "yesno" if are_masks else "score"}
    if how.by_level:
        roles["marked"] = (MARKED, LOOKED)
    elif parts.truth is not None:
        roles["truth"] = TRUTH
    if how.clustered:
        roles["cluster"] = IMAGE
    return roles
