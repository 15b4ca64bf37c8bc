"""The options about wrong labels: shares, checks and guesses, as a user writes them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.error_rate import (
    Belief,
    ErrorRate,
    belief,
    from_check,
    from_double,
    gauss_belief,
)
from karat.errors import OptionError
from karat.tally.digest import digest
from karat.words import NUMBER


@dataclass(frozen=True, slots=True)
class LabelErrorRates:
    """Shares of wrong labels, for all labels or by label, with what is known about them and where it comes from."""

    rates: tuple[float, ...] = ()
    by_label: Mapping[str, float] = field(default_factory=dict)
    moves: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """P(true | given), given label to true label, where more than the share is known."""
    rest: float = 0.0
    """The share among labels that are not named, where shares are by label."""
    about: Belief | None = None
    """The distribution of the share, where it is not known exactly."""
    words: tuple[str, ...] = ()
    """Where the shares come from, for the notes of a result."""

    def among(self, label: Callable[[str], str]) -> "LabelErrorRates":
        """Return the same with labels named as in the table: yes where a user wrote 1."""
        by_label = {label(name): rate for name, rate in self.by_label.items()}
        moves = {}
        for name, row in self.moves.items():
            moves[label(name)] = {label(true): share for true, share in row.items()}
        return replace(self, by_label=by_label, moves=moves)

    def signed(self) -> str:
        """Return the text that stands for it in a signature."""
        if not self.by_label:
            return str(self.rates)
        kind = "matrix" if self.moves else "per-class"
        parts = [sorted(self.by_label.items()), sorted(self.moves.items()), self.rest]
        return f"{kind} {digest([repr(part) for part in parts])}"


def parse_label_errors(
    given: "float | Sequence[float] | Mapping[str, float] | str | LabelErrorRates | None",
    *,
    level: float = 0.95,
) -> LabelErrorRates:
    """Return the label errors given as a share, several, one by label, a guess (0.03+-0.01) or a check (3/100).

    >>> parse_label_errors(0.03).rates, parse_label_errors((0.01, 0.05)).rates
    ((0.03,), (0.01, 0.05))
    """
    if given is None:
        return LabelErrorRates()
    if isinstance(given, LabelErrorRates):
        return given
    if isinstance(given, Mapping):
        return LabelErrorRates(by_label={str(name): float(rate) for name, rate in given.items()})
    if isinstance(given, str):
        return _of_text(given, level)
    if isinstance(given, float | Real):
        return LabelErrorRates((float(given),))
    return LabelErrorRates(tuple(float(rate) for rate in given))


def of_annotators(
    table: npt.ArrayLike, names: tuple[str, str], *, level: float = 0.95
) -> LabelErrorRates:
    """Return the share of wrong labels of each of two annotators of the same items, from how often they disagree."""
    rate = from_double(table, level=level)
    both = f"{names[0]!r} and {names[1]!r} label {int(np.sum(table)):,} items"
    if rate.value is None:
        raise OptionError(
            f"{both} and agree no more often than by chance; so the share of wrong labels cannot be estimated"
        )
    wrong = f"{100 * rate.value:.3g} % of each one's labels are wrong"
    words = f"{both}: {wrong}, {_between(rate)} at level {level:g}."
    return LabelErrorRates((rate.value,), words=(words,))


def _of_text(text: str, level: float) -> LabelErrorRates:
    """Return the label errors of a guess or a check."""
    if guess := re.fullmatch(rf"({NUMBER})\+-({NUMBER})", text):
        return _of_guess(float(guess[1]), float(guess[2]))
    check = re.fullmatch(r"(\d{1,18})/([1-9]\d{0,17})", text)
    if not check:
        raise OptionError(
            f"the label error is {text!r}; write a check as 3/100, a guess as 0.03+-0.01"
        )
    wrong = int(check[1])
    checked = int(check[2])
    if wrong > checked:
        raise OptionError(
            f"the label error is {text!r}; there cannot be more wrong labels than were checked"
        )
    return _of_check(wrong, checked, level)


def _of_guess(mean: float, deviation: float) -> LabelErrorRates:
    words = "Pairs are averaged over that guess, the ranking uses its mean."
    return LabelErrorRates((mean,), about=gauss_belief(mean, deviation), words=(words,))


def _of_check(wrong: int, checked: int, level: float) -> LabelErrorRates:
    rate = from_check(wrong, checked, level=level)
    counts = f"{wrong} of {checked} checked labels were wrong"
    words = (
        f"{counts}: {_between(rate)} of all, at level {level:g}; pairs are averaged over the possible shares, "
        "the ranking uses their mean."
    )
    # The mean of the distribution: a check without a wrong label does not mean that there are none.
    mean = (wrong + 0.5) / (checked + 1)
    return LabelErrorRates((mean,), about=belief(wrong, checked), words=(words,))


def _between(rate: ErrorRate) -> str:
    return f"between {100 * rate.low:.3g} % and {100 * rate.high:.3g} %"
