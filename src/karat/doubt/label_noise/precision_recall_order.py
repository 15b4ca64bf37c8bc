"""Is the order of two systems by precision, recall, F or accuracy robust to wrong labels?"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import (
    RankingUnderNoise,
    WholeDistribution,
    added,
    binomial,
    check_draws,
    check_error,
    ranking_from_cases,
    ranking_from_draws,
)
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

Measure = Literal["precision", "recall", "f", "accuracy"]
MOST = 30_000_000
"""Cases that the exact distribution may run over."""
NEAR = 1e-13
"""Leads in F that are smaller, as a part of what they are the difference of, are rounding: a tie."""


def precision_recall_under_label_noise(
    cells: npt.ArrayLike,
    error: float | tuple[float, float],
    *,
    measure: Measure = "f",
    beta: float = 1.0,
    draws: int = 100_000,
    seed: int = 0,
) -> RankingUnderNoise:
    """Distribution of the order of two systems by precision, recall, F or accuracy, if labels are wrong independently.

    cells[a1, a2, t] is the number of items that the systems answer with a1 and a2 (1 is yes) and whose truth is t. The
    true positives among the items with the same two answers are binomial sums Y; TP1 = Y11 + Y10, TP2 = Y11 + Y01,
    P = Y11 + Y10 + Y01 + Y00, and the answers are fixed. Exact while at most 3e7 cases of (Y10, Y01, Y11) are not
    negligible; a seeded simulation otherwise. `error` is one probability, or two: P(true 1 | given 0) and
    P(true 0 | given 1). An undefined value counts as 0, for ranking only.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> order = precision_recall_under_label_noise([[[1, 1], [2, 0]], [[1, 0], [0, 1]]], 0.18, measure="recall")
    >>> order.before[1, 0].round(6).item(), round(order.tied(0, 1), 6)
    (0.274464, 0.604504)
    """
    number = _checked(cells, measure, beta)
    answered = np.array([number[1].sum(), number[:, 1].sum()])
    order = _Order(measure, answered, beta**2)
    given = order.given(number)
    distributions = _distributions(number, error)
    if _number_of_cases(distributions, measure) <= MOST:
        return ranking_from_cases(given, _cases(distributions, order), method="exact")
    positives = _simulated(number, error, draws=draws, seed=seed)
    scores = order.scores(positives)
    return ranking_from_draws(given, scores, method=f"simulation (draws={draws}, seed={seed})")


def _checked(cells: npt.ArrayLike, measure: str, beta: float) -> npt.NDArray[np.int64]:
    """Return the counts, or refuse what are not counts, and measures without an order here."""
    number = np.asarray(cells, np.int64)
    if number.shape != (2, 2, 2) or number.min() < 0:
        raise OptionError(
            f"cells is of shape {number.shape}; give 2 x 2 x 2 counts by answer, answer and truth"
        )
    if measure not in {"precision", "recall", "f", "accuracy"} or not 0 <= beta < np.inf:
        raise OptionError(
            f"{measure!r} with beta {beta} does not define an order; use precision, recall, f or accuracy, beta >= 0"
        )
    return number


def _errors(error: float | tuple[float, float]) -> tuple[float, float]:
    """Return P(true 1 | given 0) and P(true 1 | given 1)."""
    up, down = np.broadcast_to(check_error(error), 2).tolist()
    return up, 1 - down


def _distributions(
    number: npt.NDArray[np.int64], error: float | tuple[float, float]
) -> dict[tuple[int, int], WholeDistribution]:
    """Return, by the two answers, the distribution of how many of these items are truly positive."""
    low, high = _errors(error)
    distributions = {}
    for answers in ((0, 0), (0, 1), (1, 0), (1, 1)):
        negatives, positives = number[answers].tolist()
        from_negatives = binomial(negatives, low)
        from_positives = binomial(positives, high)
        distributions[answers] = added(from_negatives, from_positives)
    return distributions


def _simulated(
    number: npt.NDArray[np.int64], error: float | tuple[float, float], *, draws: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return how many items are truly positive, by the two answers, in each draw."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    chance = np.array(_errors(error))[:, None]
    positives = random.binomial(number[..., None], chance, (2, 2, 2, draws))
    return np.asarray(positives.sum(axis=2))


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The order of two systems by a measure, given the numbers of their positive answers."""

    measure: Measure
    answered: FloatArray
    """How many items each system answers with yes."""
    square: float
    """Of beta."""

    def lead(
        self, only_first: FloatArray, only_second: FloatArray, both: FloatArray, none: FloatArray
    ) -> FloatArray:
        """Return a number with the sign of the first system's lead, from the truly positive items by answers.

        TP1 (R2 + b² P) - TP2 (R1 + b² P), R the answered, for F; b = 0 is precision. A system that answers nothing has
        no hits.
        """
        more = only_first - only_second
        if self.measure == "recall":
            return np.asarray(more)
        if self.measure == "accuracy":
            return np.asarray(2 * more - (self.answered[0] - self.answered[1]))
        square = 0 if self.measure == "precision" else self.square
        first_answered, second_answered = np.maximum(self.answered, 1)
        one = (both + only_first) * second_answered
        other = (both + only_second) * first_answered
        positives = both + only_first + only_second + none
        lead = one - other + square * more * positives
        return np.where(np.abs(lead) <= NEAR * (one + other), 0.0, lead)

    def scores(self, positives: npt.NDArray[np.int64]) -> FloatArray:
        """Return two scores in the order of the systems; a row a case of the truly positive items by answers."""
        lead = self.lead(positives[1, 0], positives[0, 1], positives[1, 1], positives[0, 0])
        return np.column_stack([lead, np.zeros(len(lead))])

    def given(self, number: npt.NDArray[np.int64]) -> FloatArray:
        """Return the two values by the given labels; equal where neither leads."""
        true = number[:, :, 1]
        positives = true.sum()
        total = number.sum()
        hits = np.array([true[1].sum(), true[:, 1].sum()])
        if self.measure == "precision":
            above, below = hits, self.answered
        elif self.measure == "recall":
            above, below = hits, positives
        elif self.measure == "f":
            above, below = (1 + self.square) * hits, self.answered + self.square * positives
        else:
            above, below = 2 * hits - self.answered + total - positives, total
        value = above / np.maximum(below, np.finfo(float).tiny)
        lead = self.scores(true[..., None])[0, 0]
        if lead:
            return np.asarray(value)
        return np.full(2, value[0])


