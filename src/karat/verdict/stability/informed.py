"""Is the ranking robust to wrong labels as they are found on re-annotated benchmarks? By the model `informed`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.ask.label_errors import LabelErrorRates
from karat.doubt.label_noise.error_rate import Belief
from karat.doubt.label_noise.informed.checked_items import FittedCheck, fit_check
from karat.doubt.label_noise.informed.constants import LEARNT, Constants
from karat.doubt.label_noise.informed.draws import informed_scores, informed_scores_by_group
from karat.doubt.label_noise.informed.items import LabelledItems, disputes_of
from karat.doubt.label_noise.informed.unknowns import Beliefs, Shares
from karat.doubt.label_noise.ranking_order import ROUNDING, ranking_from_draws
from karat.numeric.arrays import FloatArray
from karat.verdict.ranking import ranking
from karat.verdict.stability.informed_result import (
    OPEN,
    PROBABLY_REVERSED,
    SAFE,
    InformedStability,
    ReversedPairs,
)
from karat.verdict.stability.noise_options import NoiseOptions
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability

SAFE_BELOW = 0.01
"""An order that is reversed with a smaller probability is called safe: of these hardly any was reversed."""
ENOUGH_CHECKS = 1000
"""With fewer checked labels nobody knows in whose favour the errors are."""
SURE_UP_TO = 0.3
"""Up to this probability a forecast is taken as it is; above it shrinks while few wrong labels were found."""
MOST_DRAWS = 1000
FEWEST_DRAWS = 200
CELLS = 40_000_000
"""Patterns times draws that a forecast may cost."""
LEVEL = 0.9
"""The level of the interval for the number of reversed orders."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InformedQuestion:
    """The input of the model informed: a table and its ranking."""

    items: LabelledItems
    label_errors: LabelErrorRates
    noise_options: NoiseOptions
    constants: Constants = LEARNT

    def beliefs(self) -> list[tuple[float | None, Beliefs]]:
        """Return what is known of the labels: for each stated share, or as one where labels were checked."""
        disputes = disputes_of(self.items)
        check = fit_check(disputes, self.constants)
        if check is not None:
            # Checked items need not be a random sample, so that their share of wrong labels is not the table's.
            return [(None, Beliefs(disputes, self.constants, None, check))]
        about = self.label_errors.about
        if about is not None:
            share = self.label_errors.rates[0]
            return [(share, Beliefs(disputes, self.constants, _believed(about)))]
        if not self.label_errors.rates:
            return [(None, Beliefs(disputes, self.constants))]
        return [
            (share, Beliefs(disputes, self.constants, _stated(share)))
            for share in self.label_errors.rates
        ]

    def simulation(self) -> dict[str, Any]:
        """Return how often what is drawn."""
        noise_options = self.noise_options
        draws = _number_of_draws(noise_options.draws, len(self.items.given))
        return {"draws": draws, "seed": noise_options.seed, "few": noise_options.few}

    def method(self) -> str:
        """Return how to call the simulation in a report."""
        how = self.simulation()
        what = "bootstrap and informed errors" if how["few"] else "informed errors"
        return f"simulation of {what} (draws={how['draws']}, seed={how['seed']})"


def informed_stability(
    question: InformedQuestion, pairs: Sequence[PairStability]
) -> tuple[InformedStability, ...]:
    """Return how robust pairs and the whole ranking are; `pairs` are those of the table, better and worse."""
    items = question.items
    found = []
    for share, beliefs in question.beliefs():
        drawn = informed_scores(beliefs, **question.simulation())
        here = _Drawn(items.systems, items.hits(), drawn, share, beliefs)
        found.append(_one(question, here, pairs))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class InformedGroups:
    """The result of the model informed for every group, and for the orders of all groups together."""

    groups: Mapping[str, InformedStability]
    reversed_pairs: ReversedPairs


