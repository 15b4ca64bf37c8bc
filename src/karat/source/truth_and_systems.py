"""Truth and systems in files or folders of their own: TRUTH SYSTEM..., with - where there is no truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from karat.errors import InputError
from karat.source.origin import shown
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
        return [*([self.truth] if self.truth else []), *self.systems.values()]

    @property
    def origin(self) -> str:
        """How a message names them all."""
        return shown([str(path) for path in self.paths])

    def roles(self) -> dict[str, object]:
        """Return what is known of the columns."""
        return {"systems": tuple(self.systems)} | ({"truth": TRUTH} if self.truth else {})


def parted(paths: Sequence[str], *, taken: Sequence[str] = ()) -> Parts:
    """Return which path is the truth and which are systems, each with its name.

    `taken` are names of other columns, which no system may have.
    """
    first, *others = [one for path in paths for one in _expanded(path)]
    if not others:
        raise InputError(
            f"{first} stands alone; name the truth (or - for none) and at least one system, as TRUTH SYSTEM..."
        )
    systems: dict[str, Path] = {}
    for word in others:
        name, path = named(word)
        if name in systems or name in taken or (name == TRUTH and first != NONE):
            whose = (
                f"is also that of {systems[name]}" if name in systems else "means something else"
            )
            raise InputError(f"{path}: the name {name!r} {whose}; give it another as NAME=PATH")
        systems[name] = path
    return Parts(None if first == NONE else _there(Path(first)), systems)


def _expanded(path: str) -> list[str]:
    if not has_magic(path) or Path(path).exists():
        return [path]
    found = sorted(glob(path))  # noqa: PTH207 (keeps the user's own spelling)
    if not found:
        raise InputError(f"no file matches {path!r}; check the pattern and the folder you are in")
    return found


def named(word: str) -> tuple[str, Path]:
    """Return the name and the path of a system.

    A folder is named by its own name, a file by its own without the ending; NAME=PATH says otherwise.
    """
    name, equals, rest = word.partition("=")
    if equals and name and not Path(word).exists():
        return name, _there(Path(rest))
    path = _there(Path(word))
    return stem(path), path


def stem(path: Path) -> str:
    """Return a file's name without its ending.

    >>> stem(Path("runs/bm25.run.gz")), stem(Path("runs/tuned"))
    ('bm25', 'tuned')
    """
    if path.is_dir() or not path.suffix:
        return path.resolve().name
    return Path(path.name.removesuffix(".gz")).stem


def _there(path: Path) -> Path:
    if not path.exists():
        raise InputError(
            f"there is no file or folder {path}; check its name and the folder you are in"
        )
    return path


def check_same(truth: Sequence[str], found: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what one set lacks of the other, and what it has beside it, in order."""
    own, others = set(truth), set(found)
    return [name for name in truth if name not in others], [
        name for name in found if name not in own
    ]


def some(names: Sequence[str]) -> str:
    """Return a few names in words."""
    return listing(names, most=3)
