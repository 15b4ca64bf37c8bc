"""Results to standard output or a file; everything else to standard error."""

import os
import sys

from rich.console import Console

from karat.cli.options import OutputOptions
from karat.report import FORMATS
from karat.report.writing import write
from karat.result import Result
from karat.result.terminal import UNCUT
from karat.words import printable


def show(result: Result, options: OutputOptions) -> None:
    """Print a result in the form that was asked for."""
    form = options.form()
    if options.output:
        write(options.output, FORMATS[form](result))
        tell(f"wrote {options.output}")
    elif form == "text":
        seen = sys.stdout.isatty() or "COLUMNS" in os.environ
        Console(width=None if seen else UNCUT).print(result, crop=False)
    else:
        sys.stdout.write(FORMATS[form](result))


def tell(text: str) -> None:
    """Say something on standard error that is not the result."""
    Console(stderr=True, highlight=False).print(
        printable(text), style="dim", markup=False, soft_wrap=True
    )
