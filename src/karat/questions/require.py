"""Does a table meet the conditions of a release? Those of `--require`, for a test."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from karat.errors import OptionError
from karat.measure import usual
from karat.verdict.requirement import (
    AtLeast,
    AtMost,
    OrderKeptAtLeast,
    Pairwise,
    parse,
    unmet_by_comparisons,
    unmet_by_scores,
    unmet_by_stability,
)

if TYPE_CHECKING:
    from karat.bench import Bench
    from karat.doubt.interval import Side
    from karat.verdict.compare.result import ComparisonResult


def unmet(
    bench: "Bench",
    conditions: Sequence[str],
    *,
    measure: str | None,
    label_error: str | float | None,
    level: float,
    side: "Side",
    threshold: float | None,
) -> list[str]:
    """Return why each condition that is not met is not, in the order: bounds, pairs, orders."""
    if not conditions:
        raise OptionError("nothing is required; give conditions, such as 'better:new,old'")
    parsed = [parse(text) for text in conditions]
    bounds = [one for one in parsed if isinstance(one, AtLeast | AtMost)]
    pairs = [one for one in parsed if isinstance(one, Pairwise)]
    orders = [one for one in parsed if isinstance(one, OrderKeptAtLeast)]
    reasons = []
    if bounds:
        measures = list(dict.fromkeys(str(one.quantity) for one in bounds))
        scores = bench.score(measure=measures, level=level, side=side, threshold=threshold)
        reasons += unmet_by_scores(bounds, scores)
    if pairs:
        made = _comparisons(bench, pairs, measure=measure, level=level, threshold=threshold)
        reasons += unmet_by_comparisons(pairs, made)
    if orders:
        stability = bench.stability(
            label_error=label_error,
            measure=measure or usual.RIGHT_ANSWERS,
            level=level,
            threshold=threshold,
        )
        reasons += unmet_by_stability(orders, stability)
    return reasons


def _comparisons(
    bench: "Bench",
    pairs: Sequence[Pairwise],
    *,
    measure: str | None,
    level: float,
    threshold: float | None,
) -> "Mapping[float | None, ComparisonResult]":
    """Return the comparisons by the margin of each condition; all systems are compared, as Holm's method wants."""
    margins = dict.fromkeys(one.margin for one in pairs)
    made = {}
    for margin in margins:
        made[margin] = bench.compare(
            measure=measure, margin=margin, level=level, threshold=threshold, ranks=False
        )
    return made
