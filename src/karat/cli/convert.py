"""`karat convert`: graphs from one form into another."""

import sys
from typing import Annotated

import typer

from karat.cli.printing import tell
from karat.cli.progress import steps
from karat.graphs.convert import GRAPH_FORMS
from karat.graphs.formats import GRAPH_FORMATS
from karat.words import counted

MOST_SHOWN = 20
"""How many problems are listed; the rest is counted."""


def convert(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR...", help="InkML, MathML, .lg, or files of LaTeX lines; or folders."
        ),
    ],
    to: Annotated[str, typer.Option(help=f"The new form: {', '.join(GRAPH_FORMS)}.")],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE|DIR", help="Write a file, or files into a folder."
        ),
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option(
            help="Lines of an .lg file: given; ne, of primitives and edges; or, of objects and relations."
        ),
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="Relations in an .lg file: given, long (Right) or short (R).")
    ] = None,
    view: Annotated[
        str | None,
        typer.Option(help="What dot draws: primitives, objects, tree, bipartite or segmentation."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE|DIR", help="The truth: dot then draws the differences."),
    ] = None,
    format: Annotated[  # noqa: A002 (the option's name)
        str | None,
        typer.Option(
            help=f"The files' format, if neither names nor contents say it: {', '.join(GRAPH_FORMATS)}."
        ),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Read around what means nothing, and list it.")
    ] = False,
) -> None:
    """Turn InkML, MathML and LaTeX into label graphs, and label graphs into LaTeX, MathML and drawings."""
    from karat.graphs.convert.conversion import convert as converted  # noqa: PLC0415 (loads the formats)

    given = {"lines": lines, "names": names, "view": view}
    options = {name: value for name, value in given.items() if value is not None}
    with steps():
        found = converted(files, to=to, format=format, against=against, lenient=lenient, **options)
    if output:
        number = found.save(output)
        tell(f"wrote {output}" if number == 1 else f"wrote {counted(number, 'file')} into {output}")
    else:
        sys.stdout.write(found.together())
    told = {
        "place read around": found.problems,
        "graph left out": found.failed,
        "graph without a symbol": found.empty,
        "symbol called differently by strokes and MathML": found.contradictions,
    }
    for what, listed in told.items():
        if listed:
            head, _, tail = what.partition(" ")
            tell(f"{counted(len(listed), head)} {tail}:")
            for one in listed[:MOST_SHOWN]:
                tell(f"  {one}")
            if len(listed) > MOST_SHOWN:
                tell(f"  and {len(listed) - MOST_SHOWN:,} more")
