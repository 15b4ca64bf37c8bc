"""`karat consensus`: who is best when there is no truth?"""

import math
from typing import Annotated, Any

import typer

from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show
from karat.errors import OptionError

LISTS = {
    "cutoff": "scores with commas between, such as 0.2,0.5",
    "depth": "numbers of documents with commas between, such as 5,10",
}
"""What is cut, and at what."""


@spread
def consensus(
    tables: Files,
    reading: ReadingOptions,
    output: OutputOptions,
    estimator: Annotated[
        str,
        typer.Option(
            help="vote (the paper's), likeliest, dawid-skene, spectral (yes/no alone) or majority."
        ),
    ] = "vote",
    trust: Annotated[
        str | None, typer.Option(help="Weights in the vote: a=2,b=1,(all)=1,(none)=1.")
    ] = None,
    oracle: Annotated[
        list[str] | None,
        typer.Option(help="NAME=K: a system, or (truth), with this confidence; may be repeated."),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(help="NAME=a,b: these have one vote; or: found. May be repeated."),
    ] = None,
    leave_out: Annotated[
        str, typer.Option(help="Whose vote does not count for itself: nobody, itself or family.")
    ] = "nobody",
    per_item: Annotated[
        bool,
        typer.Option(
            "--per-item", help="A row per item: its likeliest label, how likely it is, and error."
        ),
    ] = False,
    per: Annotated[
        str,
        typer.Option(
            help="total, or the vote in parts: class, group, family, cutoff (of scores), depth (of lists)."
        ),
    ] = "total",
    cutoffs: Annotated[
        str | None,
        typer.Option(
            help="With --per cutoff: from which scores on, such as 0.2,0.5; 0.1 to 0.9 if unsaid. With --per depth: "
            "how many of each query's list, such as 5,10; 5,10,20,50,100 if unsaid."
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(help="How much more recall weighs than precision, in F; 1 if unsaid."),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="From which score on an answer is yes.")
    ] = None,
    level: Annotated[
        float | None, typer.Option(help="The confidence level; 0.95 if unsaid.")
    ] = None,
    draws: Annotated[
        int | None, typer.Option(help="How many resamples, 200 if unsaid; 0 for no intervals.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of what is resampled; 0 if unsaid.")
    ] = None,
) -> None:
    """Who is best when there is no truth? A truth that is there is set beside it."""
    from karat.cli.reading import bench, told  # noqa: PLC0415 (loads the stages)

    found = told(bench(tables, reading))
    said = {"beta": beta, "level": level, "draws": draws, "seed": seed, "threshold": threshold}
    options: dict[str, Any] = {
        "estimator": estimator,
        "trust": _numbers(trust.split(",") if trust else [], "--trust"),
        "oracles": _numbers(oracle or [], "--oracle"),
        "families": _families(family or []),
        "leave_out": leave_out,
        **{name: value for name, value in said.items() if value is not None},
    }
    if leave_out == "family" and not family:
        raise OptionError(
            "--leave-out family needs families; name them with --family NAME=a,b, or found"
        )
    if per_item and per != "total":
        raise OptionError("--per-item speaks of single items; leave --per out")
    if cutoffs is not None and per not in LISTS:
        raise OptionError("--cutoffs is for --per cutoff and --per depth")
    if per in LISTS and threshold is not None:
        raise OptionError(f"--per {per} takes every cut-off in turn; leave --threshold out")
    if per_item:
        show(found.consensus_items(**options), output)
    elif per == "cutoff":
        show(found.consensus_cutoffs(**options, **_cuts(cutoffs, "cutoffs", float)), output)
    elif per == "depth":
        show(found.consensus_depths(**options, **_cuts(cutoffs, "depths", int)), output)
    elif per != "total":
        show(found.consensus_parts(per=per, **options), output)
    else:
        show(found.consensus(**options), output)


def _numbers(texts: list[str], option: str) -> dict[str, float]:
    found = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if name.strip() in found:
            raise OptionError(f"{option} names {name.strip()!r} twice; say one number for it")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(f"{option} is {text!r}; it takes NAME=NUMBER, such as a=0.5")
    return found


def _families(texts: list[str]) -> dict[str, tuple[str, ...]]:
    if texts == ["found"]:
        return {"found": ()}
    found = {}
    for text in texts:
        name, equals, members = text.partition("=")
        parts = tuple(part.strip() for part in members.split(",") if part.strip())
        if not equals or not parts:
            raise OptionError(f"--family is {text!r}; it takes NAME=a,b,c, or found")
        if name.strip() in found or name.strip() == "found":
            raise OptionError(
                f"--family {name.strip()!r} is named twice, or like the word for families to be found"
            )
        found[name.strip()] = parts
    return found


def _cuts(text: str | None, name: str, number: type[float] | type[int]) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        found = [number(part) for part in text.split(",")]
    except ValueError:
        found = [math.nan]
    if not all(map(math.isfinite, found)):
        raise OptionError(f"--cutoffs is {text!r}; it takes {LISTS[name[:-1]]}")
    return {name: found}
