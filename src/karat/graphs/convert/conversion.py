"""Many graphs from one form into another: all are read and converted before the first is written."""

from collections.abc import Callable, Iterable, Mapping
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
from karat.words import counted


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
            raise OptionError(f"{graphs} in the form {self.form} need a folder; say -o FOLDER")
        return "".join(f"{name}\t{text}\n" for name, text in self.texts.items())

    def save(self, output: str | Path) -> int:
        """Write one file, or a file for each graph into a folder (a name without an ending); return how many."""
        path = Path(output)
        if path.suffix and not path.is_dir():
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
    loader = _Loader(lenient=lenient)
    graphs = loader.load(paths, format)
    truths = loader.load([against], None) if against else {}
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
            if not lenient:
                raise InputError(
                    f"{error.message} (--lenient leaves such graphs out, and lists them)"
                ) from None
            failed.append(error.message)
    return Conversion(
        form=to,
        texts=texts,
        problems=tuple(loader.problems),
        failed=tuple(failed),
        empty=tuple(name for name in texts if not graphs[name].primitives()),
        contradictions=tuple(loader.contradictions),
    )


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

    lenient: bool
    problems: list[str] = field(default_factory=list)
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
        if not graphs:
            raise InputError("there is no graph in these files")
        return graphs

    def _readings(self, file: str, format: str | None) -> tuple[GraphReading, ...]:  # noqa: A002
        """Return the graphs of a file; with `lenient` a file that cannot be read is listed like a bad line."""
        try:
            readings = graphs_in(file, format=format)
        except InputError as error:
            if not self.lenient:
                raise
            self.problems.append(error.message)
            return ()
        problems = [str(problem) for reading in readings for problem in reading.problems]
        if problems and not self.lenient:
            more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
            raise InputError(
                f"{problems[0]}{more}; fix the file, or leave such places out with --lenient"
            )
        self.problems += problems
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
