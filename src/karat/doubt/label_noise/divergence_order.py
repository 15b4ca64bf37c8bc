"""Answers that are distributions over labels: how likely is the order by divergence kept under label noise?"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import (
    AT_ONCE,
    RankingUnderNoise,
    check_draws,
    check_error,
    ranking_from_cases,
    ranking_from_draws,
)
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes

Direction = Literal["reverse", "forward"]
MOST = 1_000_000
"""Distinct differences that the exact distribution may run over."""
NEAR = 1e-8
"""Sums of logarithms that differ by less are tied."""
Complex = npt.NDArray[np.complex128]
"""The number of zero confidences in the true labels, and the rest of the divergence: compared in this order.

With floor 0 a divergence may be infinite. Sums of infinities cannot be compared, but the number of infinite terms can:
it is the real part, the sum of the finite terms the imaginary one. Both add up as complex numbers do.
"""


def divergence_under_label_noise(
    confidences: npt.ArrayLike,
    labels: npt.ArrayLike,
    error: float,
    *,
    direction: Direction = "reverse",
    floor: float = 0.0,
    draws: int = 10_000,
    seed: int = 0,
) -> RankingUnderNoise:
    """How likely do systems that give a confidence to every label keep their order, if labels are wrong independently?

    confidences[s, i, l] is system s's for label l of item i. The true label of a wrong one is any other label, equally
    likely. `reverse` is KL(truth || answer) = -ln a(true label), the cross-entropy; with floor 0 a zero confidence is
    infinitely bad (fewer of them are better; then the rest counts). `forward` is KL(answer || truth) = sum a ln(a / t)
    as printed; it needs a floor > 0 for the zeros of the truth. Confidences are taken as they are, even if they do not
    sum to 1. Exact for two systems while at most 1e6 distinct differences occur (equal within 1e-8), else a seeded
    simulation. The paper's Table 4 fits `reverse` with floor 0, if the label of its first item is the first of the two
    it marks.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> sure, unsure = [[0.9, 0.1], [0.8, 0.2]], [[0.6, 0.4], [0.5, 0.5]]
    >>> divergence_under_label_noise([sure, unsure], [0, 0], 0.1).kept.__round__(6)
    0.81
    """
    given_labels = np.asarray(labels, np.int64)
    cost = costs(confidences, direction=direction, floor=floor)
    _check(cost, given_labels)
    chance = float(check_error(error))
    by_item = np.take_along_axis(cost, given_labels[None, :, None], axis=2)[..., 0]
    given = -_ordinary(by_item.sum(axis=1)[None, :])[0]
    systems = len(cost)
    if systems <= 2:
        difference = _difference(cost[0] - cost[-1], given_labels, chance)
        if difference is not None:
            values, chances = difference
            states = _states(values, chances, systems)
            return ranking_from_cases(given[:systems], states, method="exact")
    drawn = np.concatenate(list(_drawn(cost, given_labels, chance, draws=draws, seed=seed)))
    return ranking_from_draws(
        given, -_ordinary(drawn), method=f"simulation (draws={draws}, seed={seed})"
    )


def costs(confidences: npt.ArrayLike, *, direction: Direction, floor: float) -> Complex:
    """Return each system's divergence on each item under each label: 1 where it is infinite, i times it elsewhere.

    >>> costs([[[1.0, 0.0]]], direction="reverse", floor=0.0)[0, 0].tolist()
    [0j, (1+0j)]
    """
    a = np.asarray(confidences, float)
    if a.ndim != 3 or not np.all((a >= 0) & (a <= 1)):
        raise OptionError(
            "confidences are between 0 and 1, and are given by system, item and label"
        )
    if direction == "reverse":
        raised = np.maximum(a, floor)
        zero = raised == 0
        return np.asarray(zero - 1j * np.log(np.where(zero, 1.0, raised)))
    if direction != "forward" or not 0 < floor < 1:
        raise OptionError(
            f"direction {direction!r} with floor {floor}: forward needs a floor such as 1e-10"
        )
    total = a.sum(axis=2, keepdims=True)
    own = (a * np.log(np.where(a == 0, 1.0, a))).sum(axis=2, keepdims=True)
    divergence = own - (total - a) * np.log(floor)
    # A system without confidence in any label is as far from the truth as one that is sure of a wrong label.
    return np.asarray(1j * np.where(total == 0, -np.log(floor), divergence))


def _check(cost: Complex, labels: npt.NDArray[np.int64]) -> None:
    systems, items, width = cost.shape
    if width < 2 or not systems:
        raise OptionError(
            f"{systems} systems and {width} labels; a wrong label needs another one to move to"
        )
    if labels.shape != (items,) or not np.all((labels >= 0) & (labels < width)):
        raise OptionError(f"labels are places 0 to {width - 1}, one for each of the {items} items")


def _ordinary(pairs: Complex) -> FloatArray:
    """Return numbers in the order of the pairs, row by row; equal within the tolerance is equal.

    Without zero confidences these are the divergences; with them, their places in the row.
    """
    if not pairs.real.any():
        return _snapped(pairs.imag)
    # A zero weighs more than all finite parts of a row together.
    more_than_all = np.ptp(pairs.imag, axis=1, keepdims=True) + 1
    return _snapped(pairs.real * more_than_all + pairs.imag)


def _snapped(values: FloatArray) -> FloatArray:
    """Return each row's values, those within the tolerance of the next lower one made equal to it."""
    order = np.argsort(values, axis=1)
    ascending = np.take_along_axis(values, order, axis=1)
    new = np.diff(ascending, axis=1, prepend=-np.inf) > NEAR
    first_equal = np.maximum.accumulate(np.where(new, np.arange(values.shape[1]), 0), axis=1)
    equalised = np.take_along_axis(ascending, first_equal, axis=1)
    snapped = np.empty_like(values)
    np.put_along_axis(snapped, order, equalised, axis=1)
    return snapped


