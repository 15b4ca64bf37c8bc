"""What follows from published numbers alone, without the answers behind them?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.ask.prevalence import prevalence_of
from karat.ask.prevalence_options import deployment_prevalences
from karat.errors import OptionError
from karat.keywords import offers_nearest
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.measure.prevalence.domain_limits import PrevalenceLimits, prevalence_limits
from karat.report.signature import about
from karat.verdict.plan.plans import Plan
from karat.verdict.prevalence.published import PublishedPrecision, published, published_precision


@offers_nearest
def stability_of_scores(counts: Sequence[tuple[int, int]], *, label_error: float) -> Plan:
    """How likely is the order of two published scores the one by the right labels?

    counts: right answers and items of each system, on the same items.
    label_error: the share of wrong labels.
    """
    row, sentence = published(list(counts), label_error)
    names = [f"{successes}/{trials}" for successes, trials in counts]
    options = {"label_error": str(label_error)}
    return Plan((row,), sentence, about("stability", ["accuracy"], None, options, names))


@offers_nearest
def skew_of_precision(
    precision: float,
    *,
    old: float | str,
    recall: float | None = None,
    check: tuple[float, float] | None = None,
    to: float | str | Sequence[float | str] = (),
    low: float | str | None = None,
    high: float | str | None = None,
    prior: Any = DEFAULT_PRIOR,
    trajectory: Any = None,
    time: float | Sequence[float | None] | None = None,
) -> PublishedPrecision:
    """What becomes of a published precision at other prevalences?

    old: the prevalence at which the precision was measured.
    recall: the recall that goes with it, where F is asked about.
    check: a precision and recall that were measured elsewhere, to set beside it.
    to, low, high, prior, trajectory, time: the other prevalences, as for `Bench.skew`.
    """
    prevalences, files = deployment_prevalences(
        to=to, low=low, high=high, prior=prior, trajectory=trajectory, time=time
    )
    if files:
        raise OptionError(
            f"a published value has no scores to set beside {files[0]}; name a prevalence with --to"
        )
    if not prevalences:
        raise OptionError("name a prevalence: --to P, --low P --high P, or --trajectory")
    start = prevalence_of(old)
    options = {"precision": str(precision), "from": str(start)}
    if recall is not None:
        options["recall"] = str(recall)
    if check is not None:
        options["check"] = f"{check[0]},{check[1]}"
    moved = published_precision(precision, start, prevalences, recall=recall, check=check)
    names = [prevalence.name for prevalence in prevalences]
    return replace(moved, about=about("skew", names, None, options, []))


def limits_of(prevalences: Sequence[float | str]) -> PrevalenceLimits:
    """Return the range of a domain's prevalences, estimated from those of some of its data sets."""
    return prevalence_limits([prevalence_of(each) for each in prevalences])
