"""Which files each image consists of: its truth or several, each system's, and where pixels do not count."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.faults import Faults
from karat.source.paths import exists
from karat.source.pixels.folders import Files, Folder, annotators, chosen_annotators, folder
from karat.source.pixels.matching import JoinedFolders, joined, match
from karat.source.pixels.options import PixelOptions, Reading
from karat.source.truth_and_systems import Parts, matches_files
from karat.words import counted, listing


@dataclass(frozen=True, slots=True)
class SceneFiles:
    """The files of one image; an annotator without it is not among the truths."""

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
    """All images in the order of their names, and notes on what was assumed."""

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
    ignore = _region(options.ignore, "ignore")
    within = _region(options.within, "within")
    regions = [one for one in (ignore, within) if one is not None]
    folders = [*systems, *regions]
    if truths is not None:
        folders.insert(0, truths.union)
    found = match(folders[0], folders[1:], faults)
    files = list(found.files)
    if truths is not None:
        del files[0]  # each annotator's own are in `truths`
    answers = files[: len(systems)]
    of_regions = iter(files[len(systems) :])
    ignored: Files = {} if ignore is None else next(of_regions)
    inside: Files = {} if within is None else next(of_regions)
    scenes = []
    for name, own in found.original.items():
        of_truth = () if truths is None else truths.of_image(own)
        of_systems = tuple(one[name] for one in answers)
        scene = SceneFiles(name, of_truth, of_systems, ignored.get(name), inside.get(name))
        scenes.append(scene)
    notes = _notes(scenes, found.rules, truths)
    return SceneFolders(tuple(scenes), truths.several if truths else 0, notes)


def _notes(
    scenes: Sequence[SceneFiles], rules: Sequence[str], truths: JoinedFolders | None
) -> tuple[str, ...]:
    """Return by which rules names that differ were paired, with an example, and who the annotators are."""
    notes = []
    of_truth = () if truths is None else truths.rules
    every_rule = dict.fromkeys([*rules, *of_truth])
    if every_rule:
        example = max(scenes, key=lambda scene: len(scene.paths))
        names = dict.fromkeys(path.name for path in example.paths)
        what = f"taken for the same image, {example.name!r}: {', '.join(names)}"
        notes.append(f"{what} ({'; '.join(every_rule)})")
    if truths is not None and truths.several:
        notes.append(f"{counted(len(truths.names), 'annotator')}: {listing(truths.names)}")
    return tuple(notes)


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
