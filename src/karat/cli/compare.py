"""`karat compare`: is one system really better than another?"""

from functools import partial
from typing import Annotated

import typer

from karat.cli.completion import TABLE_ROOMS, measures_of
from karat.cli.counts import counts_of, tell_rounded
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.requirements import RequirePairs, check_comparisons, pairwise_of
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.measure import listed


@spread
def compare(
    tables: Files,
    inputs: Annotated[InputOptions, Without("group", "error", "scores")],
    output: OutputOptions,
    measure: Annotated[
        str | None,
        typer.Option(
            autocompletion=measures_of(*TABLE_ROOMS),
            metavar="NAME",
            help=f"As macro-f1 or recall[cat]; several with commas: {listed('of_answers')}, top-5-accuracy; "
            f"of scores: {listed('of_scores')}, also as pr-area@0.01; of rankings of documents: "
            f"{listed('of_rankings')}, also as P@10.",
            show_default="accuracy; of rankings AP",
        ),
    ] = None,
    test: Annotated[
        str, typer.Option(metavar="NAME", help="The test: auto (by the measure), {tests}.")
    ] = "auto",
    baseline: Annotated[
        str | None, typer.Option(metavar="SYSTEM", help="Compare every system with this one only.")
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            help="The margin of non-inferiority: a system may be this much worse and still count as no worse."
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    ranks: Annotated[
        bool | None,
        typer.Option(help="How often each rank occurs in resamples; by default where it is quick."),
    ] = None,
    draws: Annotated[int, typer.Option(help="How many resamples.")] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
    require: RequirePairs = None,
) -> None:
    """Is one system really better than another? TABLE may also be counts, such as 40/50 92/100, or QRELS RUN...

    For example:
      karat compare digits.csv --systems svm,knn,forest
      karat compare 40/50 92/100
    """
    conditions = pairwise_of(require)
    if counts := counts_of(tables, inputs):
        from karat.questions.compare_counts import compare_counts  # noqa: PLC0415 (loads the stages)

        if threshold is not None or measure is not None:
            raise OptionError("counts are shares; --measure and --threshold are for tables")
        tell_rounded(counts)
        comparisons = partial(compare_counts, counts, test=test, baseline=baseline, level=level)
    else:
        from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the engine)

        comparisons = partial(
            read_inputs(tables, inputs, measure=measure).compare,
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
    margins = dict.fromkeys([margin, *(condition.margin for condition in conditions)])
    by_margin = {one: comparisons(margin=one) for one in margins}
    show(by_margin[margin], output)
    check_comparisons(conditions, by_margin)
