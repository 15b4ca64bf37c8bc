"""`karat stability`: would the ranking survive the errors in the truth?"""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.counts import counts_of
from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show
from karat.cli.requiring import Require, check_stability, kept_of
from karat.cli.saying import SayingOptions, said_by_others, two_by_two
from karat.errors import OptionError
from karat.measure import listed

if TYPE_CHECKING:
    from karat.verdict.stability.result import Stability


@spread
def stability(
    tables: Files,
    reading: ReadingOptions,
    saying: SayingOptions,
    output: OutputOptions,
    measure: Annotated[
        str,
        typer.Option(
            help=f"What the ranking is by: {listed('of_answers')}; of numbers: {listed('of_numbers')}; "
            "of distributions: cross-entropy, divergence."
        ),
    ] = "accuracy",
    classes: Annotated[
        int | None, typer.Option(help="How many classes there are, if not all of them occur.")
    ] = None,
    pair: Annotated[str | None, typer.Option(help="Only these two systems, as A,B.")] = None,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Every pair, not only neighbours.")
    ] = False,
    few: Annotated[
        bool, typer.Option("--few", help="Few items, too: both doubts in one simulation.")
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="From which score on an answer is yes.")
    ] = None,
    level: Annotated[
        float, typer.Option(help="The probability with which an order is to be kept.")
    ] = 0.95,
    draws: Annotated[int, typer.Option(help="How many draws of what is simulated.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of what is simulated.")] = 0,
    require: Require = None,
) -> None:
    """Would the ranking survive the errors in the truth? TABLE may also be two scores, such as 85/100 95/100."""
    conditions = kept_of(require)
    errors = saying.errors()
    if counts := counts_of(tables, reading):
        from karat.questions.counts import stability_of_scores  # noqa: PLC0415 (loads the stages)

        saying.refuse("two scores", "label_error")
        if (
            not isinstance(errors, tuple)
            or len(errors) != 1
            or few
            or classes
            or pair
            or conditions
        ):
            raise OptionError(
                "counts such as 85/100 95/100 take one share, as --label-error 0.03, and nothing else"
            )
        show(stability_of_scores(counts, label_error=errors[0]), output)
        return
    from karat.cli.reading import bench, told  # noqa: PLC0415
    from karat.measure.losses import is_loss, losses  # noqa: PLC0415 (loads the stages)
    from karat.truths import compare_truths  # noqa: PLC0415 (loads the engine)

    if saying.truths:
        saying.refuse("a comparison of truths", "truths")
        if (
            few
            or classes
            or pair
            or all_pairs
            or conditions
            or threshold is not None
            or is_loss(measure)
        ):
            raise OptionError(
                "--truths asks about the whole ranking by a measure of labels; leave other options out"
            )
        benches = two_by_two(saying.truths, tables, reading)
        show(compare_truths(benches, measure=measure, level=level, seed=seed), output)
        return
    found: Stability
    if is_loss(measure):
        saying.refuse(measure, "label_error", "noise", "floor")
        if few or classes or threshold is not None or not isinstance(errors, tuple | None):
            raise OptionError(
                f"{measure} takes --label-error E or LOW:HIGH, no --few, --classes or --threshold"
            )
        found = told(bench(tables, reading)).loss_stability(
            measure=measure,
            label_error=errors,
            noise=saying.noise,
            floor=saying.floor,
            pair=_two(pair),
            all_pairs=all_pairs,
            level=level,
            draws=draws,
            seed=seed,
        )
    else:
        if saying.noise is not None or saying.floor:
            raise OptionError(
                f"--noise and --floor go with --measure {', '.join(losses())}; {measure} is none of them"
            )
        said, reading = said_by_others(saying, tables, reading, level=level)
        found = told(bench(tables, reading)).stability(
            label_error=said or errors,
            wrong=saying.wrong,
            at_most=saying.at_most,
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


def _two(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise OptionError(f"--pair is {text!r}; it names two systems, as A,B")
    return names[0], names[1]
