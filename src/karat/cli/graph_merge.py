"""`karat graph merge`: what is the majority vote of several systems?"""

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
        str | None,
        typer.Option(metavar="DIR", help="A truth by which the vote and each system are scored."),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=W", help="The weight of a system's vote; may be repeated."),
    ] = None,
    equal: Annotated[
        bool, typer.Option("--equal", help="Ignore the confidences in the files.")
    ] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave unreadable lines out.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
) -> None:
    """What do several systems say together? Graphs by a vote that is weighted with confidence, made legal, and scored.

    For example:
      karat graph merge parser-a parser-b -o merged
      karat graph merge parser-a parser-b --truth truth -o merged
    """
    from karat.graphs import merge_graphs  # noqa: PLC0415 (loads the stages)

    output = OutputOptions(json=json, csv=csv)
    result, number = merge_graphs(
        folders, into, truth=truth, weights=_weights(weight or []), equal=equal, lenient=lenient
    )
    tell(f"wrote {counted(number, 'graph')} to {into}")
    show(result, output)


def _weights(texts: list[str]) -> dict[str, float]:
    weights = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(f"--weight is {text!r}; it takes NAME=NUMBER, such as a=0.5")
    return weights
