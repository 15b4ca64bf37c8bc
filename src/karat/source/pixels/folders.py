"""Which files are of the same image: folders matched by the names of their files.

Names may have more in one folder than in another, as in 01_manual1.gif and 01.png: words that all names of a folder
have in common, at the beginning or at the end, are left out where the names as they stand do not match.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.pixels.decoding import ENDINGS, LOSSY
from karat.source.truth_and_systems import check_same, some
from karat.words import counted, listing

Files = dict[str, Path]
"""The images of a folder by name."""
BETWEEN_WORDS = re.compile(r"[_\-. ]+")
ABSENT = "put them there, or leave these images out with --lenient"


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder, or a single file, is for, and its images."""

    path: Path
    files: Files


@dataclass(frozen=True, slots=True)
class MatchedImages:
    """The names of the images, and the file of each in every folder; notes say which names were taken for equal."""

    names: tuple[str, ...]
    files: tuple[Files, ...]
    notes: tuple[str, ...] = ()


def folder(path: Path) -> Folder:
    """Return the images of a folder by their paths inside it without the ending, or a single one."""
    if not path.is_dir():
        _check_ending(path)
        return Folder(path, {path.stem: path})
    files: Files = {}
    for file in sorted(path.rglob("*")):
        if not file.name.lower().endswith(ENDINGS) or file.name.startswith("."):
            continue
        name = file.relative_to(path).with_suffix("").as_posix()
        if name in files:
            raise InputError(
                f"{path}: {files[name].name} and {file.name} would both be the image {name!r}; keep one of them"
            )
        files[name] = file
    if not files:
        raise InputError(f"{path} holds no images; karat reads {listing(ENDINGS)}{_lossy(path)}")
    return Folder(path, files)


def _check_ending(path: Path) -> None:
    lower = path.name.lower()
    if lower.endswith(LOSSY):
        raise InputError(f"{path} is compressed with loss, which changes pixels; save it as PNG")
    if not lower.endswith(ENDINGS):
        raise InputError(f"{path} is no image that karat reads; these end with {listing(ENDINGS)}")


def _lossy(path: Path) -> str:
    for file in path.rglob("*"):
        if file.name.lower().endswith(LOSSY):
            return f". {file.name} is compressed with loss, which changes pixels; save it as PNG"
    return ""


def annotators(path: Path, others: Sequence[Folder]) -> dict[str, Folder]:
    """Return the folders of several annotators inside the truth's folder; none where its images are the truth.

    Folders inside are annotators where the systems' images have no such folders.
    """
    if not path.is_dir():
        return {}
    inside = [one for one in sorted(path.iterdir()) if one.is_dir()]
    direct = [one for one in path.iterdir() if one.name.lower().endswith(ENDINGS)]
    if direct or not inside:
        return {}
    found = {}
    for one in inside:
        if any(file.name.lower().endswith(ENDINGS) for file in one.rglob("*")):
            found[one.name] = folder(one)
    names = set(folder(path).files) if found else set()
    if any(names & set(other.files) for other in others):
        return {}
    return found


def match(first: Folder, others: Sequence[Folder], faults: Faults) -> MatchedImages:
    """Return which files are of the same image; what one folder lacks is a fault."""
    if all(len(one.files) == 1 for one in (first, *others)):
        (name,) = first.files
        single = [{name: next(iter(one.files.values()))} for one in (first, *others)]
        return MatchedImages((name,), tuple(single))
    own = _best(first, others)
    wanted = set(own)
    found = [own]
    notes = []
    for other in others:
        files = _nearest(other, wanted)
        if files.keys() != other.files.keys() or own.keys() != first.files.keys():
            notes += _note(own, files)
        found.append(files)
        _check(other.path, first.path, own, files, faults)
    names = [name for name in sorted(own) if all(name in files for files in found)]
    if not names:
        raise InputError(f"no image of {first.path} is in every other folder too")
    return MatchedImages(tuple(names), tuple(found), tuple(dict.fromkeys(notes)))


def _note(own: Files, files: Files) -> list[str]:
    """Return a sentence about files of different names that were taken for the same image."""
    both = sorted(own.keys() & files.keys())
    if not both or own[both[0]].stem == files[both[0]].stem:
        return []
    truth, answer = own[both[0]], files[both[0]]
    return [f"{truth.name} and {answer.name} are taken for the same image, {both[0]!r}"]


def _best(first: Folder, others: Sequence[Folder]) -> Files:
    """Return the first folder's images by their names or by the shortened ones, whichever more of the others have."""

    def matches(files: Files) -> int:
        return sum(len(files.keys() & _nearest(other, set(files)).keys()) for other in others)

    short = shortened(first.files)
    return short if matches(short) > matches(first.files) else first.files


def _nearest(other: Folder, wanted: set[str]) -> Files:
    short = shortened(other.files)
    if len(wanted & short.keys()) > len(wanted & other.files.keys()):
        return short
    return other.files


def shortened(files: Mapping[str, Path]) -> Files:
    """Return images by names without the words that all have in common at the beginning or at the end.

    >>> list(shortened({"01_manual1": Path(), "02_manual1": Path()}))
    ['01', '02']
    >>> list(shortened({"Image_01L": Path(), "Image_01R": Path()}))
    ['01L', '01R']
    """
    words = [BETWEEN_WORDS.split(name) for name in files]
    most = min(map(len, words), default=1) - 1
    if len(words) < 2:
        return dict(files)
    ends = 0
    while ends < most and len({tuple(one[-ends - 1 :]) for one in words}) == 1:
        ends += 1
    starts = 0
    while starts + ends < most and len({tuple(one[: starts + 1]) for one in words}) == 1:
        starts += 1
    names = ["_".join(one[starts : len(one) - ends]) for one in words]
    if len(set(names)) < len(names):
        return dict(files)
    return dict(zip(names, files.values(), strict=True))


def _check(path: Path, truth: Path, expected: Files, files: Files, faults: Faults) -> None:
    """Take note of images that a folder lacks, or that it alone has."""
    missing, extra = check_same(sorted(expected), sorted(files))
    if missing:
        what = f"{counted(len(missing), 'image')} of {truth} missing, {some(missing)}"
        if len(missing) == len(expected):
            what += f" (it has {some(extra)}); images are matched by name"
        faults.add(str(path), what, remedy=ABSENT)
    if extra:
        what = f"{counted(len(extra), 'image')} without truth, {some(extra)}"
        faults.add(str(path), what, remedy=f"remove them, add them to {truth}, or say --lenient")
