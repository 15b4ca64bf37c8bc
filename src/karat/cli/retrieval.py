"""`karat retrieval`: how good is each ranking, averaged over queries and query by query?"""

from typing import Annotated

import typer

from karat.cli.completion import measures_of
from karat.cli.moved import MovedFlag, per_of
from karat.cli.options import GRAPH_OPTIONS, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.spread import Without, spread
from karat.errors import OptionError

NOT_OF_RANKINGS = (
    "count",
    "run",
    "error",
    "missing",
    "nothing",
    "scores",
    "judge",
    "correct",
)
"""Options of the data that ranked lists do not take."""
Rankings = Annotated[
    list[str],
    typer.Argument(
        metavar="QRELS RUN...",
        help="Judgements and runs, as TREC has them; or tables of scores whose groups are queries.",
    ),
]


@spread
def retrieval(
    tables: Rankings,
    inputs: Annotated[InputOptions, Without(*NOT_OF_RANKINGS, *GRAPH_OPTIONS)],
    output: OutputOptions,
    measure: Annotated[
        str | None,
        typer.Option(
            autocompletion=measures_of("of_rankings"),
            metavar="NAME",
            help="P@10, R@100, AP, RR, ...; several with commas.",
        ),
    ] = None,
    per: Annotated[
        str, typer.Option(metavar="WHAT", help="What a row is about: total or query.")
    ] = "total",
    per_query: MovedFlag = False,
    level: Annotated[
        float | None, typer.Option(help="The confidence level of the means.", show_default="0.95")
    ] = None,
) -> None:
    """How good is each ranking of documents, on average over queries and query by query?

    For example:
      karat retrieval qrels.txt bm25.run dense.run
      karat retrieval qrels.txt bm25.run --measure AP,P@5 --per query
    """
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the engine)

    if inputs.scores:
        raise OptionError(
            "--scores is for confidences beside labels; a ranking is by the systems' own scores"
        )
    per = per_of(per, "query", old=per_query)
    bench = read_inputs(tables, inputs)
    show(bench.retrieval(measure=measure, per=per, level=level), output)
