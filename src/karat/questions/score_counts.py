"""How sure is a share of which only the successes and trials are known?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.ask.counts import Count, as_counts, beside
from karat.doubt.estimates import Estimates, IntervalOptions, of_counts
from karat.doubt.interval import Side
from karat.keywords import offers_nearest
from karat.report.signature import about
from karat.verdict.score.result import Entry, ScoreResult


@offers_nearest
def score_counts(
    counts: Sequence[tuple[int, int] | Count],
    *,
    level: float = 0.95,
    side: Side = "both",
    bound: str = "exact",
) -> ScoreResult:
    """How sure is each share of successes? The interval of a rounded share holds those of all counts that fit.

    counts: successes and trials of each.
    level, side: the confidence level of the intervals; both, lower or upper.
    bound: exact (Clopper and Pearson), wilson or jeffreys.

    >>> score_counts([(42, 50)]).rows()[0]["value"]
    0.84
    """
    how = IntervalOptions(level=level, side=side, bound=bound)
    known = as_counts(counts)
    names = [count.name for count in known]
    entries = [Entry(count.name, _estimates(count, how)) for count in known]
    whole = {**about("score", ["share"], how, {}, names), **beside(known)}
    return ScoreResult(tuple(entries), whole, side=side)


def _estimates(count: Count, how: IntervalOptions) -> Estimates:
    least = of_counts(count.least, count.trials, how)
    if count.share is None:
        return least
    most = of_counts(count.most, count.trials, how)
    interval = replace(least.interval, high=most.interval.high)
    return replace(
        least, value=np.array([count.share]), interval=interval, successes=None, trials=None
    )
