"""`karat score`: how good is each system, and how certain is that?"""

from typing import Annotated

import typer

from karat.cli.completion import TABLE_ROOMS, measures_of
from karat.cli.counts import counts_of, tell_rounded
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.requirements import RequireBounds, at_least_of, check_scores
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.measure import listed


@spread
def score(
    tables: Files,
    inputs: Annotated[InputOptions, Without("scores")],
    output: OutputOptions,
    measure: Annotated[
        str | None,
        typer.Option(
            autocompletion=measures_of(*TABLE_ROOMS),
            metavar="NAME",
            help=f"As macro-f1 or recall[cat]; several with commas. Of labels: {listed('of_answers')}; "
            f"of scores: {listed('of_scores')}, also as pr-area@0.01; of distributions: top-5-accuracy; "
            f"of rankings: {listed('of_rankings')}, also as P@10; of texts: {listed('of_texts')}, also "
            "as macro-CER; of entities: strict-, exact-, partial- and type-f1, -precision and -recall; of several "
            "samples an item: pass@10.",
        ),
    ] = None,
    per: Annotated[
        str, typer.Option(metavar="WHAT", help="What a row is about: total, class or group.")
    ] = "total",
    mean_over: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="With --per group: the mean is over these groups (default), or over groups like-these.",
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    side: Annotated[
        str, typer.Option(metavar="SIDE", help="The sides of the interval: both, lower or upper.")
    ] = "both",
    bound: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How intervals are bounded: {bounds}; of ROC areas also delong.",
        ),
    ] = "exact",
    beta: Annotated[
        float,
        typer.Option(help="The weight of recall in F: 2 counts it twice as much as precision."),
    ] = 1.0,
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0,
    require: RequireBounds = None,
) -> None:
    """How good is each system, and how certain is that? TABLE may also be counts, such as 42/100 or a=42/100.

    For example:
      karat score digits.csv --measure accuracy,macro-f1
      karat score 42/100
    """
    conditions = at_least_of(require)
    if counts := counts_of(tables, inputs):
        from karat.questions.score_counts import score_counts  # noqa: PLC0415 (loads the stages)

        if measure or threshold is not None or per != "total" or mean_over:
            raise OptionError(
                "counts such as 42/100 are shares; --measure, --threshold and --per are for tables"
            )
        tell_rounded(counts)
        shares = score_counts(counts, level=level, side=side, bound=bound)  # type: ignore[arg-type]
        show(shares, output)
        check_scores(conditions, shares)
        return
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the engine)

    scores = read_inputs(tables, inputs, measure=measure).score(
        measure=measure,
        per=per,  # type: ignore[arg-type]
        mean_over=mean_over,  # type: ignore[arg-type]
        level=level,
        side=side,  # type: ignore[arg-type]
        bound=bound,
        beta=beta,
        threshold=threshold,
        seed=seed,
    )
    show(scores, output)
    check_scores(conditions, scores)
