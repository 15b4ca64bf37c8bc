"""Folders of label graphs: every file by its name, and what is wrong with those that cannot be used."""

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.files import ENDINGS, format_of, graphs_in
from karat.graphs.formats.label_graph import LG_ENDINGS, FileProblem
from karat.graphs.formats.latex_lines import read_latex_lines
from karat.graphs.model.structure import LabelGraph
from karat.words import counted, listing

EMPTY = LabelGraph()
OTHER_ENDINGS = (".inkml", ".mml", ".mathml")
"""How the files end that are read where a folder has no .lg files."""


@dataclass(frozen=True, slots=True)
class GraphSet:
    """The graphs of one folder by name, and the files that cannot be used."""

    name: str
    origin: str
    graphs: Mapping[str, LabelGraph]
    problems: tuple[FileProblem, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Why a file could not be read."""
    duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Files that have the same name."""
    unread: tuple[str, ...] = ()
    """What else the folder holds that was not read, in words."""

    def state(self, name: str) -> str:
        """Return what is wrong with a graph: missing, empty, unreadable, duplicate, or nothing."""
        if name in self.graphs:
            graph = self.graphs[name]
            return "" if graph.nodes or graph.objects or graph.edges else "empty"
        if name in self.duplicates:
            return "duplicate"
        return "unreadable" if name in self.unreadable else "missing"

    def graph(self, name: str) -> LabelGraph:
        """Return a graph; one without primitives where there is none to use."""
        return self.graphs.get(name, EMPTY)

    def malformed(self) -> dict[str, int]:
        """Return the number of malformed lines of each graph that has some."""
        if self.problems and len(self.graphs) == 1:
            (name,) = self.graphs
            return {name: len(self.problems)}
        names = [stem(Path(problem.file).name) for problem in self.problems]
        return dict(Counter(names))

    def left_out(self) -> tuple[str, ...]:
        """Return in words what of the files is in no graph."""
        if not self.problems:
            return self.unread
        graphs = listing(sorted(self.malformed()), most=3)
        lines = malformed_lines_text(len(self.problems))
        return (*self.unread, f"{self.name}: {lines} left out, in {graphs}.")


def read_set(path: str | Path, *, name: str | None = None, lenient: bool = False) -> GraphSet:
    """Read the graphs of a folder and of the folders in it, of one file, or the formulas of a file of LaTeX lines.

    A malformed line is an error, or with `lenient` one of the set's problems. A file that cannot be read, or that has
    the name of another file, is no graph of the set.
    """
    if Path(path).is_file() and format_of(path) == "latex":
        return lines_set(path, name=name)
    set_name = name or Path(os.path.normpath(path)).name
    graphs: dict[str, LabelGraph] = {}
    problems: list[FileProblem] = []
    unreadable: dict[str, str] = {}
    duplicates: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for key, files in files_of(str(path)).items():
        if len(files) > 1:
            duplicates[key] = tuple(files)
            continue
        try:
            (reading,) = graphs_in(files[0])
        except InputError as error:
            unreadable[key] = error.message
            continue
        graphs[key] = reading.graph
        problems += reading.problems
        warnings += [f"{set_name}: {one}." for one in reading.contradictions]
    if problems and not lenient:
        raise InputError(_refusal(problems))
    warnings += unread(str(path), set_name)
    return GraphSet(
        name=set_name,
        origin=str(path),
        graphs=graphs,
        problems=tuple(problems),
        unreadable=unreadable,
        duplicates=duplicates,
        unread=tuple(warnings),
    )


def _refusal(problems: Sequence[FileProblem]) -> str:
    """Return the message for malformed lines: the first of them, how many more there are, and in which files."""
    message = str(problems[0])
    if len(problems) > 1:
        message += f"; {len(problems) - 1:,} more such lines"
    files = dict.fromkeys(problem.file for problem in problems)
    others = [Path(file).name for file in files][1:]
    if others:
        message += f", also in {listing(others, most=3)}"
    return f"{message}. Correct such lines, or leave them out with --lenient"


def malformed_lines_text(lines: int) -> str:
    """Return a number of malformed lines in words.

    >>> malformed_lines_text(1), malformed_lines_text(2)
    ('1 malformed line', '2 malformed lines')
    """
    return counted(lines, "malformed line")


def lines_set(path: str | Path, *, name: str | None = None) -> GraphSet:
    """Read a file of LaTeX lines; a malformed formula is unreadable, since what is left of it might pass for right."""
    readings = read_latex_lines(path)
    times = Counter(one.graph.name for one in readings)
    graphs: dict[str, LabelGraph] = {}
    unreadable: dict[str, str] = {}
    duplicates: dict[str, tuple[str, ...]] = {}
    for one in readings:
        key = one.graph.name
        if times[key] > 1:
            duplicates[key] = (str(path),) * times[key]
        elif one.problems:
            unreadable[key] = str(one.problems[0])
        else:
            graphs[key] = one.graph
    return GraphSet(
        name=name or Path(path).stem,
        origin=str(path),
        graphs=graphs,
        unreadable=unreadable,
        duplicates=duplicates,
    )


def of_graphs(name: str, graphs: Mapping[str, LabelGraph]) -> GraphSet:
    """Return graphs in memory as a set."""
    return GraphSet(name, name, dict(graphs))


def stem(file: str) -> str:
    """Return what a file is paired by: its name without the ending."""
    base, dot, ending = file.rpartition(".")
    return base if dot and f".{ending.lower()}" in ENDINGS else file


def files_of(path: str) -> dict[str, list[str]]:
    """Return the files of a folder by the name they are paired by, in order."""
    if os.path.isfile(path):  # noqa: PTH113 (so are the paths below)
        return {stem(os.path.basename(path)): [path]}  # noqa: PTH119
    if not os.path.isdir(path):  # noqa: PTH112
        raise InputError(f"there is no folder {path}; check its name and the folder you are in")
    files = _ending_with(LG_ENDINGS, path) or _ending_with(OTHER_ENDINGS, path)
    if not files:
        raise InputError(
            f"{path} holds no file that ends with .lg; name the folder of the label graphs"
        )
    return dict(sorted(files.items()))


def _ending_with(endings: tuple[str, ...], path: str) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for folder, inner, names in os.walk(path):
        inner.sort()
        for name in sorted(names):
            if name.lower().endswith(endings):
                files.setdefault(stem(name), []).append(os.path.join(folder, name))  # noqa: PTH118
    return files


def unread(path: str, name: str) -> tuple[str, ...]:
    """Return what a folder holds that is not read: graphs in another format, links to folders, closed folders."""
    if not os.path.isdir(path):  # noqa: PTH112
        return ()
    closed: list[str] = []
    others: list[str] = []
    links: list[str] = []
    has_lg = False
    walk = os.walk(path, onerror=lambda error: closed.append(str(error.filename)))
    for folder, inner, names in walk:
        links += (each for each in inner if os.path.islink(os.path.join(folder, each)))  # noqa: PTH114, PTH118
        for each in names:
            if each.lower().endswith(LG_ENDINGS):
                has_lg = True
            elif each.lower().endswith(OTHER_ENDINGS):
                others.append(each)
    warnings = []
    if has_lg and others:
        verb = "is" if len(others) == 1 else "are"
        files = counted(len(others), "file")
        examples = listing(sorted(others), most=3)
        warnings.append(
            f"{name}: beside .lg there {verb} {files} of another format, not read: {examples}."
        )
    warnings += [f"{name}: {each!r} is a link to a folder, not followed." for each in sorted(links)]
    warnings += [f"{name}: the folder {each} cannot be read." for each in sorted(closed)]
    return tuple(warnings)


def called(paths: Sequence[str | Path]) -> dict[str, str]:
    """Return folders by name: NAME=DIR, or the shortest end of the path that no other folder has.

    >>> called(["runs/a/out", "runs/b/out", "mine=c"])
    {'a/out': 'runs/a/out', 'b/out': 'runs/b/out', 'mine': 'c'}
    """
    texts = [str(path) for path in paths]
    without_name = [path for path in texts if "=" not in path or Path(path).exists()]
    parts = {path: Path(os.path.normpath(path)).parts for path in without_name}
    folders: dict[str, str] = {}
    for text in texts:
        if text in parts:
            name = stem("/".join(_unique_ending(parts[text], parts.values())))
            folder = text
        else:
            name, _, folder = text.partition("=")
        if name in folders:
            raise InputError(f"two systems are called {name!r}; name them as NAME=DIR")
        folders[name] = folder
    return folders


def _unique_ending(own: tuple[str, ...], paths: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the shortest end of a path that no other one has, or the whole path."""
    for depth in range(1, len(own) + 1):
        ending = own[-depth:]
        if sum(path[-depth:] == ending for path in paths) == 1:
            return ending
    return own


def single(one: GraphSet) -> bool:
    """Return whether a set is one file of one graph."""
    graphs = len(one.graphs) + len(one.unreadable)
    return graphs == 1 and not one.duplicates and Path(one.origin).is_file()


def called_like(one: GraphSet, name: str) -> GraphSet:
    """Return a set of one file whose graph has another name, by which it is paired."""
    if one.graphs:
        (graph,) = one.graphs.values()
        return replace(one, graphs={name: graph})
    (reason,) = one.unreadable.values()
    return replace(one, unreadable={name: reason})


def aligned(truth: GraphSet | None, systems: Sequence[GraphSet]) -> list[GraphSet]:
    """Return systems whose single files have the name of the truth's single file, or that of the first of them."""
    first = systems[0] if truth is None else truth
    if not single(first):
        return list(systems)
    if truth is None and not all(map(single, systems)):
        return list(systems)
    (name,) = (*first.graphs, *first.unreadable)
    return [called_like(one, name) if single(one) else one for one in systems]


def paired(truth: GraphSet, system: GraphSet) -> dict[str, str]:
    """Return the name in the system's set for every graph of the truth; two single files are a pair anyway."""
    one_each = len(truth.graphs) == len(system.graphs) == 1
    if one_each and not Path(truth.origin).is_dir() and not Path(system.origin).is_dir():
        return dict(zip(truth.graphs, system.graphs, strict=True))
    return {name: name for name in truth.graphs}


def extra(truth: GraphSet, system: GraphSet) -> tuple[str, ...]:
    """Return the graphs of a system that the truth does not have."""
    expected = {*paired(truth, system).values(), *truth.unreadable, *truth.duplicates}
    present = {*system.graphs, *system.unreadable, *system.duplicates}
    return tuple(sorted(present - expected))


def checked_truth(truth: GraphSet) -> GraphSet:
    """Return the truth, if each of its files can be read and is there once."""
    if truth.duplicates:
        name = min(truth.duplicates)
        files = " and ".join(truth.duplicates[name])
        raise InputError(f"the truth has {name!r} twice: {files}; keep one of them")
    if truth.unreadable:
        name = min(truth.unreadable)
        raise InputError(f"the truth of {name!r} is missing: {truth.unreadable[name]}")
    return truth
