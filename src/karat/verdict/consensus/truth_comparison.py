"""The ranking by the truth beside the one without it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll
from karat.ask.voting import ConsensusOptions
from karat.doubt.bounds.exact import exact
from karat.doubt.consensus.rank_agreement_interval import rank_agreement_interval
from karat.measure.consensus.majority import majority_limits
from karat.measure.rank_agreement import kendall, weights_of_pairs
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.truth_rates import TruthRates
from karat.verdict.ranking import ranking

Range = tuple[float, float]
THIRDS = ("top", "middle", "bottom")


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthComparison:
    """The ranking by the truth, beside the one without it."""

    quantity: str
    values: Mapping[str, float | None]
    """Over the items that a system answered."""
    answered: Mapping[str, int]
    """How many items with a truth each system answered."""
    ranges: Mapping[str, Range | None]
    """The intervals of the values."""
    ranks: Mapping[str, int]
    tau: float | None
    """Pairs of systems weigh as much as their order is known by the truth."""
    tau_range: Range | None
    unweighted_tau: float | None
    tiers: Mapping[str, float]
    """The share of the systems of each third that are in the same third by the truth."""
    tied: tuple[tuple[str, str], ...]
    """Pairs tied without the truth and different with it."""
    majority: float
    """How often the majority is right, on items that anybody answered."""
    majority_range: Range | None
    """The least and the most it could be, given how often each system is right; None where answers are missing."""
    items: int
    level: float

    def summary(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        return {
            "measure": self.quantity,
            "items": self.items,
            "tau": self.tau,
            "tau_low": self.tau_range and self.tau_range[0],
            "tau_high": self.tau_range and self.tau_range[1],
            "tau_unweighted": self.unweighted_tau,
            "level": self.level,
            "tiers": dict(self.tiers),
            "tied_apart": [list(pair) for pair in self.tied],
            "majority": {
                "accuracy": self.majority,
                "low": self.majority_range and self.majority_range[0],
                "high": self.majority_range and self.majority_range[1],
            },
        }


def compare_with_truth(
    patterns: Patterns,
    poll: Poll,
    options: ConsensusOptions,
    values: Mapping[str, float | None],
    true_rates: Mapping[str, TruthRates],
    majority_labels: npt.NDArray[np.int64],
) -> TruthComparison | None:
    """Return the ranking by the truth beside the one without, on the items that have a truth."""
    has_truth = patterns.truth != MISSING
    if not has_truth.any() or patterns.meaning.truth_sep is not None:
        return None
    true = _true_values(patterns, poll, options, true_rates)
    by_estimate = {}
    by_truth = {}
    for name in patterns.systems:
        value = values[name]
        true_value = true.values[name]
        if value is not None and true_value is not None:
            by_estimate[name] = value
            by_truth[name] = true_value
    agreement = _rank_agreement(by_estimate, by_truth, true.answered, options)
    most = majority_labels[poll.rows]
    judged = patterns.number * (has_truth & (most >= 0))
    majority_right = float(judged @ (most == poll.truth)) / max(1, int(judged.sum()))
    return TruthComparison(
        quantity=true.quantity,
        values=true.values,
        answered=true.answered,
        ranges=true.ranges,
        ranks=ranking(true.values),
        tau=agreement.tau,
        tau_range=agreement.ends,
        unweighted_tau=agreement.unweighted,
        tiers=_same_third(ranking(by_estimate), ranking(by_truth)),
        tied=_tied_only_without_truth(by_estimate, by_truth),
        majority=majority_right,
        majority_range=_limits_of_majority(patterns, poll),
        items=int(patterns.number[has_truth].sum()),
        level=options.level,
    )


@dataclass(frozen=True, slots=True)
class _TrueValues:
    """What the truth says of each system, over the items that it answered."""

    quantity: str
    values: dict[str, float | None]
    answered: dict[str, int]
    ranges: dict[str, Range | None]


def _true_values(
    patterns: Patterns, poll: Poll, options: ConsensusOptions, true_rates: Mapping[str, TruthRates]
) -> _TrueValues:
    """Return F where F ranks yes/no answers, else the share of right answers."""
    right, answered = _counted(patterns, poll)
    values: dict[str, float | None] = {}
    ranges: dict[str, Range | None] = {}
    by_f = poll.votes is not None and options.method.ranks_by_f
    quantity = f"f{options.beta:g}[{poll.labels[0]}]" if by_f else "accuracy"
    for name, trials in answered.items():
        values[name] = None
        ranges[name] = None
        if by_f:
            values[name] = true_rates[name].f
            ranges[name] = true_rates[name].ranges[2] if trials else None
        elif trials:
            interval = exact(right[name], trials, level=options.level)
            values[name] = right[name] / trials
            ranges[name] = (float(interval.low), float(interval.high))
    return _TrueValues(quantity, values, answered, ranges)


def _counted(patterns: Patterns, poll: Poll) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many right answers each system gave to items with a truth, and how many answers."""
    number = patterns.number * (patterns.truth != MISSING)
    right = {}
    answered = {}
    for place, name in zip(poll.systems, patterns.systems, strict=True):
        answers = poll.codes[poll.rows, place]
        right[name] = int(number @ (answers == poll.truth))
        answered[name] = int(number @ (answers >= 0))
    return right, answered


