"""Results to standard output or a file; everything else to standard error."""

import sys

from rich.console import Console

from karat.cli.options import OutputOptions
from karat.errors import OptionError
from karat.report import FORMATS
from karat.report.writing import write
from karat.result import Result

ENDINGS = {"json": "json", "csv": "csv", "md": "md", "tex": "latex", "txt": "text"}


def show(result: Result, options: OutputOptions) -> None:
    """Print a result in the form that was asked for."""
    form = _form(options)
    if options.output:
        write(options.output, FORMATS[form](result))
        tell(f"wrote {options.output}")
    elif form == "text":
        Console().print(result)
    else:
        sys.stdout.write(FORMATS[form](result))


def _form(options: OutputOptions) -> str:
    asked = [name for name in ("json", "csv", "md", "latex") if getattr(options, name)]
    if len(asked) > 1:
        raise OptionError(f"--{asked[0]} and --{asked[1]} exclude each other; say one")
    if asked or not options.output:
        return asked[0] if asked else "text"
    ending = options.output.rpartition(".")[2].lower()
    if ending not in ENDINGS:
        raise OptionError(f"the form of {options.output} is unclear; say --json, --csv, --md or --latex, or end it so")
    return ENDINGS[ending]


def tell(text: str) -> None:
    """Say something on standard error that is not the result."""
    Console(stderr=True, highlight=False).print(text, style="dim", markup=False)
