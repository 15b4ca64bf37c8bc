"""One image, opened: its truth and the systems' values, band by band, where pixels count."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.pixels.decoding import BAND_PIXELS, Band
from karat.source.pixels.options import Reading
from karat.source.pixels.rasters import Raster, Rasters
from karat.source.pixels.scene_files import SceneFiles
from karat.source.pixels.values import MarkedValues, Mask, marks_of_annotators


@dataclass(frozen=True, slots=True, eq=False)
class ImageScene:
    """One image, opened."""

    files: SceneFiles
    truths: tuple[Raster, ...]
    systems: tuple[Raster, ...]
    ignore: Raster | None
    within: Raster | None
    all_annotators: int
    how: Reading

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.systems[0].shape

    @property
    def looked(self) -> int:
        """How many annotators looked at the image."""
        return self.how.annotators or len(self.truths)

    def reached(self, marked: npt.NDArray[np.int64], at_least: int) -> Mask:
        """Return where at least so many marked, or as large a share of those who looked."""
        share = marked.astype(np.int64) * self.all_annotators // self.looked
        return np.asarray(share >= at_least)

    def bands(self) -> Iterator["SceneBand"]:
        """Yield the rows from the top down, some at a time."""
        height, width = self.shape
        rows = max(1, BAND_PIXELS // width)
        reader = _TruthReader(self)
        for top in range(0, height, rows):
            yield reader.band(top, min(height, top + rows))

    def whole(self) -> "SceneBand":
        """Return all rows."""
        return _TruthReader(self).band(0, self.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class SceneBand:
    """Some rows: the level of the truth of each pixel, which pixels count, and the systems' values.

    The level is 0 or 1, or where levels are counted the number of annotators who marked the pixel.
    """

    top: int
    level: npt.NDArray[np.int64] | None
    counts: Mask | None
    """None where all do."""
    systems: tuple[Band, ...]

    def of(self, values: Band) -> Band:
        """Return the values of the pixels that count."""
        if self.counts is None:
            return values.ravel()
        return values[self.counts]


def open_scene(files: SceneFiles, opener: Rasters, how: Reading, all_annotators: int) -> ImageScene:
    """Open the files of an image; refuse those of different sizes."""

    def raster(path: Path) -> Raster:
        return opener.open(path, most_pixels=how.most_pixels)

    scene = ImageScene(
        files,
        tuple(raster(path) for path in files.truths),
        tuple(raster(path) for path in files.systems),
        raster(files.ignore) if files.ignore else None,
        raster(files.within) if files.within else None,
        all_annotators,
        how,
    )
    every = [*scene.truths, *scene.systems]
    every += [one for one in (scene.ignore, scene.within) if one is not None]
    for one in every[1:]:
        _check_size(every[0], one)
    return scene


def _check_size(first: Raster, other: Raster) -> None:
    if other.shape == first.shape:
        return
    (height, width), (other_height, other_width) = first.shape, other.shape
    hint = "; resize nothing: find the output for the whole image"
    if (other_height, other_width) == (width, height):
        hint = "; one of them is turned"
    raise InputError(
        f"{other.path} is {other_width:,} pixels wide and {other_height:,} high, {first.path} {width:,} wide and "
        f"{height:,} high: pixels of different sizes cannot be compared{hint}"
    )


class _TruthReader:
    """Reads bands of a scene; remembers which value marks a pixel."""

    def __init__(self, scene: ImageScene) -> None:
        self._scene = scene
        how = scene.how
        self._truths = [
            MarkedValues(one.path, how.truth_threshold, "truth-threshold") for one in scene.truths
        ]
        self._regions = {}
        for one in (scene.ignore, scene.within):
            if one is not None:
                self._regions[one.path] = MarkedValues(one.path, None, "truth-threshold")

    def band(self, top: int, bottom: int) -> SceneBand:
        scene = self._scene
        counts = self._counts(top, bottom)
        level = None
        if scene.truths:
            level, is_known = self._level(top, bottom)
            if is_known is not None:
                counts = is_known if counts is None else counts & is_known
        systems = tuple(one.rows(top, bottom) for one in scene.systems)
        return SceneBand(top, level, counts, systems)

    def _counts(self, top: int, bottom: int) -> Mask | None:
        counts = None
        scene = self._scene
        if scene.within is not None:
            counts = self._regions[scene.within.path].of(scene.within.rows(top, bottom), top)
        if scene.ignore is not None:
            ignored = self._regions[scene.ignore.path].of(scene.ignore.rows(top, bottom), top)
            counts = ~ignored if counts is None else counts & ~ignored
        return counts

    def _level(self, top: int, bottom: int) -> tuple[npt.NDArray[np.int64], Mask | None]:
        """Return the level of each pixel, and which of them have one."""
        scene = self._scene
        how = scene.how
        marked: npt.NDArray[np.int64] | None = None
        is_known = None
        for one, marks in zip(scene.truths, self._truths, strict=True):
            band = one.rows(top, bottom)
            if how.void is not None:
                known = band != how.void
                is_known = known if is_known is None else is_known & known
                band = np.where(known, band, 0)
            if how.annotators is not None:
                own = marks_of_annotators(one.path, band, how.annotators, top)
            else:
                own = marks.of(band, top).astype(np.uint8)
            marked = own if marked is None else marked + own
        assert marked is not None  # noqa: S101 (there is a truth)
        if not how.by_level and how.at_least is not None:
            marked = scene.reached(marked, how.at_least).astype(np.uint8)
        return marked, is_known
