"""Folders of label graphs: every file by its name, and what is wrong with those that cannot be used."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from karat.errors import InputError, NoFileError
from karat.graphs.formats.files import ENDINGS, format_of
from karat.graphs.formats.formulas.latex_lines import read_latex_lines
from karat.graphs.formats.label_graph import LG_ENDINGS, FileProblem
from karat.graphs.formats.only_graphs import only_graphs
from karat.graphs.formats.shown_names import shown_name, with_shown_name
from karat.graphs.model.structure import LabelGraph
from karat.source.each import Each, in_turn
from karat.source.paths import composed, is_a_file
from karat.words import counted, listing

EMPTY = LabelGraph()
OTHER_ENDINGS = (".inkml", ".mml", ".mathml")
"""How the files end that are read where a folder has no .lg files."""
FORMULA_ENDINGS = (".tex", ".latex", ".txt")
"""How files of one formula of LaTeX end, which are read where a folder has neither."""


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
    formulas: Mapping[str, str] = field(default_factory=dict)
    """The LaTeX of each formula that was read from such, also of those that cannot be read as a graph."""
    unread: tuple[str, ...] = ()
    """What else the folder holds that was not read, in words."""

    @property
    def shown(self) -> str:
        """What a result calls the folder or file."""
        return shown_name(self.origin)

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


def read_set(
    path: str | Path, *, name: str | None = None, lenient: bool = False, each: Each = in_turn
) -> GraphSet:
    """Read the graphs of a folder and of the folders in it, of one file, or the formulas of a file of LaTeX lines.

    A malformed line is an error, or with `lenient` one of the set's problems. A file that cannot be read, or that has
    the name of another file, is not a graph of the set. `each` reads the files of a folder, here or on workers.
    """
    if is_a_file(path) and format_of(path) == "latex":
        return lines_set(path, name=name)
    set_name = name or Path(os.path.normpath(path)).name
    graphs: dict[str, LabelGraph] = {}
    problems: list[FileProblem] = []
    unreadable: dict[str, str] = {}
    duplicates: dict[str, tuple[str, ...]] = {}
    formulas: dict[str, str] = {}
    warnings: list[str] = []
    single: dict[str, str] = {}
    for key, files in files_of(str(path)).items():
        if len(files) > 1:
            duplicates[key] = tuple(files)
        else:
            single[key] = files[0]
    for (key, file), reading in zip(
        single.items(), only_graphs(single.values(), each), strict=True
    ):
        if isinstance(reading, InputError):
            unreadable[key] = reading.message
            continue
        if reading.formula is not None:
            formulas[key] = reading.formula
            if reading.problems:
                # What is left of a malformed formula might pass for right.
                unreadable[key] = _all_of(reading.problems)
                continue
        graphs[key] = reading.graph
        problems += reading.problems
        told = [with_shown_name(str(one), file, path) for one in reading.contradictions]
        warnings += (f"{set_name}: {one}." for one in told)
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
        formulas=formulas,
        unread=tuple(warnings),
    )


def _all_of(problems: Sequence[FileProblem]) -> str:
    """Return the first of some problems, and how many more there are."""
    more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
    return f"{problems[0]}{more}"


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
    formulas: dict[str, str] = {}
    for one in readings:
        key = one.graph.name
        if times[key] > 1:
            duplicates[key] = (str(path),) * times[key]
            continue
        if one.formula is not None:
            formulas[key] = one.formula
        if one.problems:
            unreadable[key] = _all_of(one.problems)
        else:
            graphs[key] = one.graph
    return GraphSet(
        name=name or Path(path).stem,
        origin=str(path),
        graphs=graphs,
        unreadable=unreadable,
        duplicates=duplicates,
        formulas=formulas,
    )


def of_graphs(name: str, graphs: Mapping[str, LabelGraph]) -> GraphSet:
    """Return graphs in memory as a set."""
    return GraphSet(name, name, dict(graphs))


def stem(file: str) -> str:
    """Return what a file is paired by: its name without the ending."""
    name = composed(file)
    base, dot, ending = name.rpartition(".")
    return base if dot and f".{ending.lower()}" in ENDINGS else name


def files_of(path: str) -> dict[str, list[str]]:
    """Return the files of a folder by the name they are paired by, in order."""
    if os.path.isfile(path):  # noqa: PTH113 (so are the paths below)
        return {stem(os.path.basename(path)): [path]}  # noqa: PTH119
    if not os.path.isdir(path):  # noqa: PTH112
        raise NoFileError(path, "folder")
    for endings in (LG_ENDINGS, OTHER_ENDINGS, FORMULA_ENDINGS):
        files = _ending_with(endings, path)
        if files:
            return dict(sorted(files.items()))
    raise InputError(
        f"{path} holds no file that ends with .lg; name the folder of the label graphs"
    )


def _ending_with(endings: tuple[str, ...], path: str) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for folder, inner, names in os.walk(path):
        inner.sort()
        for name in sorted(names):
            if name.lower().endswith(endings):
                key = composed(name[: name.rindex(".")])
                files.setdefault(key, []).append(os.path.join(folder, name))  # noqa: PTH118
    return files


def unread(path: str, name: str) -> tuple[str, ...]:
    """Return what a folder holds that is not read: graphs in another format, links to folders, closed folders."""
    if not os.path.isdir(path):  # noqa: PTH112
        return ()
    closed: list[str] = []
    links: list[str] = []
    files: list[str] = []
    walk = os.walk(path, onerror=lambda error: closed.append(str(error.filename)))
    for folder, inner, names in walk:
        links += (each for each in inner if os.path.islink(os.path.join(folder, each)))  # noqa: PTH114, PTH118
        files += names
    has_lg = any(each.lower().endswith(LG_ENDINGS) for each in files)
    others = [each for each in files if each.lower().endswith(OTHER_ENDINGS)]
    warnings = []
    if has_lg and others:
        verb = "is" if len(others) == 1 else "are"
        number = counted(len(others), "file")
        examples = listing(sorted(others), most=3)
        warnings.append(
            f"{name}: beside .lg there {verb} {number} of another format, not read: {examples}."
        )
    warnings += [f"{name}: {each!r} is a link to a folder, not followed." for each in sorted(links)]
    for each in sorted(closed):
        warnings.append(f"{name}: the folder {shown_name(each, path)} cannot be read.")
    return tuple(warnings)
