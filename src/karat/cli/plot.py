"""`karat plot`: one picture of one question."""

from typing import Annotated

import typer

from karat.cli.completion import measures_of
from karat.cli.options import Files, InputOptions
from karat.cli.printing import tell
from karat.cli.spread import Without, spread
from karat.errors import OptionError


@spread
def plot(
    name: Annotated[
        str,
        typer.Argument(help="What is drawn: {plots}."),
    ],
    tables: Files,
    inputs: Annotated[InputOptions, Without("scores", "judge")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="A .svg, .pdf or .png file.")
    ],
    measure: Annotated[
        str | None,
        typer.Option(
            autocompletion=measures_of("of_answers"),
            metavar="NAME",
            help="The measure that ranks.",
            show_default="accuracy",
        ),
    ] = None,
    label_error: Annotated[
        float | None,
        typer.Option(
            help="The share of wrong labels at which ranks are shown.", show_default="0.03"
        ),
    ] = None,
    level: Annotated[
        float | None, typer.Option(help="The confidence level.", show_default="0.95")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of the simulation.", show_default="0")
    ] = None,
) -> None:
    """Draw one picture: scores, comparisons, a ranking, robustness to label noise, consensus, other prevalences.

    For example:
      karat plot scores digits.csv -o scores.svg
      karat plot ranking digits.csv -o ranking.pdf
    """
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the stages)
    from karat.questions import PLOTS  # noqa: PLC0415

    if not output.lower().endswith((".svg", ".pdf", ".png")):
        raise OptionError(f"the form of {output} is unclear; end it with .svg, .pdf or .png")
    PLOTS[name]  # an unknown name ends here, before anything is read
    picture = read_inputs(tables, inputs).plot(
        name, measure=measure, label_error=label_error, level=level, threshold=threshold, seed=seed
    )
    picture.save(output)
    tell(f"wrote {output}")
