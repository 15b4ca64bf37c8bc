"""Answers that are distributions over labels: would the order by Kullback-Leibler divergence survive label errors?"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import (
    AT_ONCE,
    FaultyRanking,
    check_draws,
    check_error,
    survival,
    survived,
)
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes

Direction = Literal["reverse", "forward"]
MOST = 1_000_000
"""Distinct differences that the exact law may run over."""
NEAR = 1e-8
"""Sums of logarithms that differ by less are tied."""
Complex = npt.NDArray[np.complex128]
"""The number of zero confidences in the true labels, and the rest of the divergence: compared in this order."""


def faulty_divergence(
    confidences: npt.ArrayLike,
    labels: npt.ArrayLike,
    error: float,
    *,
    direction: Direction = "reverse",
    floor: float = 0.0,
    draws: int = 10_000,
    seed: int = 0,
) -> FaultyRanking:
    """Would systems that give a confidence to every label keep their order, if labels are wrong independently?

    confidences[s, i, l] is system s's for label l of item i. A wrong label moves to any other label alike. `reverse`
    is KL(truth || answer) = -ln a(true label), the cross-entropy; with floor 0 a zero confidence is infinitely bad (who
    has fewer of them is before; then the rest counts). `forward` is KL(answer || truth) = sum a ln(a / t) as printed;
    it needs a floor > 0 under the zeros of the truth. Confidences are taken as they stand, even if they do not sum to
    1. Exact for two systems while at most 1e6 distinct differences occur (equal within 1e-8), else a seeded simulation.
    The paper's Table 4 fits `reverse` with floor 0, the label of its first item being the first of the two it marks.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> sure, unsure = [[0.9, 0.1], [0.8, 0.2]], [[0.6, 0.4], [0.5, 0.5]]
    >>> faulty_divergence([sure, unsure], [0, 0], 0.1).kept.__round__(6)
    0.81
    """
    given_labels = np.asarray(labels, np.int64)
    cost = costs(confidences, direction=direction, floor=floor)
    _check(cost, given_labels)
    chance = float(check_error(error))
    given = -_ordinary(
        np.take_along_axis(cost, given_labels[None, :, None], axis=2)[..., 0].sum(axis=1)[None, :]
    )[0]
    if len(cost) <= 2:
        law = _law(cost[0] - cost[-1], given_labels, chance)
        if law is not None:
            return survival(given[: len(cost)], _states(*law, len(cost)), method="exact")
    drawn = np.concatenate(list(_drawn(cost, given_labels, chance, draws=draws, seed=seed)))
    return survived(given, -_ordinary(drawn), method=f"simulation (draws={draws}, seed={seed})")


def costs(confidences: npt.ArrayLike, *, direction: Direction, floor: float) -> Complex:
    """Return each system's divergence on each item under each label: 1 where it is infinite, i times it elsewhere.

    >>> costs([[[1.0, 0.0]]], direction="reverse", floor=0.0)[0, 0].tolist()
    [0j, (1+0j)]
    """
    a = np.asarray(confidences, float)
    if a.ndim != 3 or not np.all((a >= 0) & (a <= 1)):
        raise OptionError("confidences lie from 0 to 1, and are given by system, item and label")
    if direction == "reverse":
        sunk = np.maximum(a, floor)
        return np.asarray((sunk == 0) - 1j * np.log(np.where(sunk == 0, 1.0, sunk)))
    if direction != "forward" or not 0 < floor < 1:
        raise OptionError(
            f"direction {direction!r} with floor {floor}: forward needs a floor such as 1e-10"
        )
    own = (a * np.log(np.where(a == 0, 1.0, a))).sum(axis=2, keepdims=True)
    found = own - (a.sum(axis=2, keepdims=True) - a) * np.log(floor)
    # Who says nothing is as far from the truth as who is sure of a wrong label.
    return np.asarray(1j * np.where(a.sum(axis=2, keepdims=True) == 0, -np.log(floor), found))


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
    by_zeros = pairs.real * (np.ptp(pairs.imag, axis=1, keepdims=True) + 1)
    return _snapped(by_zeros + pairs.imag)


def _snapped(values: FloatArray) -> FloatArray:
    """Return each row's values, those within the tolerance of the next lower one made equal to it."""
    order = np.argsort(values, axis=1)
    arranged = np.take_along_axis(values, order, axis=1)
    apart = np.diff(arranged, axis=1, prepend=-np.inf) > NEAR
    first = np.maximum.accumulate(np.where(apart, np.arange(values.shape[1]), 0), axis=1)
    found = np.empty_like(values)
    np.put_along_axis(found, order, np.take_along_axis(arranged, first, axis=1), axis=1)
    return found


def _law(
    gap: Complex, labels: npt.NDArray[np.int64], chance: float
) -> tuple[Complex, FloatArray] | None:
    """Return the distinct differences of the two sums with their chances; None if there are too many."""
    width = gap.shape[1]
    value, weight = np.zeros(1, complex), np.ones(1)
    for row, label in zip(gap, labels, strict=True):
        chances = np.where(np.arange(width) == label, 1 - chance, chance / (width - 1))
        every = np.add.outer(value, row).ravel()
        # Rounded values only tell which are equal; the sums go on unrounded, so that no error builds up.
        _, first, place = np.unique(np.round(every, 10), return_index=True, return_inverse=True)
        weight = np.bincount(place.ravel(), np.outer(weight, chances).ravel(), len(first)).astype(
            float
        )
        value, weight = every[first][weight > 0], weight[weight > 0]
        if len(value) * width > MOST:
            return None
    return value, weight


def _states(
    value: Complex, weight: FloatArray, systems: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the scores, higher being better, of the cases of the difference first - second."""
    lead = -np.where(
        value.real != 0, value.real, np.where(np.abs(value.imag) <= NEAR, 0.0, value.imag)
    )
    yield np.column_stack([lead, np.zeros(len(lead))])[:, :systems], weight


def _drawn(
    cost: Complex, labels: npt.NDArray[np.int64], chance: float, *, draws: int, seed: int
) -> Iterator[Complex]:
    """Yield the sums of all systems, a row a draw: the given ones, changed where a label is wrong."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    systems, items, width = cost.shape
    own = np.take_along_axis(cost, labels[None, :, None], axis=2)
    change, base = (cost - own).reshape(systems, -1), own.sum(axis=(1, 2))
    step = max(1, AT_ONCE // (items * systems))
    for start, stop in pairwise([*range(0, draws, step), draws]):
        wrong = successes(random, (stop - start) * items, chance)
        draw, item = wrong // items, wrong % items
        new = random.integers(width - 1, size=len(item))
        cell = item * width + new + (new >= labels[item])
        sums = [
            [np.bincount(draw, part, stop - start) for part in (row.real[cell], row.imag[cell])]
            for row in change
        ]
        yield np.stack([real + 1j * imaginary for real, imaginary in sums], axis=1) + base
