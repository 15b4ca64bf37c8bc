"""Precision, recall, F and accuracy of two systems: would their order survive errors in the labels?"""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import (
    FaultyRanking,
    Law,
    added,
    binomial,
    check_draws,
    check_error,
    survival,
    survived,
)
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

Measure = Literal["precision", "recall", "f", "accuracy"]
MOST = 30_000_000
"""Cases that the exact law may run over."""
NEAR = 1e-13
"""Leads in F that are less, beside what they are the difference of, are rounding: a tie."""


def faulty_prf(
    cells: npt.ArrayLike,
    error: float | tuple[float, float],
    *,
    measure: Measure = "f",
    beta: float = 1.0,
    draws: int = 100_000,
    seed: int = 0,
) -> FaultyRanking:
    """Would two systems keep their order by precision, recall, F or accuracy, if labels are wrong independently?

    cells[a1, a2, t] is the number of items to which the systems say a1 and a2 (1 is yes) and the truth t. The truly
    positive among the items that got the same two answers are binomial sums Y; TP1 = Y11 + Y10, TP2 = Y11 + Y01,
    P = Y11 + Y10 + Y01 + Y00, and what was answered is fixed. Exact while at most 3e7 cases of (Y10, Y01, Y11) are not
    negligible; a seeded simulation otherwise. `error` is one probability, or two: P(true 1 | given 0) and
    P(true 0 | given 1). An undefined value counts as 0, for ranking only.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> found = faulty_prf([[[1, 1], [2, 0]], [[1, 0], [0, 1]]], 0.18, measure="recall")
    >>> found.before[1, 0].round(6).item(), round(found.tied(0, 1), 6)
    (0.274464, 0.604504)
    """
    number = _checked(cells, measure, beta)
    answered = np.array([number[1].sum(), number[:, 1].sum()])
    weight = (answered, beta**2)
    given = _given(number, measure, weight)
    laws = _laws(number, error)
    if np.prod([len(laws[place][1]) for place in _outer(measure)]) <= MOST:
        return survival(given, _cases(laws, measure, weight), method="exact")
    drawn = _scores(_drawn(number, error, draws=draws, seed=seed), measure, weight)
    return survived(given, drawn, method=f"simulation (draws={draws}, seed={seed})")


def _checked(cells: npt.ArrayLike, measure: str, beta: float) -> npt.NDArray[np.int64]:
    number = np.asarray(cells, np.int64)
    if number.shape != (2, 2, 2) or number.min() < 0:
        raise OptionError(
            f"cells is of shape {number.shape}; wanted: 2 x 2 x 2 counts by answer, answer and truth"
        )
    if measure not in {"precision", "recall", "f", "accuracy"} or not 0 <= beta < np.inf:
        raise OptionError(
            f"{measure!r} with beta {beta} is no order; take precision, recall, f or accuracy, beta >= 0"
        )
    return number


def _errors(error: float | tuple[float, float]) -> tuple[float, float]:
    """Return P(true 1 | given 0) and P(true 1 | given 1)."""
    up, down = np.broadcast_to(check_error(error), 2).tolist()
    return up, 1 - down


def _laws(
    number: npt.NDArray[np.int64], error: float | tuple[float, float]
) -> dict[tuple[int, int], Law]:
    """Return, by the two answers, the law of how many of these items are truly positive."""
    low, high = _errors(error)
    return {
        (a, b): added(binomial(int(number[a, b, 0]), low), binomial(int(number[a, b, 1]), high))
        for a in (0, 1)
        for b in (0, 1)
    }


def _drawn(
    number: npt.NDArray[np.int64], error: float | tuple[float, float], *, draws: int, seed: int
) -> npt.NDArray[np.int64]:
    check_draws(draws)
    random = np.random.default_rng(seed)
    chance = np.array(_errors(error))[:, None]
    return np.asarray(random.binomial(number[..., None], chance, (2, 2, 2, draws)).sum(axis=2))


def _scores(
    true: npt.NDArray[np.int64], measure: Measure, weight: tuple[FloatArray, float]
) -> FloatArray:
    """Return both systems' values, up to what they share; a row a case of the truly positive by answers."""
    lead = _lead(true[1, 0], true[0, 1], true[1, 1], true[0, 0], measure, weight)
    return np.column_stack([lead, np.zeros(len(lead))])


