"""How systems are to be judged where nobody knows the truth: the options of a consensus, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.doubt.interval import check_chance, check_level
from karat.errors import OptionError
from karat.measure.consensus import DEFAULT_ESTIMATOR, ESTIMATORS

if TYPE_CHECKING:
    from karat.measure.consensus.estimator import Estimator

TRUTH = "(truth)"
"""The truth, where it votes with the systems."""
ALL = "(all)"
"""The virtual system that retrieves everything."""
NONE = "(none)"
"""The virtual system that retrieves nothing."""
HALF = 0.5
"""From which confidence on a vote is a yes, where only yes and no can be used."""
MANY = 50_000
"""With more items than this confidences vote by their sums; nearly every item would be a pattern of its own."""
AT_HALF = f"Agreement, families, majority and truth are of yes and no: a confidence from {HALF} on is a yes."
VOTE = "vote"
"""The estimator that takes weights and oracles, votes with confidences, and can be shown in parts."""
ONLY_OF_VOTES = ("trust", "oracles", "beta")
"""Options that mean the vote, where no estimator is named."""
PARTS_OF_ALL = ("total", "item")
"""What every estimator may be shown by; all other parts are of the vote."""
FOUND = "found"
"""The name that asks for families to be detected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusOptions:
    """How the systems are to be judged by each other."""

    estimator: str = DEFAULT_ESTIMATOR
    trust: Mapping[str, float] = field(default_factory=dict)
    oracles: Mapping[str, float] = field(default_factory=dict)
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leave_out: str = "nobody"
    beta: float = 1.0
    level: float = 0.95
    draws: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse options that make no sense, or not together."""
        check_level(self.level)
        check_chance(draws=self.draws or 1, seed=self.seed)  # without draws there is no spread
        method = self.method
        weighted = bool(self.trust) or self.leave_out != "nobody"
        if weighted and not method.takes_weights:
            raise OptionError(
                f"--trust and --leave-out are for the vote; {self.estimator} finds its own weights"
            )
        if self.draws < 0:
            raise OptionError(
                f"--draws is {self.draws}; it is the number of resamples, so it is 0 or more"
            )
        if not 0 <= self.beta < np.inf:
            raise OptionError(
                f"--beta is {self.beta}; it says how much more recall weighs, so it is 0 or more"
            )
        if (self.families or self.oracles) and not method.takes_families:
            others = estimators_with("takes_families")
            raise OptionError(f"families and oracles are for {others}; {self.estimator} has none")

    @property
    def method(self) -> "Estimator":
        """The estimator itself, with what it can do."""
        method: Estimator = ESTIMATORS[self.estimator]
        return method

    @property
    def finds_families(self) -> bool:
        """Whether families are to be detected."""
        return FOUND in self.families

    def by_sums(self, kind: str, items: int) -> bool:
        """Whether sums of confidences are to be voted on, not the patterns."""
        if kind != "score" or items <= MANY:
            return False
        return self.method.of_sums is not None and TRUTH not in self.oracles

    def signed(self) -> dict[str, str]:
        """Return what differs from the default, as a signature has it."""
        given: dict[str, str] = {}
        named = {"trust": self.trust, "oracle": self.oracles, "family": self.families}
        for name, part in named.items():
            if part:
                given[name] = ";".join(f"{key}={value}" for key, value in part.items())
        if self.leave_out != "nobody":
            given["leave_out"] = self.leave_out
        given["beta"] = f"{self.beta:g}"
        given["level"] = str(self.level)
        given["draws"] = str(self.draws)
        if self.draws:
            given["seed"] = str(self.seed)
        return given


def with_estimator(given: Mapping[str, Any], kind: str, per: str = "total") -> dict[str, Any]:
    """Return the options with an estimator: the default, or the vote where something is asked that only it answers."""
    options = dict(given)
    if options.get("estimator"):
        return options
    of_the_vote = kind == "score" or per not in PARTS_OF_ALL
    of_the_vote = of_the_vote or options.get("leave_out", "nobody") != "nobody"
    of_the_vote = of_the_vote or any(options.get(name) for name in ONLY_OF_VOTES)
    options["estimator"] = VOTE if of_the_vote else DEFAULT_ESTIMATOR
    return options


def estimators_with(trait: str) -> str:
    """Return the names of the estimators that have a trait, as a sentence names them."""
    *names, last = [name for name in ESTIMATORS if getattr(ESTIMATORS[name], trait)]
    return f"{', '.join(names)} or {last}" if names else last


def without_spread(options: Mapping[str, Any]) -> ConsensusOptions:
    """Return the options of a consensus without resamples; options that only these need are refused."""
    if options.get("draws") or "seed" in options:
        raise OptionError(
            "parts, cut-offs and single items are not resampled; leave --draws and --seed out"
        )
    if "level" in options and FOUND not in options.get("families", {}):
        raise OptionError(
            "parts, cut-offs and single items are not resampled; --level is for --family found there"
        )
    return ConsensusOptions(**{**options, "draws": 0})
