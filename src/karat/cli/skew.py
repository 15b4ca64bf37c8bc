"""`karat skew`: what happens where positives are rarer or more frequent?"""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.options import OutputOptions, ReadingOptions, spread
from karat.cli.printing import show, tell
from karat.errors import OptionError
from karat.measure.prevalence import DEFAULT_PRIOR

if TYPE_CHECKING:
    from karat.bench import Bench

WHERE = "Where the systems will be used"


def _where(*names: str, **extra: object) -> object:
    return typer.Option(*names, rich_help_panel=WHERE, **extra)  # type: ignore[arg-type]


@spread
def skew(
    reading: ReadingOptions,
    output: OutputOptions,
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE...", help="Files of scores; none with --precision, a published value."
        ),
    ] = None,
    to: Annotated[
        list[str] | None,
        _where(
            metavar="P|FILE",
            help="A class balance: 0.01, 1%, 1:99 or 0.01..0.1; or a file of scores from the field.",
        ),
    ] = None,
    low: Annotated[
        str | None, _where(metavar="P", help="The rarest that positives may be.")
    ] = None,
    high: Annotated[
        str | None, _where(metavar="P", help="The most frequent that positives may be.")
    ] = None,
    prior: Annotated[
        str,
        _where(help="How likely each is: {prior_forms}, or a file of skew, weight."),
    ] = DEFAULT_PRIOR,
    limits: Annotated[
        str | None,
        _where(
            metavar="P,P,...", help="Balances of known data sets: the range is their mean ± 3 sd."
        ),
    ] = None,
    trajectory: Annotated[
        str | None,
        _where(help="How the prevalence changes: {trajectory_forms}; or a file of time, skew."),
    ] = None,
    time: Annotated[
        str | None, _where(metavar="T[,T...]", help="How long the trajectory lasts.")
    ] = None,
    per: Annotated[str, typer.Option(help="total or group.")] = "total",
    beside: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Another table, compared at the same class balance."),
    ] = None,
    bins: Annotated[
        int | None, typer.Option(help="Count scores in so many bins; says what that costs.")
    ] = None,
    bands: Annotated[
        bool,
        typer.Option(
            "--bands", help="Where each curve lies, point by point: in --json and in pictures."
        ),
    ] = False,
    check: Annotated[
        str | None,
        typer.Option(metavar="PRECISION,RECALL", help="Can any system reach this point?"),
    ] = None,
    choose: Annotated[
        str | None,
        typer.Option(help="The best threshold for recall>=R, f1 or utility:HIT,MISS,ALARM,REST."),
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...", help="Columns of annotators' marks: their agreement as truths."
        ),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="What does answering yes from this score on do?")
    ] = None,
    label_error: Annotated[
        float, typer.Option(help="The share of wrong labels, for the doubt.")
    ] = 0.0,
    precision: Annotated[
        float | None, typer.Option(help="A published precision; needs --from.")
    ] = None,
    recall: Annotated[float | None, typer.Option(help="The recall it was published with.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="P", help="The balance it was measured at.")
    ] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    draws: Annotated[
        int | None, typer.Option(help="Resamples; 0 for none, else as many as are quickly made.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of what is simulated.")] = 0,
) -> None:
    """What happens where positives are rarer or more frequent than in the data?"""
    from karat.cli.reading import bench, told  # noqa: PLC0415
    from karat.questions.counts import skew_of_precision  # noqa: PLC0415
    from karat.truths import agreement_levels  # noqa: PLC0415 (loads the stages)

    if per not in {"total", "group"}:
        raise OptionError(f"--per is {per!r}; it takes total or group")
    if reading.graphs:
        raise OptionError("label graphs hold no scores, and so no curves; leave --graphs out")
    times = None if time is None else [_number("--time", part) for part in time.split(",")]
    low, high = (low, high) if limits is None else _range(limits, low, high)
    where = {
        "to": to or (),
        "low": low,
        "high": high,
        "prior": prior,
        "trajectory": trajectory,
        "time": times,
    }
    point = None if check is None else _point(check)
    # What some of the questions cannot take.
    asked: dict[str, object] = {
        "per": per,
        "beside": beside,
        "bins": bins,
        "bands": bands,
        "check": check,
        "choose": choose,
    }
    asked |= {"levels": levels, "threshold": threshold, "label_error": label_error}
    asked |= {"level": level, "draws": draws, "seed": seed}
    if precision is not None or from_ is not None:
        if tables or precision is None or from_ is None:
            raise OptionError("a published value is --precision P --from P, without a table")
        _alone("a published value", asked, "check")
        _alone("a published value", _read(reading))
        show(skew_of_precision(precision, old=from_, recall=recall, check=point, **where), output)
        return
    if not tables:
        raise OptionError(
            "name a table of scores, or a published value with --precision P --from P"
        )
    if recall is not None:
        raise OptionError("--recall goes with --precision; a table has recalls of its own")
    if levels is not None:
        if len(tables) > 1 or reading.systems is None:
            raise OptionError(
                "--levels takes one table, and the columns of scores with --systems a,b"
            )
        _alone("--levels", asked, "levels")
        _alone("--levels", _read(reading), "systems")
        names = [[name.strip() for name in text.split(",")] for text in (levels, reading.systems)]
        show(agreement_levels(tables[0], annotators=names[0], systems=names[1], **where), output)
        return
    reading = replace(reading, kind=reading.kind or ["score"])
    if per == "group":
        _alone("--per group", asked, "per", "bins", "level", "draws", "seed")
        how = {"bins": bins, "level": level, "draws": draws, "seed": seed}
        show(told(bench(tables, reading)).skew_groups(**where, **how), output)  # type: ignore[arg-type]
        return
    shown = told(bench(tables, reading)).skew(
        **where,  # type: ignore[arg-type]
        check=point,
        choose=choose,
        threshold=threshold,
        label_error=label_error,
        beside=_beside(beside or [], tables[0], reading),
        bins=bins,
        bands=bands,
        level=level,
        draws=draws,
        seed=seed,
    )
    show(shown, output)


