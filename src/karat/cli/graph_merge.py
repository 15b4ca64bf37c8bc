"""`karat graph merge`: what do several systems say together?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions
from karat.cli.printing import show, tell
from karat.errors import OptionError
from karat.words import counted


def graph_merge(
    folders: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="Folders of .lg files; NAME=DIR names one."),
    ],
    into: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="The folder of the merged graphs.")
    ],
    truth: Annotated[
        str | None, typer.Option(metavar="DIR", help="Score the vote and its parts by this.")
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(help="NAME=W: how much the vote of a system weighs; may be repeated."),
    ] = None,
    equal: Annotated[
        bool, typer.Option("--equal", help="The files' confidences do not count.")
    ] = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave lines that mean nothing out.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
) -> None:
    """What do several systems say together? A vote by confidence over their graphs, made legal, and scored."""
    from karat.graphs import merge_graphs  # noqa: PLC0415 (loads the stages)

    form = OutputOptions(json=json, csv=csv)
    found, number = merge_graphs(
        folders, into, truth=truth, weights=_weights(weight or []), equal=equal, lenient=lenient
    )
    tell(f"wrote {counted(number, 'graph')} to {into}")
    show(found, form)


def _weights(texts: list[str]) -> dict[str, float]:
    found = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(f"--weight is {text!r}; it takes NAME=NUMBER, such as a=0.5")
    return found
