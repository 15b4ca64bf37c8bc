"""How likely each label is the right one of an item, before any label was looked up."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from karat.doubt.label_noise.informed.constants import LEARNT, Constants
from karat.doubt.label_noise.informed.items import DisputedLabels
from karat.numeric.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class LikelyLabels:
    """The model `informed` with every unknown at its mean: one probability a label, no doubt about it."""

    disputes: DisputedLabels
    wrong: FloatArray
    """The probability that the given label is wrong, by row."""
    shares: FloatArray
    """The probability of each alternative, if it is."""

    def chance_of(self, labels: IntArray) -> FloatArray:
        """Return how likely these labels, one a row, are right; those below 0 are not labels, and are never right."""
        hit = (self.disputes.alternatives == labels[:, None]) & (labels >= 0)[:, None]
        as_alternative = self.wrong * (self.shares * hit).sum(axis=1)
        return np.where(labels == self.disputes.items.given, 1 - self.wrong, as_alternative)


def likely_labels(disputes: DisputedLabels, constants: Constants = LEARNT) -> LikelyLabels:
    """Return how likely each label is right, from who contradicts the given one."""
    linear = constants.intercept + constants.slope * disputes.log_odds
    linear += constants.unanimity * disputes.unanimity
    votes = np.zeros_like(disputes.shares)
    answered = disputes.shares > 0
    votes[answered] = disputes.shares[answered] ** constants.exponent
    total = votes.sum(axis=1, keepdims=True)
    shares = special.expit(constants.answered) * votes / np.where(total > 0, total, 1.0)
    return LikelyLabels(disputes, special.expit(linear), shares)
