"""`karat compare`: is one system really better than another?"""

from functools import partial
from typing import Annotated

import typer

from karat.cli.counts import counts_of
from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show
from karat.cli.requiring import Require, check_comparisons, pairwise_of
from karat.errors import OptionError
from karat.measure import listed


@spread
def compare(
    tables: Files,
    reading: ReadingOptions,
    output: OutputOptions,
    measure: Annotated[
        str,
        typer.Option(
            help=f"As macro-f1 or recall[cat]; several with commas: {listed('of_answers')}, top-5-accuracy."
        ),
    ] = "accuracy",
    test: Annotated[
        str, typer.Option(help="auto, exact, mcnemar, barnard, boschloo, bootstrap, jackknife.")
    ] = "auto",
    baseline: Annotated[
        str | None, typer.Option(help="Compare every system with this one only.")
    ] = None,
    margin: Annotated[float | None, typer.Option(help="How much worse is still no worse.")] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    threshold: Annotated[
        float | None, typer.Option(help="From which score on an answer is yes.")
    ] = None,
    ranks: Annotated[
        bool | None, typer.Option(help="Simulate how likely each rank is; unasked if it is quick.")
    ] = None,
    draws: Annotated[int, typer.Option(help="How many resamples.")] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of what is simulated.")] = 0,
    require: Require = None,
) -> None:
    """Is one system really better than another? TABLE may also be counts, such as 40/50 92/100."""
    conditions = pairwise_of(require)
    if counts := counts_of(tables, reading):
        from karat.questions.counts import compare_shares  # noqa: PLC0415 (loads the stages)

        if baseline or threshold is not None or measure != "accuracy":
            raise OptionError(
                "counts are shares; --measure, --baseline and --threshold are for tables"
            )
        ask = partial(compare_shares, counts, test=test, level=level)
    else:
        from karat.cli.reading import bench, told  # noqa: PLC0415 (loads the engine)

        ask = partial(
            told(bench(tables, reading)).compare,
            measure=measure,
            test=test,
            baseline=baseline,
            level=level,
            threshold=threshold,
            ranks=ranks,
            draws=draws,
            seed=seed,
        )
    # All of it before anything is shown: a condition has a margin of its own.
    found = {
        one: ask(margin=one)
        for one in {margin: None, **{condition.margin: None for condition in conditions}}
    }
    show(found[margin], output)
    check_comparisons(conditions, found)
