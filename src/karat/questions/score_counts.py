"""How sure is a share of which only the successes and trials are known?"""

from collections.abc import Sequence

from karat.doubt.estimates import IntervalOptions, of_counts
from karat.doubt.interval import Side
from karat.keywords import offers_nearest
from karat.report.signature import about
from karat.verdict.score.result import Entry, ScoreResult


@offers_nearest
def score_counts(
    counts: Sequence[tuple[int, int]],
    *,
    level: float = 0.95,
    side: Side = "both",
    bound: str = "exact",
) -> ScoreResult:
    """Return each share, successes of trials, with its interval."""
    how = IntervalOptions(level=level, side=side, bound=bound)
    names = [f"{successes}/{trials}" for successes, trials in counts]
    entries = []
    for name, (successes, trials) in zip(names, counts, strict=True):
        entries.append(Entry(name, of_counts(successes, trials, how)))
    return ScoreResult(tuple(entries), about("score", ["share"], how, {}, names), side=side)
