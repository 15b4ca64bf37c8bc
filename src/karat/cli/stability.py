"""`karat stability`: would the ranking survive the errors in the truth?"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.counts import counts_of
from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show
from karat.cli.requiring import Require, check_stability, kept_of
from karat.errors import OptionError

if TYPE_CHECKING:
    from karat.doubt.said_errors import SaidErrors


@spread
def stability(
    tables: Files,
    reading: ReadingOptions,
    output: OutputOptions,
    label_error: Annotated[
        str | None, typer.Option(help="The share of wrong labels: E, LOW:HIGH, E+-SD, K/M checked, LABEL=E,LABEL=E.")
    ] = None,
    annotators: Annotated[str | None, typer.Option(help="Two columns A,B that label the same items.")] = None,
    wrong: Annotated[int | None, typer.Option(help="A number of wrong labels, in place of a share.")] = None,
    at_most: Annotated[bool, typer.Option("--at-most", help="With --wrong M: at most so many.")] = False,
    measure: Annotated[str, typer.Option(help="What the ranking is by.")] = "accuracy",
    classes: Annotated[int | None, typer.Option(help="How many classes there are, if not all of them occur.")] = None,
    pair: Annotated[str | None, typer.Option(help="Only these two systems, as A,B.")] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Every pair, not only neighbours.")] = False,
    few: Annotated[bool, typer.Option("--few", help="Few items, too: both doubts in one simulation.")] = False,
    threshold: Annotated[float | None, typer.Option(help="From which score on an answer is yes.")] = None,
    level: Annotated[float, typer.Option(help="The probability with which an order is to be kept.")] = 0.95,
    draws: Annotated[int, typer.Option(help="How many draws of what is simulated.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of what is simulated.")] = 0,
    require: Require = None,
) -> None:
    """Would the ranking survive the errors in the truth? TABLE may also be two scores, such as 85/100 95/100."""
    from karat import flow  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import bench, told  # noqa: PLC0415

    errors = _errors(label_error)
    conditions = kept_of(require)
    if counts := counts_of(tables):
        if (
            not isinstance(errors, tuple)
            or len(errors) != 1
            or few
            or classes
            or pair
            or annotators
            or wrong is not None
        ):
            raise OptionError("counts such as 85/100 95/100 take one share, as --label-error 0.03, and nothing else")
        show(flow.stability_of_scores(counts, label_error=errors[0]), output)
        return
    said: SaidErrors | None = None
    if annotators:
        if errors is not None:
            raise OptionError("--annotators and --label-error both say how many labels are wrong; say one")
        said = bench(tables, replace(reading, systems=annotators)).disagreement(level=level)
        reading = _without(annotators, tables, reading)
    found = told(bench(tables, reading)).stability(
        label_error=said or errors,
        wrong=wrong,
        at_most=at_most,
        measure=measure,
        classes=classes,
        pair=_two(pair),
        all_pairs=all_pairs,
        few=few,
        threshold=threshold,
        curves=output.form() in {"svg", "png"},
        level=level,
        draws=draws,
        seed=seed,
    )
    show(found, output)
    check_stability(conditions, found)


def _without(annotators: str, tables: list[str], reading: ReadingOptions) -> ReadingOptions:
    """Return the options with the annotators left out of the systems."""
    from karat.cli.reading import bench  # noqa: PLC0415

    if reading.systems:
        return reading
    names = [name.strip() for name in annotators.split(",")]
    systems = [name for name in bench(tables, reading).facts.systems if name not in names]
    return replace(reading, systems=",".join(systems))


def _two(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise OptionError(f"--pair is {text!r}; it names two systems, as A,B")
    return names[0], names[1]


def _errors(text: str | None) -> float | tuple[float, ...] | dict[str, float] | str | None:
    """Return what is said about wrong labels: a rate, several, one by label, or a check as it stands."""
    if text is None or re.fullmatch(r"\d+/\d+|[0-9.]+\+-[0-9.]+", text):
        return text
    try:
        if "=" in text:
            return {name: float(rate) for name, _, rate in (part.rpartition("=") for part in text.split(","))}
        rates = tuple(float(part) for part in text.split(":"))
    except ValueError:
        rates = ()
    if not 0 < len(rates) <= 2:
        raise OptionError(f"--label-error is {text!r}; it takes 0.03, 0.01:0.05, 0.03+-0.01, 3/100 or yes=0.01,no=0.05")
    return rates
