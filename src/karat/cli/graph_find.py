"""`karat graph find`: which graphs are most like this one?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread


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
        bool, typer.Option("--lenient", help="Leave unreadable lines of the query out.")
    ] = False,
) -> None:
    """Which graphs are most similar to this one, by symbols and relations, whatever their primitives?

    For example:
      karat graph find truth/00001.lg parser-b
      karat graph find truth/00002.lg truth --most 3
    """
    from karat.graphs import find_graphs  # noqa: PLC0415 (loads the stages)

    show(find_graphs(query, folder, most=most, lenient=lenient), output)
