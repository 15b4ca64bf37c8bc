"""Results to standard output or a file; everything else to standard error."""

import os
import sys

from karat.cli.options import OutputOptions
from karat.report import FORMATS
from karat.report.writing import write
from karat.result import Result
from karat.words import printable


def show(result: Result, options: OutputOptions) -> None:
    """Print a result in the requested form."""
    form = options.form()
    if options.output:
        write(options.output, FORMATS[form](result))
        tell(f"wrote {options.output}")
    elif form == "text":
        _print(result)
    else:
        sys.stdout.write(FORMATS[form](result))


def _print(result: Result) -> None:
    from rich.console import Console  # noqa: PLC0415 (slow to load, and not needed by the other forms)

    from karat.result.terminal import UNCUT  # noqa: PLC0415

    has_width = sys.stdout.isatty() or "COLUMNS" in os.environ
    Console(width=None if has_width else UNCUT).print(result, crop=False)


def tell(text: str) -> None:
    """Write a line to standard error, beside the result."""
    if not sys.stderr.isatty():
        sys.stderr.write(printable(text) + "\n")
        return
    from rich.console import Console  # noqa: PLC0415 (only where colours are seen)

    Console(stderr=True, highlight=False).print(
        printable(text), style="dim", markup=False, soft_wrap=True
    )
