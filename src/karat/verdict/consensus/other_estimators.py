"""What other estimators make of the same answers: where they disagree, the ranking rests on the choice among them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat.ask.poll import Poll
from karat.measure.consensus.combined import Combined, combined
from karat.measure.consensus.estimator import Codes, divide
from karat.measure.consensus.voters import Voters
from karat.measure.rank_agreement import kendall, weights_of_pairs
from karat.numeric.arrays import FloatArray

MOST_ANSWERS = 5_000_000
"""Up to how many answers other estimators are asked."""


@dataclass(frozen=True, slots=True)
class OtherEstimators:
    """How the rankings of several estimators agree."""

    taus: Mapping[tuple[str, str], float | None]
    """The rank correlation of every two of them; systems with few answers weigh little."""
    below_chance: int
    """How many systems are no better than chance by one of the models of independent errors."""

    @property
    def least(self) -> tuple[tuple[str, str], float] | None:
        """The two that agree least, and how far; of several, whatever the last digits are, the first by name."""
        known = [(round(tau, 9), pair) for pair, tau in self.taus.items() if tau is not None]
        if not known:
            return None
        tau, pair = min(known)
        return pair, tau


def other_estimators(
    poll: Poll,
    estimator: str,
    values: Mapping[str, float | None],
    majority_labels: Codes,
    model: object = None,
) -> OtherEstimators | None:
    """Return how the ranking agrees with those by the majority, by one-coin and by pooled error rates.

    `model` is what the estimator has fitted, and need not be fitted again if it is of the same answers.
    """
    codes = poll.codes_of_systems
    given = int((codes >= 0).sum())
    if len(poll.systems) < 3 or poll.classes < 2 or not 0 < given <= MOST_ANSWERS:
        return None
    number = poll.number.astype(float)
    names = [poll.voters[place] for place in poll.systems]
    rankings = {estimator: np.array([values[name] or 0.0 for name in names])}
    rankings.setdefault("majority", _shares(codes, number, majority_labels))
    if isinstance(model, Combined) and _is_of_all(model, poll):
        models = model
    else:
        models = combined(Voters(codes, poll.classes), number)
    by_model = [models.one_coin.values]
    rankings.setdefault("one-coin", by_model[0])
    if models.pooled is not None:
        by_model.append(models.pooled.values)
        rankings.setdefault("pooled", by_model[1])
    chance = 1 / poll.classes
    below = [int((np.nan_to_num(part, nan=1.0) <= chance).sum()) for part in by_model]
    return OtherEstimators(_taus(rankings, number @ (codes >= 0)), max(below))


def _is_of_all(model: Combined, poll: Poll) -> bool:
    """Return whether a model was fitted to the answers of all systems, each with a vote of its own."""
    voters = model.one_coin.voters
    only_systems = len(poll.systems) == len(poll.voters)
    return voters.codes is poll.codes and voters.families is None and only_systems


def _shares(codes: Codes, number: FloatArray, labels: Codes) -> FloatArray:
    same = (codes >= 0) & (codes == labels[:, None])
    return divide(number @ same, number @ (codes >= 0))


def _taus(
    rankings: Mapping[str, FloatArray], answers: FloatArray
) -> dict[tuple[str, str], float | None]:
    taus = {}
    judged = answers > 0
    for one, other in combinations(rankings, 2):
        first = np.nan_to_num(rankings[one])[judged].round(9)
        second = np.nan_to_num(rankings[other])[judged].round(9)
        weights = weights_of_pairs(second, answers[judged])
        taus[one, other] = kendall(first, second, weights)
    return taus
