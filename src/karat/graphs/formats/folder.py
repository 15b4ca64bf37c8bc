"""Folders of label graphs: every file by its name, and what is wrong with those that cannot be used."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats.files import ENDINGS, format_of, graphs_in
from karat.graphs.formats.label_graph import ENDINGS as USUAL
from karat.graphs.formats.label_graph import Problem
from karat.graphs.formats.latex_lines import read_latex_lines
from karat.graphs.model.structure import LabelGraph
from karat.words import counted, listing

EMPTY = LabelGraph()
OTHER = (".inkml", ".mml", ".mathml")
"""What files are called that are read where a folder has no .lg files."""


@dataclass(frozen=True, slots=True)
class GraphSet:
    """The graphs of one folder by name; those that cannot be used are told apart."""

    name: str
    origin: str
    graphs: Mapping[str, LabelGraph]
    problems: tuple[Problem, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Why a file could not be read."""
    duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Files that have the same name."""
    unread: tuple[str, ...] = ()
    """What else the folder holds that was not read, in words."""

    def state(self, name: str) -> str:
        """Return what is the matter with a graph: missing, empty, unreadable, duplicate, or nothing."""
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
        """Return how many lines of which graphs mean nothing."""
        if self.problems and len(self.graphs) == 1:
            return {next(iter(self.graphs)): len(self.problems)}
        return dict(Counter(stem(Path(problem.file).name) for problem in self.problems))

    def left_out(self) -> tuple[str, ...]:
        """Return in words what of the files is in no graph."""
        if not self.problems:
            return self.unread
        where = listing(sorted(self.malformed()), most=3)
        return (
            *self.unread,
            f"{self.name}: {meaningless(len(self.problems))} left out, in {where}.",
        )


def read_set(path: str | Path, *, name: str | None = None, lenient: bool = False) -> GraphSet:
    """Read the graphs of a folder and of the folders in it, of one file, or the formulas of a file of LaTeX lines.

    A line that means nothing is an error, or with `lenient` one of the set's problems. What cannot be read at all, or
    has the name of another file, is no graph of the set.
    """
    if Path(path).is_file() and format_of(path) == "latex":
        return lines_set(path, name=name)
    found = files_of(str(path))
    graphs: dict[str, LabelGraph] = {}
    problems: list[Problem] = []
    unreadable: dict[str, str] = {}
    doubtful: list[str] = []
    for key, places in found.items():
        if len(places) == 1:
            try:
                (reading,) = graphs_in(places[0])
            except InputError as error:
                unreadable[key] = str(error)
            else:
                graphs[key] = reading.graph
                problems += reading.problems
                doubtful += [str(one) for one in reading.contradictions]
    if problems and not lenient:
        raise InputError(_refusal(problems))
    duplicates = {key: tuple(places) for key, places in found.items() if len(places) > 1}
    called = name or Path(os.path.normpath(path)).name
    said = (*(f"{called}: {what}." for what in doubtful), *unread(str(path), called))
    return GraphSet(called, str(path), graphs, tuple(problems), unreadable, duplicates, said)


def single(one: GraphSet) -> bool:
    """Return whether a set is one file of one graph."""
    return (
        len(one.graphs) + len(one.unreadable) == 1
        and not one.duplicates
        and Path(one.origin).is_file()
    )


def called_like(one: GraphSet, name: str) -> GraphSet:
    """Return a set of one file whose graph has another name, by which it is paired."""
    return replace(
        one, graphs=dict.fromkeys([name], *one.graphs.values()) if one.graphs else {},
        unreadable=dict.fromkeys([name], *one.unreadable.values()) if one.unreadable else {},
    )  # fmt: skip


def aligned(truth: GraphSet | None, systems: Sequence[GraphSet]) -> list[GraphSet]:
    """Return systems whose single files have the name of the truth's single file, or that of the first of them."""
    sets = [*([truth] if truth else []), *systems]
    if not single(sets[0]) or (truth is None and not all(map(single, sets))):
        return list(systems)
    (name,) = (*sets[0].graphs, *sets[0].unreadable)
    return [called_like(one, name) if single(one) else one for one in systems]


def meaningless(lines: int) -> str:
    """Return so many lines without a meaning, in words.

    >>> meaningless(1), meaningless(2)
    ('1 line that means nothing', '2 lines that mean nothing')
    """
    return f"{counted(lines, 'line')} that {'means' if lines == 1 else 'mean'} nothing"


