"""All commands under one name."""

from collections.abc import Callable
from typing import Annotated

import typer

from karat.cli import COMMANDS
from karat.version import VERSION


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"karat {VERSION}")
        raise typer.Exit


def karat(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """How far can a benchmark's ranking be trusted when its gold standard is not pure gold?"""


def app() -> Callable[..., None]:
    """Return the command line with every command of the index."""
    program = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    program.callback()(karat)
    for name in COMMANDS:
        program.command(name)(COMMANDS[name])
    return typer.main.get_command(program)
