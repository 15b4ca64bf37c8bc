"""Is a ranking by mean error or by divergence robust to errors in the truth?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.divergence_order import costs, divergence_under_label_noise
from karat.doubt.label_noise.number_order import grades_under_label_noise, numbers_under_label_noise
from karat.doubt.label_noise.ranking_order import RankingUnderNoise
from karat.errors import OptionError
from karat.measure.losses import Loss, mean_errors
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.confidences import Confidences
from karat.tally.votes.patterns import Patterns
from karat.verdict.ranking import ranking
from karat.verdict.stability.noise_options import NoiseOptions, requested_pairs
from karat.verdict.stability.orders import PairStability, RankingStability
from karat.words import counted

Distribution = Callable[[Sequence[int]], RankingUnderNoise]
"""From some of the systems to the distribution of their order."""


@dataclass(frozen=True, slots=True)
class ErrorAssumption:
    """One assumption about the errors of the truth, and the distribution of the order under it."""

    label_error: float | None
    noise: float | None
    distribution: Distribution
    exact_pairs: bool
    """Whether two systems may have an exact distribution where more have not."""
    values: Sequence[float | None]
    """Each system's loss by the given truth."""

    @property
    def model(self) -> str:
        """The model's name in the row of a pair."""
        if self.noise is None:
            return "uniform"
        return f"noise {self.noise:g}"


def numbers_of(patterns: Patterns) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the truth and the answers of each item as numbers, a row an item."""
    has_truth = patterns.truth != MISSING
    if (patterns.answers[has_truth] == UNASKED).any():
        raise OptionError(
            "systems that were asked different items have no common mean error; ask about one run"
        )
    missing = (patterns.answers == MISSING).any(axis=1)
    incomplete = int(patterns.number[has_truth & missing].sum())
    if incomplete and patterns.meaning.missing != "skip":
        items = f"{counted(incomplete, 'item')} without an answer of some system"
        raise OptionError(
            f"{items}, whose error is not known; leave such items out: --missing skip"
        )
    values = _numbers(patterns.labels)
    complete = np.flatnonzero(has_truth & ~missing)
    rows = np.repeat(complete, patterns.number[complete])
    if not len(rows):
        raise OptionError(
            "no item has a truth and every system's answer, so there is no mean error"
        )
    return values[patterns.truth[rows]], values[patterns.answers[rows]]


def _numbers(labels: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the labels as numbers, and NaN at the end, where the code -1 of a missing one reads it."""
    values = []
    for text in labels:
        try:
            values.append(float(text))
        except ValueError:
            raise OptionError(
                f"{text!r} is not a number; mean errors are of truths and answers that are numbers"
            ) from None
    return np.array([*values, np.nan])


def left_out(tally: Patterns | Confidences) -> tuple[str, ...]:
    """Return a sentence on how many items a mean error leaves out, if any."""
    if isinstance(tally, Confidences):
        return ()
    incomplete = (tally.truth != MISSING) & (tally.answers == MISSING).any(axis=1)
    number = int(tally.number[incomplete].sum())
    if not number:
        return ()
    return (f"{counted(number, 'item')} that some system did not answer left out for all.",)


def assumptions_about_numbers(
    patterns: Patterns, loss: Loss, noise_options: NoiseOptions, noise: float | None
) -> list[ErrorAssumption]:
    """Return the assumptions about numbers: noise, or grades that may be one too high or too low."""
    truth, answers = numbers_of(patterns)
    values = mean_errors(loss, truth, answers)
    has_noise = noise is not None
    has_rates = bool(noise_options.label_errors.rates)
    if has_noise == has_rates:
        raise OptionError(
            f"{loss.name} needs --noise SD for numbers, or --label-error E for grades one up or down"
        )

    def noisy(deviation: float) -> Distribution:
        return lambda chosen: numbers_under_label_noise(
            truth,
            answers[:, chosen],
            deviation,
            loss=loss.distance,
            draws=noise_options.draws,
            seed=noise_options.seed,
        )

    def graded(rate: float) -> Distribution:
        every = np.concatenate([truth, answers.ravel()])
        return lambda chosen: grades_under_label_noise(
            truth,
            answers[:, chosen],
            rate,
            lowest=int(every.min()),
            highest=int(every.max()),
            loss=loss.distance,
            draws=noise_options.draws,
            seed=noise_options.seed,
        )

    if noise is not None:
        exact_pairs = loss.distance == "squared"
        return [ErrorAssumption(None, noise, noisy(noise), exact_pairs, values)]
    return [
        ErrorAssumption(rate, None, graded(rate), False, values)
        for rate in noise_options.label_errors.rates
    ]


