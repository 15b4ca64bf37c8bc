"""`karat consensus`: who is best when there is no truth?"""

import math
from typing import Annotated, Any

import typer

from karat.cli.moved import MovedFlag, per_of
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.measure.consensus import DEFAULT_ESTIMATOR
from karat.table.text_forms import names
from karat.words import any_of

NOT_OF_VOTES = ("cluster", "weight", "run", "error", "scores", "correct", "judge")
"""Options of the data that a vote does not take."""
PARTS = ("class", "group", "family", "cutoff", "depth")
"""Parts that a vote may be shown in."""
CUTOFFS = {
    "cutoff": "scores with commas between, such as 0.2,0.5",
    "depth": "numbers of documents with commas between, such as 5,10",
}
"""Parts that --cutoffs is for, and what it then takes."""


@spread
def consensus(
    tables: Files,
    inputs: Annotated[InputOptions, Without(*NOT_OF_VOTES)],
    output: OutputOptions,
    estimator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How systems are judged by each other: {estimators}. vote is the paper's, and is taken for "
            "confidences, parts, --trust, --oracle, --leave-out and --beta.",
            show_default=DEFAULT_ESTIMATOR,
        ),
    ] = None,
    trust: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=W,...", help="Weights in the vote, such as a=2,b=1,(all)=1,(none)=1."
        ),
    ] = None,
    oracle: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=K",
            help="A system, or (truth), and its confidence, as a=0.9; may be repeated.",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=A,B",
            help="These systems share one vote; may be repeated. Or found: look for clusters of correlated systems.",
        ),
    ] = None,
    leave_out: Annotated[
        str,
        typer.Option(
            metavar="WHOM",
            help="Whose votes do not count when a system is judged: nobody, itself or family.",
        ),
    ] = "nobody",
    per: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What a row is about: total; item, for its most likely label; or a part of the vote: "
            f"{any_of(PARTS)}.",
        ),
    ] = "total",
    per_item: MovedFlag = False,
    cutoffs: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="With --per cutoff: the scores from which answers are yes, such as 0.2,0.5; by default 0.1 to 0.9. "
            "With --per depth: how many of each query's list count, such as 5,10; by default 5,10,20,50,100.",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            help="The weight of recall in F: 2 counts it twice as much as precision.",
            show_default="1",
        ),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    level: Annotated[
        float | None, typer.Option(help="The confidence level.", show_default="0.95")
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(help="How many resamples of the items; 0 for no spread.", show_default="200"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of the resampling.", show_default="0")
    ] = None,
) -> None:
    """Who is best when there is no truth? Where there is one, its numbers are shown beside the estimates.

    For example:
      karat consensus is_eight.csv
      karat consensus digits.csv --systems svm,knn,lda --estimator majority
    """
    per = per_of(per, "item", old=per_item)
    families = _families(family or [])
    if leave_out == "family" and not families:
        raise OptionError(
            "--leave-out family needs families; name them with --family NAME=a,b, or found"
        )
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the stages)

    options: dict[str, Any] = {
        "trust": _numbers(trust.split(",") if trust else [], "--trust"),
        "oracles": _numbers(oracle or [], "--oracle"),
        "families": families,
        "leave_out": leave_out,
    }
    with_defaults = {
        "estimator": estimator,
        "beta": beta,
        "level": level,
        "draws": draws,
        "seed": seed,
        "threshold": threshold,
    }
    options |= {name: value for name, value in with_defaults.items() if value is not None}
    if cutoffs is not None:
        options["cutoffs"] = _cutoffs(cutoffs, per)
    show(read_inputs(tables, inputs).consensus(per=per, **options), output)


def _numbers(texts: list[str], option: str) -> dict[str, float]:
    """Return numbers by name, written NAME=NUMBER."""
    numbers: dict[str, float] = {}
    for text in texts:
        before, equals, number = text.rpartition("=")
        name = before.strip()
        if name in numbers:
            raise OptionError(f"{option} names {name!r} twice; give one number for it")
        try:
            numbers[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(f"{option} is {text!r}; it takes NAME=NUMBER, such as a=0.5")
    return numbers


def _families(texts: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the systems of each family, written NAME=a,b; or the word found."""
    if texts == ["found"]:
        return {"found": ()}
    families: dict[str, tuple[str, ...]] = {}
    for text in texts:
        before, equals, systems = text.partition("=")
        name = before.strip()
        members = names(systems)
        if not equals or not members:
            raise OptionError(f"--family is {text!r}; it takes NAME=a,b,c, or found")
        if name in families:
            raise OptionError(f"--family names {name!r} twice; write all its systems in one list")
        if name == "found":
            raise OptionError(
                "--family found lets karat find the families; give this one another name"
            )
        families[name] = members
    return families


def _cutoffs(text: str, per: str) -> list[float]:
    """Return the scores or numbers of documents that lists are cut at."""
    if per not in CUTOFFS:
        raise OptionError("--cutoffs is for --per cutoff and --per depth")
    number = int if per == "depth" else float
    try:
        cutoffs = [number(part) for part in text.split(",")]
    except ValueError:
        cutoffs = []
    if not cutoffs or not all(math.isfinite(cutoff) for cutoff in cutoffs):
        raise OptionError(f"--cutoffs is {text!r}; it takes {CUTOFFS[per]}")
    return cutoffs
