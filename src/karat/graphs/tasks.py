"""What is done with label graphs beside comparing them: check, show, convert, merge, find."""
# ruff: noqa: PLC0415 (each task loads what it needs)

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import OptionError
from karat.graphs.formats.shown_names import shown_name
from karat.keywords import offers_nearest
from karat.report.signature import about

if TYPE_CHECKING:
    from karat.graphs.compare.matches import GraphMatches
    from karat.graphs.compare.result import GraphScores
    from karat.graphs.convert.conversion import Conversion
    from karat.graphs.formats.check_result import FileCheck
    from karat.graphs.formats.label_graph import Fault, FileProblem


def check_graphs(folders: Sequence[str], *, tree: bool = True) -> "FileCheck":
    """Which label graphs are malformed or illegal, and in which line?"""
    from karat.graphs.formats.check import CheckedFolder
    from karat.graphs.formats.check_result import FileCheck
    from karat.graphs.formats.folder import unread

    files = 0
    illegal: list[Fault] = []
    not_read: list[str] = []
    levels: dict[str, list[str]] = {}
    for folder in folders:
        checked = CheckedFolder(folder, tree=tree)
        files += checked.files
        illegal += checked.faults
        for name, having in checked.levels.items():
            levels.setdefault(name, []).extend(having)
        not_read += unread(folder, shown_name(folder))
    signed = about("check", [], None, {} if tree else {"tree": "no"}, [])
    return FileCheck(
        files=files,
        faults=tuple(illegal),
        unread=tuple(not_read),
        levels=levels,
        about={**signed, "input": [shown_name(folder) for folder in folders]},
    )


def show_graph(
    path: str,
    other: str | None = None,
    *,
    only: str | None = None,
    ink: str | None = None,
    form: str = "svg",
    undirected: bool = False,
    lenient: bool = False,
) -> "tuple[str, tuple[FileProblem, ...]]":
    """What does a graph look like, and where does it differ from another?

    Returns an SVG, a page (`html`) or a `matrix` as text, and with `lenient` the lines that were left out. Of a file
    with several graphs `only` names one.
    """
    from karat.graphs.draw.drawing import drawing, wrapped
    from karat.graphs.draw.matrix import matrix
    from karat.graphs.questions.one_graph import is_ink, read_one, strokes_of

    reading = read_one(path, only, lenient=lenient)
    graph = reading.graph
    problems = tuple(reading.problems)
    truth = None
    if other is not None:
        of_truth = read_one(other, only, lenient=lenient)
        truth = of_truth.graph
        problems += tuple(of_truth.problems)
    if form == "matrix":
        return matrix(graph, truth, undirected=undirected), problems
    for each in (path, other):
        if ink is None and each is not None and is_ink(each):
            ink = each
    strokes = strokes_of(ink, graph) if ink else None
    picture = drawing(graph, truth, traces=strokes, undirected=undirected)
    return picture if form == "svg" else wrapped(picture, graph.name), problems


@offers_nearest
def convert_graphs(
    paths: Iterable[str | Path],
    *,
    to: str,
    format: str | None = None,  # noqa: A002 (the option's name)
    against: str | Path | None = None,
    lenient: bool = False,
    lines: str | None = None,
    names: str | None = None,
    view: str | None = None,
) -> "Conversion":
    """What are the graphs of files and folders in another form?

    `format` names what they are in, where their endings do not say it. `against` is the truth that a drawing shows the
    differences to. A line that means nothing is an error; with `lenient` it is left out and listed. `lines` and `names`
    are options of .lg files, `view` is one of drawings.
    """
    from karat.graphs.convert.conversion import convert

    of_the_form = {"lines": lines, "names": names, "view": view}
    options = {option: value for option, value in of_the_form.items() if value is not None}
    return convert(paths, to=to, format=format, against=against, lenient=lenient, **options)


def merge_graphs(
    folders: Sequence[str],
    into: str | Path,
    *,
    truth: str | None = None,
    weights: Mapping[str, float] | None = None,
    equal: bool = False,
    lenient: bool = False,
) -> "tuple[GraphScores, int]":
    """What is the vote of several systems? Writes the graphs of the vote, and returns its scores and their number.

    Without a truth every system is compared with the vote.
    """
    from karat.graphs.compare.counts import graphs
    from karat.graphs.compare.result import GraphScores
    from karat.graphs.compare.rules import Rules
    from karat.graphs.compare.vote import merged_set
    from karat.graphs.formats.folder import read_set
    from karat.graphs.formats.label_graph_text import to_lg
    from karat.graphs.formats.pairing import called, truths_left_out
    from karat.report.writing import folder, write

    weights = weights or {}
    systems = [read_set(path, name=name, lenient=lenient) for name, path in called(folders).items()]
    vote = merged_set(systems, weights, equal=equal)
    given = None if truth is None else read_set(truth, name="truth", lenient=lenient)
    for one in systems if given is None else [*systems, given]:
        if Path(into).resolve() == Path(one.origin).resolve():
            raise OptionError(f"{into} holds graphs that are merged; name another folder with -o")
    for name, graph in vote.graphs.items():
        write(folder(into) / f"{name}.lg", to_lg(graph))
    remarks: tuple[str, ...] = ()
    unread: list[str] = []
    if given is None:
        tally = graphs(vote, systems, Rules())
        remarks = (
            "Without a truth every system is compared with the vote of all; --truth names one.",
        )
    else:
        tally = graphs(given, [*systems, vote], Rules())
        unread += (*given.left_out(), *truths_left_out(given))
    for one in systems:
        unread += one.unread
    options = {"equal": "yes"} if equal else {}
    for name, weight in weights.items():
        options[f"weight[{name}]"] = f"{weight:g}"
    signed = about("graph merge", [], None, options, [tally.digest()])
    scores = GraphScores(
        tally=tally,
        about={**signed, "input": {"systems": [one.shown for one in systems]}},
        unread=tuple(unread),
        remarks=remarks,
    )
    return scores, len(vote.graphs)


def find_graphs(
    query: str, folder: str, *, most: int = 10, lenient: bool = False
) -> "GraphMatches":
    """Which graphs are most like this one, by their symbols and relations?"""
    from karat.graphs.compare.matches import GraphMatches
    from karat.graphs.compare.search import GraphSearch
    from karat.graphs.formats.folder import malformed_lines_text, read_set, stem
    from karat.graphs.questions.one_graph import read_one
    from karat.words import listing

    if most < 1:
        raise OptionError(f"--most is {most}; name at least one graph")
    wanted = read_one(query, lenient=lenient).graph
    # Of thousands of graphs a few have bad lines: these are reported, and all others are searched.
    searched = read_set(folder, lenient=True)
    matches = GraphSearch(searched.graphs).find(wanted.named(stem(wanted.name)), most=most)
    remarks = [f"warning: {what}" for what in searched.unread]
    unusable = sorted({**searched.unreadable, **searched.duplicates})
    if unusable:
        names = listing(unusable, most=3)
        remarks.append(f"warning: not searched, as unreadable or there twice: {names}.")
    if searched.problems:
        files = listing(sorted(searched.malformed()), most=3)
        lines = malformed_lines_text(len(searched.problems))
        remarks.append(f"warning: {lines} left out, in {files}.")
    signed = about("graph find", [], None, {}, [])
    return GraphMatches(
        query=wanted.name,
        searched=len(searched.graphs),
        found=tuple(matches),
        about={
            **signed,
            "input": {"query": shown_name(query), "folder": shown_name(folder)},
        },
        remarks=tuple(remarks),
    )
