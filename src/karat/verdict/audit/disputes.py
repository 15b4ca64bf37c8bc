"""What claims dispute: the items whose right label could change who leads, and by how much."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from karat.doubt.audit.capital import Capitals, Kinds
from karat.errors import OptionError
from karat.measure.lead import LeadRule, lead_rule
from karat.measure.quantity import Quantity
from karat.numeric.arrays import BoolArray, FloatArray, IntArray
from karat.tally.audit_items import AuditItems
from karat.tally.codes import MISSING
from karat.verdict.audit.right_labels import LabelReader, RightLabel

Pair = tuple[str, str]
Some = slice | npt.NDArray[np.intp]
EVERY = slice(None)
LARGEST = 2**53
"""Whole numbers below it are exact as floats."""


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """What each item adds for each system, by any label: the given one, or the right one."""

    items: AuditItems
    rule: LeadRule
    label: int
    """The code of the measure's class; -2 where it is of the whole table."""
    weight: FloatArray
    """Whole numbers, in units of the smallest digit that a weight has."""
    judged: bool
    """Whether only right and wrong is known of the answers."""
    trials: FloatArray
    """What each system's successes are divided by; 1 where that is the same for all."""

    def answers(self, places: Some = EVERY) -> npt.NDArray[np.int64]:
        """Return the answers to some items; *nothing* where something is true is as good as no answer."""
        answers = self.items.answers[places].astype(np.int64)
        nothing = self.items.meaning.nothing
        if self.label < 0 and nothing in self.items.labels:
            answers = np.where(answers == self.items.labels.index(nothing), MISSING, answers)
        return answers

    def answered(self, places: Some = EVERY) -> BoolArray:
        """Return whether each system answered the measure's class."""
        return np.asarray(self.items.answers[places] == self.label)

    def successes(self, reader: LabelReader) -> FloatArray:
        """Return what each item (row) adds for each system (column) by the given labels; nothing where it has none."""
        given = self.items.given
        if self.rule.of_class:
            is_class = (given == self.label).astype(int)
            adds = self.rule.success[is_class[:, None], self.answered().astype(int)]
        elif self.items.meaning.truth_sep is None:
            answers = self.answers()
            hits = (answers == given[:, None]) & (answers >= 0)
            adds = self.rule.success[hits.astype(int)]
        else:
            adds = np.zeros(self.items.answers.shape)
            for code in np.unique(given[given >= 0]).tolist():
                here = np.flatnonzero(given == code)
                adds[here] = self.added(here, reader.of_code(code))
        return np.where((given >= 0)[:, None], adds, 0.0)

    def added(self, places: npt.NDArray[np.intp], right: RightLabel) -> FloatArray:
        """Return what items with this right label add for each system."""
        if self.rule.of_class:
            row = self.rule.success[int(self.label in right.codes)]
            return np.asarray(row[self.answered(places).astype(int)])
        answers = self.answers(places)
        hits = np.isin(answers, list(right.codes)) & (answers >= 0)
        return np.asarray(self.rule.success[hits.astype(int)])


def scoring(items: AuditItems, quantity: Quantity, *, judged: bool) -> Scoring:
    """Return how items count for a measure, or refuse a measure or a table whose order is no sum over items."""
    rule = lead_rule(quantity)
    label = -2
    if rule.of_class:
        if items.meaning.truth_sep is not None:
            raise OptionError(
                f"{quantity} is of one class, but these items have several right labels; name accuracy"
            )
        if judged:
            raise OptionError(
                f"only right and wrong is known here, no label; name accuracy, not {quantity}"
            )
        if quantity.label not in items.labels:
            raise OptionError(f"{quantity}: no label of the table is {quantity.label!r}")
        label = items.labels.index(str(quantity.label))
    elif items.meaning.nothing in items.labels:
        nothing = items.labels.index(items.meaning.nothing)
        if (items.given == nothing).any():
            raise OptionError(
                "rows whose truth and answer are both nothing count for some systems only, so accuracy is not a sum "
                "over the same items; name a --measure such as recall[LABEL] or precision[LABEL]"
            )
    weight = whole_weights(items)
    trials = np.ones(len(items.systems))
    if rule.of_class:
        trials = rule.trials(items.answers == label, weight)
    return Scoring(items, rule, label, weight, judged, trials)


def whole_weights(items: AuditItems) -> FloatArray:
    """Return the weights as whole numbers of their smallest digit, so that sums are exact; 1 where there are none."""
    if not items.weights:
        return np.ones(len(items.names))
    exact = [Fraction(repr(weight)) for weight in items.weights]
    unit = lcm(*{weight.denominator for weight in exact})
    whole = [int(weight * unit) for weight in exact]
    if sum(whole) * 2 >= LARGEST:
        raise OptionError(
            "the weights have too many digits to be summed exactly; round them to a few decimals"
        )
    return np.array(whole, float)


