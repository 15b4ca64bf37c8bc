"""Which systems share their errors, and so have one vote together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.ask.voting import TRUTH, Poll, Polling, families_of
from karat.doubt.consensus.correlated_systems import CollectiveBias, collective_bias
from karat.measure.consensus.dawid_skene import DawidSkene, dawid_skene

MOST_CLASSES = 50
"""Up to how many classes families are looked for."""
MOST_SYSTEMS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Kinship:
    """A model of independent errors, and where systems agree beyond it."""

    fit: DawidSkene
    bias: CollectiveBias


def kinship(poll: Poll, level: float) -> Kinship | None:
    """Return which systems agree beyond what their accuracies explain, where that can be told."""
    systems = poll.systems
    if not 3 < len(systems) <= MOST_SYSTEMS or not 1 < poll.classes <= MOST_CLASSES:
        return None
    codes, number = poll.codes[:, systems], poll.number.astype(float)
    fit = dawid_skene(codes, number, classes=poll.classes, rounds=200, tolerance=1e-7)
    return Kinship(fit, collective_bias(codes, number, fit, level=level))


def families_for(
    poll: Poll, polling: Polling, kin: Kinship | None = None
) -> npt.NDArray[np.int64] | None:
    """Return the family of each voter: as said, or as found where that is asked."""
    found = None
    if polling.finds_families:
        kin = kin or kinship(poll, polling.level)
        found = None if kin is None else kin.bias.families
        if found is not None and TRUTH in poll.voters:
            found = np.append(found, found.max() + 1)
    return families_of(poll, polling.families, found)
