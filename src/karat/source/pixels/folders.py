"""The images of a folder, or those that a pattern matches; and the folders of several annotators."""

from collections.abc import Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

from karat.errors import InputError
from karat.source.paths import composed, exists, is_folder, matching
from karat.source.pixels.decoding import ALL_ENDINGS, ENDINGS, LOSSY, PACKED
from karat.source.truth_and_systems import stem
from karat.words import listing

Files = dict[str, Path]
"""The images of a folder by name."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder, a pattern of files or a single file is for, and its images."""

    path: Path
    files: Files


def folder(path: Path) -> Folder:
    """Return the images of a folder by their paths inside it without the ending; of a pattern; or a single one."""
    if is_folder(path):
        found, inside = sorted(path.rglob("*")), path
    elif exists(path):
        _check_ending(path)
        return Folder(path, {_name(path, path.parent): path})
    else:
        found, inside = _matches(path), path.parent
    files: Files = {}
    for file in found:
        if not _is_image(file):
            continue
        name = _name(file, inside)
        if name in files:
            raise InputError(
                f"{path}: {files[name].name} and {file.name} would both be the image {name!r}; keep one of them, "
                f"or name one kind with a pattern in quotes, '{path}/*{file.suffix}'"
            )
        files[name] = file
    if not files:
        raise InputError(f"{path} holds no images; karat reads {listing(ENDINGS)}{_lossy(found)}")
    return Folder(path, files)


def _is_image(file: Path) -> bool:
    return file.name.lower().endswith(ALL_ENDINGS) and not file.name.startswith(".")


def _matches(pattern: Path) -> list[Path]:
    """Return the files that a pattern matches, which was left as it is because they are one set."""
    return [Path(match) for match in matching(str(pattern))]


def _name(file: Path, inside: Path) -> str:
    """Return the name of an image: its path in the folder, without its ending.

    >>> _name(Path("a/b/im0001.ah.ppm.gz"), Path("a"))
    'b/im0001.ah'
    """
    if has_magic(str(inside)):
        return composed(file.stem)
    relative = file.relative_to(inside)
    if relative.suffix.lower() == PACKED:
        relative = relative.with_suffix("")
    return composed(relative.with_suffix("").as_posix())


def _check_ending(path: Path) -> None:
    lower = path.name.lower()
    if lower.endswith(LOSSY):
        raise InputError(f"{path} is compressed with loss, which changes pixels; save it as PNG")
    if not lower.endswith(ALL_ENDINGS):
        raise InputError(
            f"{path} is not an image that karat reads; these end with {listing(ENDINGS)}"
        )


def _lossy(files: Sequence[Path]) -> str:
    for file in files:
        if file.name.lower().endswith(LOSSY):
            return (
                f". {file.name} is compressed with loss, which changes pixels; write what the system gave as PNG. "
                "If nothing else is left, convert the files to PNG yourself, and say so beside the numbers"
            )
    return ""


def folders_inside(path: Path) -> list[str]:
    """Return the names of the folders in a folder that hold images."""
    if not is_folder(path):
        return []
    inside = [one for one in sorted(path.iterdir()) if one.is_dir()]
    return [one.name for one in inside if any(map(_is_image, one.rglob("*")))]


def annotators(path: Path, others: Sequence[Folder]) -> dict[str, Folder]:
    """Return the folders of several annotators inside the truth's folder; none where its images are the truth.

    Folders inside are annotators where the systems' images have no such folders.
    """
    inside = folders_inside(path)
    if not inside or any(_is_image(one) for one in path.iterdir()):
        return {}
    names = set(folder(path).files)
    if any(names & set(other.files) for other in others):
        return {}
    return {name: folder(path / name) for name in inside}


def chosen_annotators(path: Path, names: Sequence[str]) -> dict[str, Folder]:
    """Return the folders, or the patterns of files, in the truth's folder that were named as annotators."""
    found = {}
    for name in names:
        one = path / name
        if not one.exists() and not _matches(one):
            inside = listing(folders_inside(path)) or "no folders of images"
            raise InputError(
                f"--using annotators: {path} holds no {name!r}; it has {inside}. An annotator is a folder in it, or a "
                "pattern of its files, as *_1stHO.png"
            )
        found[stem(one)] = folder(one)
    return found
