"""`karat graph`: what went wrong inside?"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from karat.ask.read_options import Master
from karat.cli.moved import MovedFlag, per_of
from karat.cli.options import OutputOptions
from karat.cli.printing import show, tell
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.graphs import RuleOptions
from karat.table.option_help import Help
from karat.table.text_forms import names
from karat.words import any_of, counted

if TYPE_CHECKING:
    from karat.graphs import GraphBench
    from karat.result import Result

Folders = Annotated[
    list[str],
    typer.Argument(
        metavar="TRUTH_DIR SYSTEM_DIR...",
        help="Folders of .lg, InkML or one formula a .txt, or files of LaTeX lines; NAME=DIR names one.",
    ),
]


class GraphRuleOptions(RuleOptions):
    """How two graphs are compared, with a section of the help."""

    @classmethod
    def panel(cls, name: str) -> str:
        """Return the section of the help that an option belongs to."""
        del name
        return "How two graphs are compared"


@dataclass(frozen=True, kw_only=True)
class GraphReaders:
    """Who reads the files."""

    engine: Annotated[
        str, Help("NAME", "What reads the files: this process (duckdb), or the workers of spark.")
    ] = "duckdb"
    master: Master = None


@spread
def graph(
    folders: Folders,
    rules: GraphRuleOptions,
    who: GraphReaders,
    output: OutputOptions,
    distinct: Annotated[
        bool,
        typer.Option("--distinct", help="REL-k counts each label of the truth once, as in 2012."),
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=L,L",
            help="A level of structure on its own: a name and its labels, may be repeated; or mixed: all as one.",
        ),
    ] = None,
    confusion: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="Which labels are mistaken for which: primitive, pair, object or all.",
        ),
    ] = None,
    common: Annotated[
        bool, typer.Option("--common", help="Which errors the systems share.")
    ] = False,
    distances: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How far systems and truth are from each other: dC, dS, dR, dL, dB, dBn, dE.",
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Write a file of metrics and one of differences per graph."
        ),
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="Which parts of one, two, ... objects are mistaken for which, such as 1,2,3.",
        ),
    ] = None,
    summary: Annotated[
        bool,
        typer.Option(
            "--summary",
            help="All that LgEval's Summary reports, in one table, with undirected rates.",
        ),
    ] = False,
    tokens: Annotated[
        bool,
        typer.Option(
            "--tokens",
            help="Formulas as tokens of LaTeX: ExpRate, at most 1, 2, 3 wrong, token error rate.",
        ),
    ] = False,
    draw: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Draw every output and its truth, one SVG per file."),
    ] = None,
    per: Annotated[
        str, typer.Option(metavar="WHAT", help="What a row is about: total or file.")
    ] = "total",
    per_file: MovedFlag = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave unreadable lines out, and list them.")
    ] = False,
) -> None:
    """What went wrong inside a structured output? Labels, objects and relations of graphs, compared with the truth.

    For example:
      karat graph truth parser-a parser-b
      karat graph truth parser-a parser-b --confusion object
    """
    from karat.cli.progress import steps  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import read_folders, report_faults  # noqa: PLC0415

    per = per_of(per, "file", old=per_file)
    if folders[0] == "-":
        raise OptionError(
            "karat graph compares with a truth; without one, use karat consensus --graphs - DIR..."
        )
    if level and (metrics or draw):
        option = "--metrics" if metrics else "--draw"
        raise OptionError(f"{option} is about whole graphs; leave --level out")
    questions: dict[str, str | bool | None] = {
        "--confusion": confusion,
        "--common": common,
        "--distances": distances,
        "--parts": parts,
        "--summary": summary,
        "--tokens": tokens,
    }
    question = _one_question(questions, beside={"--per": per != "total", "--level": level})
    with steps() as show_step:
        show_step("reading")
        bench = read_folders(folders, lenient=lenient, **asdict(who), **asdict(rules))
        show_step("comparing")
        bench.tally  # noqa: B018 (counted once, while a terminal shows that something is done)
    report_faults(bench)
    if metrics:
        tell(f"wrote the metrics of {counted(bench.write_metrics(metrics), 'graph')} to {metrics}")
    if draw:
        tell(f"drew {counted(bench.draw(draw), 'graph')} into {draw}")
    if question:
        show(_answer(bench, question, questions[question]), output)
    else:
        levels = _levels(level) if level else None
        scores = bench.graph(per=per, distinct=distinct, levels=levels)  # type: ignore[arg-type]
        show(scores, output)


def _answer(bench: "GraphBench", question: str, value: str | bool | None) -> "Result":
    """Return the answer to a question that has a result of its own."""
    if question == "--summary":
        return bench.summary()
    if question == "--tokens":
        return bench.tokens()
    if question == "--common":
        return bench.common_errors()
    text = str(value)
    if question == "--parts":
        return bench.browse(sizes=_sizes(text))
    if question == "--distances":
        return bench.distances(text)  # type: ignore[arg-type]
    return bench.confusions(*([] if text == "all" else text.split(",")))


def _one_question(questions: Mapping[str, object], beside: Mapping[str, object]) -> str | None:
    """Return the question that has a result of its own; refuse two, or one with an option of the plain scores."""
    given = [option for option, value in questions.items() if value]
    if not given:
        return None
    if len(given) > 1 or any(beside.values()):
        others = [option for option in (*questions, *beside) if option != given[0]]
        raise OptionError(f"{given[0]} has a result of its own; leave out {any_of(others)}")
    return given[0]


def _sizes(text: str) -> list[int]:
    """Return the numbers of objects of the parts."""
    try:
        return sorted({int(size) for size in text.split(",")})
    except ValueError:
        raise OptionError(
            f"--parts is {text!r}; it takes numbers of objects, such as 1,2"
        ) from None


def _levels(texts: list[str]) -> "dict[str, list[str]] | Literal['mixed']":
    """Return the labels of each level, or that all are one."""
    if texts == ["mixed"]:
        return "mixed"
    levels: dict[str, list[str]] = {}
    for text in texts:
        before, equals, labels = text.partition("=")
        name = before.strip()
        members = list(names(labels))
        if not equals or not members or name in levels:
            raise OptionError(
                f"--level is {text!r}; it takes NAME=LABEL,LABEL, each name once; or mixed"
            )
        levels[name] = members
    return levels
