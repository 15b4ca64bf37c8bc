"""`karat plan`: how many items do I need?"""

import re
from typing import Annotated

import typer

from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.words import NUMBER


@spread
def plan(
    output: OutputOptions,
    estimate: Annotated[
        float | None, typer.Option(help="The share that was observed, or is expected.")
    ] = None,
    trials: Annotated[
        str | None,
        typer.Option(metavar="N[,N]", help="The number of items; N1,N2 for two samples."),
    ] = None,
    baseline: Annotated[
        float | None, typer.Option(help="The share of the system to be beaten.")
    ] = None,
    increase: Annotated[
        float | None, typer.Option(help="By how much it is to be beaten, as 0.02.")
    ] = None,
    lower: Annotated[float | None, typer.Option(help="The share to be guaranteed.")] = None,
    alone: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Two systems, same items: shares A,B, or counts A:B/N, of items that only one of them has right.",
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            help="With --alone: how many items show that one is no worse by more than this."
        ),
    ] = None,
    cluster_size: Annotated[
        float | None, typer.Option(help="The number of items a cluster, where items are clustered.")
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option(help="With --cluster-size: the correlation of items of a cluster."),
    ] = None,
    area: Annotated[
        str | None,
        typer.Option(
            metavar="A[,B]",
            help="An ROC area, with --width; or two that are to differ significantly on the same items.",
        ),
    ] = None,
    width: Annotated[
        float | None, typer.Option(help="With --area: how wide its interval may be.")
    ] = None,
    prevalence: Annotated[
        float | None,
        typer.Option(help="With --area: the share of positives.", show_default="0.5"),
    ] = None,
    score_correlation: Annotated[
        float | None,
        typer.Option(
            help="With --area A,B: the correlation of the two systems' scores.", show_default="0"
        ),
    ] = None,
    figure: Annotated[
        int | None, typer.Option(help="The paper's figure 1 or 2; -o FILE.svg draws it.")
    ] = None,
    power: Annotated[
        float | None,
        typer.Option(help="The probability with which the test is to succeed; plan with 0.8."),
    ] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
) -> None:
    """How many items do I need, and what can a number of items show?

    How many items: to beat a system, --baseline P --increase D; to guarantee a share, --lower P --estimate Q; to show
    which of two systems is better on the same items, --alone A,B, or that one is no worse, --margin M; for ROC areas,
    --area A --width W, or --area A,B.

    What a number of items shows: the share they guarantee, --estimate P --trials N; the least significant increase,
    --baseline P --trials N1[,N2].

    For example:
      karat plan --baseline 0.9 --increase 0.02
      karat plan --lower 0.9 --estimate 0.95 --power 0.8
    """
    from karat.questions.plan import plan as plan_of  # noqa: PLC0415 (loads the stages)

    plans = plan_of(
        estimate=estimate,
        trials=_trials(trials),
        baseline=baseline,
        increase=increase,
        lower=lower,
        alone=_alone(alone),
        margin=margin,
        cluster_size=cluster_size,
        correlation=correlation,
        area=_areas(area),
        width=width,
        prevalence=prevalence,
        score_correlation=score_correlation,
        figure=figure,
        power=power,
        level=level,
    )
    show(plans, output)


def _trials(text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9]\d{0,17}(,[1-9]\d{0,17})?", text):
        raise OptionError(
            f"--trials is {text!r}; it takes one or two numbers of items, as 50 or 50,100"
        )
    return [int(part) for part in text.split(",")]


def _alone(text: str | None) -> tuple[float, float] | None:
    """Return two shares, given as such or as the counts that compare shows."""
    if text is None:
        return None
    counts = re.fullmatch(r"(\d{1,18}):(\d{1,18})/([1-9]\d{0,17})", text)
    if counts:
        items = int(counts[3])
        return int(counts[1]) / items, int(counts[2]) / items
    shares = re.fullmatch(rf"({NUMBER}),({NUMBER})", text)
    if shares:
        return float(shares[1]), float(shares[2])
    raise OptionError(
        f"--alone is {text!r}; it takes two shares, as 0.03,0.02, or counts, as 36:17/1497"
    )


def _areas(text: str | None) -> list[float] | None:
    if text is None:
        return None
    if not re.fullmatch(rf"{NUMBER}(,{NUMBER})?", text):
        raise OptionError(f"--area is {text!r}; it takes one or two ROC areas, as 0.9 or 0.9,0.85")
    return [float(part) for part in text.split(",")]
