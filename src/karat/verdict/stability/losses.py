"""Would a ranking by mean error or by divergence survive the errors in the truth?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.divergence_order import costs, faulty_divergence
from karat.doubt.label_noise.number_order import faulty_grades, faulty_numbers
from karat.doubt.label_noise.ranking_order import FaultyRanking
from karat.errors import OptionError
from karat.measure.losses import Loss, mean_errors
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.confidences import Confidences
from karat.tally.votes.patterns import Patterns
from karat.verdict.ranking import ranking
from karat.verdict.stability.faults import Faults, asked_pairs
from karat.verdict.stability.result import PairStability, WholeStability
from karat.words import counted

Law = Callable[[Sequence[int]], FaultyRanking]
"""From some of the systems to what their order survives."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """One thing that is said of the truth's errors, and its law."""

    label_error: float | None
    noise: float | None
    law: Law
    exact_pairs: bool
    """Whether two systems may have an exact law where more have not."""
    values: Sequence[float | None]
    """Each system's loss by the given truth."""

    @property
    def model(self) -> str:
        """What a pair's row calls it."""
        return "uniform" if self.noise is None else f"noise {self.noise:g}"


def numbers_of(patterns: Patterns) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the truth and the answers of each item as numbers, a row an item."""
    told = patterns.truth != MISSING
    if (patterns.answers[told] == UNASKED).any():
        raise OptionError(
            "systems that were asked different items have no common mean error; ask about one run"
        )
    missing = (patterns.answers[told] == MISSING).any(axis=1)
    absent = int(patterns.number[told][missing].sum())
    if absent and patterns.meaning.missing != "skip":
        lack = f"{counted(absent, 'item')} without an answer of some system"
        raise OptionError(f"{lack}, whose error nobody knows; leave such items out: --missing skip")
    try:
        values = np.array([*(float(text) for text in patterns.labels), np.nan])
    except ValueError:
        odd = next(text for text in patterns.labels if not _is_number(text))
        raise OptionError(
            f"{odd!r} is no number; mean errors are of truths and answers that are numbers"
        ) from None
    rows = np.repeat(np.flatnonzero(told)[~missing], patterns.number[told][~missing])
    if not len(rows):
        raise OptionError("no item has a truth and every system's answer; nothing can be said")
    return values[patterns.truth[rows]], values[patterns.answers[rows]]


def left_out(tally: Patterns | Confidences) -> tuple[str, ...]:
    """Return in words how many items a mean error leaves out."""
    if isinstance(tally, Confidences):
        return ()
    incomplete = (tally.truth != MISSING) & (tally.answers == MISSING).any(axis=1)
    absent = int(tally.number[incomplete].sum())
    return (
        (f"{counted(absent, 'item')} that some system did not answer left out for all.",)
        if absent
        else ()
    )


def doubts_of_numbers(
    patterns: Patterns, loss: Loss, faults: Faults, noise: float | None
) -> list[Doubted]:
    """Return the laws of what is said of numbers: noise, or grades that may be one too high or too low."""
    truth, answers = numbers_of(patterns)
    values = mean_errors(loss, truth, answers)
    if (noise is None) == (not faults.said.rates):
        raise OptionError(
            f"{loss.name} needs --noise SD for numbers, or --label-error E for grades one up or down"
        )

    def noisy(deviation: float) -> Law:
        return lambda chosen: faulty_numbers(
            truth,
            answers[:, chosen],
            deviation,
            loss=loss.distance,
            draws=faults.draws,
            seed=faults.seed,
        )

    def graded(rate: float) -> Law:
        every = np.concatenate([truth, answers.ravel()])
        return lambda chosen: faulty_grades(
            truth,
            answers[:, chosen],
            rate,
            lowest=int(every.min()),
            highest=int(every.max()),
            loss=loss.distance,
            draws=faults.draws,
            seed=faults.seed,
        )

    if noise is not None:
        return [Doubted(None, noise, noisy(noise), loss.distance == "squared", values)]
    return [Doubted(rate, None, graded(rate), False, values) for rate in faults.said.rates]


def doubts_of_confidences(
    tally: Confidences, loss: Loss, faults: Faults, noise: float | None = None
) -> list[Doubted]:
    """Return the laws of what is said of wrong labels, where systems give every label a confidence."""
    if noise is not None:
        raise OptionError(f"--noise is for numbers; {loss.name} takes --label-error")
    if not faults.said.rates:
        raise OptionError(
            f"{loss.name} has no share of wrong labels that it survives; say one with --label-error"
        )
    values = _mean_divergences(tally, loss)
    rows = np.repeat(np.arange(len(tally.number)), tally.number)

    def law(rate: float) -> Law:
        return lambda chosen: faulty_divergence(
            tally.shares[np.ix_(np.asarray(chosen), rows)],
            tally.truth[rows],
            rate,
            direction=loss.direction,
            floor=loss.floor,
            draws=faults.draws,
            seed=faults.seed,
        )

    return [Doubted(rate, None, law(rate), True, values) for rate in faults.said.rates]


def _mean_divergences(tally: Confidences, loss: Loss) -> list[float | None]:
    """Return each system's mean divergence from the truth; None where it is infinite."""
    cost = costs(tally.shares, direction=loss.direction, floor=loss.floor)
    own = np.take_along_axis(cost, tally.truth[None, :, None], axis=2)[..., 0]
    sums = own @ tally.number
    return [None if one.real else float(one.imag) / int(tally.number.sum()) for one in sums]


def loss_stability(
    systems: tuple[str, ...], doubts: Sequence[Doubted], faults: Faults
) -> tuple[list[PairStability], list[WholeStability]]:
    """Return what each pair and the whole ranking survive; a small loss is a good one."""
    if faults.said.by_label or faults.said.about or faults.few or faults.wrong is not None:
        raise OptionError(
            "losses take --label-error E or LOW:HIGH; other words about errors are for accuracy"
        )
    laws = [one.law(range(len(systems))) for one in doubts]
    places = ranking(dict(zip(systems, laws[0].given.tolist(), strict=True)))
    pairs = [
        _pair(systems, better, worse, one, law)
        for better, worse in asked_pairs(tuple(places), faults)
        for one, law in zip(doubts, laws, strict=True)
    ]
    wholes = [
        WholeStability(
            systems,
            places,
            one.label_error,
            law,
            one.noise,
            dict(zip(systems, one.values, strict=True)),
        )
        for one, law in zip(doubts, laws, strict=True)
        if faults.pair is None
    ]
    return pairs, wholes


def _pair(
    systems: tuple[str, ...], better: str, worse: str, one: Doubted, whole: FaultyRanking
) -> PairStability:
    places = [systems.index(better), systems.index(worse)]
    alone = one.law(places) if one.exact_pairs else None
    found, (first, second) = (
        (alone, (0, 1)) if alone and alone.method.startswith("exact") else (whole, places)
    )
    return PairStability(
        worse=worse,
        better=better,
        only_worse=None,
        only_better=None,
        label_error=one.label_error,
        model=one.model,
        kept=None
        if found.given[first] == found.given[second]
        else float(found.before[first, second]),
        tie=found.tied(first, second),
        reversed=float(found.before[second, first]),
        critical_label_error=None,
        safe_errors=None,
        method=found.method,
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
