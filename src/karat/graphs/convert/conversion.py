"""Many graphs from one form into another: all are read and converted before the first is written."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.graphs.convert import FILE_ENDINGS, GRAPH_FORMS, ONE_LINE_FORMS
from karat.graphs.formats.files import files_of, graphs_in
from karat.graphs.formats.label_graph import GraphReading
from karat.graphs.model.structure import LabelGraph
from karat.report.writing import write
from karat.source.paths import is_folder
from karat.words import counted

MOST_SHOWN = 20
"""How many problems a message lists; the others are counted."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """The graphs in their new form by name, and what was left out of them."""

    form: str
    texts: Mapping[str, str]
    problems: tuple[str, ...] = ()
    """Lines that mean nothing and were left out."""
    failed: tuple[str, ...] = ()
    """Graphs that the form cannot express, and why."""
    empty: tuple[str, ...] = ()
    """Graphs without a symbol."""
    contradictions: tuple[str, ...] = ()
    """Places where a file contradicts itself."""

    def together(self) -> str:
        """Return all graphs as one text; of several each has a line, after its name and a tab."""
        if len(self.texts) == 1:
            (text,) = self.texts.values()
            return _with_newline(text)
        if self.form not in ONE_LINE_FORMS:
            graphs = counted(len(self.texts), "graph")
            raise OptionError(
                f"{graphs} in the form {self.form} need a folder; name one with -o FOLDER"
            )
        return "".join(f"{name}\t{text}\n" for name, text in self.texts.items())

    def save(self, output: str | Path) -> int:
        """Write one file, or a file for each graph into a folder (a name without an ending); return how many."""
        path = Path(output)
        if path.suffix and not is_folder(path):
            write(path, self.together())
            return 1
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(
                f"{path} cannot be written: {error.strerror}; name another folder with -o"
            ) from None
        ending = FILE_ENDINGS.get(self.form, ".lg")
        for name, text in self.texts.items():
            write(path / f"{name}{ending}", _with_newline(text))
        return len(self.texts)


def _with_newline(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def convert(
    paths: Iterable[str | Path],
    *,
    to: str,
    format: str | None = None,  # noqa: A002 (the option's name)
    against: str | Path | None = None,
    lenient: bool = False,
    **options: Any,
) -> Conversion:
    """Return the graphs of files and folders in another form.

    Options are those of the form: `lines` and `names` of .lg files, `view` of drawings. `against` is the truth that
    a drawing shows the differences to. A line that means nothing is an error; with `lenient` it is left out and
    listed.
    """
    writer = GRAPH_FORMS[to]
    _check_options(to, writer, [*options, "against"] if against else options)
    loader = _Loader()
    graphs = loader.load(paths, format)
    truths = loader.load([against], None) if against else {}
    if loader.problems and not lenient:
        raise InputError(*_refusal(loader.problems, loader.files))
    if not graphs:
        raise InputError("there is no graph in these files", *_first(loader.problems))
    texts: dict[str, str] = {}
    failed: list[str] = []
    for name, graph in graphs.items():
        try:
            if against:
                truth = _partner(name, graphs, truths, str(against))
                texts[name] = writer(graph, against=truth, **options)
            else:
                texts[name] = writer(graph, **options)
        except InputError as error:
            failed.append(error.message)
    if failed and not lenient:
        remedy = "(--lenient leaves such graphs out, and lists them)"
        if len(failed) == 1:
            raise InputError(f"{failed[0]} {remedy}")
        number = counted(len(failed), "graph")
        raise InputError(f"{number} cannot be written so:", *_first(failed), remedy)
    return Conversion(
        form=to,
        texts=texts,
        problems=tuple(loader.problems),
        failed=tuple(failed),
        empty=tuple(name for name in texts if not graphs[name].primitives()),
        contradictions=tuple(loader.contradictions),
    )


def _refusal(problems: Sequence[str], files: Collection[str]) -> list[str]:
    """Return the message for places that cannot be read: how many there are in how many files, and which."""
    remedy = "correct the file, or leave such places out with --lenient"
    if len(problems) == 1:
        return [f"{problems[0]}; {remedy}"]
    number = f"{counted(len(problems), 'place')} in {counted(len(files), 'file')}"
    return [f"{number} cannot be read:", *_first(problems), remedy]


def _first(problems: Sequence[str]) -> list[str]:
    """Return the first problems, a line each, and how many more there are."""
    lines = [*problems[:MOST_SHOWN]]
    rest = len(problems) - MOST_SHOWN
    if rest > 0:
        lines.append(f"and {rest:,} more")
    return lines


def _check_options(to: str, writer: Callable[..., str], names: Iterable[str]) -> None:
    """Refuse an option that the form does not have."""
    for name in names:
        if not _takes(writer, name):
            forms = [form for form in GRAPH_FORMS if _takes(GRAPH_FORMS[form], name)]
            raise OptionError(
                f"--{name} means nothing for --to {to}; it is for --to {'|'.join(forms)}"
            )


def _takes(writer: Callable[..., str], option: str) -> bool:
    return option in signature(writer).parameters


@dataclass(slots=True)
class _Loader:
    """Reads files of graphs, and collects what is wrong with them."""

    problems: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    """Those in which something is wrong."""
    contradictions: list[str] = field(default_factory=list)

    def load(
        self,
        paths: Iterable[str | Path],
        format: str | None,  # noqa: A002
    ) -> dict[str, LabelGraph]:
        """Return the graphs of files by the names they get in their new form."""
        graphs: dict[str, LabelGraph] = {}
        file_of: dict[str, str] = {}
        for file in files_of(paths, format=format):
            for reading in self._readings(file, format):
                name = _output_name(reading.graph, file)
                if name in graphs:
                    raise InputError(
                        f"{file} and {file_of[name]} both hold a graph {name!r}; convert them one at a time"
                    )
                graphs[name] = reading.graph
                file_of[name] = file
                self.contradictions += map(str, reading.contradictions)
        return graphs

    def _readings(self, file: str, format: str | None) -> tuple[GraphReading, ...]:  # noqa: A002
        """Return the graphs of a file; one that cannot be read is listed like a bad line."""
        try:
            readings = graphs_in(file, format=format)
        except InputError as error:
            self.problems.append(error.message)
            self.files.add(file)
            return ()
        problems = [str(problem) for reading in readings for problem in reading.problems]
        if problems:
            self.problems += problems
            self.files.add(file)
        return readings


def _output_name(graph: LabelGraph, file: str) -> str:
    """Return what a graph is called in its new form, which may become the name of a file."""
    name = graph.name
    if name == Path(file).name:
        name = Path(name).stem
    return name.replace("/", "_").replace("\\", "_") or "graph"


def _partner(
    name: str, graphs: Mapping[str, LabelGraph], truths: Mapping[str, LabelGraph], against: str
) -> LabelGraph:
    """Return the truth of a graph: the one of the same name, or the only one for the only graph."""
    if len(graphs) == len(truths) == 1:
        return next(iter(truths.values()))
    if name not in truths:
        raise InputError(f"{against} has no graph {name!r} to compare with")
    return truths[name]
