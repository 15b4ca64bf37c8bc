"""`karat report`: all that can be said, on one page."""

from typing import Annotated

import typer

from karat.cli.options import Files, ReadingOptions, spread
from karat.cli.printing import tell
from karat.errors import OptionError


@spread
def report(
    tables: Files,
    reading: ReadingOptions,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="A .html page, or .md, .json or .pdf."),
    ] = "report.html",
    measure: Annotated[
        str | None,
        typer.Option(help="What the ranking is by, such as macro-f1; accuracy if nothing is said."),
    ] = None,
    label_error: Annotated[
        float, typer.Option(help="The share of wrong labels that the page begins with.")
    ] = 0.03,
    level: Annotated[
        float, typer.Option(help="The confidence level that the page begins with.")
    ] = 0.95,
    threshold: Annotated[
        float | None, typer.Option(help="From which score on an answer is yes.")
    ] = None,
    draws: Annotated[int, typer.Option(help="How many draws of what is simulated.")] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of what is simulated.")] = 0,
) -> None:
    """Ask every question that the data allows, and put the answers on one page that works offline."""
    from karat.cli.progress import steps  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import bench, told  # noqa: PLC0415
    from karat.report import DOCUMENTS  # noqa: PLC0415

    ending = output.rpartition(".")[2].lower()
    if ending not in DOCUMENTS:
        raise OptionError(f"the form of {output} is unclear; end it with .html, .md, .json or .pdf")
    found = told(bench(tables, reading))
    with steps() as say:
        found.report(
            output,
            measure=measure,
            label_error=label_error,
            level=level,
            threshold=threshold,
            draws=draws,
            seed=seed,
            say=say,
        )
    tell(f"wrote {output}")
