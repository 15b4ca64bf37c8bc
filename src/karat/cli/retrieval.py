"""`karat retrieval`: how good is each ranking, averaged over queries and query by query?"""

from typing import Annotated

import typer

from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show
from karat.errors import OptionError


@spread
def retrieval(
    tables: Files,
    reading: ReadingOptions,
    output: OutputOptions,
    measure: Annotated[
        str | None, typer.Option(help="P@10, R@100, AP, RR, ...; several with commas.")
    ] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="A row for each query.")] = False,
    level: Annotated[
        float | None, typer.Option(help="The confidence level of the means; 0.95.")
    ] = None,
) -> None:
    """How good is each ranking? TABLE... is QRELS RUN..., or a table of scores with queries as groups."""
    from karat.cli.reading import bench, told  # noqa: PLC0415 (loads the engine)

    if reading.scores:
        raise OptionError(
            "--scores is for confidences beside labels; a ranking is by the systems' own scores"
        )
    if per_query and level is not None:
        raise OptionError(
            "--level is for the means over queries; one query has no interval, so leave it out"
        )
    found = told(bench(tables, reading))
    show(
        found.retrieval_queries(measure=measure)
        if per_query
        else found.retrieval(measure=measure, level=0.95 if level is None else level),
        output,
    )
