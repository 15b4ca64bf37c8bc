"""`karat stability`: is the ranking robust to label noise?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.ask.counts import Count
from karat.cli.completion import measures_of
from karat.cli.counts import counts_of
from karat.cli.label_error_options import LabelErrorOptions
from karat.cli.moved import tell_moved
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.requirements import RequireKept, check_stability, kept_of
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.words import any_of

if TYPE_CHECKING:
    from karat.result import Result
    from karat.verdict.stability.result import StabilityResult

NOT_OF_LABELS = ("group", "cluster", "weight", "run", "truth_sep", "scores", "judge")
"""Options of the data that mean nothing where labels are wrong at random; --per and --model name the group's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityOptions:
    """Which ranking is judged, and how it is simulated."""

    measure: Annotated[
        str,
        typer.Option(
            autocompletion=measures_of("of_answers", "of_numbers", "of_distributions"),
            metavar="NAME",
            help="The measure that ranks: accuracy, macro-f1, recall[cat], ...; or a loss, such as mean-squared-error.",
        ),
    ] = "accuracy"
    classes: Annotated[
        int | None, typer.Option(help="The number of classes, if not all of them occur.")
    ] = None
    pair: Annotated[str | None, typer.Option(metavar="A,B", help="Only these two systems.")] = None
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Every pair, not only neighbours.")
    ] = False
    per: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What a ranking is of: total, or group for each group of --group COL.",
        ),
    ] = "total"
    few: Annotated[
        bool,
        typer.Option(
            "--few",
            help="Resample the items too: label noise and sampling error in one simulation.",
        ),
    ] = False
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None
    level: Annotated[
        float, typer.Option(help="The probability with which an order is to be kept.")
    ] = 0.95
    draws: Annotated[int, typer.Option(help="How many times a ranking is simulated.")] = 10_000
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0
    require: RequireKept = None

    def of_labels_only(self) -> bool:
        """Return whether an option is given that only measures of labels take."""
        other = self.per != "total" or bool(self.classes) or self.threshold is not None
        return self.few or other

    def systems(self) -> tuple[str, str] | None:
        """Return the two systems of --pair."""
        if self.pair is None:
            return None
        names = [name.strip() for name in self.pair.split(",")]
        if len(names) != 2:
            raise OptionError(f"--pair is {self.pair!r}; it names two systems, as A,B")
        return names[0], names[1]


@spread
def stability(
    tables: Files,
    inputs: Annotated[InputOptions, Without(*NOT_OF_LABELS)],
    label_errors: LabelErrorOptions,
    output: OutputOptions,
    options: StabilityOptions,
) -> None:
    """Is the ranking robust to wrong labels in the truth? TABLE may also be two scores, such as 85/100 95/100.

    Two or more truths of the same items are compared by karat stability truths.

    For example:
      karat stability digits.csv --label-error 0.03
      karat stability 85/100 95/100 --label-error 0.03
    """
    from karat.measure.losses import is_loss  # noqa: PLC0415 (loads NumPy)

    conditions = kept_of(options.require)
    counts = counts_of(tables, inputs)
    if counts:
        if conditions:
            raise OptionError("two scores have no ranking to require; leave --require out")
        show(_of_counts(counts, label_errors, options), output)
        return
    if label_errors.truths:
        if conditions:
            raise OptionError("--truths compares rankings; leave --require out")
        show(_by_several_truths(tables, inputs, label_errors, options), output)
        return
    if is_loss(options.measure):
        result = _by_loss(tables, inputs, label_errors, options)
    else:
        pictured = output.form() in {"svg", "png"}
        result = _by_labels(tables, inputs, label_errors, options, curves=pictured)
    show(result, output)
    check_stability(conditions, result)


