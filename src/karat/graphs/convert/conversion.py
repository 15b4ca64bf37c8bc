"""Many graphs from one form into another: read, converted, and only then written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.graphs.convert import ENDINGS, GRAPH_FORMS, LINES
from karat.graphs.formats.files import files_of, graphs_in
from karat.graphs.formats.label_graph import Reading
from karat.graphs.model.structure import LabelGraph
from karat.report.writing import write
from karat.words import counted


@dataclass(frozen=True, slots=True)
class Conversion:
    """The graphs in their new form by name, what in their files meant nothing, and graphs that have no such form."""

    form: str
    texts: Mapping[str, str]
    problems: tuple[str, ...] = ()
    """Lines that were left out or read around."""
    failed: tuple[str, ...] = ()
    """Graphs that the form cannot express, and why."""
    empty: tuple[str, ...] = ()
    """Graphs without a symbol."""
    contradictions: tuple[str, ...] = ()
    """Where files say two things."""

    def together(self) -> str:
        """Return all graphs as one text: a form of one line gives a line each, after the graph's name."""
        if len(self.texts) == 1:
            (text,) = self.texts.values()
            return text if text.endswith("\n") else f"{text}\n"
        if self.form not in LINES:
            raise OptionError(
                f"{counted(len(self.texts), 'graph')} in the form {self.form} need a folder; say -o FOLDER"
            )
        return "".join(f"{name}\t{text}\n" for name, text in self.texts.items())

    def save(self, output: str | Path) -> int:
        """Write a file, or into a folder, which has no ending, a file for each graph; return how many."""
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
        ending = ENDINGS.get(self.form, ".lg")
        for name, text in self.texts.items():
            write(path / f"{name}{ending}", text if text.endswith("\n") else f"{text}\n")
        return len(self.texts)


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

    Options are those of the form: `lines` and `names` of .lg files, `rules` of text, `view` of drawings. `against` is
    the truth that a drawing shows the differences to. What means nothing is an error, unless `lenient` lists it.
    """
    writer = GRAPH_FORMS[to]
    _check(to, writer, {**options, **({"against": against} if against else {})})
    problems: list[str] = []
    contradictions: list[str] = []
    graphs = _graphs(paths, format, problems, contradictions, lenient=lenient)
    truths = _graphs([against], None, problems, contradictions, lenient=lenient) if against else {}
    texts, failed = {}, []
    for name, graph in graphs.items():
        try:
            beside = {"against": _partner(name, graphs, truths, str(against))} if against else {}
            texts[name] = writer(graph, **options, **beside)
        except InputError as error:
            if not lenient:
                raise InputError(
                    f"{error} (--lenient leaves such graphs out, and lists them)"
                ) from None
            failed.append(str(error))
    empty = tuple(name for name in texts if not graphs[name].primitives())
    return Conversion(to, texts, tuple(problems), tuple(failed), empty, tuple(contradictions))


def _check(to: str, writer: Any, options: Mapping[str, Any]) -> None:
    takes = signature(writer).parameters
    for name in options:
        if name not in takes:
            fits = [form for form in GRAPH_FORMS if name in signature(GRAPH_FORMS[form]).parameters]
            shown = "map" if name == "rules" else name
            raise OptionError(
                f"--{shown} means nothing for --to {to}; it is for --to {'|'.join(fits)}"
            )
    if "rules" in takes and "rules" not in options:
        raise OptionError(
            f"--to {to} needs --map FILE, which says what symbols and relations become"
        )


def _graphs(
    paths: Iterable[str | Path],
    format: str | None,  # noqa: A002
    problems: list[str],
    contradictions: list[str],
    *,
    lenient: bool,
) -> dict[str, LabelGraph]:
    """Return the graphs of files by the names they get in their new form."""
    found: dict[str, LabelGraph] = {}
    homes: dict[str, str] = {}
    for file in files_of(paths, format=format):
        for reading in _readings(file, format, problems, lenient=lenient):
            name = (
                Path(reading.graph.name).stem
                if reading.graph.name == Path(file).name
                else reading.graph.name
            )
            name = name.replace("/", "_").replace("\\", "_") or "graph"
            if name in found:
                raise InputError(
                    f"{file} and {homes[name]} both hold a graph {name!r}; convert them one at a time"
                )
            found[name], homes[name] = reading.graph, file
            contradictions += map(str, reading.contradictions)
    if not found:
        raise InputError("there is no graph in these files")
    return found


def _readings(
    file: str,
    format: str | None,  # noqa: A002
    problems: list[str],
    *,
    lenient: bool,
) -> tuple[Reading, ...]:
    """Return the graphs of a file; in a lenient mood a file that cannot be read at all is listed like a bad line."""
    try:
        readings = graphs_in(file, format=format)
    except InputError as error:
        if not lenient:
            raise
        problems.append(str(error))
        return ()
    wrong = [str(problem) for reading in readings for problem in reading.problems]
    if wrong and not lenient:
        more = f" (and {len(wrong) - 1:,} more)" if len(wrong) > 1 else ""
        raise InputError(
            f"{wrong[0]}{more}; mend the file, or read around such places with --lenient"
        )
    problems += wrong
    return readings


def _partner(
    name: str, graphs: Mapping[str, LabelGraph], truths: Mapping[str, LabelGraph], against: str
) -> LabelGraph:
    """Return the truth of a graph: of the same name, or the only one for the only one."""
    if len(graphs) == len(truths) == 1:
        return next(iter(truths.values()))
    if name not in truths:
        raise InputError(f"{against} has no graph {name!r} to compare with")
    return truths[name]
