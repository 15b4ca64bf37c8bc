"""`karat skew`: what happens where positives are rarer or more frequent?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.boxes import hold_boxes
from karat.cli.deployment_options import DeploymentOptions, point_of
from karat.cli.moved import tell_moved
from karat.cli.options import GRAPH_OPTIONS, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.spread import Without, spread
from karat.errors import ChoiceError, OptionError
from karat.source.paths import exists, is_a_file
from karat.table.option_help import flags_given, given

if TYPE_CHECKING:
    from karat.bench import Bench
    from karat.result import Result

NOT_OF_SCORES = ("run", "error", "missing", "nothing", "scores", "correct", "judge")
"""Options of the data that curves do not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewOptions:
    """What is computed at the prevalences, and of what."""

    per: Annotated[
        str, typer.Option(metavar="WHAT", help="What a row is about: total or group.")
    ] = "total"
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|FILE:COL",
            help="Another table, or another truth of this one, compared at the same prevalence.",
        ),
    ] = None
    bins: Annotated[
        int | None,
        typer.Option(help="Count scores in N bins; the loss of precision is reported."),
    ] = None
    bands: Annotated[
        bool,
        typer.Option(
            "--bands", help="Pointwise confidence bands of the curves, in --json and in pictures."
        ),
    ] = False
    check: Annotated[
        str | None,
        typer.Option(metavar="PRECISION,RECALL", help="Can any system reach this point?"),
    ] = None
    choose: Annotated[
        str | None,
        typer.Option(
            metavar="GOAL",
            help="The best threshold for recall>=R, precision>=P, f1 or utility:HIT,MISS,ALARM,REST.",
        ),
    ] = None
    threshold: Annotated[
        float | None, typer.Option(help="Precision and recall where this score and above is yes.")
    ] = None
    label_error: Annotated[
        float, typer.Option(help="The share of wrong labels, which widens the intervals.")
    ] = 0.0
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95
    draws: Annotated[
        int | None,
        typer.Option(help="How many resamples; 0 for none, by default as many as are quick."),
    ] = None
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0

    def refuse_all_but(self, what: str, *allowed: str) -> None:
        """Refuse options that mean nothing for what is computed."""
        flags = [f"--{name.replace('_', '-')}" for name in given(self) if name not in allowed]
        _refuse(what, flags)


def _moved(*names: str) -> Any:
    return typer.Option(*names, hidden=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedOptions:
    """What `skew published` and `skew agreement` take now: understood for one release."""

    precision: Annotated[float | None, _moved()] = None
    recall: Annotated[float | None, _moved()] = None
    from_: Annotated[str | None, _moved("--from")] = None
    levels: Annotated[str | None, _moved()] = None


@spread
def skew(
    inputs: Annotated[InputOptions, Without(*NOT_OF_SCORES, *GRAPH_OPTIONS)],
    output: OutputOptions,
    deployment: DeploymentOptions,
    options: SkewOptions,
    moved: MovedOptions,
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE...", help="Files of scores.")
    ] = None,
) -> None:
    """What happens where positives are rarer or more frequent than in the data?

    For a published precision without a table see karat skew published; for the marks of several annotators as truths,
    karat skew agreement.

    For example:
      karat skew is_eight.csv --to 1%
      karat skew is_eight.csv --low 0.01 --high 0.2 --systems svm,knn,forest
    """
    if options.per not in {"total", "group"}:
        raise ChoiceError("--per", options.per, ("total", "group"))
    if inputs.graphs:
        raise OptionError("label graphs hold no scores, and so no curves; leave --graphs out")
    if moved.precision is not None or moved.from_ is not None:
        show(_published(tables, inputs, deployment, options, moved), output)
        return
    if not tables:
        raise OptionError(
            "name a table of scores; for a published value: karat skew published --precision P --from P"
        )
    if moved.recall is not None:
        raise OptionError("--recall is for karat skew published; a table has recalls of its own")
    if moved.levels is not None:
        show(_agreement(tables, inputs, deployment, options, moved.levels), output)
    elif hold_boxes(tables, inputs.truth, inputs.format):
        show(_boxes(tables, inputs, deployment, options), output)
    elif options.per == "group":
        show(_groups(tables, inputs, deployment, options), output)
    else:
        show(_curves(tables, inputs, deployment, options), output)


