"""Truth and systems in files or folders of their own: TRUTH SYSTEM..., with - where there is no truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from glob import has_magic
from itertools import chain
from pathlib import Path

from karat.errors import InputError, NoFileError
from karat.source.origin import refuse_address, shown
from karat.source.paths import exists, is_a_file, is_folder, matching
from karat.words import listing

NONE = "-"
TRUTH = "truth"
"""The column of the truth."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the truth is, if it is anywhere, and where each system's output is."""

    truth: Path | None
    systems: dict[str, Path]

    @property
    def paths(self) -> list[Path]:
        """All of them, the truth first."""
        systems = list(self.systems.values())
        return [self.truth, *systems] if self.truth else systems

    @property
    def origin(self) -> str:
        """How a message names them all."""
        return shown([str(path) for path in self.paths])

    def roles(self) -> dict[str, object]:
        """Return what is known of the columns."""
        roles: dict[str, object] = {"systems": tuple(self.systems)}
        if self.truth:
            roles["truth"] = TRUTH
        return roles


def truth_and_systems(
    paths: Sequence[str], *, taken: Sequence[str] = (), sets: bool = False
) -> Parts:
    """Return which path is the truth and which are systems, each with its name.

    `taken` are names of other columns, which no system may have. With `sets` a pattern that matches files is one
    system, as a folder of them is.
    """
    first, *others = expanded(paths, sets=sets)
    if not others:
        raise InputError(
            f"{first} stands alone; name the truth (or - for none) and at least one system, as TRUTH SYSTEM..."
        )
    taken = (*taken, TRUTH) if first != NONE else taken
    systems: dict[str, Path] = {}
    for word in others:
        name, path = named(word, sets=sets)
        if name in systems:
            raise InputError(
                f"{path}: the name {name!r} is also that of {systems[name]}; give it another one as NAME=PATH"
            )
        if name in taken:
            raise InputError(
                f"{path}: the name {name!r} means something else; give it another one as NAME=PATH"
            )
        systems[name] = path
    truth = None if first == NONE else _existing(Path(first), sets=sets)
    return Parts(truth, systems)


def expanded(paths: Sequence[str], *, sets: bool = False) -> list[str]:
    """Return the paths, with what matches in place of each pattern; with `sets` patterns of files stay."""
    return list(chain.from_iterable(_expanded(path, sets=sets) for path in paths))


def _expanded(path: str, *, sets: bool) -> list[str]:
    if not has_magic(path) or exists(path):
        return [path]
    if sets and (matches_files(path) or matches_files(path.partition("=")[2])):
        return [path]
    matches = matching(path)
    if not matches:
        raise InputError(f"no file matches {path!r}; check the pattern and the folder you are in")
    return matches


def matches_files(pattern: str) -> bool:
    """Return whether a text is a pattern, and files match it rather than folders."""
    if not has_magic(pattern) or exists(pattern):
        return False
    matches = matching(pattern)
    return bool(matches) and all(is_a_file(match) for match in matches)


def named(word: str, *, sets: bool = False) -> tuple[str, Path]:
    """Return the name and the path of a system.

    A folder has its own name, a file its own without the ending; NAME=PATH gives another.
    """
    name, equals, rest = word.partition("=")
    if equals and name and not exists(word):
        return name, _existing(Path(rest), sets=sets)
    path = _existing(Path(word), sets=sets)
    return stem(path), path


def stem(path: Path) -> str:
    """Return a file's name without its ending.

    >>> stem(Path("runs/bm25.run.gz")), stem(Path("runs/tuned")), stem(Path("marks/*_ann.png"))
    ('bm25', 'tuned', 'ann')
    """
    if is_folder(path) or not path.suffix:
        return path.resolve().name
    own = Path(path.name.removesuffix(".gz")).stem
    if has_magic(own) and not exists(path):
        own = own.strip("*?_-. ") or path.resolve().parent.name
    return own


def _existing(path: Path, *, sets: bool = False) -> Path:
    refuse_address(str(path))
    if not exists(path) and not (sets and matches_files(str(path))):
        raise NoFileError(path, "file or folder")
    return path


def check_same(expected: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the expected names that are missing, and the names that are not expected, in order."""
    all_expected = set(expected)
    all_names = set(names)
    missing = [name for name in expected if name not in all_names]
    extra = [name for name in names if name not in all_expected]
    return missing, extra


def some(names: Sequence[str]) -> str:
    """Return a few names in words."""
    return listing(names, most=3)
