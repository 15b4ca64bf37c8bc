"""The pixels of one image, counted: by truth and score of each system, or of all masks together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.pixels.boundaries import all_matched
from karat.source.pixels.histograms import (
    Histogram,
    MaskCount,
    PixelRows,
    SystemCount,
    side_by_side,
    stepped,
)
from karat.source.pixels.options import Reading
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scene_files import SceneFiles
from karat.source.pixels.scenes import ImageScene, SceneBand, open_scene
from karat.source.pixels.values import TOPS, Depth, MarkedValues, Mask, check_finite

MOST_WHOLE = 60_000_000
"""Pixels of an image that is looked at whole, for objects and boundaries."""
UNMARKED = 1.0
"""What marked pixels would hold in a mask that has none."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SceneRows:
    """The rows of one image, and how they were counted."""

    name: str
    looked: int
    rows: PixelRows
    tops: Floats | None = None
    """Where all systems gave masks, whose values are 0 and 1 here: what a marked pixel of each held."""
    together: bool = True
    """Whether a row holds the answers of all systems for the same pixels."""
    depths: tuple[Depth, ...] = ()
    """How each system's values are stored."""

    @property
    def scores(self) -> Floats:
        """The values as they were in the files."""
        if self.tops is None:
            return self.rows.values
        return np.asarray(self.rows.values * self.tops)


def counted_scene(
    files: SceneFiles, *, how: Reading, annotators: int, systems: Sequence[str]
) -> SceneRows:
    """Open the files of one image and count its pixels."""
    with rasters() as opener:
        scene = open_scene(files, opener, how, annotators)
        depths = tuple(Depth(np.dtype(one.header.dtype), one.path) for one in scene.systems)
        return replace(_counted(scene, systems), depths=depths)


def _counted(scene: ImageScene, systems: Sequence[str]) -> SceneRows:
    """Count the pixels of one image; systems that gave masks are counted together."""
    name, looked, how = scene.files.name, scene.looked, scene.how
    if how.tolerance is not None:
        return _within_distance(scene)
    if how.thresholds:
        return SceneRows(name, looked, _together(scene), np.ones(len(systems)))
    tops = _tops_of_masks(scene)
    if tops is not None:
        return SceneRows(name, looked, _together(scene), np.array(tops))
    by_system = _by_system(scene, systems)
    return SceneRows(name, looked, side_by_side(by_system), together=len(systems) == 1)


def _tops_of_masks(scene: ImageScene) -> list[float] | None:
    """Return what marked pixels of each mask hold; None where a system gave scores, which mostly shows in one band."""
    tops = [0.0] * len(scene.systems)
    for band in scene.bands():
        for place, (raster, values) in enumerate(zip(scene.systems, band.systems, strict=True)):
            check_finite(raster.path, values, band.top)
            top = _top(stepped(band.of(values), scene.how.step))
            if top is None or (top and tops[place] not in {0, top}):
                return None
            tops[place] = max(top, tops[place])
    return [top or UNMARKED for top in tops]


def _by_system(scene: ImageScene, systems: Sequence[str]) -> list[list[Histogram]]:
    """Count each system's pixels by level of the truth and value."""
    counts = []
    for system, raster in zip(systems, scene.systems, strict=True):
        title = f"{raster.path} of {system!r}"
        counts.append(SystemCount(levels_of(scene), raster.header.dtype, title, scene.how.step))
    for band in scene.bands():
        level = _flat_level(band)
        for raster, count, values in zip(scene.systems, counts, band.systems, strict=True):
            check_finite(raster.path, values, band.top)
            count.add(level, band.of(values))
    return [count.histograms() for count in counts]


def _flat_level(band: SceneBand) -> npt.NDArray[Any]:
    if band.level is None:
        return np.zeros(band.of(band.systems[0]).size, np.uint8)
    return np.asarray(band.of(band.level))


def levels_of(scene: ImageScene) -> int:
    """Return how many levels the truth can have."""
    if not scene.truths:
        return 1
    return scene.looked + 1 if scene.how.by_level else 2


def _top(values: npt.NDArray[Any]) -> float | None:
    """Return the value of marked pixels of a mask, 0 if none is marked; None if the values are not those of a mask."""
    top = values.max(initial=0)
    if top not in {0, *TOPS}:
        return None
    at_top = np.count_nonzero(values == top) if top else 0
    return float(top) if at_top == np.count_nonzero(values) else None


def _together(scene: ImageScene) -> PixelRows:
    """Count which systems marked a pixel together."""
    count = MaskCount(levels_of(scene), len(scene.systems))
    readers = marks_of_systems(scene)
    for band in scene.bands():
        marks = []
        for reader, values in zip(readers, band.systems, strict=True):
            marks.append(band.of(reader.of(values, band.top)))
        count.add(_flat_level(band), marks)
    return count.rows()


def marks_of_systems(scene: ImageScene) -> list[MarkedValues]:
    """Return what reads the marks of each system: from its threshold on, or of a mask."""
    thresholds = scene.how.thresholds or [None] * len(scene.systems)
    readers = []
    for raster, threshold in zip(scene.systems, thresholds, strict=True):
        readers.append(MarkedValues(raster.path, threshold, "threshold"))
    return readers


def check_whole(scene: ImageScene) -> None:
    """Refuse an image that is too large to be looked at whole."""
    height, width = scene.shape
    if height * width > MOST_WHOLE:
        raise InputError(
            f"{scene.systems[0].path} has {height * width:,} pixels; objects, boundaries and pictures are made of up "
            f"to {MOST_WHOLE:,}: cut it into tiles"
        )


def whole_scene(scene: ImageScene) -> tuple[Mask, list[npt.NDArray[Any]], Mask]:
    """Return truth, systems' values and what counts of a whole image; refuse one that is too large."""
    check_whole(scene)
    band = scene.whole()
    counts = band.counts
    if counts is None:
        counts = np.ones(scene.shape, bool)
    assert band.level is not None  # noqa: S101 (asked for with a truth only)
    return band.level > 0, list(band.systems), counts


def _values(scene: ImageScene, bands: Sequence[npt.NDArray[Any]]) -> list[Floats]:
    """Return the systems' values as numbers, cut or rounded as the options require."""
    how = scene.how
    found = []
    for place, (raster, band) in enumerate(zip(scene.systems, bands, strict=True)):
        check_finite(raster.path, band, 0)
        values = band.astype(np.float64)
        if how.thresholds:
            values = np.asarray(values >= how.thresholds[place]).astype(np.float64)
        found.append(stepped(values, how.step))
    return found


def _within_distance(scene: ImageScene) -> SceneRows:
    """Count hits within a distance, a system at a time."""
    truth, bands, counts = whole_scene(scene)
    systems = _values(scene, bands)
    tops = [_top(values) for values in systems]
    are_masks = None not in tops
    if are_masks:
        systems = [(values > 0).astype(np.float64) for values in systems]
    tolerance = scene.how.tolerance or 0.0
    rows = side_by_side(all_matched(truth, systems, counts, tolerance=tolerance))
    return SceneRows(
        scene.files.name,
        scene.looked,
        rows,
        np.array([top or UNMARKED for top in tops]) if are_masks else None,
        together=len(systems) == 1,
    )
