"""What a user may say about an audit: the claims, the risk, the seed, and which draws go to all items."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from karat.errors import OptionError
from karat.words import listing

Claimed = str | tuple[str, str]
GUIDES = ("informed",)
"""The models that may guide the draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What is fixed before the first label."""

    claims: tuple[Claimed, ...]
    risk: float = 0.05
    seed: str | None = None
    """Any text or number; None takes a hash of the table."""
    random: float = 0.0
    """The share of the draws that goes to all items, disputed or not."""
    new_items: bool = False
    guide: str | None = None
    """The model that says which items are drawn more often; None: all alike."""

    def __post_init__(self) -> None:
        """Refuse options that make no sense, before anything is computed."""
        if not self.claims:
            raise OptionError(
                "name what is claimed with --claim: best, order or two systems, as A,B"
            )
        if not 0 < self.risk <= 0.5:
            raise OptionError(
                f"--risk is {self.risk:g}; it is the probability of a false verdict, such as 0.05, and at most 0.5"
            )
        if not 0 <= self.random <= 1:
            raise OptionError(
                f"--random is {self.random:g}; it is the share of the draws that goes to all items, such as 0.2"
            )
        if self.guide is not None and self.guide not in GUIDES:
            raise OptionError(
                f"--guide is {self.guide!r}; it is {listing(GUIDES)}, or left out for even draws"
            )
        if self.guide and self.random:
            raise OptionError(
                "--random draws evenly from all items, --guide prefers some; leave one of the two out"
            )
        if self.seed is not None and not self.seed.strip():
            raise OptionError("--seed is empty; give a number or a word, or leave it out")

    @property
    def share_of_all(self) -> Fraction:
        """`random` as it was written: 0.2 is 1/5, whatever a machine makes of it."""
        return Fraction(repr(self.random))


def claims_given(claim: Any) -> tuple[Claimed, ...]:
    """Return the claims of Python's `claim`: a text, a pair of systems, or a list of these.

    >>> claims_given(("a", "b")), claims_given(["best", ("a", "b")]), claims_given("a,b")
    ((('a', 'b'),), ('best', ('a', 'b')), ('a,b',))
    """
    if isinstance(claim, str):
        return (claim,)
    if isinstance(claim, tuple) and len(claim) == 2 and all(isinstance(one, str) for one in claim):
        return ((claim[0], claim[1]),)
    if not isinstance(claim, Sequence):
        raise OptionError(
            f"claim is {claim!r}; it is 'best', 'order', a pair of systems, or a list of these"
        )
    claims: list[Claimed] = []
    for one in claim:
        claims += claims_given(one)
    return tuple(claims)