def unread(path: str, name: str) -> tuple[str, ...]:
    """Return what a folder holds that is not read: graphs in another format, links to folders, closed folders."""
    if not os.path.isdir(path):  # noqa: PTH112
        return ()
    closed: list[str] = []
    others: list[str] = []
    links: list[str] = []
    usual = False
    for folder, inner, names in os.walk(
        path, onerror=lambda error: closed.append(str(error.filename))
    ):
        links += (each for each in inner if os.path.islink(os.path.join(folder, each)))  # noqa: PTH114, PTH118
        usual = usual or any(each.lower().endswith(USUAL) for each in names)
        others += (each for each in names if each.lower().endswith(OTHER))
    said = []
    if usual and others:
        many = counted(len(others), "file")
        said.append(
            f"{name}: beside .lg there {_are(len(others))} {many} of another format, not read: "
        )
        said[-1] += f"{listing(sorted(others), most=3)}."
    said += [f"{name}: {each!r} is a link to a folder, not followed." for each in sorted(links)]
    return (*said, *(f"{name}: the folder {each} cannot be read." for each in sorted(closed)))


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def lines_set(path: str | Path, *, name: str | None = None) -> GraphSet:
    """Read a file of LaTeX lines; one that is no formula is unreadable, for what is left of it might pass for right."""
    readings = read_latex_lines(path)
    times = Counter(one.graph.name for one in readings)
    alone = {one.graph.name: one for one in readings if times[one.graph.name] == 1}
    graphs = {key: one.graph for key, one in alone.items() if not one.problems}
    unreadable = {key: str(one.problems[0]) for key, one in alone.items() if one.problems}
    twice = {key: (str(path),) * number for key, number in times.items() if number > 1}
    return GraphSet(name or Path(path).stem, str(path), graphs, (), unreadable, twice)


def called(paths: Sequence[str | Path]) -> dict[str, str]:
    """Return folders by name: NAME=DIR, or as much of the end of the path as tells them apart.

    >>> called(["runs/a/out", "runs/b/out", "mine=c"])
    {'a/out': 'runs/a/out', 'b/out': 'runs/b/out', 'mine': 'c'}
    """
    found: dict[str, str] = {}
    plain = [str(path) for path in paths if "=" not in str(path) or Path(path).exists()]
    parts = {path: Path(os.path.normpath(path)).parts for path in plain}
    for path in map(str, paths):
        if path in parts:
            most = range(1, len(parts[path]) + 1)
            ends = [parts[path][-depth:] for depth in most]
            alone = [
                end
                for end in ends
                if sum(other[-len(end) :] == end for other in parts.values()) == 1
            ]
            name = stem("/".join(alone[0] if alone else parts[path]))
        else:
            name, _, path = path.partition("=")  # noqa: PLW2901 (what is left of it)
        if name in found:
            raise InputError(f"two systems are called {name!r}; name them as NAME=DIR")
        found[name] = path
    return found


def checked_truth(truth: GraphSet) -> GraphSet:
    """Return the truth's graphs; one that is there twice, or cannot be read, is nothing to compare with."""
    if truth.duplicates:
        name = min(truth.duplicates)
        raise InputError(
            f"the truth has {name!r} twice: {' and '.join(truth.duplicates[name])}; keep one of them"
        )
    if truth.unreadable:
        raise InputError(
            f"the truth of {min(truth.unreadable)!r} is missing: {truth.unreadable[min(truth.unreadable)]}"
        )
    return truth


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
    found = _ending_with(USUAL, path) or _ending_with(OTHER, path)
    if not found:
        raise InputError(
            f"{path} holds no file that ends with .lg; name the folder of the label graphs"
        )
    return dict(sorted(found.items()))


def _ending_with(endings: tuple[str, ...], path: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder, inner, names in os.walk(path):
        inner.sort()
        for name in sorted(names):
            if name.lower().endswith(endings):
                found.setdefault(stem(name), []).append(os.path.join(folder, name))  # noqa: PTH118
    return found


def _refusal(problems: Sequence[Problem]) -> str:
    files = dict.fromkeys(problem.file for problem in problems)
    others = [Path(file).name for file in files][1:]
    more = f"; {len(problems) - 1:,} more such lines" if len(problems) > 1 else ""
    more += f", also in {listing(others, most=3)}" if others else ""
    return f"{problems[0]}{more}. Mend such lines, or leave them out with --lenient"


def paired(truth: GraphSet, system: GraphSet) -> dict[str, str]:
    """Return the name in the system's set for every graph of the truth; two single files are a pair anyway."""
    ours, theirs = [*truth.graphs], [*system.graphs]
    if (
        len(ours) == len(theirs) == 1
        and not Path(truth.origin).is_dir()
        and not Path(system.origin).is_dir()
    ):
        return {ours[0]: theirs[0]}
    return {name: name for name in ours}


def extra(truth: GraphSet, system: GraphSet) -> tuple[str, ...]:
    """Return the graphs of a system that the truth does not have."""
    ours = set(paired(truth, system).values())
    known = {*system.graphs, *system.unreadable, *system.duplicates}
    return tuple(sorted(known - ours - truth.unreadable.keys() - truth.duplicates.keys()))
