"""Match the files of several folders that belong to the same image; report what cannot be matched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.pixels.folders import Files, Folder, folders_inside
from karat.source.pixels.image_names import PairedNames, begins, paired, shortened
from karat.source.truth_and_systems import some
from karat.words import counted, listing

ABSENT = "add them, or leave these images out with --lenient"
UNLIKE = (
    "images are matched by their names, which may differ in words that all names of a folder share, in zeros before "
    "numbers, or in what follows; rename the files so"
)


@dataclass(frozen=True, slots=True)
class MatchedImages:
    """The images that all folders have, and the file of each in every folder."""

    original: Mapping[str, str]
    """By the name of each image its name in the first folder."""
    files: tuple[Files, ...]
    rules: tuple[str, ...] = ()
    """How names that differ were paired."""


@dataclass(frozen=True, slots=True)
class JoinedFolders:
    """Folders of several annotators as one: the images that any of them has, and each one's under the same names."""

    union: Folder
    files: tuple[Files, ...]
    names: tuple[str, ...]
    """Of the annotators."""
    rules: tuple[str, ...]
    """How names that differ were paired."""

    @property
    def several(self) -> int:
        """How many annotators there are; 0 where there is one truth."""
        return len(self.names) if len(self.names) > 1 else 0

    def of_image(self, name: str) -> tuple[Path, ...]:
        """Return the file of each annotator who has an image."""
        return tuple(files[name] for files in self.files if name in files)


def joined(path: Path, several: Mapping[str, Folder]) -> JoinedFolders:
    """Return the folders of several annotators under the names of the first that has each image."""
    union: Files = {}
    by_folder: list[Files] = []
    rules: dict[str, None] = {}
    for one in several.values():
        pairs = paired(union, one.files)
        name_of = {other: own for own, other in pairs.names.items()}
        if pairs.rule:
            rules[pairs.rule] = None
        files = {name_of.get(name, name): file for name, file in one.files.items()}
        by_folder.append(files)
        union = {**files, **union}
    return JoinedFolders(Folder(path, union), tuple(by_folder), tuple(several), tuple(rules))


def match(first: Folder, others: Sequence[Folder], faults: Faults) -> MatchedImages:
    """Return which files are of the same image; what one folder lacks is a fault."""
    if all(len(folder.files) == 1 for folder in (first, *others)):
        return _single(first, others)
    pairs = [paired(first.files, other.files) for other in others]
    for other, pair in zip(others, pairs, strict=True):
        _check(first, other, pair, faults)
    rules = dict.fromkeys(pair.rule for pair in pairs if pair.rule)
    original = _in_all_folders(first, pairs, shorten=bool(rules))
    if not original:
        raise InputError(f"no image of {first.path} is in every other folder too; {UNLIKE}")
    files: list[Files] = [{name: first.files[own] for name, own in original.items()}]
    for other, pair in zip(others, pairs, strict=True):
        files.append({name: other.files[pair.names[own]] for name, own in original.items()})
    return MatchedImages(original, tuple(files), tuple(rules))


def _in_all_folders(
    first: Folder, pairs: Sequence[PairedNames], *, shorten: bool
) -> dict[str, str]:
    """Return the images that every folder has, by their names in the result: the name of each in the first folder."""
    names = {name: name for name in first.files}
    if shorten:
        names = shortened(first.files)
    shared = {own for own in first.files if all(own in pair.names for pair in pairs)}
    return {name: own for name, own in sorted(names.items()) if own in shared}


def _single(first: Folder, others: Sequence[Folder]) -> MatchedImages:
    """Match the only file of each folder, whatever their names."""
    (name,) = first.files
    files: list[Files] = []
    for folder in (first, *others):
        (file,) = folder.files.values()
        files.append({name: file})
    return MatchedImages({name: name}, tuple(files))


def _check(first: Folder, other: Folder, pairs: PairedNames, faults: Faults) -> None:
    """Report images that one of two folders lacks."""
    missing = [name for name in first.files if name not in pairs.names]
    taken = set(pairs.names.values())
    extra = [name for name in other.files if name not in taken]
    if not pairs.names:
        raise InputError(_nothing_in_common(first, other))
    if missing:
        what = f"{counted(len(missing), 'image')} of {first.path} missing, {some(missing)}"
        faults.add(str(other.path), what, remedy=ABSENT)
    if extra:
        what = f"{counted(len(extra), 'image')} that {first.path} lacks, {some(extra)}"
        remedy = f"remove them, add them to {first.path}, or use --lenient"
        faults.add(str(other.path), what, remedy=remedy)


def _nothing_in_common(first: Folder, other: Folder) -> str:
    """Return the refusal of folders without a common image, with what may have been meant."""
    what = (
        f"{first.path} and {other.path} have no image in common; the first has {some(list(first.files))}, "
        f"the other {some(list(other.files))}. "
    )
    several = _several_of_one(first, other) or _several_of_one(other, first)
    if several:
        return what + several
    inside = folders_inside(first.path)
    if len(inside) > 1:
        return f"{what}{first.path} holds the folders {listing(inside)}: name the one that is meant"
    return what + UNLIKE[0].upper() + UNLIKE[1:]


def _several_of_one(folder: Folder, other: Folder) -> str:
    """Return the problem that a folder has several files of an image, if it has; else an empty text."""
    for name in (*other.files, *shortened(other.files)):
        alike = [own for own in folder.files if begins(own, name)]
        if len(alike) < 2:
            continue
        file = folder.files[alike[0]]
        rest = file.name[len(name) :] if file.name.startswith(name) else file.suffix
        pattern = file.with_name(f"*{rest}")
        return (
            f"{folder.path} has several files of one image, {listing(alike, most=3)}: name one kind by a pattern in "
            f"quotes, '{pattern}'"
        )
    return ""
