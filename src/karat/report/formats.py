"""A result in the form the user asked for."""

import io

from karat.result import Result


def text(result: Result, *, width: int | None = None) -> str:
    """Return what a terminal shows, without colours."""
    from rich.console import Console  # noqa: PLC0415

    out = io.StringIO()
    Console(file=out, width=width or 110, color_system=None).print(result)
    return out.getvalue()


def json(result: Result) -> str:
    """Return one JSON object."""
    return result.to_json() + "\n"


def csv(result: Result) -> str:
    """Return comma-separated values."""
    return result.to_csv()


def md(result: Result) -> str:
    """Return Markdown."""
    return result.to_markdown()


def latex(result: Result) -> str:
    """Return LaTeX."""
    return result.to_latex()
