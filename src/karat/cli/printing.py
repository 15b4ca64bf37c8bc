"""Results to standard output or a file; everything else to standard error."""

import os
import sys
from collections.abc import Iterable
from itertools import chain

from karat.cli.options import OutputOptions
from karat.cli.streams import DATA, JSON, TEXT, encodable
from karat.report import FORMATS
from karat.report.writing import write_parts
from karat.result import Result
from karat.words import printable

WRITTEN_OUT = {"json": JSON, "csv": DATA}
"""How forms that programs read have what standard output cannot encode."""


def show(result: Result, options: OutputOptions) -> None:
    """Print a result in the requested form."""
    from karat.cli.result_with_command import ResultWithCommand  # noqa: PLC0415 (loads what a shell does not need)

    form = options.form()
    if options.take is not None:
        options.take(ResultWithCommand(result, options.command))
        return
    if form == "json":
        result = ResultWithCommand(result, options.command)
    if options.output:
        write_parts(options.output, _in_form(result, options))
        tell(f"wrote {options.output}")
    elif form == "text":
        _print(result)
    else:
        for part in _in_form(result, options):
            put(str(part), WRITTEN_OUT.get(form, TEXT))


def _in_form(result: Result, options: OutputOptions) -> Iterable[str | bytes]:
    """Return a result in the requested form, piece by piece where it may be large."""
    form = options.form()
    if options.guard_formulas:
        return [result.to_csv(guard_formulas=True)]
    if form == "json":
        from karat.result.plain import json_parts  # noqa: PLC0415 (only where it is wanted)

        return chain(json_parts(result), ["\n"])
    return [FORMATS[form](result)]


def put(text: str, written_out: str = TEXT) -> None:
    """Write text to standard output; a terminal is shown what it would obey, be it a table or a file's content."""
    if sys.stdout.isatty():
        text = printable(text, kept="\n\t")
    sys.stdout.write(encodable(text, written_out))


def _print(result: Result) -> None:
    from rich.console import Console  # noqa: PLC0415 (slow to load, and not needed by the other forms)

    from karat.result.terminal import UNCUT  # noqa: PLC0415

    has_width = sys.stdout.isatty() or "COLUMNS" in os.environ
    Console(width=None if has_width else UNCUT).print(result, crop=False)


def tell(text: str) -> None:
    """Write a line to standard error, apart from the result."""
    if not sys.stderr.isatty():
        sys.stderr.write(printable(text) + "\n")
        return
    from rich.console import Console  # noqa: PLC0415 (only where colours are seen)

    Console(stderr=True, highlight=False).print(
        printable(text), style="dim", markup=False, soft_wrap=True
    )
