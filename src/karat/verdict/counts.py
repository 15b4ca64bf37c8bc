"""Two shares of which only the counts are known."""

import numpy as np

from karat.doubt import TESTS
from karat.doubt.holm import holm
from karat.doubt.newcombe import newcombe
from karat.doubt.two_samples import significant
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.compare import Contest
from karat.verdict.comparisons import BETTER, UNDECIDED, WORSE, Comparison

Counts = tuple[int, int]


def compare_counts(counts: list[Counts], contest: Contest) -> list[Comparison]:
    """Is the first share larger than the second? Two samples of different items, by the paper's exact test."""
    test = "exact" if contest.test == "auto" else contest.test
    if test not in {"exact", "barnard", "boschloo"}:
        raise OptionError(f"counts alone do not say who was right on which item, as {test} needs; use --test exact")
    if len(counts) < 2:
        raise OptionError("one share has nothing to be compared with; give two, such as 40/50 92/100")
    pairs = [(one, other) for place, one in enumerate(counts) for other in counts[place + 1 :]]
    columns = [np.array([pair[side][part] for pair in pairs]) for side in (0, 1) for part in (0, 1)]
    tested = TESTS[test](*columns)
    p_values = np.asarray(getattr(tested, "p_value", tested), float)
    adjusted, interval = holm(p_values), newcombe(*columns, level=contest.level)
    ends = list(zip(interval.low.tolist(), interval.high.tolist(), strict=True))
    p_values, adjusted = p_values.tolist(), adjusted.tolist()
    return [_comparison(pair, p_values[k], adjusted[k], ends[k], test, contest) for k, pair in enumerate(pairs)]


def _comparison(
    pair: tuple[Counts, Counts], p_value: float, adjusted: float, ends: tuple[float, float], test: str, contest: Contest
) -> Comparison:
    shares = [successes / trials if trials else None for successes, trials in pair]
    difference = None if shares[0] is None or shares[1] is None else shares[0] - shares[1]
    decided = bool(difference) and bool(significant(adjusted, level=contest.level))
    return Comparison(
        first=f"{pair[0][0]}/{pair[0][1]}",
        second=f"{pair[1][0]}/{pair[1][1]}",
        quantity=Quantity("share"),
        first_value=shares[0],
        second_value=shares[1],
        difference=difference,
        low=ends[0],
        high=ends[1],
        level=contest.level,
        only_first=None,
        only_second=None,
        items=None,
        p_value=p_value,
        p_adjusted=adjusted,
        test=test,
        verdict=UNDECIDED if not decided else BETTER if (difference or 0) > 0 else WORSE,
    )
