"""Which files each image consists of: its truth or several, each system's, and where pixels do not count."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.paths import exists
from karat.source.pixels.folders import Folder, annotators, chosen_annotators, folder
from karat.source.pixels.matching import JoinedFolders, joined, match
from karat.source.pixels.options import PixelOptions, Reading
from karat.source.truth_and_systems import Parts, matches_files
from karat.words import counted, listing


@dataclass(frozen=True, slots=True)
class SceneFiles:
    """Where the parts of one image lie; an annotator without it is not among the truths."""

    name: str
    truths: tuple[Path, ...]
    systems: tuple[Path, ...]
    ignore: Path | None = None
    within: Path | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """All of them."""
        regions = [one for one in (self.ignore, self.within) if one is not None]
        return (*self.truths, *self.systems, *regions)


@dataclass(frozen=True, slots=True)
class SceneFolders:
    """All images in the order of their names, and what was taken for granted."""

    scenes: tuple[SceneFiles, ...]
    annotators: int
    """How many there are; 0 where there is one truth."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImageSet:
    """The images of a table, and how they were read: enough to look at one again."""

    folders: SceneFolders
    systems: tuple[str, ...]
    how: Reading


def scene_folders(
    systems: Sequence[Folder], truths: JoinedFolders | None, options: PixelOptions, faults: Faults
) -> SceneFolders:
    """Return the files of every image, matched by name."""
    regions = [_region(options.ignore, "ignore"), _region(options.within, "within")]
    first, others = systems[0], systems[1:]
    if truths is not None:
        first, others = truths.union, systems
    found = match(first, [*others, *[one for one in regions if one is not None]], faults)
    files = iter(found.files)
    if truths is not None:
        next(files)
    answers = [next(files) for _ in systems]
    ignore, within = (None if one is None else next(files) for one in regions)
    scenes = []
    for name, own in found.original.items():
        of_truth = tuple(one[own] for one in truths.files if own in one) if truths else ()
        of_systems = tuple(one[name] for one in answers)
        regions_of = [None if one is None else one[name] for one in (ignore, within)]
        scenes.append(SceneFiles(name, of_truth, of_systems, *regions_of))
    rules = dict.fromkeys([*found.rules, *(truths.rules if truths else ())])
    notes = []
    if rules:
        most = max(scenes, key=lambda scene: len(scene.paths))
        called = dict.fromkeys(path.name for path in most.paths)
        alike = f"taken for the same image, {most.name!r}: {', '.join(called)}"
        notes.append(f"{alike} ({'; '.join(rules)})")
    if truths is not None and truths.several:
        notes.append(f"{counted(len(truths.names), 'annotator')}: {listing(truths.names)}")
    return SceneFolders(tuple(scenes), truths.several if truths else 0, tuple(notes))


def _region(path: str, option: str) -> Folder | None:
    if not path:
        return None
    if not exists(path) and not matches_files(path):
        raise InputError(f"--using {option}: there is no file or folder {path}; check its name")
    return folder(Path(path))


def truth_folders(parts: Parts, systems: Sequence[Folder], how: Reading) -> JoinedFolders | None:
    """Return the folder of the truth, or those of several annotators as one; None without a truth."""
    if parts.truth is None:
        return None
    if how.annotator_names:
        return joined(parts.truth, chosen_annotators(parts.truth, how.annotator_names))
    several = annotators(parts.truth, systems)
    if several:
        return joined(parts.truth, several)
    return joined(parts.truth, {parts.truth.name: folder(parts.truth)})
