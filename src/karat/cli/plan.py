"""`karat plan`: how many items do I need?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions, spread
from karat.cli.printing import show
from karat.errors import OptionError


@spread
def plan(
    output: OutputOptions,
    estimate: Annotated[float | None, typer.Option(help="The share that is or will be observed.")] = None,
    trials: Annotated[str | None, typer.Option(help="The number of items; N1,N2 for two samples.")] = None,
    baseline: Annotated[float | None, typer.Option(help="The share of the system to be beaten.")] = None,
    increase: Annotated[float | None, typer.Option(help="By how much it is to be beaten.")] = None,
    lower: Annotated[float | None, typer.Option(help="The share to be guaranteed.")] = None,
    alone: Annotated[
        str | None, typer.Option(help="Two systems on the same items: A,B, the shares each has right alone.")
    ] = None,
    figure: Annotated[int | None, typer.Option(help="The paper's figure 1 or 2; -o FILE.svg draws it.")] = None,
    power: Annotated[float | None, typer.Option(help="The probability with which it is to succeed.")] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
) -> None:
    """How many items do I need, and what can so many show?

    --estimate P --trials N: the share that is guaranteed. --baseline P --trials N1[,N2]: the least significant
    increase. --baseline P --increase D, --lower P --estimate Q, --alone A,B: the number of items.
    """
    from karat import flow  # noqa: PLC0415 (loads the stages)

    found = flow.plan(
        estimate=estimate,
        trials=[int(number) for number in _numbers(trials, int, "--trials") or ()] or None,
        baseline=baseline,
        increase=increase,
        lower=lower,
        alone=_numbers(alone, float, "--alone"),
        figure=figure,
        power=power,
        level=level,
    )
    show(found, output)


def _numbers(text: str | None, kind: type, option: str) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        numbers = tuple(kind(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or len(numbers) > 2 or any(number < 0 for number in numbers):
        raise OptionError(f"{option} is {text!r}; it takes one or two numbers, as 50 or 50,100")
    return numbers
