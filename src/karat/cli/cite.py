"""`karat cite`: which paper stands behind a method?"""

from typing import Annotated

import typer


def cite(
    name: Annotated[
        str | None, typer.Argument(help="A measure, bound or method; none lists all.")
    ] = None,
) -> None:
    """Show the reference behind a method, as it stands in its documentation.

    For example:
      karat cite
      karat cite wilson
    """
    from karat.citation import citations  # noqa: PLC0415

    for method, reference in citations(name).items():
        typer.echo(f"{method}: {reference}")
