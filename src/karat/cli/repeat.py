"""`karat repeat`: the same result again, or what differs."""

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.version import VERSION

if TYPE_CHECKING:
    from karat.cli.result_with_command import ResultWithCommand
    from karat.report.signature_parts import Signature

MEASURES = {"consensus": "estimator"}
"""What the first setting of a signature was given by, where it was not --measure."""
SETTING = re.compile(r"""(\w+)=('[^']*'|"[^"]*"|\([^)]*\)|\S+)""")


@spread
def repeat(
    signature: Annotated[
        str,
        typer.Argument(
            help="The signature of a result, in quotes; a JSON file that has one; or - for standard input.",
        ),
    ],
    output: OutputOptions,
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TABLE]...", help="What it was made from: files, folders or counts."
        ),
    ] = None,
    also: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="OPTIONS",
            help="Options to add, or to give again, as '--truth moved.csv'.",
        ),
    ] = None,
) -> None:
    """Is it the same result again, or what differs?

    The command of the signature is run again on these files. The exit code is 1 if version, options, counts or, of a
    JSON file, any number differs.

    For example:
      karat repeat published.json digits.csv
      karat repeat published.json digits.csv --with "--engine duckdb" --json
    """
    from karat.questions.repeat import earlier_result, repeated  # noqa: PLC0415 (loads the stages)

    earlier = earlier_result(signature)
    _parameters(earlier.signature.command)
    added = _words(also or "")
    again = _run_again(earlier.signature.command, added, tables or [])
    found = repeated(earlier, again)
    if _is_bare(earlier.signature) and not found.has_same("options"):
        again = _run_again(
            [*earlier.signature.command, *_options(earlier.signature)], added, tables or []
        )
        found = repeated(earlier, again)
    if output.form() == "text" and not output.output:
        show(again.result, output)
    show(found, output)
    if not found.is_same:
        raise typer.Exit(1)


def _run_again(command: Sequence[str], added: list[str], tables: list[str]) -> "ResultWithCommand":
    """Run a command as from a shell, and return its result."""
    from karat.cli.app import app  # noqa: PLC0415 (commands do not need the others)

    results: list[ResultWithCommand] = []
    words = [*command, *added, "--", *tables]
    run: Any = app()
    run(words, standalone_mode=False, obj=results.append, prog_name="karat")
    if not results:
        raise OptionError(f"karat {command[0]} gave no result to compare; run it by itself")
    return results[-1]


def _words(options: str) -> list[str]:
    try:
        return shlex.split(options)
    except ValueError:
        raise OptionError(f"--with is {options!r}, where a quote does not end") from None


def _parameters(typed: Sequence[str]) -> dict[str, Any]:
    """Return the parameters of the command that a signature names."""
    from karat.cli.app import app  # noqa: PLC0415 (commands do not need the others)

    program: Any = app()
    for words in (typed[:2], typed[:1]):
        command = program.get_command(None, " ".join(words))
        if command is not None:
            break
    else:
        raise OptionError(
            f"the signature names {typed[0]!r}, which is not a command of karat {VERSION}"
        )
    known = {parameter.name: parameter for parameter in command.params}
    if "json" not in known:
        raise OptionError(
            f"karat {typed[0]} writes files, and no result that could be compared; run it again, "
            "and compare what it writes"
        )
    return known


def _is_bare(signature: "Signature") -> bool:
    """Return whether it only has settings as they were understood: it is from a page, or was made in Python."""
    return not any(word.startswith("-") for word in signature.command)


def _options(signature: "Signature") -> list[str]:
    """Return the settings of a signature as options, as far as the command has such."""
    known = _parameters(signature.command)
    first, *others = [*signature.settings, ""]
    words: list[str] = []
    measured_by = MEASURES.get(signature.command[0], "measure")
    if measured_by in known and "=" not in first:
        words += [f"--{measured_by}", first]
    for name, written in SETTING.findall(" ".join([first, *others])):
        parameter = known.get(name)
        value = _value(written)
        if parameter is None or value == str(parameter.default):
            continue
        words.append(max(parameter.opts, key=len))
        if not parameter.is_flag:
            words.append(value)
    return words


def _value(written: str) -> str:
    """Return a setting as one would type it.

    >>> _value("'0.5'"), _value("('svm', 'knn')"), _value("(0.03,)")
    ('0.5', 'svm,knn', '0.03')
    """
    plain = written.strip("\"'()").rstrip(",")
    return ",".join(part.strip().strip("\"'") for part in plain.split(","))
