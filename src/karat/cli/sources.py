"""`karat sources`: what can be read, and with which options?"""

import inspect
from typing import Annotated

import typer


def sources(
    name: Annotated[str | None, typer.Argument(help="A format; none lists all.")] = None,
) -> None:
    """List what karat reads, or tell of one format all there is to say, with its options for --using."""
    from karat.source import SOURCES  # noqa: PLC0415
    from karat.source.recognise import IN_MEMORY, options_of  # noqa: PLC0415

    width = max(map(len, SOURCES))
    for source in SOURCES if name is None else ():
        where = " (in Python)" if source in IN_MEMORY else ""
        typer.echo(f"{source:<{width}}  {_first(SOURCES[source].__doc__)}{where}")
    if name is not None:
        typer.echo(inspect.getdoc(SOURCES[name]))
        for option, default in options_of(SOURCES[name]).items():
            typer.echo(
                f"--using {option}={default}" if default else f"--using {option}=... (not said)"
            )


def _first(text: str | None) -> str:
    """Return the first line of a documentation."""
    return (text or "").partition("\n")[0]
