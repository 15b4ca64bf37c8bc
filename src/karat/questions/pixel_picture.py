"""What does a mask or score map look like, and where does it differ from the truth?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError
from karat.report.pixel_pictures import HIT, MISS, PixelPicture, outcomes, smaller, smaller_outcome
from karat.source.pixels.counting import check_whole
from karat.source.pixels.decoding import ENDINGS
from karat.source.pixels.folders import Files, folder
from karat.source.pixels.options import PixelOptions, reading
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scenes import ImageScene, SceneFiles, open_scene
from karat.source.pixels.values import TOPS
from karat.words import listing

SIDE = 1200
"""The longest side of a picture in pixels; larger images are made smaller."""
Values = npt.NDArray[np.float64]


def is_image(path: str) -> bool:
    """Return whether a file is a mask or a score map, by its ending."""
    return path.lower().endswith(ENDINGS)


def pixel_picture(
    path: str | Path,
    truth: str | Path,
    *,
    photo: str | Path | None = None,
    threshold: float | None = None,
    using: Mapping[str, str] | None = None,
) -> PixelPicture:
    """Return a picture of one image: agreement, scores, and hits, misses and false alarms at a threshold.

    `truth` is a mask, or a folder with one of the same name, or with a folder of masks for each annotator. Without a
    threshold scores are cut where F1 is best; of several annotators, at least half of them must have marked a pixel
    unless `using` says at_least.
    """
    path = Path(path)
    truths = _truths(Path(truth), path)
    given = dict(using or {})
    asked = given.pop("at_least", None)
    how = reading(_options(given))
    several = how.annotators or len(truths)
    at_least = int(asked) if asked else (several + 1) // 2
    if not 1 <= at_least <= several:
        raise OptionError(f"--using at-least={at_least}; there are {several} annotators")
    files = SceneFiles(path.stem, tuple(truths), (path,))
    with rasters() as opener:
        scene = open_scene(files, opener, how, several)
        return _picture(scene, at_least, threshold, photo)


def _options(given: Mapping[str, Any]) -> PixelOptions:
    """Return the options of reading, for every level of agreement."""
    taken = ("void", "truth_threshold", "annotators", "most_pixels")
    for name in given:
        if name not in taken:
            raise OptionError(
                f"--using {name} is no option of a picture; it takes {listing(taken)}"
            )
    return PixelOptions(at_least="levels", **given)


def _truths(truth: Path, image: Path) -> list[Path]:
    """Return the masks of an image: one, or that of each annotator who has it."""
    if truth.is_file():
        return [truth]
    if not truth.is_dir():
        raise InputError(f"there is no file or folder {truth}; check its name")
    found: Files = {}
    for name, file in folder(truth).files.items():
        if Path(name).name == image.stem:
            found[name] = file
    if not found:
        names = listing(folder(truth).files, most=3)
        raise InputError(f"{truth} holds no image called {image.stem!r}; it has {names}")
    return list(found.values())


def _picture(
    scene: ImageScene, at_least: int, threshold: float | None, photo: str | Path | None
) -> PixelPicture:
    check_whole(scene)
    band = scene.whole()
    assert band.level is not None  # noqa: S101 (there is a truth)
    level = band.level.astype(np.int64)
    scores = band.systems[0].astype(np.float64)
    marked = set(np.unique(scores).tolist()) - {0.0}
    is_mask = len(marked) <= 1 and marked <= set(TOPS)
    truth = level >= at_least
    chosen = ""
    if is_mask:
        threshold = max(marked, default=1.0)
    elif threshold is None:
        threshold = _best(truth, scores)
        chosen = ", where F1 is best"
    outcome = outcomes(truth, scores >= threshold)
    number = np.bincount(outcome.ravel(), minlength=4)
    times = -(-max(truth.shape) // SIDE)
    return PixelPicture(
        name=scene.files.name,
        system=scene.files.systems[0].parent.name or scene.files.systems[0].stem,
        photo=_photo(photo, truth.shape, times),
        agreement=smaller(level / scene.looked, times),
        annotators=scene.looked,
        scores=smaller(scores, times),
        is_mask=is_mask,
        outcome=smaller_outcome(outcome, times),
        threshold=float(threshold),
        chosen=chosen,
        at_least=at_least,
        hits=int(number[HIT]),
        misses=int(number[MISS]),
        alarms=int(number[3]),
    )


def _best(truth: npt.NDArray[np.bool_], scores: Values) -> float:
    """Return the threshold at which F1 is best; of several the highest."""
    values, place = np.unique(scores, return_inverse=True)
    found = np.bincount(place.ravel(), truth.ravel(), len(values))[::-1].cumsum()
    answered = np.bincount(place.ravel(), minlength=len(values))[::-1].cumsum()
    f1 = 2 * found / (truth.sum() + answered)
    return float(values[::-1][f1.argmax()])


def _photo(path: str | Path | None, shape: tuple[int, int], times: int) -> Any:
    """Return the photograph, as small as the rest of the picture."""
    if path is None:
        return None
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 (optional)

    try:
        with Image.open(path) as image:
            height, width = shape
            if image.size != (width, height):
                raise InputError(
                    f"{path} is {image.width:,} pixels wide and {image.height:,} high, "
                    f"the masks {width:,} and {height:,}"
                )
            image.thumbnail((width // times, height // times))
            return np.asarray(image.convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} cannot be read as a photograph ({error})") from None