def _number_of_cases(
    distributions: dict[tuple[int, int], WholeDistribution], measure: Measure
) -> int:
    """Return how many cases `_cases` runs through."""
    places = [(1, 0), (0, 1)]
    if measure == "f":
        places.append((1, 1))
    return math.prod(len(distributions[place][1]) for place in places)


def _cases(
    distributions: dict[tuple[int, int], WholeDistribution], order: _Order
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the cases that the first leads, that there is a tie, and that the second leads, with their probabilities.

    The lead is linear in the last number (P through Y00 for F, the shared hits for precision), so that number is
    summed by its distribution function, at the root of the lead.
    """
    only_first, first_chances = _values(distributions[1, 0])
    only_second, second_chances = _values(distributions[0, 1])
    only_first = only_first[:, None]
    chance = first_chances[:, None] * second_chances
    states = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])

    def probabilities(
        lead: Callable[[FloatArray], FloatArray], last: WholeDistribution
    ) -> FloatArray:
        first, second = _sides(lead, last)
        tie = 1 - first - second
        parts = [float((chance * side).sum()) for side in (first, tie, second)]
        return np.maximum(parts, 0)

    if order.measure != "f":
        # Accuracy and recall do not depend on the shared hits: any value of them will do.
        last = distributions[1, 1] if order.measure == "precision" else (0, np.ones(1))

        def lead_by_both(both: FloatArray) -> FloatArray:
            return order.lead(only_first, only_second, both, np.array(0.0))

        yield states, probabilities(lead_by_both, last)
        return
    shared_hits, shared_chances = _values(distributions[1, 1])
    for shared, shared_chance in zip(shared_hits, shared_chances, strict=True):

        def lead_by_none(none: FloatArray, both: FloatArray = shared) -> FloatArray:
            return order.lead(only_first, only_second, both, none)

        yield states, shared_chance * probabilities(lead_by_none, distributions[0, 0])


def _values(distribution: WholeDistribution) -> tuple[FloatArray, FloatArray]:
    """Return the values of a distribution, and their probabilities."""
    start, chances = distribution
    return start + np.arange(len(chances), dtype=float), chances


def _sides(
    lead: Callable[[FloatArray], FloatArray], distribution: WholeDistribution
) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities that the lead, linear in a number of this distribution, is positive and negative."""
    start, chances = distribution
    size = len(chances)
    low = lead(np.array(float(start)))
    high = lead(np.array(start + size - 1.0))
    if size == 1:
        return (low > 0).astype(float), (low < 0).astype(float)
    slope = (high - low) / (size - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.where(slope == 0, 0.0, -low / slope).clip(-1.0, size)
    # The root is that of the lead as a line. Where the lead itself is 0 at the nearest whole number, that number is a
    # tie and on neither side, though rounding may have put the root beside it.
    nearest = root.round()
    is_tie = lead(start + nearest) == 0
    last_before = np.where(is_tie, nearest, np.ceil(root)).astype(int).clip(0, size)
    first_after = np.where(is_tie, nearest + 1, np.floor(root) + 1).astype(int).clip(0, size)
    cumulative = np.concatenate([[0.0], np.cumsum(chances)])
    before = cumulative[last_before]
    after = 1 - cumulative[first_after]
    rising = slope > 0
    falling = slope < 0
    positive = np.where(rising, after, np.where(falling, before, low > 0))
    negative = np.where(rising, before, np.where(falling, after, low < 0))
    return positive, negative
