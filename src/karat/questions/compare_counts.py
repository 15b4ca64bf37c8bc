"""Is one share larger than another, if only the successes and trials are known?"""

from collections.abc import Sequence

from karat.ask.counts import Count, as_counts, beside
from karat.keywords import offers_nearest
from karat.report.signature import about
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.counts import compare_counts as comparisons_of
from karat.verdict.compare.counts import remarks
from karat.verdict.compare.result import ComparisonResult


@offers_nearest
def compare_counts(
    counts: Sequence[tuple[int, int] | Count],
    *,
    test: str = "auto",
    baseline: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
) -> ComparisonResult:
    """Compare every two shares, successes of trials, of different items; and report what holds if they are the same.

    test: exact, barnard or boschloo.
    baseline: compare every share with this one only.
    margin: by how much a share may be smaller and still be no worse.
    level: the confidence level.
    """
    options = ComparisonOptions(test=test, baseline=baseline, margin=margin, level=level)
    known = as_counts(counts)
    names = [count.name for count in known]
    whole = {**about("compare", ["share"], options, {}, names), **beside(known)}
    found = tuple(comparisons_of(known, options))
    return ComparisonResult(found, (), whole, remarks(known))
