"""From distances between tokens to rates, their intervals, and differences between systems."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat.doubt.bounds.exact import exact
from karat.doubt.interval import tails
from karat.doubt.resampling.jackknife import gap_of_clusters
from karat.doubt.tests.holm import holm
from karat.graphs.compare.tokens.token_counts import Ints, TokenCounts
from karat.numeric.arrays import FloatArray
from karat.words import counted

AT_MOST = (0, 1, 2, 3)
"""How many tokens of a formula may be wrong."""


@dataclass(frozen=True, slots=True)
class TokenRate:
    """A share of formulas, or of tokens, with its counts and its interval."""

    wrong_or_right: int
    of: int
    value: float | None
    low: float | None
    high: float | None
    """None: of a single formula nothing is known of others."""
    method: str


@dataclass(frozen=True, slots=True)
class TokenGap:
    """How much two token error rates differ."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float


def share_within(counts: TokenCounts, system: str, most: int, *, level: float) -> TokenRate:
    """Return the share of formulas with at most so many wrong tokens; ExpRate if none may be wrong."""
    distances = counts.distances[counts.systems.index(system)]
    right = int((distances <= most).sum())
    bounds = exact(right, len(distances), level=level)
    return TokenRate(
        right,
        len(distances),
        right / len(distances),
        float(bounds.low),
        float(bounds.high),
        bounds.method,
    )


def token_error_rate(counts: TokenCounts, system: str, *, level: float) -> TokenRate:
    """Return all wrong tokens as a share of the truth's tokens.

    The interval leaves out one formula at a time: v ± t s, s² = (k-1)/k Σ (v(i) - v)², t Student's quantile with k - 1
    degrees of freedom, not below 0. If no token is wrong, a share 1 - g^(1/k) of other formulas could have gone unseen.
    Reference: Tukey, Annals of Mathematical Statistics 29, 1958.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

    errors = counts.distances[counts.systems.index(system)]
    wrong = int(errors.sum())
    total = int(counts.tokens.sum())
    number = len(errors)
    method = f"jackknife over {counted(number, 'formula')}"
    if not total or number < 2:
        return TokenRate(wrong, total, wrong / total if total else None, None, None, method)
    value = wrong / total
    without = _without_each(errors, counts)
    spread = float(np.sqrt((number - 1) / number * ((without - value) ** 2).sum()))
    below, above = tails(level, "both")
    if spread == 0:
        return TokenRate(wrong, total, value, value, value + 1 - above ** (1 / number), method)
    low = max(0.0, value + float(stdtrit(number - 1, below)) * spread)
    high = value - float(stdtrit(number - 1, above)) * spread
    return TokenRate(wrong, total, value, low, high, method)


def _without_each(errors: Ints, counts: TokenCounts) -> FloatArray:
    """Return the token error rate without each formula; that of all, where nothing would be left."""
    left = counts.tokens.sum() - counts.tokens
    whole = errors.sum() / counts.tokens.sum()
    rates: FloatArray = np.full(len(errors), whole, dtype=np.float64)
    np.divide(errors.sum() - errors, left, out=rates, where=left > 0)
    return rates


def token_gaps(counts: TokenCounts, *, level: float) -> list[TokenGap]:
    """Return how the token error rates of all pairs of systems differ, on the same formulas."""
    pairs = list(combinations(range(len(counts.systems)), 2))
    total = counts.tokens.sum()
    if not pairs or not total or len(counts.formulas) < 2:
        return []
    values = counts.distances.sum(axis=1) / total
    without = np.array([_without_each(errors, counts) for errors in counts.distances])
    whole = np.array([[values[one], values[two]] for one, two in pairs])
    left_out = np.array([[without[one], without[two]] for one, two in pairs])
    gap = gap_of_clusters(
        whole, np.moveaxis(left_out, 2, 0), least=np.zeros(len(pairs)), level=level
    )
    adjusted = holm(gap.p_value)
    return [
        TokenGap(
            counts.systems[one],
            counts.systems[two],
            float(whole[place][0] - whole[place][1]),
            float(gap.low[place]),
            float(gap.high[place]),
            float(gap.p_value[place]),
            float(adjusted[place]),
        )
        for place, (one, two) in enumerate(pairs)
    ]
