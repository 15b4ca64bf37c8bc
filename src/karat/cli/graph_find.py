"""`karat graph find`: which graphs are most like this one?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions, spread
from karat.cli.printing import show


@spread
def graph_find(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="A label graph (.lg), InkML, MathML or LaTeX.")
    ],
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="The folder of .lg files to search.")
    ],
    output: OutputOptions,
    most: Annotated[int, typer.Option(help="How many graphs to name.")] = 10,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave lines that mean nothing out.")
    ] = False,
) -> None:
    """Which graphs are most like this one, by their symbols and relations, whatever their primitives?"""
    from karat.graphs import find_graphs  # noqa: PLC0415 (loads the stages)

    show(find_graphs(query, folder, most=most, lenient=lenient), output)
