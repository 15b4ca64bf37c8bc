"""`karat stability truths`: do several truths of the same items give the same ranking?"""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.completion import measures_of
from karat.cli.options import GRAPH_OPTIONS, Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.spread import Without, spread
from karat.errors import OptionError

if TYPE_CHECKING:
    from karat.result import Result

NOT_OF_TRUTHS = (
    "truth",
    "group",
    "cluster",
    "weight",
    "run",
    "error",
    "scores",
    "correct",
    "judge",
)
"""Options of the data that a comparison of truths does not take."""


@spread
def stability_truths(
    tables: Files,
    inputs: Annotated[InputOptions, Without(*NOT_OF_TRUTHS, *GRAPH_OPTIONS)],
    output: OutputOptions,
    truths: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="The truths: columns, or FILE:COL of another file."),
    ],
    measure: Annotated[
        str,
        typer.Option(
            autocompletion=measures_of("of_answers"),
            metavar="NAME",
            help="The measure that ranks: accuracy, macro-f1, recall[cat], ...",
        ),
    ] = "accuracy",
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
) -> None:
    """Do several truths of the same items give the same ranking?

    For example:
      karat stability truths digits.csv --truths truth,svm
      karat stability truths digits.csv --truths truth,svm,knn --measure macro-f1
    """
    if inputs.graphs:
        raise OptionError("the truths are columns of a table; leave --graphs out")
    show(by_several_truths(tables, inputs, truths, measure=measure, level=level, seed=seed), output)


def by_several_truths(
    tables: list[str], inputs: InputOptions, truths: str, *, measure: str, level: float, seed: int
) -> "Result":
    """Return whether several truths give the same ranking."""
    from karat.cli.other_truths import truths_by_pair  # noqa: PLC0415 (loads the engine)
    from karat.measure.losses import is_loss  # noqa: PLC0415 (loads NumPy)
    from karat.questions.several_truths import compare_truths  # noqa: PLC0415

    if is_loss(measure):
        raise OptionError(f"truths are compared by a measure of labels; {measure} is a loss")
    benches = truths_by_pair(truths, tables, inputs)
    return compare_truths(benches, measure=measure, level=level, seed=seed)
