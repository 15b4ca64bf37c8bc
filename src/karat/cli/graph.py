"""`karat graph`: what went wrong inside?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions, spread
from karat.cli.printing import show, tell
from karat.errors import OptionError

Folders = Annotated[
    list[str],
    typer.Argument(metavar="TRUTH_DIR SYSTEM_DIR...", help="Folders of .lg files (or two files); NAME=DIR names one."),
]


@spread
def graph(
    folders: Folders,
    output: OutputOptions,
    semantics: Annotated[str, typer.Option(help="What a difference is: paper, or lgeval (version 0.3.8).")] = "paper",
    inherit: Annotated[bool, typer.Option("--inherit", help="Close all graphs by inheritance first.")] = False,
    absent_edges: Annotated[
        bool, typer.Option(help="Pairs that an absent primitive begins are wrong; else they have no label.")
    ] = True,
    undirected: Annotated[bool, typer.Option("--undirected", help="Edges have no direction.")] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="REL-k counts each label of the truth once, as in 2012.")
    ] = False,
    per_file: Annotated[bool, typer.Option("--per-file", help="A row per system and file.")] = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave lines that mean nothing out, and list them.")
    ] = False,
) -> None:
    """What went wrong inside? Labels, objects and relations of label graphs, compared with those of the truth."""
    from karat.cli.reading import graph_bench  # noqa: PLC0415 (loads the stages)

    if folders[0] == "-":
        raise OptionError("karat graph compares with a truth; without one ask karat consensus --graphs - DIR...")
    found = graph_bench(
        folders,
        lenient=lenient,
        semantics=semantics,
        inherit=inherit,
        absent_edges=absent_edges,
        undirected=undirected,
    )
    for problem in (problem for one in found.sets() for problem in one.problems):
        tell(f"left out: {problem}")
    show(found.graph(per_file=per_file, distinct=distinct), output)
