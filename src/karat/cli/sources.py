"""`karat sources`: what can be read, and with which options?"""

import inspect
from dataclasses import fields
from typing import Annotated

import typer

from karat.cli.completion import names_from


def sources(
    name: Annotated[
        str | None,
        typer.Argument(autocompletion=names_from("sources"), help="A format; none lists all."),
    ] = None,
) -> None:
    """List the formats that karat reads; or describe one of them, with its options for --using.

    For example:
      karat sources
      karat sources trec
    """
    from karat.boxes import BOX_FORMATS  # noqa: PLC0415
    from karat.source import SOURCES  # noqa: PLC0415
    from karat.source.recognise import IN_MEMORY, options_of  # noqa: PLC0415

    if name is None:
        width = max(len(source) for source in SOURCES)
        for source in SOURCES:
            summary = (SOURCES[source].__doc__ or "").partition("\n")[0]
            where = " (in Python)" if source in IN_MEMORY else ""
            typer.echo(f"{source:<{width}}  {summary}{where}")
        typer.echo(f"Of boxes in images: {', '.join(BOX_FORMATS)}; see karat boxes --help.")
        return
    if name in BOX_FORMATS:
        from karat.boxes import BoxOptions  # noqa: PLC0415 (only where it is asked)

        typer.echo(f"{name}: boxes in images, as karat boxes, score, compare and skew read them.")
        for field in fields(BoxOptions):
            typer.echo(f"--using {field.name}={field.default or '... (no default)'}")
        return
    typer.echo(inspect.getdoc(SOURCES[name]))
    for option, default in options_of(SOURCES[name]).items():
        value = default or "... (no default)"
        typer.echo(f"--using {option}={value}")
