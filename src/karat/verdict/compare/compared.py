"""What a comparison needs from a tally: values, shares, discordant items, and resamples."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from karat.doubt.resampling.bootstrap import AT_ONCE
from karat.doubt.resampling.curve_influences import CurveInfluences
from karat.doubt.resampling.joint import Joint, joint, joint_without
from karat.doubt.resampling.resampled_difference import ResampledUnits
from karat.doubt.tests.mover import BoundedValue
from karat.errors import OptionError
from karat.measure.outcomes import of_right_answers
from karat.measure.paired import Paired, paired, paired_counts, sides
from karat.measure.quantity import Quantity, evaluate
from karat.measure.share import Share
from karat.measure.totals import totals
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING
from karat.tally.votes.confidences import Confidences
from karat.tally.votes.patterns import Patterns
from karat.verdict.confusion_value import value_of_confusion

Values = dict[str, float | None]


class UnitsToResample(Protocol):
    """What is resampled: items, or clusters of them."""

    @property
    def number(self) -> int:
        """How many there are."""

    @property
    def freedom(self) -> float:
        """Student's degrees of freedom."""

    def differ(self, one: int, other: int) -> int:
        """Return the number of items, or clusters, on which two systems differ."""


class Compared(Protocol):
    """One quantity of several systems, on the same items."""

    @property
    def quantity(self) -> Quantity:
        """The measure by which systems are compared."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are compared."""

    @property
    def rows(self) -> int:
        """How many distinct rows a resample draws from."""

    @property
    def keys(self) -> set[str]:
        """Which of c, clusters, and w, weights, the items have."""

    @property
    def fitting(self) -> str | None:
        """The test that fits; None where that is one of the tests of counts, or a bootstrap."""

    @property
    def influences(self) -> CurveInfluences | None:
        """What each item adds to each system's value; None where that is not known."""

    def values(self) -> Values:
        """Return every system's value, None where it is undefined."""

    def share(self, system: str) -> tuple[float, float]:
        """Return a system's successes and trials, or refuse what is no share."""

    def paired(self) -> Paired | None:
        """Return the discordant items of each pair; None where systems do not have the same trials."""

    def units(self) -> UnitsToResample:
        """Return what is resampled: items, or clusters of them."""

    def resampled(self, *, draws: int, seed: int) -> Joint:
        """Return every system's value in each resample."""

    def without_clusters(self, *, seed: int) -> tuple[FloatArray, Joint]:
        """Return every system's value, and that without one cluster after the other."""

    def intervals(self, *, level: float, seed: int) -> list[BoundedValue] | None:
        """Return every system's value with its interval; None where differences have better ones by themselves."""


@dataclass(frozen=True, slots=True)
class ToCompare:
    """What is to be compared, measure by measure; the hashes of the counts, and remarks on them."""

    each: tuple[Compared, ...]
    digests: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def compared(tally: Patterns | Confidences, quantity: Quantity) -> Compared:
    """Return what a comparison needs from a tally."""
    if isinstance(tally, Confidences):
        return ComparedDistributions(tally, quantity)
    return ComparedLabels(tally, quantity)


def value_of(patterns: Patterns, system: str, quantity: Quantity) -> float | None:
    """Return one system's value, None where it is undefined."""
    return value_of_confusion(patterns.confusion(system, keys="w"), quantity)


def values_of(patterns: Patterns, quantity: Quantity) -> Values:
    """Return every system's value: of right answers all at once."""
    successes_and_trials = None
    if "w" not in patterns.keys and of_right_answers(quantity):
        successes_and_trials = sides(patterns, quantity)
    if successes_and_trials is None:
        return {system: value_of(patterns, system, quantity) for system in patterns.systems}
    number = patterns.number[patterns.truth != MISSING].astype(float)
    successes, trials = (number @ side for side in successes_and_trials)
    values: dict[str, float | None] = {}
    for place, system in enumerate(patterns.systems):
        values[system] = None
        if trials[place] > 0:
            values[system] = float(successes[place] / trials[place])
    return values


