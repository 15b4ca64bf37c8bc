"""Answers that are numbers or grades: how likely is the order by mean error kept under noise in the truth?"""

from collections.abc import Callable, Iterator
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
from karat.numeric.ties import equal_but_for_rounding

Loss = Literal["squared", "absolute"]
Shifts = Callable[[np.random.Generator, int], FloatArray]
"""What is to be added to the given truths, a row a draw."""


def numbers_under_label_noise(
    truth: npt.ArrayLike,
    answers: npt.ArrayLike,
    deviation: npt.ArrayLike,
    *,
    loss: Loss = "squared",
    draws: int = 10_000,
    seed: int = 0,
) -> RankingUnderNoise:
    """How likely do systems keep their order by mean squared or absolute error, if the truths carry normal noise?

    True value = given + N(0, s²), independent, s one number or one an item; a column of `answers` a system. The
    difference of two mean squared errors is linear in the noise, hence normal: mean the given difference, standard
    deviation 2/n sqrt(sum s² (a1 - a2)²). So two systems by squared error have an exact distribution; all else is a
    seeded simulation. Scores are minus the mean error.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> ranking = numbers_under_label_noise([1, 2, 3], [[1, 1], [2, 3], [3, 4]], 0.5)
    >>> round(ranking.kept, 4), ranking.method
    (0.9214, 'exact (normal)')
    """
    given, system = _checked(truth, answers, loss)
    spread = np.asarray(deviation, float)
    if not np.all((spread >= 0) & (spread < np.inf)):
        raise OptionError(
            f"the noise's standard deviation is {spread.min():g} or the like; it is 0 or more"
        )
    if loss == "squared" and system.shape[1] == 2:
        return _normal(given, system, np.broadcast_to(spread, given.shape))

    def shifts(random: np.random.Generator, size: int) -> FloatArray:
        return np.asarray(random.standard_normal((size, len(given))) * spread)

    return _simulated(given, system, shifts, loss, draws=draws, seed=seed)


def grades_under_label_noise(
    truth: npt.ArrayLike,
    answers: npt.ArrayLike,
    error: float,
    *,
    lowest: int | None = None,
    highest: int | None = None,
    loss: Loss = "absolute",
    draws: int = 10_000,
    seed: int = 0,
) -> RankingUnderNoise:
    """How likely do systems keep their order by mean error, if each grade of the truth may be one too high or too low?

    With probability e, independently, the true grade is the next above or the next below the given one, equally likely;
    at the end of the scale (from `lowest` to `highest`, by default what occurs in truth and answers) it is the only
    neighbour. A seeded simulation. Scores are minus the mean error.
    Reference: Lamiroy, Pierrot, Statistical performance metrics for use with imprecise ground-truth, GREC 2015.
    doi:10.1007/978-3-319-52159-6_3
    >>> grades_under_label_noise([1, 2, 3], [[1, 1], [2, 3], [3, 2]], 0.0).kept
    1.0
    """
    given, system = _checked(truth, answers, loss)
    chance = float(check_error(error))
    every = np.concatenate([given, system.ravel()])
    low = every.min() if lowest is None else lowest
    high = every.max() if highest is None else highest
    if np.any(given != given.round()) or given.min() < low or given.max() > high or low == high:
        raise OptionError(
            f"the truths are not whole grades from {low:g} to {high:g}, or there is only one grade"
        )
    share_up = np.where(given == high, 0.0, 0.5)
    share_up = np.where(given == low, 1.0, share_up)
    up = chance * share_up

    def shifts(random: np.random.Generator, size: int) -> FloatArray:
        drawn = random.random((size, len(given)))
        down_or_none = np.where(drawn < chance, -1.0, 0.0)
        return np.where(drawn < up, 1.0, down_or_none)

    return _simulated(given, system, shifts, loss, draws=draws, seed=seed)


def _checked(
    truth: npt.ArrayLike, answers: npt.ArrayLike, loss: str
) -> tuple[FloatArray, FloatArray]:
    given = np.asarray(truth, float)
    system = np.asarray(answers, float)
    if system.ndim != 2 or given.shape != system.shape[:1] or not system.size:
        raise OptionError(
            f"truth is of shape {given.shape}, answers of {system.shape}; give a row for each item"
        )
    if loss not in {"squared", "absolute"}:
        raise OptionError(f"{loss!r} is not a loss; use squared or absolute")
    if not (np.isfinite(given).all() and np.isfinite(system).all()):
        raise OptionError("a truth or an answer is missing or infinite; leave such items out")
    return given, system


def _normal(given: FloatArray, system: FloatArray, spread: FloatArray) -> RankingUnderNoise:
    """Return the ranking of two systems by squared error, whose difference is normally distributed."""
    from scipy.special import ndtr  # noqa: PLC0415 (wanted only here)

    gap = system[:, 0] - system[:, 1]
    score = _scores(given[None, :], system, "squared")[0]
    lead = float(score[0] - score[1])
    deviation = 2 / len(given) * float(np.sqrt((spread**2 * gap**2).sum()))
    if deviation:
        chances = [float(ndtr(lead / deviation)), float(ndtr(-lead / deviation)), 0.0]
    else:
        chances = [float(lead > 0), float(lead < 0), float(lead == 0)]
    first_better = [1.0, 0.0]
    second_better = [0.0, 1.0]
    tie = [0.0, 0.0]
    states = np.array([first_better, second_better, tie])
    return ranking_from_cases(score, [(states, np.array(chances))], method="exact (normal)")


def _simulated(
    given: FloatArray, system: FloatArray, shifts: Shifts, loss: Loss, *, draws: int, seed: int
) -> RankingUnderNoise:
    check_draws(draws)
    drawn = np.concatenate(list(_blocks(given, system, shifts, loss, draws=draws, seed=seed)))
    score = _scores(given[None, :], system, loss)[0]
    return ranking_from_draws(score, drawn, method=f"simulation (draws={draws}, seed={seed})")


def _blocks(
    given: FloatArray, system: FloatArray, shifts: Shifts, loss: Loss, *, draws: int, seed: int
) -> Iterator[FloatArray]:
    random = np.random.default_rng(seed)
    step = max(1, AT_ONCE // len(given))
    for start, stop in pairwise([*range(0, draws, step), draws]):
        yield _scores(given + shifts(random, stop - start), system, loss)


def _scores(true: FloatArray, system: FloatArray, loss: Loss) -> FloatArray:
    """Return minus the mean errors, a row a draw of the truth; those that differ by rounding only are tied."""
    means = []
    for column in system.T:
        error = true - column
        losses = np.abs(error) if loss == "absolute" else error**2
        means.append(losses.mean(axis=1))
    return -equal_but_for_rounding(np.stack(means, axis=1))