def informed_by_group(
    question: InformedQuestion, pairs: Mapping[str, Sequence[PairStability]]
) -> tuple[InformedGroups, ...]:
    """Return the same for each group, whose pairs are given by its name; labels checked in one group inform all."""
    items = question.items
    given = items.hits_by_group()
    found = []
    for share, beliefs in question.beliefs():
        drawn = informed_scores_by_group(beliefs, **question.simulation())
        groups = {}
        for place, name in enumerate(items.group_names):
            here = _Drawn(items.systems, given[place], drawn[:, place], share, beliefs)
            groups[name] = _one(question, here, pairs[name])
        numbers = [_number_reversed(hits, drawn[:, place]) for place, hits in enumerate(given)]
        of = sum(one.reversed_pairs.of for one in groups.values())
        found.append(InformedGroups(groups, _counted(np.sum(numbers, axis=0), of)))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The right answers of a table or a group: by the given labels, and by drawn right ones."""

    systems: tuple[str, ...]
    given: FloatArray
    drawn: FloatArray
    share: float | None
    beliefs: Beliefs


def _one(
    question: InformedQuestion, here: _Drawn, pairs: Sequence[PairStability]
) -> InformedStability:
    method = question.method()
    systems = here.systems
    share = here.share
    order = ranking_from_draws(here.given, here.drawn, method=method)
    check = here.beliefs.check
    by_chance = {}
    for pair in pairs:
        if pair.label_error == share:
            by_chance[pair.better, pair.worse] = pair.reversed or 0.0
    rows = []
    for pair in {(pair.better, pair.worse): pair for pair in pairs}.values():
        better = systems.index(pair.better)
        worse = systems.index(pair.worse)
        reverse = shrunk(float(order.before[worse, better]), check)
        rest = _rest(order.before, better, worse)
        kept = (1 - reverse) * rest
        tie = (1 - reverse) * (1 - rest)
        tied = here.given[better] == here.given[worse]
        # Errors by chance are the kindest case: what they may reverse is not safe.
        most = max(reverse, by_chance.get((pair.better, pair.worse), 0.0))
        row = replace(
            pair,
            label_error=share,
            model=INFORMED,
            kept=None if tied else kept,
            tie=tie,
            reversed=reverse,
            method=method,
            verdict=None if tied else _verdict(most, check),
        )
        rows.append(row)
    places = ranking(dict(zip(systems, here.given.tolist(), strict=True)))
    number = _number_reversed(here.given, here.drawn)
    return InformedStability(
        pairs=tuple(rows),
        ranking=RankingStability(systems, places, share, order, model=INFORMED),
        reversed_pairs=_counted(number, _orders(here.given)),
        checked=0 if check is None else check.checked,
        wrong=0 if check is None else check.wrong,
        share_known=share is not None,
        copies=_copies(here.beliefs.disputes.weights),
    )


def _number_of_draws(wanted: int, patterns: int) -> int:
    """Return a tenth of the draws wanted, as each is of all unknowns; fewer where there are very many patterns."""
    affordable = max(FEWEST_DRAWS, CELLS // max(1, patterns))
    return max(1, min(MOST_DRAWS, wanted // 10, affordable))


def _stated(share: float) -> Shares:
    return lambda _random, size: np.full(size, share)


def _believed(about: Belief) -> Shares:
    return lambda random, size: about.quantile(random.random(size))


def shrunk(reverse: float, check: FittedCheck | None) -> float:
    """Return P(reversed), nearer to .3 while few wrong labels tell in whose favour the errors are.

    P up to .3, else .3 + (P - .3)(f + 1)/(f + 6), f the wrong labels found among those that systems contradict.
    >>> round(shrunk(0.9, None), 2), shrunk(0.2, None)
    (0.4, 0.2)
    """
    if reverse <= SURE_UP_TO:
        return reverse
    found = 0 if check is None else check.wrong_disputed
    return SURE_UP_TO + (reverse - SURE_UP_TO) * (found + 1) / (found + 6)


def _rest(before: FloatArray, better: int, worse: int) -> float:
    """Return which part of what is not reversed is kept; the other part are ties."""
    not_reversed = 1 - float(before[worse, better])
    if not_reversed <= float(before[better, worse]) + ROUNDING:
        return 1.0
    return float(before[better, worse]) / not_reversed


def _verdict(reverse: float, check: FittedCheck | None) -> str:
    if reverse < SAFE_BELOW:
        return SAFE
    checked = 0 if check is None else check.checked
    if reverse > 0.5 and checked >= ENOUGH_CHECKS:
        return PROBABLY_REVERSED
    return OPEN


def _number_reversed(given: FloatArray, drawn: FloatArray) -> FloatArray:
    """Return how many orders of all pairs are reversed in each draw."""
    number = np.zeros(len(drawn))
    for first in range(len(given)):
        leads = given[first] > given
        number += (drawn[:, [first]] < drawn[:, leads]).sum(axis=1)
    return number


def _orders(given: FloatArray) -> int:
    """Return how many pairs have an order."""
    return int((given[:, None] > given).sum())


def _counted(number: FloatArray, of: int) -> ReversedPairs:
    """Return the mean over the draws, and an interval."""
    low, high = np.quantile(number, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="nearest")
    return ReversedPairs(
        expected=float(number.mean()), low=int(low), high=int(high), of=of, level=LEVEL
    )


def _copies(weights: FloatArray) -> float:
    """Return how many systems the votes are worth: the sum of the weights, as shares of the largest."""
    return float((weights / weights.max()).sum())
