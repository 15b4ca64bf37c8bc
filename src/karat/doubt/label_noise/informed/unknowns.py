"""Unknowns that all wrong labels of a table share: drawn from other benchmarks, a given share or checked items."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from karat.doubt.label_noise.informed.checked_items import FittedCheck
from karat.doubt.label_noise.informed.constants import Constants
from karat.doubt.label_noise.informed.items import DisputedLabels
from karat.numeric.arrays import FloatArray

LEAST_EXPONENT = 0.2
"""However the votes are spread, the right label follows them at least this closely."""
Shares = Callable[[np.random.Generator, int], FloatArray]
"""From a generator and a number of draws to as many shares of wrong labels."""


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """Some draws of what all items share, a row a draw."""

    intercept: FloatArray
    slope: FloatArray
    unanimity: FloatArray
    answered: FloatArray
    exponent: FloatArray
    by_label: FloatArray
    by_pair: FloatArray
    by_right_label: FloatArray
    by_system: FloatArray
    by_group: FloatArray
    share: FloatArray | None
    """The share of wrong labels, which then decides the intercept."""


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What is known of the unknowns of a table: from other benchmarks, a stated share, and labels that were checked."""

    disputes: DisputedLabels
    constants: Constants
    shares: Shares | None = None
    check: FittedCheck | None = None

    def draw(self, random: np.random.Generator, size: int) -> Unknowns:
        """Return so many draws of all unknowns."""
        constants = self.constants
        labels = len(self.disputes.items.labels)
        columns = [
            random.normal(constants.intercept, constants.intercept_sd, size),
            random.normal(constants.slope, constants.slope_sd, size),
            random.normal(constants.unanimity, constants.unanimity_sd, size),
        ]
        by_system = random.normal(size=(size, len(self.disputes.weights)))
        by_system *= constants.by_system * np.sqrt(self.disputes.weights)
        by_label = random.normal(0, constants.by_label, (size, labels))
        by_group = random.normal(0, constants.by_group, (size, self.disputes.items.groups))
        by_pair = random.normal(0, constants.by_alternative, (size, self.disputes.pairs))
        by_right_label = random.normal(0, constants.by_right_label, (size, labels))
        answered = random.normal(constants.answered, constants.answered_sd, size)
        exponent = random.normal(constants.exponent, constants.exponent_sd, size)
        check = self.check
        if check is not None:
            drawn = check.draw(random, size)
            columns = list(drawn[:, :3].T)
            by_system, fitted_labels, fitted_groups = check.split(drawn)
            by_label[:, check.labels] = fitted_labels
            by_group[:, check.groups] = fitted_groups
            by_right_label[:, check.right_labels] = check.draw_right_labels(random, size)
            answered = check.draw_answered(random, size)
        return Unknowns(
            intercept=columns[0],
            slope=np.maximum(columns[1], 0),
            unanimity=columns[2],
            answered=special.expit(answered),
            exponent=np.maximum(exponent, LEAST_EXPONENT),
            by_label=by_label,
            by_pair=by_pair,
            by_right_label=by_right_label,
            by_system=by_system,
            by_group=by_group,
            share=None if self.shares is None else self.shares(random, size),
        )