@dataclass(frozen=True, slots=True)
class _RankAgreement:
    tau: float | None
    ends: Range | None
    unweighted: float | None


def _rank_agreement(
    estimated: Mapping[str, float],
    true: Mapping[str, float],
    answered: Mapping[str, int],
    options: ConsensusOptions,
) -> _RankAgreement:
    """Return the rank correlation of two rankings; systems that the truth hardly knows weigh little."""
    if len(true) < 2:
        return _RankAgreement(None, None, None)
    first = list(estimated.values())
    second = list(true.values())
    items = [answered[name] for name in true]
    weights = weights_of_pairs(second, items)
    interval = rank_agreement_interval(
        first, second, items, weights, level=options.level, seed=options.seed
    )
    ends = None if interval is None else (float(interval.low), float(interval.high))
    return _RankAgreement(kendall(first, second, weights), ends, kendall(first, second))


def _limits_of_majority(patterns: Patterns, poll: Poll) -> Range | None:
    """Return how good the majority could be at worst and at best; None where not all answered all."""
    right, answered = _counted(patterns, poll)
    items = int(patterns.number @ (patterns.truth != MISSING))
    if any(number != items for number in answered.values()):
        return None
    own = [number / items for number in right.values()]
    low = majority_limits(own, ties="wrong").low
    if poll.classes != 2:
        return low, 1.0  # of many classes less than half of the votes may be the most
    return low, majority_limits(own, ties="right").high


def _tied_only_without_truth(
    estimated: Mapping[str, float], true: Mapping[str, float]
) -> tuple[tuple[str, str], ...]:
    tied = []
    for one, other in combinations(estimated, 2):
        if estimated[one] == estimated[other] and true[one] != true[other]:
            tied.append((one, other))
    return tuple(tied)


def _same_third(ranks: Mapping[str, int], true_ranks: Mapping[str, int]) -> dict[str, float]:
    """Return the share of the systems of the upper, middle and lower third that are in the same third by the truth."""
    if len(ranks) < 3:
        return {}
    thirds = _thirds(ranks)
    true_thirds = _thirds(true_ranks)
    shares = {}
    for third in THIRDS:
        members = [name for name in thirds if thirds[name] == third]
        if members:
            same = [name for name in members if true_thirds[name] == third]
            shares[third] = len(same) / len(members)
    return shares


def _thirds(ranks: Mapping[str, int]) -> dict[str, str]:
    """Return the third of each system; tied ones are all in the third of the place in their middle."""
    systems_of_rank = Counter(ranks.values())
    thirds = {}
    for name, rank in ranks.items():
        middle = rank - 1 + (systems_of_rank[rank] - 1) / 2
        thirds[name] = THIRDS[int(3 * middle // len(ranks))]
    return thirds
