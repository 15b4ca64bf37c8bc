"""A result in the form that was requested."""

from karat.result import Result


def text(result: Result) -> str:
    """Return what a terminal shows, without colours."""
    from karat.result import terminal  # noqa: PLC0415 (loads Rich)

    return terminal.text(result, width=terminal.UNCUT)


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
