"""Is one share larger than another, if only the successes and trials are known?"""

from collections.abc import Sequence

from karat.ask.counts import Count, as_counts
from karat.keywords import offers_nearest
from karat.report.signature import about
from karat.verdict.compare.compare import ComparisonOptions
from karat.verdict.compare.counts import compare_counts as comparisons_of
from karat.verdict.compare.result import ComparisonResult


@offers_nearest
def compare_counts(
    counts: Sequence[tuple[int, int] | Count],
    *,
    test: str = "auto",
    margin: float | None = None,
    level: float = 0.95,
) -> ComparisonResult:
    """Compare every two shares, successes of trials, of different items."""
    contest = ComparisonOptions(test=test, margin=margin, level=level)
    known = as_counts(counts)
    names = [count.name for count in known]
    pairs = [count.pair for count in known]
    beside = about("compare", ["share"], contest, {}, names)
    return ComparisonResult(tuple(comparisons_of(pairs, names, contest)), (), beside)
