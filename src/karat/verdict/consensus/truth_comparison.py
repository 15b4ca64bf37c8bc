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
from karat.measure.consensus.majority import majority_limits
from karat.measure.rank_agreement import kendall
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.truth_rates import TruthRates
from karat.verdict.ranking import ranking

THIRDS = ("top", "middle", "bottom")


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthComparison:
    """The ranking by the truth, beside the one without it."""

    quantity: str
    values: Mapping[str, float | None]
    ranks: Mapping[str, int]
    tau: float | None
    tiers: Mapping[str, float]
    """The share of the systems of each third that are in the same third by the truth."""
    tied: tuple[tuple[str, str], ...]
    """Pairs tied without the truth and different with it."""
    majority: float
    """How often the majority is right."""
    majority_low: float
    majority_high: float
    """The least and the most it could be, given how often each system is right."""
    items: int

    def summary(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        return {
            "measure": self.quantity,
            "items": self.items,
            "tau": self.tau,
            "tiers": dict(self.tiers),
            "tied_apart": [list(pair) for pair in self.tied],
            "majority": {
                "accuracy": self.majority,
                "low": self.majority_low,
                "high": self.majority_high,
            },
        }


def compare_with_truth(
    patterns: Patterns,
    poll: Poll,
    polling: ConsensusOptions,
    values: Mapping[str, float | None],
    true_rates: Mapping[str, TruthRates],
    majority_labels: npt.NDArray[np.int64],
) -> TruthComparison | None:
    """Return the ranking by the truth beside the one without, on the items that have a truth."""
    has_truth = patterns.truth != MISSING
    if not has_truth.any() or patterns.meaning.truth_sep is not None:
        return None
    accuracies = _accuracies(patterns, poll)
    if poll.votes is not None and polling.method.ranks_by_f:
        quantity = f"f{polling.beta:g}[{poll.labels[0]}]"
        true_values = {name: rates.f for name, rates in true_rates.items()}
    else:
        quantity = "accuracy"
        true_values = accuracies
    estimated = {}
    true = {}
    for name in patterns.systems:
        value = values[name]
        true_value = true_values[name]
        if value is not None and true_value is not None:
            estimated[name] = value
            true[name] = true_value
    number = patterns.number[has_truth]
    majority_right = majority_labels[poll.rows[has_truth]] == poll.truth[has_truth]
    low, high = _limits_of_majority(accuracies, poll)
    return TruthComparison(
        quantity=quantity,
        values=true_values,
        ranks=ranking(true_values),
        tau=kendall(list(estimated.values()), list(true.values())),
        tiers=_same_third(ranking(estimated), ranking(true)),
        tied=_tied_only_without_truth(estimated, true),
        majority=float(number @ majority_right / number.sum()),
        majority_low=low,
        majority_high=high,
        items=int(number.sum()),
    )


def _accuracies(patterns: Patterns, poll: Poll) -> dict[str, float | None]:
    """Return each system's share of right answers; a missing one is wrong."""
    number = patterns.number * (patterns.truth != MISSING)
    accuracies: dict[str, float | None] = {}
    for place, name in zip(poll.systems, patterns.systems, strict=True):
        right = poll.codes[poll.rows, place] == poll.truth
        accuracies[name] = float(number @ right) / float(number.sum())
    return accuracies


def _limits_of_majority(accuracies: Mapping[str, float | None], poll: Poll) -> tuple[float, float]:
    """Return how good the majority could be at worst and at best."""
    own = [accuracy or 0.0 for accuracy in accuracies.values()]
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