def _range(limits: str, low: str | None, high: str | None) -> tuple[str, str]:
    """Return the range that known data sets speak for, and say it."""
    from karat.questions.counts import limits_of  # noqa: PLC0415 (loads the stages)

    if low is not None or high is not None:
        raise OptionError("--limits finds the range; leave --low and --high out")
    found = limits_of(limits.split(","))
    spread_of = f"mean {found.mean:.4g} ± 3 x {found.deviation:.4g}, within [0, 1]"
    tell(f"limits {found.low:.4g} to {found.high:.4g}: {spread_of}")
    return str(found.low), str(found.high)


UNSAID = {"per": "total", "bands": False, "label_error": 0.0, "level": 0.95, "seed": 0}
"""What options are where nobody says anything; the others are None."""


def _alone(what: str, asked: Mapping[str, object], *kept: str) -> None:
    """Refuse options that say nothing here."""
    said = [name for name, value in asked.items() if name not in kept and value != UNSAID.get(name)]
    if said:
        raise OptionError(f"{what} goes without --{said[0].replace('_', '-')}")


def _read(reading: ReadingOptions) -> dict[str, object]:
    """Return how the table is to be read, as far as anything was said of it."""
    given = {field.name: getattr(reading, field.name) for field in fields(reading)}
    return {
        name: value for name, value in given.items() if value != getattr(ReadingOptions(), name)
    }


def _beside(paths: list[str], first: str, reading: ReadingOptions) -> dict[str, "Bench"]:
    """Return other tables by the names of their files, or by their paths where these are alike."""
    from karat.cli.reading import bench  # noqa: PLC0415 (loads the stages)

    stems = [Path(path).stem for path in (first, *paths)]
    names = paths if len(set(stems)) < len(stems) else stems[1:]
    if len(set(names)) < len(names) or first in paths:
        raise OptionError("a table beside itself says nothing; name another with --beside")
    return {name: bench([path], reading) for name, path in zip(names, paths, strict=True)}


def _point(text: str) -> tuple[float, float]:
    parts = text.split(",")
    if len(parts) != 2:
        raise OptionError(f"--check is {text!r}; it takes PRECISION,RECALL, as 0.2,0.9")
    return _number("--check", parts[0]), _number("--check", parts[1])


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"{name} has {text!r} where a number should stand") from None