def _difference(
    gap: Complex, labels: npt.NDArray[np.int64], chance: float
) -> tuple[Complex, FloatArray] | None:
    """Return the distinct differences of the two sums with their chances; None if there are too many."""
    width = gap.shape[1]
    values = np.zeros(1, complex)
    weights = np.ones(1)
    for row, label in zip(gap, labels, strict=True):
        chances = np.where(np.arange(width) == label, 1 - chance, chance / (width - 1))
        sums = np.add.outer(values, row).ravel()
        products = np.outer(weights, chances).ravel()
        # Rounding only decides which sums are equal; they go on unrounded, so that no error builds up.
        _, first, place = np.unique(np.round(sums, 10), return_index=True, return_inverse=True)
        weights = np.bincount(place.ravel(), products, len(first)).astype(float)
        possible = weights > 0
        values = sums[first][possible]
        weights = weights[possible]
        if len(values) * width > MOST:
            return None
    return values, weights


def _states(
    differences: Complex, chances: FloatArray, systems: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the scores, higher being better, of the cases of the difference first - second."""
    finite = np.where(np.abs(differences.imag) <= NEAR, 0.0, differences.imag)
    lead = -np.where(differences.real != 0, differences.real, finite)
    scores = np.column_stack([lead, np.zeros(len(lead))])
    yield scores[:, :systems], chances


def _drawn(
    cost: Complex, labels: npt.NDArray[np.int64], chance: float, *, draws: int, seed: int
) -> Iterator[Complex]:
    """Yield the sums of all systems, a row a draw: the given ones, changed where a label is wrong."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    systems, items, width = cost.shape
    own = np.take_along_axis(cost, labels[None, :, None], axis=2)
    given = own.sum(axis=(1, 2))
    changes = (cost - own).reshape(systems, -1)
    step = max(1, AT_ONCE // (items * systems))
    for start, stop in pairwise([*range(0, draws, step), draws]):
        size = stop - start
        wrong = successes(random, size * items, chance)
        draw = wrong // items
        item = wrong % items
        # One of the other labels: those from the given one on move up by one.
        other = random.integers(width - 1, size=len(item))
        cell = item * width + other + (other >= labels[item])
        sums = []
        for change in changes:
            zeros = np.bincount(draw, change.real[cell], size)
            finite = np.bincount(draw, change.imag[cell], size)
            sums.append(zeros + 1j * finite)
        yield np.stack(sums, axis=1) + given
