"""All commands under one name; each is loaded only when it is needed."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from karat.cli import COMMANDS
from karat.cli.completion import offering_names
from karat.cli.help import Grouped, with_examples
from karat.cli.plain_values import PlainValues
from karat.cli.protect_inputs import refusing_to_overwrite
from karat.version import VERSION
from karat.words import printable

BEGIN = "Each command's --help ends with two examples; karat demo --files . writes what they read."


class LazyGroup(PlainValues, TyperGroup):
    """Commands that are loaded by name, as the index lists them.

    Some have two words: `karat graph merge` is the command graph-merge; a folder called merge is ./merge.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands as they are written."""
        del ctx
        return [_written(name) for name in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, however it is written; None if there is none of that name."""
        del ctx
        name = cmd_name.replace(" ", "-")
        return _command(name) if name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first words name."""
        words = args
        if _are_two_words(args[:2]):
            words = ["-".join(args[:2]), *args[2:]]
        # What Typer looks a misspelt name up in; filled only where it is needed.
        if words[0] not in COMMANDS:
            of_one_word = [name for name in COMMANDS if _written(name) == name]
            self.commands = {name: _command(name) for name in of_one_word}
        name, command, rest = super().resolve_command(ctx, words)
        return name and _written(name), command, rest

    def make_context(self, *values: Any, **options: Any) -> Any:
        """Return what was asked for; a message about it quotes what was typed, or pasted, as text."""
        with _printable_refusals():
            return super().make_context(*values, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a message about its options quotes what was typed, or pasted, as text."""
        with _printable_refusals():
            return super().invoke(ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands of one word and the options that a shell offers; a second word is offered after it."""
        offered = super().shell_complete(ctx, incomplete)
        return [item for item in offered if " " not in item.value]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each command answers, whole."""
        rows = []
        for name in self.list_commands(ctx):
            # Only its docstring is needed: to make a Typer command of it would take longer than to load it.
            command = COMMANDS[name.replace(" ", "-")]
            question = (inspect.getdoc(command) or "").partition("\n\n")[0]
            rows.append((name, question.replace("\n", " ")))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextmanager
def _printable_refusals() -> Iterator[None]:
    """Write control characters out in what Typer says of wrong usage; offer the nearest option for a misspelt one."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "message"):
            error.message = printable(error.message)
        if getattr(error, "possibilities", None) and getattr(error, "ctx", None):
            _offer_the_nearest(error)
        raise


def _offer_the_nearest(error: Any) -> None:
    """Say which option was meant, if one of those in the help is near."""
    shown = []
    for parameter in error.ctx.command.get_params(error.ctx):
        if not getattr(parameter, "hidden", False):
            shown += [*parameter.opts, *parameter.secondary_opts]
    near = get_close_matches(error.option_name, shown, n=1)
    error.possibilities = None
    if near:
        error.message += f"; did you mean {near[0]}?"


def _are_two_words(args: list[str]) -> bool:
    """Return whether the first two words name a command together.

    What is no plain word is not looked up: a miss makes the index search the installed packages, which takes time.
    """
    if len(args) < 2 or not args[1].isidentifier():
        return False
    return "-".join(args) in COMMANDS


def _written(name: str) -> str:
    """Return a command as it is written: graph-merge is graph merge, since graph is a command."""
    first, _, second = name.partition("-")
    return f"{first} {second}" if second and first in COMMANDS else name


def _command(name: str) -> Any:
    """Load one command."""
    program = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    command = COMMANDS[name]
    text, examples = with_examples(inspect.getdoc(command) or "")
    described = program.command(name, cls=Grouped, help=text, epilog=examples)
    described(refusing_to_overwrite(offering_names(name, command)))
    return typer.main.get_command(program)


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
        cls=LazyGroup,
        no_args_is_help=True,
        epilog=BEGIN,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    program.callback()(karat)
    return typer.main.get_command(program)
