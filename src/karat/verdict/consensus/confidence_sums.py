"""Confidences that vote by their sums: what was counted, and whether it gives an interval."""

from dataclasses import dataclass

from karat.ask.voting import HALF
from karat.tally.votes.covotes import BlockedCovotes, Covotes


@dataclass(frozen=True, slots=True, eq=False)
class SummedConfidences:
    """The sums of the votes, and those of each block of items where an interval is wanted and possible."""

    covotes: Covotes
    blocks: BlockedCovotes | None = None
    why: str = ""
    """Why there are no blocks, if they were wanted."""

    @property
    def remark(self) -> str:
        """What a reader must know."""
        text = (
            "So many confidences vote by their sums; agreement, families and majority are of yes and no, "
            f"from {HALF} on."
        )
        if self.why:
            text += f" No spread over items: {self.why}."
        return text
