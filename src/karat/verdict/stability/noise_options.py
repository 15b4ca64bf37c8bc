"""Options of a question about wrong labels in the truth: how many, for which pairs, with which draws."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from karat.ask.label_errors import LabelErrorRates
from karat.doubt.interval import check_chance, check_level
from karat.doubt.label_noise.error_model import ErrorModel
from karat.errors import OptionError, UnknownNameError
from karat.words import any_of

MODELS = (None, "uniform", "informed")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions:
    """Which errors of the truth are assumed, and for which systems."""

    label_errors: LabelErrorRates = field(default_factory=LabelErrorRates)
    wrong: int | None = None
    """How many labels are wrong, in place of a share."""
    at_most: bool = False
    """Whether it is at most so many, every such labelling equally likely."""
    classes: int | None = None
    pair: tuple[str, str] | None = None
    all_pairs: bool = False
    few: bool = False
    """Whether the items are resampled, too: few items and wrong labels in one number."""
    model: str | None = None
    """uniform or informed; None: rows for errors by chance, and the model informed added where it applies."""
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)
        if self.model not in MODELS:
            raise OptionError(f"--model is {self.model!r}; it takes {any_of(MODELS[1:])} here")
        if self.model == "informed" and (self.label_errors.by_label or self.wrong is not None):
            raise OptionError(
                "--model informed takes one share of wrong labels, or labels that were checked; "
                "leave shares by label and --wrong out"
            )
        by_share = self.label_errors.rates or self.label_errors.by_label or self.few
        if self.wrong is not None and by_share:
            raise OptionError(
                "--wrong is a number of labels, --label-error and --few are about shares; give one"
            )
        if self.at_most and self.wrong is None:
            raise OptionError("--at-most goes with --wrong M")

    def models(self, classes: int) -> list[ErrorModel]:
        """Return the models of the errors that are assumed."""
        models = [ErrorModel(rate, classes) for rate in self.label_errors.rates]
        if self.label_errors.by_label:
            rates = self.label_errors
            models.append(ErrorModel(rates.by_label, classes, rates.moves, rates.rest))
        return models


def requested_pairs(order: Sequence[str], noise_options: NoiseOptions) -> list[tuple[str, str]]:
    """Return the requested pairs, the better one first: one pair, all, or neighbours in the ranking."""
    if noise_options.pair:
        return [_one_pair(order, noise_options.pair)]
    if noise_options.all_pairs:
        return list(combinations(order, 2))
    return list(pairwise(order))


def _one_pair(order: Sequence[str], pair: tuple[str, str]) -> tuple[str, str]:
    if pair[0] == pair[1]:
        raise OptionError(f"--pair names {pair[0]!r} twice; a pair is two systems")
    for name in pair:
        if name not in order:
            raise UnknownNameError("system", name, order)
    better, worse = sorted(pair, key=order.index)
    return better, worse