def _lead(
    x: FloatArray,
    y: FloatArray,
    both: FloatArray,
    none: FloatArray,
    measure: Measure,
    weight: tuple[FloatArray, float],
) -> FloatArray:
    """Return a number with the sign of the first system's lead.

    TP1 (R2 + b² P) - TP2 (R1 + b² P), R the answered, for F; b = 0 is precision. Who answers nothing has no hits.
    """
    if measure == "recall":
        return np.asarray(x - y)
    answered, square = weight
    if measure == "accuracy":
        return np.asarray(2 * (x - y) - (answered[0] - answered[1]))
    square = 0 if measure == "precision" else square
    first, second = np.maximum(answered, 1)
    one, other = (both + x) * second, (both + y) * first
    shared = square * (x - y) * (both + x + y + none)
    lead = one - other + shared
    return np.where(np.abs(lead) <= NEAR * (one + other), 0.0, lead)


def _given(
    number: npt.NDArray[np.int64], measure: Measure, weight: tuple[FloatArray, float]
) -> FloatArray:
    """Return the two values by the given labels; equal where the lead is none."""
    answered, square = weight
    true, total = number[:, :, 1], number.sum()
    hits = np.array([true[1].sum(), true[:, 1].sum()])
    above, below = {
        "precision": (hits, answered),
        "recall": (hits, true.sum()),
        "f": ((1 + square) * hits, answered + square * true.sum()),
        "accuracy": (2 * hits - answered + total - true.sum(), total),
    }[measure]
    value = above / np.maximum(below, np.finfo(float).tiny)
    lead = _scores(true[..., None], measure, weight)[0, 0]
    return value if lead else np.full(2, value[0])


def _outer(measure: Measure) -> list[tuple[int, int]]:
    """Return which of the four numbers are run through; one more is summed by its distribution function."""
    return [(1, 0), (0, 1), (1, 1)] if measure == "f" else [(1, 0), (0, 1)]


def _cases(
    laws: dict[tuple[int, int], Law], measure: Measure, weight: tuple[FloatArray, float]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the cases first, tie, second with their chances.

    The lead is linear in the last number (P through Y00 for F, the shared hits for precision), so that number is
    summed by its distribution function, at the root of the lead.
    """
    (x, p), (y, q) = _values(laws[1, 0]), _values(laws[0, 1])
    x, chance = x[:, None], p[:, None] * q
    outer = zip(*_values(laws[1, 1]), strict=True) if measure == "f" else [(0.0, 1.0)]
    last = (
        laws[0, 0] if measure == "f" else laws[1, 1] if measure == "precision" else (0, np.ones(1))
    )
    states = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    for shared, weighed in outer:

        def lead(value: FloatArray, shared: float = shared) -> FloatArray:
            both, none = (np.array(shared), value) if measure == "f" else (value, np.array(0.0))
            return _lead(x, y, both, none, measure, weight)

        first, second = _sides(lead, last)
        parts = [float((chance * side).sum()) for side in (first, 1 - first - second, second)]
        yield states, weighed * np.maximum(parts, 0)


def _values(law: Law) -> tuple[FloatArray, FloatArray]:
    return law[0] + np.arange(len(law[1]), dtype=float), law[1]


def _sides(lead: Callable[[FloatArray], FloatArray], law: Law) -> tuple[FloatArray, FloatArray]:
    """Return how likely the lead, linear in a number of this law, is positive and negative."""
    start, chances = law
    low, high = lead(np.array(float(start))), lead(np.array(start + len(chances) - 1.0))
    if len(chances) == 1:
        return (low > 0).astype(float), (low < 0).astype(float)
    below = np.concatenate([[0.0], np.cumsum(chances)])
    slope = (high - low) / (len(chances) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.where(slope == 0, 0.0, -low / slope).clip(-1.0, len(chances))
    near = lead(start + root.round()) == 0
    upto = below[np.where(near, root.round(), np.ceil(root)).astype(int).clip(0, len(chances))]
    after = (
        1
        - below[
            np.where(near, root.round() + 1, np.floor(root) + 1).astype(int).clip(0, len(chances))
        ]
    )
    rising, falling = slope > 0, slope < 0
    first = np.where(rising, after, np.where(falling, upto, low > 0))
    return first, np.where(rising, upto, np.where(falling, after, low < 0))