def assumptions_about_confidences(
    tally: Confidences, loss: Loss, noise_options: NoiseOptions, noise: float | None = None
) -> list[ErrorAssumption]:
    """Return the assumptions about wrong labels, where systems give every label a confidence."""
    if noise is not None:
        raise OptionError(f"--noise is for numbers; {loss.name} takes --label-error")
    if not noise_options.label_errors.rates:
        raise OptionError(
            f"{loss.name} has no critical share of wrong labels; give a share with --label-error"
        )
    values = _mean_divergences(tally, loss)
    rows = np.repeat(np.arange(len(tally.number)), tally.number)

    def distribution(rate: float) -> Distribution:
        return lambda chosen: divergence_under_label_noise(
            tally.shares[np.ix_(np.asarray(chosen), rows)],
            tally.truth[rows],
            rate,
            direction=loss.direction,
            floor=loss.floor,
            draws=noise_options.draws,
            seed=noise_options.seed,
        )

    return [
        ErrorAssumption(rate, None, distribution(rate), True, values)
        for rate in noise_options.label_errors.rates
    ]


def _mean_divergences(tally: Confidences, loss: Loss) -> list[float | None]:
    """Return each system's mean divergence from the truth; None where it is infinite."""
    cost = costs(tally.shares, direction=loss.direction, floor=loss.floor)
    of_truth = np.take_along_axis(cost, tally.truth[None, :, None], axis=2)[..., 0]
    items = int(tally.number.sum())
    means: list[float | None] = []
    # Costs are complex numbers: the real part counts the infinite terms, the imaginary part sums the finite ones.
    for cost_of_system in of_truth @ tally.number:
        infinite = bool(cost_of_system.real)
        means.append(None if infinite else float(cost_of_system.imag) / items)
    return means


def loss_stability(
    systems: tuple[str, ...], doubts: Sequence[ErrorAssumption], noise_options: NoiseOptions
) -> tuple[list[PairStability], list[RankingStability]]:
    """Return how robust each pair and the whole ranking are; a smaller loss is better."""
    if (
        noise_options.label_errors.by_label
        or noise_options.label_errors.about
        or noise_options.few
        or noise_options.wrong is not None
    ):
        raise OptionError(
            "losses take --label-error E or LOW:HIGH; other forms of errors are for accuracy"
        )
    orders = [one.distribution(range(len(systems))) for one in doubts]
    losses = dict(zip(systems, orders[0].given.tolist(), strict=True))
    places = ranking(losses)
    pairs: list[PairStability] = []
    for better, worse in requested_pairs(tuple(places), noise_options):
        for one, order in zip(doubts, orders, strict=True):
            pair = _pair(systems, better, worse, one, order)
            pairs.append(pair)
    rankings: list[RankingStability] = []
    if noise_options.pair is not None:
        return pairs, rankings
    for one, order in zip(doubts, orders, strict=True):
        values = dict(zip(systems, one.values, strict=True))
        whole = RankingStability(systems, places, one.label_error, order, one.noise, values)
        rankings.append(whole)
    return pairs, rankings


def _pair(
    systems: tuple[str, ...],
    better: str,
    worse: str,
    one: ErrorAssumption,
    ranking: RankingUnderNoise,
) -> PairStability:
    """Return how robust a pair is: by its own distribution where that is exact, else by that of all systems."""
    first = systems.index(better)
    second = systems.index(worse)
    order = ranking
    if one.exact_pairs:
        of_pair = one.distribution([first, second])
        if of_pair.method.startswith("exact"):
            order = of_pair
            first = 0
            second = 1
    tied = order.given[first] == order.given[second]
    return PairStability(
        worse=worse,
        better=better,
        label_error=one.label_error,
        model=one.model,
        kept=None if tied else float(order.before[first, second]),
        tie=order.tied(first, second),
        reversed=float(order.before[second, first]),
        method=order.method,
    )