@dataclass(frozen=True, slots=True, eq=False)
class Disputes:
    """The items that each pair of systems disputes, by kind, and the lead by the given labels."""

    pairs: tuple[Pair, ...]
    scoring: Scoring
    kinds: Kinds
    kind: npt.NDArray[np.int16]
    """kind[pair, item]; -1 where no label could change who leads."""
    given: FloatArray
    """given[pair, item]: what the given label adds to the lead, by weight 1."""
    leads: FloatArray
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    """The places of the two systems of each pair."""

    @property
    def weight(self) -> FloatArray:
        """The weight of each item."""
        return self.scoring.weight

    @property
    def disputed(self) -> npt.NDArray[np.intp]:
        """The places of the items that some pair disputes, in the order of their names."""
        return np.flatnonzero((self.kind >= 0).any(axis=0))

    def numbers(self) -> FloatArray:
        """Return how many items of each kind each pair disputes."""
        return self._sums(np.ones_like(self.weight))

    def sums(self, pulls: IntArray | None = None) -> dict[str, FloatArray]:
        """Return what capitals need to know of weights and pulls, by pair and kind; nothing where all are 1."""
        if pulls is None and not self.scoring.items.weights:
            return {}
        pull = np.ones_like(self.weight) if pulls is None else np.maximum(1.0, pulls)
        largest = np.zeros((len(self.pairs), len(self.kinds.most)))
        for pair in range(len(self.pairs)):
            of_kind = self.kind[pair]
            there = of_kind >= 0
            np.maximum.at(largest[pair], of_kind[there], (self.weight / pull)[there])
        return {
            "scale": self._sums(self.weight),
            "square": self._sums(self.weight**2 / pull),
            "largest": largest,
            "pull": self._sums(pull),
        }

    def capitals(self, pulls: IntArray | None = None) -> tuple[Capitals, Capitals]:
        """Return the capitals of all pairs before the first draw, and those of the opposite claims."""
        numbers = self.numbers()
        sums = self.sums(pulls)
        claimed = Capitals(self.kinds, numbers, self.leads, **sums)
        return claimed, Capitals(self.kinds.turned(), numbers, -self.leads, **sums)

    def losses(self, item: int, right: RightLabel) -> FloatArray:
        """Return what the right label of an item takes from the lead of each pair, by weight 1."""
        own = self.scoring.added(np.array([item]), right)[0]
        return np.asarray(self.given[:, item] - _difference(self, own[None, :])[:, 0])

    def _sums(self, values: FloatArray) -> FloatArray:
        sums = np.zeros((len(self.pairs), len(self.kinds.most)))
        for pair in range(len(self.pairs)):
            there = self.kind[pair] >= 0
            sums[pair] = np.bincount(
                self.kind[pair][there], weights=values[there], minlength=len(self.kinds.most)
            )
        return sums


def leads(score: Scoring, pairs: tuple[Pair, ...], reader: LabelReader) -> FloatArray:
    """Return by how much the first system of each pair leads by the given labels."""
    given = _difference(_bare(score, pairs), score.successes(reader))
    return np.asarray(given @ score.weight)


def _bare(score: Scoring, pairs: tuple[Pair, ...]) -> Disputes:
    """Return some pairs of systems, and nothing yet of what they dispute."""
    systems = score.items.systems
    first = np.array([systems.index(one) for one, _ in pairs], np.intp)
    second = np.array([systems.index(other) for _, other in pairs], np.intp)
    empty = Kinds(np.zeros(0), np.zeros(0))
    none = np.zeros((0, 0))
    return Disputes(pairs, score, empty, none.astype(np.int16), none, none, first, second)


def disputes(score: Scoring, pairs: tuple[Pair, ...], reader: LabelReader) -> Disputes:
    """Return what some pairs of systems dispute."""
    bare = _bare(score, pairs)
    given = _difference(bare, score.successes(reader))
    low, high = _range(bare)
    least = given - high
    most = given - low
    changeable = least < most
    # Each pair of ends as one complex number: numpy sorts these much faster than rows, and in the same order.
    ends = np.stack([least[changeable], most[changeable]], axis=1).view(np.complex128).ravel()
    distinct, code = np.unique(ends, return_inverse=True)
    kind = np.full(given.shape, -1, np.int16)
    kind[changeable] = code
    return replace(
        bare,
        kinds=Kinds(distinct.real, distinct.imag),
        kind=kind,
        given=given,
        leads=given @ score.weight,
    )


def _difference(pairs: Disputes, adds: FloatArray) -> FloatArray:
    """Return difference[pair, item] from what each item (row) adds for each system (column)."""
    rule = pairs.scoring.rule
    trials = pairs.scoring.trials
    one = adds[:, pairs.first] * trials[pairs.second]
    other = adds[:, pairs.second] * trials[pairs.first]
    return np.asarray(rule.sign * (one - other).T)


def _range(pairs: Disputes) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most that any right label could let each item add to the lead of each pair."""
    score = pairs.scoring
    if score.rule.of_class:
        answered = score.answered().astype(int)
        by_truth = [_difference(pairs, score.rule.success[true][answered]) for true in (0, 1)]
        return np.minimum(*by_truth), np.maximum(*by_truth)
    answers = score.answers()
    one = answers[:, pairs.first].T
    other = answers[:, pairs.second].T
    wrong, right = score.rule.success
    gain = float(score.rule.sign * (right - wrong))
    differ = one != other
    if score.judged:
        # Two answers that were both judged wrong may differ; two that were judged right are the same.
        yes = score.items.given[None, :]
        differ = ~((one == yes) & (other == yes))
    first_right = np.where(differ & (one >= 0), gain, 0.0)
    second_right = np.where(differ & (other >= 0), -gain, 0.0)
    # One of the two is 0 or below, and one is 0 or above.
    return np.minimum(first_right, second_right), np.maximum(first_right, second_right)
