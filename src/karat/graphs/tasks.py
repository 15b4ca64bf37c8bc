"""What is done with label graphs beside comparing them: checks, drawings, votes, searches."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from karat.errors import InputError, OptionError, UnknownNameError
from karat.graphs.compare.counts import graphs
from karat.graphs.compare.matches import GraphMatches
from karat.graphs.compare.result import GraphScores
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.search import Shelf
from karat.graphs.compare.vote import merged_set
from karat.graphs.draw.drawing import drawing, wrapped
from karat.graphs.draw.matrix import matrix
from karat.graphs.formats.check import faults
from karat.graphs.formats.check_result import Checked
from karat.graphs.formats.files import ENDINGS, OPEN, graphs_in
from karat.graphs.formats.folder import called, meaningless, read_set, stem, unread
from karat.graphs.formats.label_graph import Problem, Reading
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.formats.latex_lines import FIRST
from karat.graphs.model.places import Traces
from karat.graphs.model.structure import LabelGraph
from karat.report.signature import about
from karat.report.writing import folder, write
from karat.words import listing


def check_graphs(folders: Sequence[str], *, tree: bool = True) -> Checked:
    """Which label graphs are malformed or illegal, and in which line?"""
    found = [faults(folder, tree=tree) for folder in folders]
    said = {**about("check", [], None, {} if tree else {"tree": "no"}, []), "input": list(folders)}
    return Checked(
        files=sum(number for number, _ in found),
        faults=tuple(one for _, some in found for one in some),
        unread=tuple(what for folder in folders for what in unread(folder, folder)),
        about=said,
    )


def show_graph(
    path: str,
    other: str | None = None,
    *,
    only: str | None = None,
    ink: str | None = None,
    form: str = "svg",
    lenient: bool = False,
) -> tuple[str, tuple[Problem, ...]]:
    """What does a graph look like, and where does it differ from another?

    Returns an SVG, a page (`html`) or a `matrix` as text, and with `lenient` the lines that were left out. Of a file
    with several graphs `only` names one.
    """
    readings = [_reading(each, only, lenient=lenient) for each in (path, other) if each is not None]
    problems = tuple(problem for one in readings for problem in one.problems)
    graph, truth = readings[0].graph, readings[1].graph if other else None
    if form == "matrix":
        return matrix(graph, truth), problems
    source = ink or next((each for each in (path, other) if each and _is_ink(each)), None)
    picture = drawing(graph, truth, traces=_strokes(source, graph) if source else None)
    return picture if form == "svg" else wrapped(picture, graph.name), problems


def merge_graphs(
    folders: Sequence[str],
    into: str | Path,
    *,
    truth: str | None = None,
    weights: Mapping[str, float] | None = None,
    equal: bool = False,
    lenient: bool = False,
) -> tuple[GraphScores, int]:
    """What do several systems say together? Writes the graphs of the vote, and returns its scores and their number.

    Without a truth every system is compared with the vote.
    """
    systems = [read_set(path, name=name, lenient=lenient) for name, path in called(folders).items()]
    vote = merged_set(systems, weights or {}, equal=equal)
    judge = None if truth is None else read_set(truth, name="truth", lenient=lenient)
    if any(
        Path(into).resolve() == Path(one.origin).resolve()
        for one in (*systems, *([judge] if judge else []))
    ):
        raise OptionError(f"{into} holds graphs that are merged; name another folder with -o")
    for name, graph in vote.graphs.items():
        write(folder(into) / f"{name}.lg", to_lg(graph))
    tally = graphs(
        vote if judge is None else judge, systems if judge is None else [*systems, vote], Rules()
    )
    said = {"equal": "yes"} if equal else {}
    said |= {f"weight[{name}]": f"{value:g}" for name, value in (weights or {}).items()}
    beside = {
        **about("graph merge", [], None, said, [tally.digest()]),
        "input": {"systems": list(folders)},
    }
    remarks = (
        ()
        if judge
        else ("Without a truth every system is compared with the vote of all; --truth names one.",)
    )
    unread = (
        *(judge.left_out() if judge else ()),
        *(what for one in systems for what in one.unread),
    )
    return GraphScores(tally=tally, about=beside, unread=unread, remarks=remarks), len(vote.graphs)


def find_graphs(query: str, folder: str, *, most: int = 10, lenient: bool = False) -> GraphMatches:
    """Which graphs are most like this one, by their symbols and relations?"""
    if most < 1:
        raise OptionError(f"--most is {most}; name at least one graph")
    asked, found = _reading(query, lenient=lenient).graph, read_set(folder, lenient=lenient)
    matches = Shelf(found.graphs).find(asked.named(stem(asked.name)), most=most)
    remarks = [f"warning: {what}" for what in found.unread]
    if left := {**found.unreadable, **found.duplicates}:
        remarks.append(
            f"warning: not searched, as unreadable or there twice: {listing(sorted(left), most=3)}."
        )
    if found.problems:
        where = listing(sorted(found.malformed()), most=3)
        remarks.append(f"warning: {meaningless(len(found.problems))} left out, in {where}.")
    beside = {**about("graph find", [], None, {}, []), "input": {"query": query, "folder": folder}}
    return GraphMatches(
        query=asked.name,
        searched=len(found.graphs),
        found=tuple(matches),
        about=beside,
        remarks=tuple(remarks),
    )


def _is_ink(path: str) -> bool:
    return path.lower().endswith(".inkml")


def _reading(path: str, only: str | None = None, *, lenient: bool) -> Reading:
    """Return the graph of a file; what means nothing in it is an error, or with `lenient` left out."""
    known = Path(path).suffix.lower() in {*ENDINGS, *OPEN}
    found = _one_of(graphs_in(path, format=None if known else "lg"), path, only)
    if found.problems and not lenient:
        more = f" (and {len(found.problems) - 1:,} more)" if len(found.problems) > 1 else ""
        raise InputError(
            f"{found.problems[0]}{more}; mend the file, or leave such lines out with --lenient"
        )
    return found


def _one_of(readings: Sequence[Reading], path: str, only: str | None) -> Reading:
    """Return the only graph of a file, or that of a name."""
    if len(readings) == 1:
        return readings[0]
    if not readings:
        raise InputError(f"{path} holds no graph")
    names = [one.graph.name for one in readings]
    if only is None:
        raise OptionError(
            f"{path} holds {len(names):,} graphs; say which with --only, such as --only {names[0]}"
        )
    for name in (only, only.zfill(len(FIRST))):
        if name in names:
            return readings[names.index(name)]
    raise UnknownNameError(f"graph of {path}", only, names)


def _strokes(path: str, graph: LabelGraph) -> Traces:
    """Return the strokes of a file that a graph is about."""
    from karat.graphs.formats.inkml import traces  # noqa: PLC0415

    found: Traces = traces(path)
    if not any(found.get(name) for name in graph.primitives()):
        some = ", ".join(map(repr, graph.primitives()[:3]))
        raise InputError(
            f"{path} has no stroke that {graph.name} speaks of, such as {some}; name its own ink"
        )
    return found
