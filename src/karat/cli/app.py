"""All commands under one name."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from karat.cli import COMMANDS
from karat.cli.help import Grouped
from karat.cli.overwriting import sparing
from karat.version import VERSION


class _Words(TyperGroup):
    """Commands of two words: `karat graph merge` is the command graph-merge; a folder called merge is ./merge."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands as they are written."""
        return [self._written(name) for name in super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, however it is written."""
        return super().get_command(ctx, cmd_name.replace(" ", "-"))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first words name."""
        both = "-".join(args[:2])
        words = [both, *args[2:]] if len(args) > 1 and both in self.commands else args
        name, command, rest = super().resolve_command(ctx, words)
        return name and self._written(name), command, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each command answers, whole."""
        written = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, (command.help or "").partition("\n\n")[0])
                    for name, command in written.items()
                ]
            )

    def _written(self, name: str) -> str:
        first, _, second = name.partition("-")
        return f"{first} {second}" if second and first in self.commands else name


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
        cls=_Words,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    program.callback()(karat)
    for name in COMMANDS:
        program.command(name, cls=Grouped)(sparing(COMMANDS[name]))
    return typer.main.get_command(program)