def _of_counts(
    counts: list[Count], label_errors: LabelErrorOptions, options: StabilityOptions
) -> "Result":
    """Return the stability of the order of two scores."""
    from karat.questions.published import stability_of_scores  # noqa: PLC0415 (loads the stages)

    label_errors.refuse_all_but("two scores", "label_error")
    rates = label_errors.rates()
    one_rate = isinstance(rates, tuple) and len(rates) == 1
    if not one_rate or options.few or options.classes or options.pair:
        raise OptionError(
            "counts such as 85/100 95/100 take one share, as --label-error 0.03, and nothing else"
        )
    pairs = [count.pair for count in counts]
    return stability_of_scores(pairs, label_error=rates[0])  # type: ignore[index,arg-type]


def _by_several_truths(
    tables: list[str],
    inputs: InputOptions,
    label_errors: LabelErrorOptions,
    options: StabilityOptions,
) -> "Result":
    """Return what `karat stability truths` does."""
    from karat.cli.stability_truths import by_several_truths  # noqa: PLC0415 (for one release)
    from karat.measure.losses import is_loss  # noqa: PLC0415 (loads NumPy)

    label_errors.refuse_all_but("a comparison of truths", "truths")
    of_pairs = options.pair or options.all_pairs
    if options.of_labels_only() or of_pairs or is_loss(options.measure):
        raise OptionError(
            "--truths is about the whole ranking by a measure of labels; leave other options out"
        )
    tell_moved("karat stability --truths", "karat stability truths --truths")
    return by_several_truths(
        tables,
        inputs,
        label_errors.truths or "",
        measure=options.measure,
        level=options.level,
        seed=options.seed,
    )


def _by_loss(
    tables: list[str],
    inputs: InputOptions,
    label_errors: LabelErrorOptions,
    options: StabilityOptions,
) -> "StabilityResult":
    """Return the stability of a ranking by a loss of numbers or distributions."""
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the engine)

    label_errors.refuse_all_but(options.measure, "label_error", "noise", "floor")
    rates = label_errors.rates()
    if options.of_labels_only() or not isinstance(rates, tuple | None):
        raise OptionError(
            f"{options.measure} takes --label-error E or LOW:HIGH, no --few, --per, --classes or --threshold"
        )
    return read_inputs(tables, inputs).stability(
        measure=options.measure,
        label_error=rates,
        noise=label_errors.noise,
        floor=label_errors.floor,
        pair=options.systems(),
        all_pairs=options.all_pairs,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )


def _by_labels(
    tables: list[str],
    inputs: InputOptions,
    label_errors: LabelErrorOptions,
    options: StabilityOptions,
    *,
    curves: bool,
) -> "StabilityResult":
    """Return the stability of a ranking by a measure of labels."""
    from karat.cli.other_truths import estimated_errors  # noqa: PLC0415 (loads the engine)
    from karat.cli.reading import read_inputs  # noqa: PLC0415
    from karat.measure.losses import losses  # noqa: PLC0415 (loads NumPy)

    if label_errors.noise is not None or label_errors.floor:
        raise OptionError(
            f"--noise and --floor go with --measure {any_of(losses())}; {options.measure} is none of them"
        )
    rates = label_errors.rates()
    estimated = estimated_errors(label_errors, tables, inputs, level=options.level)
    # Label graphs take none of these; so they are given only where they were said.
    model = label_errors.model
    about_items: dict[str, Any] = {
        "model": None if model in {"per-class", "matrix"} else model,
        "checked": estimated.by_item,
        "constants": label_errors.constants,
    }
    if options.per != "total":
        about_items["per"] = options.per
    said = {name: value for name, value in about_items.items() if value is not None}
    return read_inputs(tables, estimated.inputs).stability(
        label_error=estimated.errors or rates,
        **said,
        wrong=label_errors.wrong,
        at_most=label_errors.at_most,
        measure=options.measure,
        classes=options.classes,
        pair=options.systems(),
        all_pairs=options.all_pairs,
        few=options.few,
        threshold=options.threshold,
        curves=curves,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )
