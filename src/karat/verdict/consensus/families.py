"""Which systems have correlated errors, and so one vote together."""

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll, families_of
from karat.ask.voting import TRUTH, ConsensusOptions
from karat.doubt.consensus.correlated_systems import CorrelatedSystems, correlated_systems
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns

MOST_CLASSES = 50
"""Up to how many classes families are detected."""
MOST_SYSTEMS = 200


def correlation(poll: Poll, patterns: Patterns, level: float) -> CorrelatedSystems | None:
    """Return which systems have correlated errors, by the truth where there is some; None where it cannot be tested."""
    systems = poll.systems
    testable = 3 < len(systems) <= MOST_SYSTEMS and 1 < poll.classes <= MOST_CLASSES
    if not testable:
        return None
    truth = None
    if patterns.meaning.truth_sep is None and (patterns.truth != MISSING).any():
        truth = poll.truth
    codes = poll.codes[poll.rows][:, systems]
    number = patterns.number.astype(float)
    return correlated_systems(codes, number, classes=poll.classes, truth=truth, level=level)


def families_for(
    poll: Poll,
    patterns: Patterns,
    options: ConsensusOptions,
    correlated: CorrelatedSystems | None = None,
) -> npt.NDArray[np.int64] | None:
    """Return the family of each voter: as named by the user, or as detected where that is requested."""
    detected = None
    if options.finds_families:
        correlated = correlated or correlation(poll, patterns, options.level)
        if correlated is not None:
            detected = correlated.families
            if TRUTH in poll.voters:
                its_own = detected.max() + 1
                detected = np.append(detected, its_own)
    return families_of(poll, options.families, detected)
