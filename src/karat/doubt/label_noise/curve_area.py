"""The area under the precision-recall curve where some of the given labels are wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import tails
from karat.doubt.label_noise.ranking_order import check_draws, check_error
from karat.doubt.prevalence.area_bootstrap import DRAWS, stretches
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import Rises, areas, pr_area, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes
from karat.tally.scores.curve import Curve

Error = float | tuple[float, float]
"""How often a label is wrong: one probability, or two, P(true 1 | given 0) and P(true 0 | given 1)."""
IntArray = npt.NDArray[np.int64]
MOST = 20_000
"""Outcomes that the exact law may run over."""
_BY_ITEM = 8
"""Up to so many items a score, items are flipped; beyond, counts."""


@dataclass(frozen=True, slots=True, eq=False)
class FaultyArea:
    """The area as the labels stand, of the expected counts, and by the true labels: its mean and where it lies.

    `undefined` is the probability that all true labels are of one kind; the mean and the ends are those of the rest.
    """

    pi: FloatArray
    given: FloatArray
    plugged: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    undefined: float
    level: float
    method: str


def faulty_area(
    curve: Curve,
    pi: npt.ArrayLike,
    *,
    error: Error,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> FaultyArea:
    """Which area has a system by the true labels, if labels are wrong independently of each other and of the score?

    At each distinct score the truly positive are a binomial sum of the given positives and negatives there; the area
    is that of their curve. Every outcome, exactly, while there are at most 20,000; a seeded simulation otherwise.
    `plugged` is the area of the expected counts: of many items about the mean, and quick.
    Reference: Lamiroy, Pierrot, GREC 2015, doi:10.1007/978-3-319-52159-6_3, on the curve of Davis, Goadrich, ICML 2006.
    >>> curve = Curve(np.array([3.0, 2.0, 1.0]), np.array([1, 0, 1]), np.array([0, 1, 0]))
    >>> found = faulty_area(curve, [0.5], error=0.1)
    >>> found.method, float(found.given.round(4)[0]), float(found.mean.round(4)[0]), round(found.undefined, 4)
    ('exact', 0.7123, 0.7004, 0.09)
    """
    share = check_prevalence("the prevalence", pi).ravel()
    up, down = rates(error)
    given = pr_area(roc(curve), pi=share)
    if np.prod(curve.positive + curve.negative + 1, dtype=np.float64) <= MOST:
        found, chance, method = *_every(curve, share, up, down), "exact"
    else:
        check_draws(draws)
        drawn = [
            areas(part, share)
            for part in _flipped(curve, up, down, draws, seed)
            if part is not None
        ]
        found, chance = (
            np.array(drawn).reshape(len(drawn), len(share)),
            np.full(len(drawn), 1 / draws),
        )
        method = f"simulation (draws={draws}, seed={seed})"
    if not len(chance):
        raise OptionError(
            f"with label errors of {up:g} and {down:g} all true labels are of one kind"
        )
    known = chance / chance.sum()
    low, high = _quantiles(found, known, level)
    missing = max(0.0, 1 - float(chance.sum()))
    return FaultyArea(share, given, expected_area(curve, share, error=error), known @ found, low, high,
                      missing if missing > 1e-12 else 0.0, level, method)  # fmt: skip


def rates(error: Error) -> tuple[float, float]:
    """Return P(true 1 | given 0) and P(true 0 | given 1).

    >>> rates(0.03), rates((0.01, 0.2))
    ((0.03, 0.03), (0.01, 0.2))
    """
    up, down = np.broadcast_to(check_error(error), 2).tolist()
    return up, down


def expected_area(curve: Curve, pi: npt.ArrayLike, *, error: Error) -> FloatArray:
    """What is the area of the counts that are expected by the true labels?

    p (1 - down) + n up positives and p down + n (1 - up) negatives at each score. Not quite the expected area, since an
    area is no straight function of counts, but near it where items are many.
    Reference: Lamiroy, Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> curve = Curve(np.array([2.0, 1.0]), np.array([100, 0]), np.array([0, 100]))
    >>> expected_area(curve, [0.5], error=0.1).round(4).tolist()
    [0.8755]
    """
    up, down = rates(error)
    positive = curve.positive * (1 - down) + curve.negative * up
    negative = curve.positive * down + curve.negative * (1 - up)
    if not (positive.any() and negative.any()):
        raise OptionError(
            f"with label errors of {up:g} and {down:g} all true labels are of one kind"
        )
    return areas(stretches(positive, negative), check_prevalence("the prevalence", pi))


def _every(curve: Curve, pi: FloatArray, up: float, down: float) -> tuple[FloatArray, FloatArray]:
    """Return the areas of all outcomes with both kinds, and their probabilities."""
    total = curve.positive + curve.negative
    laws = [
        _law(int(p), int(n), up, down) for p, n in zip(curve.positive, curve.negative, strict=True)
    ]
    grid = np.stack(
        np.meshgrid(*(np.arange(len(law)) for law in laws), indexing="ij"), axis=-1
    ).reshape(-1, len(laws))
    chance = np.prod([law[grid[:, k]] for k, law in enumerate(laws)], axis=0)
    kept = (chance > 0) & (grid.sum(axis=1) > 0) & (grid.sum(axis=1) < total.sum())
    found = [areas(stretches(row, total - row), pi) for row in grid[kept]]
    return np.array(found).reshape(-1, len(pi)), chance[kept]


def _law(positive: int, negative: int, up: float, down: float) -> FloatArray:
    """Return the law of the truly positive among items of one score."""
    from scipy.special import comb  # noqa: PLC0415 (wanted only here)

    parts = []
    for number, chance in ((positive, 1 - down), (negative, up)):
        k = np.arange(number + 1)
        parts.append(comb(number, k) * chance**k * (1 - chance) ** (number - k))
    return np.convolve(parts[0], parts[1])


def _flipped(curve: Curve, up: float, down: float, draws: int, seed: int) -> Iterator[Rises | None]:
    """Yield the stretches of a curve with its labels flipped at random; None where only one kind is left."""
    random = np.random.default_rng(seed)
    size = len(curve.score)
    flip = [
        _flipping(part, chance, size)
        for part, chance in ((curve.positive, down), (curve.negative, up))
    ]
    for _ in range(draws):
        lost, won = flip[0](random), flip[1](random)
        yield both_kinds(curve.positive - lost + won, curve.negative - won + lost)


def _flipping(
    number: IntArray, chance: float, size: int
) -> Callable[[np.random.Generator], IntArray]:
    if int(number.sum()) > _BY_ITEM * size:
        return lambda random: random.binomial(number, chance)
    owner = np.repeat(np.arange(size), number)
    return lambda random: np.bincount(owner[successes(random, len(owner), chance)], minlength=size)


def both_kinds(positive: IntArray, negative: IntArray) -> Rises | None:
    """Return the stretches of a curve with these counts, None where there is only one kind of items."""
    return stretches(positive, negative) if positive.any() and negative.any() else None


def _quantiles(
    values: FloatArray, chance: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the least values below which lie so many: of a law, column by column."""
    order = np.argsort(values, axis=0)
    sums = chance[order].cumsum(axis=0)
    below, above = tails(level, "both")
    ends = [
        np.minimum((sums < end * (1 - 1e-12)).sum(axis=0), len(values) - 1)
        for end in (below, 1 - above)
    ]
    low, high = (
        np.take_along_axis(values, order[end, np.arange(values.shape[1])][None], axis=0)[0]
        for end in ends
    )
    return low, high
