"""`karat check`: which label graphs are illegal, and where?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread


@spread
def check(
    folders: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="Folders of .lg or InkML, or single files."),
    ],
    output: OutputOptions,
    tree: Annotated[bool, typer.Option(help="Relations make a tree: one root, no cycle.")] = True,
) -> None:
    """Which label graphs are malformed or illegal, and in which line? Exit code 1 if there are any.

    For example:
      karat check truth
      karat check parser-a parser-b --csv
    """
    from karat.graphs import check_graphs  # noqa: PLC0415 (loads the stages)

    result = check_graphs(folders, tree=tree)
    show(result, output)
    if result.faults:
        raise typer.Exit(1)
