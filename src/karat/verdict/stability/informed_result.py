"""How robust a ranking is by the model informed: the result, and its words."""

from dataclasses import dataclass
from typing import Any

from karat.result.probabilities import likely
from karat.verdict.stability.orders import PairStability, RankingStability

SAFE = "safe"
OPEN = "open"
PROBABLY_REVERSED = "probably reversed"
HERE = "on these items"
NOT_LEARNT = (
    "Do not rely on safe where a system was trained on these labels, or helped to make them."
)
ENOUGH_TO_SHOW = 1000
"""So many checked labels show which systems repeat wrong ones; fewer did not (bench/real/label_error_worlds.py)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversedPairs:
    """How many orders of all pairs of systems are forecast to be reversed."""

    expected: float
    low: int
    high: int
    of: int
    level: float

    def about(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        return {
            "expected": self.expected,
            "low": self.low,
            "high": self.high,
            "of": self.of,
            "level": self.level,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class InformedStability:
    """How robust a ranking is to errors that lie where systems contradict the labels."""

    pairs: tuple[PairStability, ...]
    ranking: RankingStability
    reversed_pairs: ReversedPairs
    checked: int
    wrong: int
    """Labels that were looked up, and how many of them were wrong."""
    share_known: bool
    copies: float
    """The effective number of systems: near-copies count together as one."""

    def verdict(self, better: str, worse: str) -> str | None:
        """Return the verdict on a pair."""
        for pair in self.pairs:
            if (pair.better, pair.worse) == (better, worse):
                return pair.verdict
        return None

    def verdict_words(self, on_items: str = HERE) -> str:
        """Return what the verdicts mean, of which items."""
        by_chance = ", and by chance," if self.share_known else ""
        words = (
            f"safe: by this model{by_chance} the order is reversed with a probability below 0.01, {on_items}; "
            "open: the probability is higher, or not known."
        )
        if self.checked < ENOUGH_TO_SHOW:
            words += f" {NOT_LEARNT}"
        return words

    def about(self) -> dict[str, Any]:
        """Return what holds for all pairs, as plain values."""
        about = self.ranking.about()
        about["reversed_pairs"] = self.reversed_pairs.about()
        about["checked"] = self.checked
        about["wrong"] = self.wrong
        return about

    def words(self) -> str:
        """Return the forecast in words."""
        count = self.reversed_pairs
        words = f"Informed: {self.ranking.words}, as on re-annotated benchmarks, "
        if count.of == 0:
            return f"{words}ties may be broken, but there is no order to reverse."
        if count.of == 1:
            reversed_order = likely(count.expected, self.ranking.under_noise.method)
            words += f"the order is reversed with probability {reversed_order}"
        else:
            words += (
                f"{count.expected:.3g} of all {count.of:,} orders are expected to be reversed ({count.low:,} to "
                f"{count.high:,} with probability {count.level:g})"
            )
        if self.checked:
            return f"{words}, after {self.checked:,} checked labels of which {self.wrong:,} were wrong."
        if self.share_known:
            return f"{words}. Only a check can show which ones: look up the labels of items drawn at random."
        return (
            f"{words}. No share of wrong labels was given; guessed from other benchmarks, it may be five times too "
            "high or too low: check some labels."
        )
