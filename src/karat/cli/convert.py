"""`karat convert`: graphs from one form into another."""

from collections.abc import Sequence
from typing import Annotated

import typer

from karat.cli.printing import put, tell
from karat.cli.progress import steps
from karat.cli.streams import DATA
from karat.words import counted

MOST_SHOWN = 20
"""How many problems are listed; the others are counted."""


def convert(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR...", help="InkML, MathML, .lg, or files of LaTeX lines; or folders."
        ),
    ],
    to: Annotated[str, typer.Option(metavar="FORM", help="The new form: {graph_forms}.")],
    destination: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE|DIR", help="Write a file, or files into a folder."
        ),
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="Lines of an .lg file: given; ne, of primitives and edges; or, of objects and relations.",
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH", help="Relations in an .lg file: given, long (Right) or short (R)."
        ),
    ] = None,
    view: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What dot draws: primitives, objects, tree, bipartite or segmentation.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE|DIR", help="The truth: dot then draws the differences."),
    ] = None,
    format: Annotated[  # noqa: A002 (the option's name)
        str | None,
        typer.Option(
            metavar="NAME",
            help="The files' format, if neither names nor contents say it: {graph_formats}.",
        ),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Skip what cannot be read, and list it.")
    ] = False,
) -> None:
    """Turn InkML, MathML and LaTeX into label graphs, and label graphs into LaTeX, MathML and drawings.

    For example:
      karat convert formulas.tex --to lg -o graphs
      karat convert truth --to latex
    """
    from karat.graphs import convert_graphs as converted  # noqa: PLC0415 (loads the formats)

    given = {"lines": lines, "names": names, "view": view}
    options = {name: value for name, value in given.items() if value is not None}
    with steps():
        result = converted(files, to=to, format=format, against=against, lenient=lenient, **options)
    if destination:
        number = result.save(destination)
        if number == 1:
            tell(f"wrote {destination}")
        else:
            tell(f"wrote {counted(number, 'file')} into {destination}")
    else:
        put(result.together(), DATA)
    _list("place", "skipped", result.problems)
    _list("graph", "left out", result.failed)
    _list("graph", "without a symbol", result.empty)
    _list("symbol", "named in two ways", result.contradictions)


def _list(noun: str, what: str, problems: Sequence[object]) -> None:
    """List problems of one kind on standard error, the first of many."""
    if not problems:
        return
    tell(f"{counted(len(problems), noun)} {what}:")
    for problem in problems[:MOST_SHOWN]:
        tell(f"  {problem}")
    rest = len(problems) - MOST_SHOWN
    if rest > 0:
        tell(f"  and {rest:,} more")
