"""`karat stability`: is the ranking robust to label noise?"""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.counts import counts_of
from karat.cli.label_error_options import LabelErrorOptions
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.requirements import Require, check_stability, kept_of
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.measure import LOSSES
from karat.words import any_of

if TYPE_CHECKING:
    from karat.verdict.stability.result import Stability


@spread
def stability(
    tables: Files,
    inputs: InputOptions,
    label_errors: LabelErrorOptions,
    output: OutputOptions,
    measure: Annotated[
        str,
        typer.Option(
            help="The measure that ranks: accuracy, macro-f1, recall[cat], ...; or of numbers {losses}."
        ),
    ] = "accuracy",
    classes: Annotated[
        int | None, typer.Option(help="The number of classes, if not all of them occur.")
    ] = None,
    pair: Annotated[str | None, typer.Option(help="Only these two systems, as A,B.")] = None,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Every pair, not only neighbours.")
    ] = False,
    few: Annotated[
        bool,
        typer.Option(
            "--few",
            help="Resample the items too: label noise and sampling error in one simulation.",
        ),
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    level: Annotated[
        float, typer.Option(help="The probability with which an order is to be kept.")
    ] = 0.95,
    draws: Annotated[int, typer.Option(help="How many times a ranking is simulated.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
    require: Require = None,
) -> None:
    """Is the ranking robust to wrong labels in the truth? TABLE may also be two scores, such as 85/100 95/100."""
    conditions = kept_of(require)
    rates = label_errors.rates()
    if counts := counts_of(tables, inputs):
        from karat.questions.counts import stability_of_scores  # noqa: PLC0415 (loads the stages)

        label_errors.refuse_all_but("two scores", "label_error")
        one_rate = isinstance(rates, tuple) and len(rates) == 1
        if not one_rate or few or classes or pair or conditions:
            raise OptionError(
                "counts such as 85/100 95/100 take one share, as --label-error 0.03, and nothing else"
            )
        show(stability_of_scores(counts, label_error=rates[0]), output)  # type: ignore[index,arg-type]
        return
    from karat.cli.other_truths import estimated_errors, truths_by_pair  # noqa: PLC0415 (loads the engine)
    from karat.cli.reading import read_inputs  # noqa: PLC0415
    from karat.truths import compare_truths  # noqa: PLC0415

    of_labels_only = few or classes or threshold is not None
    if label_errors.truths:
        label_errors.refuse_all_but("a comparison of truths", "truths")
        if of_labels_only or pair or all_pairs or conditions or measure in LOSSES:
            raise OptionError(
                "--truths is about the whole ranking by a measure of labels; leave other options out"
            )
        benches = truths_by_pair(label_errors.truths, tables, inputs)
        show(compare_truths(benches, measure=measure, level=level, seed=seed), output)
        return
    result: Stability
    if measure in LOSSES:
        label_errors.refuse_all_but(measure, "label_error", "noise", "floor")
        if of_labels_only or not isinstance(rates, tuple | None):
            raise OptionError(
                f"{measure} takes --label-error E or LOW:HIGH, no --few, --classes or --threshold"
            )
        result = read_inputs(tables, inputs).loss_stability(
            measure=measure,
            label_error=rates,
            noise=label_errors.noise,
            floor=label_errors.floor,
            pair=_two(pair),
            all_pairs=all_pairs,
            level=level,
            draws=draws,
            seed=seed,
        )
    else:
        if label_errors.noise is not None or label_errors.floor:
            raise OptionError(
                f"--noise and --floor go with --measure {any_of(LOSSES)}; {measure} is none of them"
            )
        estimated = estimated_errors(label_errors, tables, inputs, level=level)
        result = read_inputs(tables, estimated.inputs).stability(
            label_error=estimated.errors or rates,
            wrong=label_errors.wrong,
            at_most=label_errors.at_most,
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
    show(result, output)
    check_stability(conditions, result)


def _two(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise OptionError(f"--pair is {text!r}; it names two systems, as A,B")
    return names[0], names[1]
