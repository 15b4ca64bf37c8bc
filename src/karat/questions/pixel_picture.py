"""What does a mask or score map look like, and where does it differ from the truth?"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.errors import InputError, OptionError
from karat.questions.scene_pictures import PictureOptions, picture_of
from karat.report.pixel_pictures import PixelPicture
from karat.source.faults import Faults
from karat.source.paths import exists, is_a_file, is_folder
from karat.source.pixels.decoding import ALL_ENDINGS
from karat.source.pixels.folders import Folder, folder
from karat.source.pixels.matching import JoinedFolders
from karat.source.pixels.options import PixelOptions, reading
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scene_files import SceneFiles, SceneFolders, scene_folders, truth_folders
from karat.source.pixels.scenes import open_scene
from karat.source.truth_and_systems import Parts, some
from karat.words import listing

SIDE = 1200
"""The longest side of a picture in pixels; larger images are made smaller."""
TAKEN = ("void", "truth_threshold", "annotators", "most_pixels", "ignore", "within")
"""The options of reading that a picture takes, beside at_least."""


def is_image(path: str) -> bool:
    """Return whether a file is a mask or a score map, by its ending."""
    return path.lower().endswith(ALL_ENDINGS)


def pixel_picture(
    path: str | Path,
    truth: str | Path,
    *,
    photo: str | Path | None = None,
    threshold: float | None = None,
    using: Mapping[str, str] | None = None,
) -> PixelPicture:
    """Return a picture of one image: agreement, scores, and hits, misses and false alarms at a threshold.

    `truth` is a mask, or a folder with one, or with a folder of masks for each annotator; names are matched as those of
    all images beside it are. Without a threshold scores are cut where F1 is best; of several annotators, at least half
    of them must have marked a pixel unless `using` says at_least.
    """
    path = Path(path)
    given = dict(using or {})
    asked = given.pop("at_least", None)
    options = _options(given)
    how = reading(options)
    folders = _folders(path, Path(truth), options)
    files = _files(folders, path, Path(truth))
    several = how.annotators or folders.annotators or 1
    at_least = _at_least(asked, several)
    drawn = PictureOptions(at_least=at_least, side=SIDE, threshold=threshold)
    with rasters() as opener:
        scene = open_scene(files, opener, how, several)
        shown = _photo(photo, scene.shape)
        system = path.parent.name or path.stem
        picture = picture_of(scene, 0, system, drawn, photo=shown)
    return replace(picture, alike=folders.notes)


def _options(given: Mapping[str, Any]) -> PixelOptions:
    """Return the options of reading, for every level of agreement."""
    for name in given:
        if name not in TAKEN:
            raise OptionError(
                f"--using {name} is not an option of a picture; it takes {listing(TAKEN)}"
            )
    return PixelOptions(at_least="levels", **given)


def _at_least(asked: str | None, several: int) -> int:
    """Return how many annotators must have marked a pixel: half of them unless requested."""
    if asked is None:
        return (several + 1) // 2
    if not asked.isdecimal() or not 1 <= int(asked) <= several:
        raise OptionError(f"--using at-least={asked}; there are {several} annotators")
    return int(asked)


def _folders(path: Path, truth: Path, options: PixelOptions) -> SceneFolders:
    """Return an image with its truth: a file, or the one that belongs to it as those beside it belong to each other."""
    if not exists(path):
        raise InputError(f"there is no file {path}; check its name")
    if is_a_file(truth):
        _, same = folder(truth), {path.stem: truth}  # looks at the ending
        system = Folder(path, {path.stem: path})
        truths: JoinedFolders | None = JoinedFolders(
            Folder(truth, same), (same,), (truth.name,), ()
        )
    elif is_folder(truth):
        system = folder(path.parent)
        truths = truth_folders(Parts(truth, {}), [system], reading(options))
    else:
        raise InputError(f"there is no file or folder {truth}; check its name")
    return scene_folders([system], truths, options, Faults(lenient=True))


def _files(folders: SceneFolders, path: Path, truth: Path) -> SceneFiles:
    """Return the files of one image."""
    for scene in folders.scenes:
        if scene.systems[0] == path:
            return scene
    names = some([scene.systems[0].name for scene in folders.scenes])
    raise InputError(f"{truth} holds no image of {path.name}; it has those of {names}")


def _photo(path: str | Path | None, shape: tuple[int, int]) -> Any:
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
            times = -(-max(shape) // SIDE)
            image.thumbnail((width // times, height // times))
            return np.asarray(image.convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} cannot be read as a photograph ({error})") from None
