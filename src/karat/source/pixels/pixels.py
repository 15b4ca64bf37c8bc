"""Masks and score maps: the pixels of images are the items, counted without a row for each.

A pixel has a truth (a mask, or how many annotators marked it) and a value of each system. Counts of these, image by
image, are a table: its rows are the values that occur, and how often; images are clusters and groups. Systems that
gave masks are counted together; score maps one by one, since what scores have in common on a pixel is too much to
count.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError, RoleError
from karat.keywords import takes_options
from karat.source.faults import Faults
from karat.source.origin import Source
from karat.source.paths import is_folder
from karat.source.pixels.folders import folder
from karat.source.pixels.matching import JoinedFolders
from karat.source.pixels.object_rows import OBJECT, object_rows
from karat.source.pixels.options import PixelOptions, Reading, described, reading
from karat.source.pixels.pixel_rows import COUNT, IMAGE, LOOKED, MARKED, pixel_rows
from karat.source.pixels.scene_files import ImageSet, scene_folders, truth_folders
from karat.source.truth_and_systems import Parts, truth_and_systems
from karat.words import listing

OWN = (IMAGE, OBJECT, COUNT, MARKED, LOOKED)


@takes_options(PixelOptions)
def pixels(paths: Sequence[str], **options: Any) -> Source:
    """Masks and score maps (PNG, TIFF, GIF, BMP, PNM, .npy): a folder of images for the truth and one for each system.

    A pattern in quotes is a set of images as a folder is. Files are matched by their names, or by what of them differs
    from image to image.

    `unit` is what a row is about: pixel or object (connected pixels). `ignore` and `within` are folders of masks: of
    pixels that do not count, or of the only ones that do; `void` is a value of the truth that does not count.
    `truth_threshold` and `threshold` make masks of grey values, of the truth and of the systems: from there on is yes;
    A:0.5,B:128 gives each system its own. `step` rounds scores down to its multiples.

    Where the folder of the truth holds one for each annotator, `at_least` is how many must have marked a pixel.
    `annotators` names the folders or patterns of files that are theirs, A,B; or says that the values of the truth are
    numbers of so many.

    `tolerance` counts hits within so many pixels, matched one to one. `overlap` is the share of an object that must be
    marked, `smallest` how many pixels an object has at least. `clusters` is image, or none where pixels are to be taken
    as independent. `most_pixels` is the largest image that is decoded.
    """
    given = PixelOptions(**options)
    faults = Faults(lenient=given.lenient)
    _check_truth(given.truth)
    _check_folders(paths)
    parts = _chosen(truth_and_systems(paths, taken=OWN, sets=True), given.systems)
    how = reading(given, list(parts.systems))
    _check_asked(parts, how, given.asked)
    systems = [folder(path) for path in parts.systems.values()]
    truths = truth_folders(parts, systems, how)
    how = _with_levels(how, truths, parts)
    folders = scene_folders(systems, truths, given, faults)
    if how.is_of_objects:
        source = object_rows(folders, parts, how, given.each)
    else:
        source = pixel_rows(folders, parts, how, given.each)
    notes = (*folders.notes, *source.notes, *faults.notes())
    roles = {**source.roles, "source": described(given)}
    images = ImageSet(folders, tuple(parts.systems), how)
    return replace(source, roles=roles, notes=notes, images=images)


def _check_truth(truth: str | None) -> None:
    """Refuse a truth that does not exist: one that exists is before the systems by now."""
    if truth is not None:
        raise InputError(
            f"there is no file or folder {truth}; the truth of images is a folder of masks, or a file"
        )


def _check_folders(paths: Sequence[str]) -> None:
    """Refuse the images of a folder one by one, as a shell writes net/*.png: each would be a system."""
    if not any(is_folder(path) for path in paths):
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
            f"rows of images are identified by {listing(sorted(known))}"
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
    """Return the request to give how many annotators must agree, and who they are."""
    levels = (
        f"choose how many of them must have marked a pixel with --using at-least={several // 2 + 1}, or see every "
        "level with karat skew agreement"
    )
    if not truths.several:
        return f"{truths.union.path} holds the marks of {several} annotators; {levels}"
    first = ",".join(truths.names[:2])
    return (
        f"{truths.union.path} holds {several} sets of images, {listing(truths.names)}. If each is an annotator's, "
        f"{levels}; if only some are, name them with --using annotators={first}; otherwise name the one that is "
        "the truth"
    )
