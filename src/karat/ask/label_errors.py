"""What a user says about wrong labels."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.error_rate import Belief, belief, from_check, from_double, gauss_belief
from karat.errors import OptionError
from karat.tally.digest import digest
from karat.words import NUMBER


@dataclass(frozen=True, slots=True)
class SaidErrors:
    """Shares of wrong labels to look at, shares by label, what a check lets believe, and where it comes from."""

    rates: tuple[float, ...] = ()
    by_label: Mapping[str, float] = field(default_factory=dict)
    moves: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """P(true | given), given label to true label, where more than the share is known."""
    rest: float = 0.0
    """The share among labels that are not named, where shares are by label."""
    about: Belief | None = None
    words: tuple[str, ...] = ()

    def among(self, label: Callable[[str], str]) -> "SaidErrors":
        """Return it with the names of labels as the table has them: yes where it says 1."""
        moves = {
            label(name): {label(true): share for true, share in row.items()}
            for name, row in self.moves.items()
        }
        return replace(
            self, by_label={label(name): rate for name, rate in self.by_label.items()}, moves=moves
        )

    def signed(self) -> str:
        """Return it as a signature has it."""
        if not self.by_label:
            return str(self.rates)
        kind = "matrix" if self.moves else "per-class"
        parts = [sorted(self.by_label.items()), sorted(self.moves.items()), self.rest]
        return f"{kind} {digest([repr(part) for part in parts])}"


def said_errors(
    said: "float | Sequence[float] | Mapping[str, float] | str | SaidErrors | None",
    *,
    level: float = 0.95,
) -> SaidErrors:
    """Return what is said: a share, several, one by label, a guess such as 0.03+-0.01, or a check such as 3/100.

    >>> said_errors(0.03).rates, said_errors((0.01, 0.05)).rates
    ((0.03,), (0.01, 0.05))
    """
    if said is None or isinstance(said, SaidErrors):
        return said or SaidErrors()
    if isinstance(said, Mapping):
        return SaidErrors(by_label={str(name): float(rate) for name, rate in said.items()})
    if isinstance(said, str):
        return _checked(said, level)
    return SaidErrors(
        (float(said),) if isinstance(said, float | Real) else tuple(float(rate) for rate in said)
    )


def of_annotators(
    table: npt.ArrayLike, names: tuple[str, str], *, level: float = 0.95
) -> SaidErrors:
    """Return what two annotators of the same items let say: how many of each one's labels are wrong."""
    found = from_double(table, level=level)
    disagree = f"{names[0]!r} and {names[1]!r} label {int(np.sum(table)):,} items"
    if found.value is None:
        raise OptionError(
            f"{disagree} and agree no more often than by chance; that does not say how many are wrong"
        )
    between = f"between {100 * found.low:.3g} % and {100 * found.high:.3g} %"
    words = f"{disagree}: {100 * found.value:.3g} % of each one's labels are wrong, {between} at level {level:g}."
    return SaidErrors((found.value,), words=(words,))


def _checked(text: str, level: float) -> SaidErrors:
    if guess := re.fullmatch(rf"({NUMBER})\+-({NUMBER})", text):
        mean, deviation = float(guess[1]), float(guess[2])
        words = "the pairs average over that guess, the ranking takes its mean."
        return SaidErrors((mean,), about=gauss_belief(mean, deviation), words=(words,))
    check = re.fullmatch(r"(\d+)/([1-9]\d*)", text)
    if not check:
        raise OptionError(
            f"the label error is {text!r}; write a check as 3/100, a guess as 0.03+-0.01"
        )
    wrong, checked = int(check[1]), int(check[2])
    if wrong > checked:
        raise OptionError(
            f"the label error is {text!r}; there cannot be more wrong labels than were checked"
        )
    found = from_check(wrong, checked, level=level)
    between = f"between {100 * found.low:.3g} % and {100 * found.high:.3g} % of all"
    found_wrong = f"{wrong} of {checked} checked labels were wrong: {between}, at level {level:g}"
    words = f"{found_wrong}; the pairs average over that, the ranking takes its mean."
    # The mean of the belief: a check without a fault does not say that there are none.
    return SaidErrors(
        ((wrong + 0.5) / (checked + 1),), about=belief(wrong, checked), words=(words,)
    )
