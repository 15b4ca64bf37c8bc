"""What is asked about wrong labels in the truth: how many, of which pairs, with which chance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from karat.ask.label_errors import SaidErrors
from karat.doubt.interval import check_chance, check_level
from karat.doubt.label_noise.error_model import ErrorModel
from karat.errors import OptionError, UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What is asked about errors in the truth."""

    said: SaidErrors = field(default_factory=SaidErrors)
    wrong: int | None = None
    """How many labels are wrong, in place of a share."""
    at_most: bool = False
    """Whether it is at most so many, every such labelling equally likely."""
    classes: int | None = None
    pair: tuple[str, str] | None = None
    all_pairs: bool = False
    few: bool = False
    """Whether the items, too, are resampled: both doubts in one number."""
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)
        if self.wrong is not None and (self.said.rates or self.said.by_label or self.few):
            raise OptionError(
                "--wrong is a number of labels, --label-error and --few speak of shares; say one"
            )
        if self.at_most and self.wrong is None:
            raise OptionError("--at-most goes with --wrong M")

    def models(self, classes: int) -> list[ErrorModel]:
        """Return the models of the errors that are asked about."""
        models = [ErrorModel(rate, classes) for rate in self.said.rates]
        if self.said.by_label:
            said = self.said
            models.append(ErrorModel(said.by_label, classes, said.moves, said.rest))
        return models


def asked_pairs(order: Sequence[str], faults: Faults) -> list[tuple[str, str]]:
    """Return the pairs that are asked about, the better one first."""
    if faults.pair:
        if faults.pair[0] == faults.pair[1]:
            raise OptionError(f"--pair names {faults.pair[0]!r} twice; a pair is two systems")
        for name in faults.pair:
            if name not in order:
                raise UnknownNameError("system", name, order)
        one, other = sorted(faults.pair, key=order.index)
        return [(one, other)]
    return list(combinations(order, 2)) if faults.all_pairs else list(pairwise(order))
