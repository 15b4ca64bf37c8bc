"""Which systems have correlated errors, and so one vote together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll, families_of
from karat.ask.voting import TRUTH, ConsensusOptions
from karat.doubt.consensus.correlated_systems import CollectiveBias, collective_bias
from karat.measure.consensus.dawid_skene import DawidSkene, dawid_skene

MOST_CLASSES = 50
"""Up to how many classes families are detected."""
MOST_SYSTEMS = 200


@dataclass(frozen=True, slots=True, eq=False)
class CorrelatedErrors:
    """A model of independent errors, and where systems agree beyond it."""

    fit: DawidSkene
    bias: CollectiveBias


def correlation(poll: Poll, level: float) -> CorrelatedErrors | None:
    """Return which systems agree more often than their accuracies explain; None where that cannot be tested."""
    systems = poll.systems
    testable = 3 < len(systems) <= MOST_SYSTEMS and 1 < poll.classes <= MOST_CLASSES
    if not testable:
        return None
    codes = poll.codes[:, systems]
    number = poll.number.astype(float)
    fit = dawid_skene(codes, number, classes=poll.classes, rounds=200, tolerance=1e-7)
    bias = collective_bias(codes, number, fit, level=level)
    return CorrelatedErrors(fit, bias)


def families_for(
    poll: Poll, polling: ConsensusOptions, correlated: CorrelatedErrors | None = None
) -> npt.NDArray[np.int64] | None:
    """Return the family of each voter: as named by the user, or as detected where that is requested."""
    detected = None
    if polling.finds_families:
        correlated = correlated or correlation(poll, polling.level)
        if correlated is not None:
            detected = correlated.bias.families
            if TRUTH in poll.voters:
                its_own = detected.max() + 1
                detected = np.append(detected, its_own)
    return families_of(poll, polling.families, detected)
