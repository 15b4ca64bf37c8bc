"""What a user says about wrong labels."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from karat.doubt.error_rate import BetaBelief, belief, from_check
from karat.errors import OptionError


@dataclass(frozen=True, slots=True)
class SaidErrors:
    """Shares of wrong labels to look at, shares by label, what a check lets believe, and where it comes from."""

    rates: tuple[float, ...] = ()
    by_label: Mapping[str, float] = field(default_factory=dict)
    about: BetaBelief | None = None
    words: tuple[str, ...] = ()


def said_errors(said: float | Sequence[float] | Mapping[str, float] | str | None, *, level: float = 0.95) -> SaidErrors:
    """Return what is said: a share, several, one by label, or a check such as 3/100 (3 of 100 labels were wrong).

    >>> said_errors("3/100").rates, said_errors((0.01, 0.05)).rates
    ((0.03,), (0.01, 0.05))
    """
    if said is None:
        return SaidErrors()
    if isinstance(said, Mapping):
        return SaidErrors(by_label={str(name): float(rate) for name, rate in said.items()})
    if isinstance(said, str):
        return _checked(said, level)
    return SaidErrors((float(said),) if isinstance(said, int | float) else tuple(float(rate) for rate in said))


def _checked(text: str, level: float) -> SaidErrors:
    check = re.fullmatch(r"(\d+)/([1-9]\d*)", text)
    if not check:
        raise OptionError(f"the label error is {text!r}; a check is written WRONG/CHECKED, as 3/100")
    wrong, checked = int(check[1]), int(check[2])
    if wrong > checked:
        raise OptionError(f"the label error is {text!r}; there cannot be more wrong labels than were checked")
    found = from_check(wrong, checked, level=level)
    between = f"between {100 * found.low:.3g} % and {100 * found.high:.3g} % of all"
    words = (
        f"{wrong} of {checked} checked labels were wrong: {between}, at level {level:g}; kept is averaged over that."
    )
    return SaidErrors((wrong / checked,), about=belief(wrong, checked), words=(words,))
