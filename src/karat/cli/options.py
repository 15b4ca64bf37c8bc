"""The options that commands share, each written once."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, get_type_hints

import typer

from karat.errors import OptionError
from karat.report import FORMATS

ENDINGS = {
    "json": "json",
    "csv": "csv",
    "md": "md",
    "tex": "latex",
    "txt": "text",
    "svg": "svg",
    "png": "png",
}
TABLE = "What the table means"
OUTPUT = "Output"
GRAPHS = "Label graphs"


def _in(panel: str, *names: str, **extra: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **extra)


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="TABLE...",
        help="Files or globs: CSV, TSV, JSON lines, Parquet, Arrow; .gz, .zst; .tally; or what karat sources lists.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How the table is to be read."""

    truth: Annotated[str | None, _in(TABLE, metavar="COL|FILE|FILE:COL", help="The truth.")] = None
    scores: Annotated[
        str | None, _in(TABLE, metavar="FILE", help="The systems' confidences, a column each.")
    ] = None
    systems: Annotated[str | None, _in(TABLE, metavar="A,B,C", help="The systems.")] = None
    item: Annotated[
        str | None, _in(TABLE, metavar="COL", help="The column that names the item.")
    ] = None
    group: Annotated[
        str | None, _in(TABLE, metavar="COL", help="The column that names the item's group.")
    ] = None
    cluster: Annotated[
        str | None, _in(TABLE, metavar="COL", help="The column of items that hang together.")
    ] = None
    weight: Annotated[str | None, _in(TABLE, metavar="COL", help="The column of importance.")] = (
        None
    )
    count: Annotated[str | None, _in(TABLE, metavar="COL", help="The column of frequencies.")] = (
        None
    )
    run: Annotated[
        str | None,
        _in(TABLE, metavar="COL", help="The column that tells runs or seeds of a system apart."),
    ] = None
    error: Annotated[
        str | None,
        _in(TABLE, metavar="COL", help="The column that says how likely each truth is wrong."),
    ] = None
    long: Annotated[
        str | None, _in(TABLE, metavar="ITEM,SYSTEM,ANSWER", help="A row per answer: its columns.")
    ] = None
    repeats: Annotated[
        str,
        _in(
            TABLE,
            metavar="WHICH",
            help="Several answers of a system for an item: first, majority, keep.",
        ),
    ] = "refuse"
    positive: Annotated[
        str | None,
        _in(TABLE, metavar="LABEL", help="The label that precision and recall are about."),
    ] = None
    kind: Annotated[
        list[str] | None,
        _in(
            TABLE,
            metavar="[SYSTEM=]KIND",
            help="The answers are: yesno, label, score or distribution.",
        ),
    ] = None
    missing: Annotated[
        str, _in(TABLE, metavar="WHAT", help="Missing answers are: wrong, skip or as:LABEL.")
    ] = "wrong"
    nothing: Annotated[str, _in(TABLE, metavar="LABEL", help="The label that means nothing.")] = "∅"
    truth_sep: Annotated[
        str | None,
        _in(TABLE, metavar="TEXT", help="What separates several right labels of one item."),
    ] = None
    no_truth: Annotated[
        list[str] | None,
        _in(TABLE, metavar="LABEL", help="A truth that means none; may be repeated."),
    ] = None
    no_answer: Annotated[
        list[str] | None,
        _in(TABLE, metavar="LABEL", help="An answer that means none; may be repeated."),
    ] = None
    correct: Annotated[
        bool,
        _in(TABLE, "--correct", help="An answer of 1, true or yes says that the system was right."),
    ] = False
    format: Annotated[
        str | None,
        _in(TABLE, metavar="NAME", help="The files' format, if their names do not say it."),
    ] = None
    using: Annotated[
        list[str] | None,
        _in(TABLE, metavar="OPTION=VALUE", help="An option of the format; see karat sources."),
    ] = None
    lenient: Annotated[
        bool, _in(TABLE, "--lenient", help="Leave unreadable lines out, and list them.")
    ] = False
    duplicate_check: Annotated[bool, _in(TABLE, help="Look for items that occur twice.")] = True
    engine: Annotated[str, _in(TABLE, metavar="NAME", help="Where to count: duckdb or spark.")] = (
        "duckdb"
    )
    master: Annotated[
        str | None, _in(TABLE, metavar="URL", help="The Spark cluster, as spark://HOST:PORT.")
    ] = None
    graphs: Annotated[
        bool,
        _in(
            GRAPHS,
            "--graphs",
            help="The paths are folders of label graphs: the truth's, or -, then each system's.",
        ),
    ] = False
    unit: Annotated[
        str,
        _in(GRAPHS, metavar="UNIT", help="What is judged: expression, object, primitive or pair."),
    ] = "expression"
    semantics: Annotated[
        str, _in(GRAPHS, metavar="NAME", help="What a difference is: paper or lgeval.")
    ] = "paper"
    inherit: Annotated[
        bool, _in(GRAPHS, "--inherit", help="Close all graphs by inheritance first.")
    ] = False
    absent_edges: Annotated[
        bool, _in(GRAPHS, help="Pairs that an absent primitive begins are wrong.")
    ] = True
    undirected: Annotated[bool, _in(GRAPHS, "--undirected", help="Edges have no direction.")] = (
        False
    )
    labels: Annotated[
        str, _in(GRAPHS, metavar="WHICH", help="Of sets of labels: all, best or top:K.")
    ] = "all"

    def changed(self) -> set[str]:
        """Return the options that were said."""
        return {field.name for field in fields(self) if getattr(self, field.name) != field.default}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """What comes out, and where."""

    json: Annotated[bool, _in(OUTPUT, "--json", help="One JSON object.")] = False
    csv: Annotated[bool, _in(OUTPUT, "--csv", help="Comma-separated values.")] = False
    md: Annotated[bool, _in(OUTPUT, "--md", help="Markdown.")] = False
    latex: Annotated[bool, _in(OUTPUT, "--latex", help="LaTeX, for a paper.")] = False
    output: Annotated[
        str | None, _in(OUTPUT, "--output", "-o", metavar="FILE", help="Write to a file.")
    ] = None

    def __post_init__(self) -> None:
        """Refuse a form that cannot be had, before anything is computed."""
        self.form()

    def form(self) -> str:
        """Return the form of the output: what was said, or what the file's ending says."""
        asked = [name for name in ("json", "csv", "md", "latex") if getattr(self, name)]
        if len(asked) > 1:
            raise OptionError(f"--{asked[0]} and --{asked[1]} exclude each other; say one")
        if asked or not self.output:
            return asked[0] if asked else "text"
        ending = self.output.rpartition(".")[2].lower()
        form = ENDINGS.get(ending, ending)
        if form not in FORMATS:
            raise OptionError(
                f"the form of {self.output} is unclear; say --json, --csv, --md or --latex, or end it so"
            )
        return form


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which a parameter that is a group of options stands as all of them.

    So a command says `reading: ReadingOptions`, and every option of it is one of the command's.
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        parameters += (
            _fields(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]
        )

    def command(**given: Any) -> None:
        parts = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        function(**parts, **given)

    ordered = sorted(parameters, key=lambda parameter: parameter.kind)
    command.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    return command


def _fields(kind: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            field.name,
            keyword,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]
