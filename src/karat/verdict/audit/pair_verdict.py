"""What labels that were looked up lead to: counts, verdicts of pairs, and the bets of each draw."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.audit.capital import Bet
from karat.verdict.audit.right_labels import RightLabel

Places = npt.NDArray[np.intp]
OPEN, SETTLED, REFUTED, CERTAIN, TIED = "open", "settled", "refuted", "certain", "tied"


@dataclass(frozen=True, slots=True)
class CheckCounts:
    """Labels looked up: how many, how many of them wrong, how many that cannot be decided."""

    checked: int = 0
    wrong: int = 0
    undecidable: int = 0
    without: int = 0
    """Of items that had no given label, which so cannot be wrong."""

    @property
    def compared(self) -> int:
        """How many labels were looked up where there was a given one."""
        return self.checked - self.without

    def plus(self, given: RightLabel, right: RightLabel) -> "CheckCounts":
        """Return the count with one more label."""
        has_label = bool(given.text)
        is_wrong = has_label and not right.undecidable and given.codes != right.codes
        return CheckCounts(
            self.checked + 1,
            self.wrong + int(is_wrong),
            self.undecidable + int(right.undecidable),
            self.without + int(not has_label),
        )


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What may be said of one pair of one claim, and since when."""

    verdict: str
    first_is_better: bool
    """Whether the claimed system is the better one, where the verdict names one."""
    count: CheckCounts
    capital: float
    """That of the claim; where it is refuted, that of the opposite claim."""
    needed: float

    @property
    def holds(self) -> bool:
        """Whether the claimed system is better."""
        return self.verdict in {SETTLED, CERTAIN} and self.first_is_better


@dataclass(frozen=True, slots=True, eq=False)
class CountedLabel:
    """One label that counted: the draw, the item, its right label, and the bets of the pairs that dispute it."""

    draw: int
    item: int
    right: RightLabel
    pairs: Places
    bet: Bet
    opposite: Bet
    """The bets on the opposite claims."""
