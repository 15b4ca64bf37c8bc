"""The options that commands share, each written once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from karat.ask.read_options import ReadOptions
from karat.cli.help import DATA, GRAPHS, OUTPUT
from karat.cli.typed_command import typed_command
from karat.errors import OptionError
from karat.graphs import GraphOptions
from karat.report import FORMATS
from karat.table.option_help import Help, given, helps

ENDINGS = {
    "json": "json",
    "csv": "csv",
    "md": "md",
    "tex": "latex",
    "txt": "text",
    "svg": "svg",
    "png": "png",
}
GRAPH_OPTIONS = ("graphs", *helps(GraphOptions))
"""The options of folders of label graphs."""


def _in(panel: str, *names: str, **extra: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **extra)


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="TABLE...",
        help="Files or globs: CSV, TSV, JSON lines, Parquet, Arrow, also .gz or .zst; saved counts (.tally); "
        "or any other format that karat sources lists.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class InputOptions(GraphOptions, ReadOptions):
    """How the input is read: a table, or with --graphs folders of label graphs."""

    graphs: Annotated[
        bool,
        Help(
            None,
            "The paths are folders of label graphs: the truth's, or - for none, then each system's.",
        ),
    ] = False

    @classmethod
    def panel(cls, name: str) -> str:
        """Return the section of the help that an option belongs to."""
        return GRAPHS if name in GRAPH_OPTIONS else DATA

    def rules(self) -> dict[str, Any]:
        """Return the options of label graphs."""
        return {name: getattr(self, name) for name in helps(GraphOptions)}

    def keywords(self) -> dict[str, Any]:
        """Return the options of a table that differ from their default, as `karat.read` takes them."""
        return {name: value for name, value in given(self).items() if name not in GRAPH_OPTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """The form of the output, and where it goes."""

    json: Annotated[bool, _in(OUTPUT, "--json", help="One JSON object.")] = False
    csv: Annotated[bool, _in(OUTPUT, "--csv", help="Comma-separated values.")] = False
    guard_formulas: Annotated[
        bool,
        _in(
            OUTPUT,
            "--guard-formulas",
            help="In CSV: a ' before texts that a spreadsheet would run as formulas.",
        ),
    ] = False
    md: Annotated[bool, _in(OUTPUT, "--md", help="Markdown.")] = False
    latex: Annotated[bool, _in(OUTPUT, "--latex", help="LaTeX, for a paper.")] = False
    output: Annotated[
        str | None,
        _in(
            OUTPUT,
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file, in the format of its extension: .json, .csv, .md, .tex, .txt, .svg or .png.",
        ),
    ] = None
    # Those below are no options: they are set as a command is called.
    command: str = ""
    """The command and the options that were given to it, for the signature of the result."""
    take: Callable[[Any], None] | None = None
    """Who takes the result in place of a terminal or file."""

    def __post_init__(self) -> None:
        """Refuse a form that cannot be had, before anything is computed."""
        if self.guard_formulas and self.form() != "csv":
            raise OptionError("--guard-formulas is for CSV; say --csv too, or leave it out")
        self.form()

    def called_in(self, context: Any) -> "OutputOptions":
        """Return the same with the command as it was typed, and with whoever takes its result."""
        return replace(self, command=typed_command(context), take=context.obj)

    def form(self) -> str:
        """Return the form of the output: the requested one, or that of the file's ending."""
        requested = [name for name in ("json", "csv", "md", "latex") if getattr(self, name)]
        if len(requested) > 1:
            first, second, *_ = requested
            raise OptionError(f"--{first} and --{second} exclude each other; give one of them")
        if requested:
            return requested[0]
        if not self.output:
            return "text"
        ending = self.output.rpartition(".")[2].lower()
        form = ENDINGS.get(ending, ending)
        if form not in FORMATS:
            raise OptionError(
                f"the form of {self.output} is unclear; say --json, --csv, --md or --latex, "
                "or end the file's name so"
            )
        return form
