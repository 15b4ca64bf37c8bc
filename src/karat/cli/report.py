"""`karat report`: every question that the data allows, on one page."""

from typing import Annotated

import typer

from karat.cli.completion import measures_of
from karat.cli.options import Files, InputOptions
from karat.cli.printing import tell
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.words import any_of


@spread
def report(
    tables: Files,
    inputs: Annotated[InputOptions, Without("scores", "judge")],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The page; its extension decides the format: {documents}.",
        ),
    ] = "report.html",
    measure: Annotated[
        str | None,
        typer.Option(
            autocompletion=measures_of("of_answers"),
            metavar="NAME",
            help="The measure that ranks, such as macro-f1.",
            show_default="accuracy",
        ),
    ] = None,
    label_error: Annotated[
        float, typer.Option(help="The share of wrong labels that the page begins with.")
    ] = 0.03,
    level: Annotated[
        float, typer.Option(help="The confidence level that the page begins with.")
    ] = 0.95,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    draws: Annotated[int, typer.Option(help="How many times a ranking is simulated.")] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="P", help="The prevalence that the page begins with: 0.01, 1% or 1:99."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="OLD.json", help="An earlier report; the page says what changed."),
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="What the page is called.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="DATE", help="A date to print on the page.")
    ] = None,
) -> None:
    """Ask every question that the data allows, and put the answers on one page that works offline.

    For example:
      karat report digits.csv
      karat report is_eight.csv -o report.md
    """
    from karat.cli.progress import steps  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import read_inputs  # noqa: PLC0415
    from karat.report import DOCUMENTS  # noqa: PLC0415

    ending = output.rpartition(".")[2].lower()
    if ending not in DOCUMENTS:
        endings = any_of(f".{form}" for form in DOCUMENTS)
        raise OptionError(f"the form of {output} is unclear; end it with {endings}")
    bench = read_inputs(tables, inputs, measure=measure)
    with steps() as say:
        bench.report(
            output,
            measure=measure,
            label_error=label_error,
            level=level,
            threshold=threshold,
            draws=draws,
            seed=seed,
            to=to,
            title=title,
            date=date,
            against=against,
            say=say,
        )
    tell(f"wrote {output}")