def _published(
    tables: list[str] | None,
    inputs: InputOptions,
    deployment: DeploymentOptions,
    options: SkewOptions,
    moved: MovedOptions,
) -> "Result":
    """Return what `karat skew published` does."""
    from karat.cli.skew_published import published  # noqa: PLC0415 (for one release)

    if tables or moved.precision is None or moved.from_ is None:
        raise OptionError(
            "a published value is karat skew published --precision P --from P, without a table"
        )
    what = "a published value"
    options.refuse_all_but(what, "check")
    _refuse(what, flags_given(inputs))
    tell_moved("karat skew --precision", "karat skew published --precision")
    return published(
        moved.precision, moved.from_, deployment, recall=moved.recall, check=options.check
    )


def _agreement(
    tables: list[str],
    inputs: InputOptions,
    deployment: DeploymentOptions,
    options: SkewOptions,
    annotators: str,
) -> "Result":
    """Return what `karat skew agreement` does."""
    from karat.cli.skew_agreement import AgreementOptions, agreement  # noqa: PLC0415 (for one release)

    if len(tables) > 1 or inputs.systems is None:
        raise OptionError("--levels takes one table, and the columns of scores with --systems a,b")
    options.refuse_all_but("--levels")
    _refuse("--levels", [flag for flag in flags_given(inputs) if flag != "--systems"])
    tell_moved("karat skew --levels", "karat skew agreement --annotators")
    return agreement(tables[0], inputs.systems, deployment, AgreementOptions(annotators=annotators))


def _boxes(
    tables: list[str], inputs: InputOptions, deployment: DeploymentOptions, options: SkewOptions
) -> "Result":
    """Return the average precision of detectors where classes lie in another share of the images."""
    from karat.ask.prevalence import prevalence_of  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import read_boxes_of, tell_notes  # noqa: PLC0415

    options.refuse_all_but("a question about boxes", "level")
    if not deployment.to:
        raise OptionError("name the share of images that hold a class there, as --to 5%")
    bench = read_boxes_of(tables, inputs)
    tell_notes(bench)
    return bench.prevalence(to=[prevalence_of(text) for text in deployment.to], level=options.level)


def _groups(
    tables: list[str], inputs: InputOptions, deployment: DeploymentOptions, options: SkewOptions
) -> "Result":
    """Return the areas group by group."""
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the stages)

    options.refuse_all_but("--per group", "per", "bins", "level", "draws", "seed")
    return read_inputs(tables, _as_scores(inputs)).skew(
        **deployment.prevalences(),
        per="group",
        bins=options.bins,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )


def _curves(
    tables: list[str], inputs: InputOptions, deployment: DeploymentOptions, options: SkewOptions
) -> "Result":
    """Return the curves at the prevalences."""
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the stages)

    prevalences = deployment.prevalences()
    point = point_of(options.check)
    inputs = _as_scores(inputs)
    return read_inputs(tables, inputs).skew(
        **prevalences,
        check=point,
        choose=options.choose,
        threshold=options.threshold,
        label_error=options.label_error,
        beside=_beside(options.beside or [], tables, inputs),
        bins=options.bins,
        bands=options.bands,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )


def _as_scores(inputs: InputOptions) -> InputOptions:
    """Return the options with answers read as scores, unless their kind is given."""
    return inputs if inputs.kinds else replace(inputs, kinds={"": "score"})


def _refuse(what: str, flags: list[str]) -> None:
    if flags:
        raise OptionError(f"{what} goes without {flags[0]}")


def _beside(others: list[str], tables: list[str], inputs: InputOptions) -> dict[str, "Bench"]:
    """Return what to compare with: other tables by their names, and the same tables with another truth, FILE:COL."""
    from karat.cli.reading import read_quietly  # noqa: PLC0415 (loads the stages)

    first = tables[0]
    truths = [other for other in others if _is_truth(other)]
    paths = [other for other in others if other not in truths]
    if len(set(others)) < len(others) or first in paths:
        raise OptionError("a table cannot be compared with itself; name another with --beside")
    stems = [Path(path).stem for path in (first, *paths)]
    are_distinct = len(set(stems)) == len(stems)
    benches = {}
    for path in paths:
        label = Path(path).stem if are_distinct else path
        benches[label] = read_quietly([path], inputs)
    for truth in truths:
        path, _, column = truth.rpartition(":")
        # A column of the table itself needs no join by item.
        own = column if [path] == tables else truth
        label = f"{Path(first).stem}, truth {column}"
        benches[label] = read_quietly(tables, replace(inputs, truth=own))
    return benches


def _is_truth(text: str) -> bool:
    """Return whether a text names a column of a file, FILE:COL."""
    path, colon, _ = text.rpartition(":")
    return bool(colon) and not exists(text) and is_a_file(path)