@dataclass(frozen=True, slots=True, eq=False)
class ComparedLabels:
    """A quantity of labels, from the distinct rows of truth and answers."""

    patterns: Patterns
    quantity: Quantity
    fitting: None = None
    influences: None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return self.patterns.systems

    @property
    def rows(self) -> int:
        """How many distinct rows a resample draws from."""
        return len(self.patterns.number)

    @property
    def keys(self) -> set[str]:
        """Which of c, clusters, and w, weights, the items have."""
        return {"c", "w"} & set(self.patterns.keys)

    def values(self) -> Values:
        """Return every system's value, None where it is undefined."""
        return values_of(self.patterns, self.quantity)

    def share(self, system: str) -> tuple[float, float]:
        """Return a system's successes and trials, or refuse what is no share."""
        margins = totals(self.patterns.confusion(system))
        measured = evaluate(self.quantity, margins)
        if not isinstance(measured, Share):
            raise no_share(self.quantity)
        label = self.quantity.label
        if label is None:
            return float(measured.successes), float(measured.trials)
        if label not in margins.labels:
            return 0.0, 0.0
        place = margins.labels.index(label)
        return float(measured.successes[place]), float(measured.trials[place])

    def paired(self) -> Paired | None:
        """Return the discordant items of each pair; None where systems do not have the same trials."""
        return paired(self.patterns, self.quantity)

    def units(self) -> ResampledUnits:
        """Return what is resampled: items, or clusters of them."""
        return ResampledUnits.of(self.patterns)

    def resampled(self, *, draws: int, seed: int) -> Joint:
        """Return every system's value in each resample."""
        return joint(self.patterns, self.quantity, draws=draws, seed=seed)

    def without_clusters(self, *, seed: int) -> tuple[FloatArray, Joint]:
        """Return every system's value, and that without one cluster after the other."""
        return joint_without(self.patterns, self.quantity, seed=seed)

    def intervals(self, *, level: float, seed: int) -> None:
        """Return None: differences have intervals of their own."""


class ComparedDistributions:
    """A quantity that is a mean over items, from every system's confidence in every label."""

    def __init__(self, tally: Confidences, quantity: Quantity) -> None:
        self.quantity = quantity
        self.systems = tally.systems
        self.keys: set[str] = set()
        self.fitting = None
        self.influences = None
        self._number = tally.number
        self._items = int(tally.number.sum())
        self._each = quantity.traits(tally, **quantity.arguments)
        """What each row adds for each system; True and False are right and wrong."""

    @property
    def rows(self) -> int:
        """How many distinct rows a resample draws from."""
        return len(self._number)

    def values(self) -> Values:
        """Return every system's value."""
        means = self._number @ self._each / self._items
        return dict(zip(self.systems, means.tolist(), strict=True))

    def share(self, system: str) -> tuple[float, float]:
        """Return a system's successes and trials, or refuse what is no share."""
        if self._each.dtype != bool:
            raise no_share(self.quantity)
        right = self._each[:, self.systems.index(system)]
        return float(self._number[right].sum()), float(self._items)

    def paired(self) -> Paired | None:
        """Return the discordant items of each pair; None where items are not right or wrong."""
        if self._each.dtype != bool:
            return None
        counts = np.ones(self._each.shape, bool)
        return paired_counts(self.systems, self._each, counts, self._number)

    def units(self) -> ResampledUnits:
        """Return what is resampled: the items."""
        return ResampledUnits(self._each, self._number, None, self._items)

    def resampled(self, *, draws: int, seed: int) -> Joint:
        """Return every system's value in each resample of the items."""
        random = np.random.default_rng(seed)
        chance = self._number / self._items
        step = max(1, AT_ONCE // self.rows)
        parts = []
        for start in range(0, draws, step):
            size = min(step, draws - start)
            drawn = random.multinomial(self._items, chance, size=size).astype(float)
            parts.append(drawn @ self._each / self._items)
        method = f"bootstrap over {self._items:,} items (draws={draws}, seed={seed})"
        return Joint(self.systems, np.concatenate(parts), method)

    def without_clusters(self, *, seed: int) -> tuple[FloatArray, Joint]:
        """Refuse: these items are not clustered."""
        del seed
        raise OptionError(f"{self.quantity} takes items as independent; use --test bootstrap")

    def intervals(self, *, level: float, seed: int) -> None:
        """Return None: differences have intervals of their own."""


def no_share(quantity: Quantity) -> OptionError:
    """Return the error of an exact test for a measure that is no share."""
    return OptionError(
        f"{quantity} is not a share of successes; the exact tests need one, so use bootstrap"
    )
