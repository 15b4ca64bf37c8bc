"""`karat plot`: one picture of one question."""

from typing import Annotated

import typer

from karat.cli.options import Files, ReadingOptions, spread
from karat.cli.printing import tell
from karat.errors import OptionError


@spread
def plot(
    name: Annotated[
        str,
        typer.Argument(
            help="scores, comparisons, stability, consensus, cutoffs, depths, skew or graphs."
        ),
    ],
    tables: Files,
    reading: ReadingOptions,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="A .svg or .png file.")
    ],
    measure: Annotated[
        str | None, typer.Option(help="What the ranking is by.", show_default="accuracy")
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
        float | None, typer.Option(help="From which score on an answer is yes.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of what is simulated.", show_default="0")
    ] = None,
) -> None:
    """Draw one picture: the scores, who is better than whom, what the ranking survives, the vote, or class balances."""
    from karat.cli.reading import bench, told  # noqa: PLC0415 (loads the stages)
    from karat.questions import PLOTS  # noqa: PLC0415

    if not output.lower().endswith((".svg", ".png")):
        raise OptionError(f"the form of {output} is unclear; end it with .svg or .png")
    PLOTS[name]
    picture = told(bench(tables, reading)).plot(
        name, measure=measure, label_error=label_error, level=level, threshold=threshold, seed=seed
    )
    picture.save(output)
    tell(f"wrote {output}")
