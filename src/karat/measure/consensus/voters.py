"""The voters as a model of their errors takes them: their answers, and which of them have one vote together."""

from dataclasses import dataclass

import numpy as np

from karat.errors import OptionError
from karat.measure.consensus.estimator import Codes, EstimatorInput
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """The answers, and the families of those who have one vote together."""

    codes: Codes
    classes: int
    families: Codes | None = None

    @property
    def weights(self) -> FloatArray:
        """1/m for each of the m members of a family, exponents of their error rates."""
        systems = self.codes.shape[1]
        if self.families is None:
            return np.ones(systems)
        sizes = np.array([(self.families == family).sum() for family in self.families])
        return np.asarray(1 / sizes)

    def shared(self) -> list[list[int]]:
        """Return the members of each family that has several."""
        if self.families is None:
            return []
        shared = []
        for family in np.unique(self.families):
            members = np.flatnonzero(self.families == family)
            if len(members) > 1:
                shared.append(members.tolist())
        return shared


def voters_of(answers: EstimatorInput, estimator: str) -> Voters:
    """Return the voters; refuse oracles, which these models do not take."""
    if answers.oracles:
        raise OptionError(
            f"{estimator} takes no oracle; use the vote, or dawid-skene for (truth)=1"
        )
    return Voters(answers.codes, max(2, answers.classes), answers.families)
