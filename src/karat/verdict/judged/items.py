"""What a judge and the few checked items say of every item: counts by strata, of one system and of two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from karat.doubt.consensus.random_sample import Feature
from karat.doubt.consensus.stratified_difference import Strata, pooled
from karat.errors import OptionError, UnknownNameError
from karat.measure.consensus.majority import majority
from karat.numeric.arrays import FloatArray
from karat.table.graded import MAJORITY
from karat.tally.codes import MISSING, filled
from karat.tally.votes.patterns import Patterns
from karat.tally.votes.right_answers import right

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
MOST_LABELS = 20
"""So many of the judge's labels are looked at, to see whether checked items are like others."""


@dataclass(frozen=True, slots=True, eq=False)
class ShareCounts:
    """The items of one system by stratum: how many are checked and right, checked, and all."""

    right: FloatArray
    checked: FloatArray
    items: FloatArray
    total: float
    """All its items, also those that need no check, as the system gave no answer."""
    by_judge: float
    """How many of all items it has right by the judge."""


class JudgedItems(Protocol):
    """Rows of equal items that a judge looked at, some of them checked."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Who is judged."""

    def share(self, place: int) -> ShareCounts:
        """Return the counts of one system by stratum."""

    def strata(self, pairs: Sequence[tuple[int, int]]) -> Strata:
        """Return the counts of pairs by stratum."""

    def differing(self, first: int, second: int) -> Bools:
        """Return the rows without a check that would tell something of two systems."""

    def features(self) -> list[Feature]:
        """Return what is known of all items, to see whether the checked ones are like the others."""

    def record(self) -> tuple[int, int]:
        """Return how often the judge is right, and how often it was checked."""

    @property
    def checked_items(self) -> int:
        """How many items were checked."""

    @property
    def sampled(self) -> int:
        """How many items, or outputs of them, were checked."""

    @property
    def alike_tells_nothing(self) -> bool:
        """Whether two systems cannot differ on an item on which they answer alike."""

    def errors_elsewhere(self, place: int) -> FloatArray | None:
        """Return the judge's errors on other systems' outputs, where it grades outputs: as `errors` has them."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLabels:
    """Answers that are labels, and a judge's label of every item; the truth of some.

    A system's strata: items on which it agrees with the judge, and others. Those of two: items on which they differ and
    the judge is with the first, with the second, or with neither. Where both answer alike there is no difference.
    """

    systems: tuple[str, ...]
    answers: Ints
    """One column per system; below 0 is no answer."""
    judge: Ints
    judge_right: Bools
    """Whether the judge's label is right, where the truth is known."""
    right: Bools
    """Whether each answer is right, where the truth is known."""
    known: Bools
    """Rows whose truth is known."""
    number: FloatArray
    """How many items each row stands for."""
    labels: tuple[str, ...]
    skip: bool
    """Whether items that a system does not answer are left out for it; else it has them wrong."""
    called: str = "the judge"

    def share(self, place: int) -> ShareCounts:
        """Return the counts of one system by stratum."""
        answer = self.answers[:, place]
        answered = answer >= 0
        agree = answered & (answer == self.judge)
        strata = [agree, answered & ~agree]
        right = self.right[:, place] & self.known
        counts = answered if self.skip else np.ones(len(answer), bool)
        return ShareCounts(
            right=self._sums([rows & right for rows in strata]),
            checked=self._sums([rows & self.known for rows in strata]),
            items=self._sums(strata),
            total=float(self.number[counts].sum()),
            by_judge=float(self.number[agree].sum()),
        )

    def strata(self, pairs: Sequence[tuple[int, int]]) -> Strata:
        """Return the counts of pairs by stratum."""
        only_first = np.zeros((len(pairs), 3))
        only_second = np.zeros((len(pairs), 3))
        checked = np.zeros((len(pairs), 3))
        items = np.zeros((len(pairs), 3))
        total = np.zeros(len(pairs))
        for place, (first, second) in enumerate(pairs):
            one = self.right[:, first]
            other = self.right[:, second]
            sides = self._sides(first, second)
            only_first[place] = self._sums([rows & self.known & one & ~other for rows in sides])
            only_second[place] = self._sums([rows & self.known & other & ~one for rows in sides])
            checked[place] = self._sums([rows & self.known for rows in sides])
            items[place] = self._sums(sides)
            total[place] = self.number[self._both_count(first, second)].sum()
        return pooled(Strata(only_first, only_second, checked, items, total))

    def differing(self, first: int, second: int) -> Bools:
        """Return the rows without truth on which two systems differ."""
        with_first, with_second, with_neither = self._sides(first, second)
        return (with_first | with_second | with_neither) & ~self.known

    def features(self) -> list[Feature]:
        """Return how often the judge gives each label, and how often each system agrees with it."""
        features = []
        judged = self.judge >= 0
        for code in self._frequent_labels():
            name = f"{self.called} says {self.labels[code]!r}"
            features.append(self._feature(name, self.judge == code, judged))
        every_item = np.ones(len(judged), bool)
        for place, system in enumerate(self.systems):
            answer = self.answers[:, place]
            answered = answer >= 0
            name = f"{system!r} agrees with {self.called}"
            features.append(self._feature(name, answer == self.judge, judged & answered))
            if not answered.all():
                features.append(self._feature(f"{system!r} answers", answered, every_item))
        return features

    def record(self) -> tuple[int, int]:
        """Return how often the judge is right, and how often it was checked."""
        looked_at = self.known & (self.judge >= 0)
        right, checked = self._sums([looked_at & self.judge_right, looked_at])
        return int(right), int(checked)

    @property
    def checked_items(self) -> int:
        """How many items have a truth."""
        return int(self.number[self.known].sum())

    @property
    def sampled(self) -> int:
        """How many items have a truth."""
        return self.checked_items

    @property
    def alike_tells_nothing(self) -> bool:
        """Two systems that give the same answer are both right, or both wrong."""
        return True

    def errors_elsewhere(self, place: int) -> FloatArray | None:  # noqa: ARG002 (labels have no such errors)
        """Return None: a judge that gives labels has no errors of its own on an output."""
        return None

    def _frequent_labels(self) -> list[int]:
        """Return the codes of the labels that the judge gives most often."""
        judged = self.judge >= 0
        often = np.bincount(self.judge[judged], weights=self.number[judged])
        order = np.argsort(-often, kind="stable")
        return [int(code) for code in order[:MOST_LABELS] if often[code]]

    def _feature(self, name: str, has: Bools, among: Bools) -> Feature:
        labelled_with, labelled, others_with, others = self._sums(
            [
                has & among & self.known,
                among & self.known,
                has & among & ~self.known,
                among & ~self.known,
            ]
        )
        return Feature(name, int(labelled_with), int(labelled), int(others_with), int(others))

    def _sides(self, first: int, second: int) -> tuple[Bools, Bools, Bools]:
        """Return the rows on which two systems differ, by whom the judge is with."""
        one = self.answers[:, first]
        other = self.answers[:, second]
        differ = (one != other) & self._both_count(first, second)
        judged = differ & (self.judge >= 0)
        with_first = judged & (self.judge == one)
        with_second = judged & (self.judge == other)
        return with_first, with_second, differ & ~with_first & ~with_second

    def _both_count(self, first: int, second: int) -> Bools:
        if not self.skip:
            return np.ones(len(self.number), bool)
        return (self.answers[:, first] >= 0) & (self.answers[:, second] >= 0)

    def _sums(self, rows: Sequence[Bools]) -> FloatArray:
        return np.array([self.number[one].sum() for one in rows], float)


def judged_labels(patterns: Patterns, judge: str) -> JudgedLabels:
    """Return what a judge, one of the systems or the majority of them, says of every item beside the truth of some."""
    if patterns.meaning.nothing in patterns.labels:
        raise OptionError(
            "some answers are nothing, so without a truth it is not known what is an item; leave --judge out"
        )
    answers = patterns.answers.astype(np.int64)
    # Row by row as they were counted: items are named by the row of their pattern.
    truth, answers, labels = filled(patterns.truth, answers, patterns.labels, patterns.meaning)
    names = patterns.systems
    if judge in names:
        place = names.index(judge)
        judged = answers[:, place]
        names = tuple(name for name in names if name != judge)
        answers = np.delete(answers, place, axis=1)
    elif judge == MAJORITY:
        judged = majority(np.maximum(answers, MISSING)).labels
    else:
        raise UnknownNameError("judge", judge, (MAJORITY, *names))
    if not names:
        raise OptionError(f"{judge!r} is the only system, so there is nobody to judge")
    known = truth != MISSING
    both = np.column_stack([answers, judged])
    is_right = np.zeros(both.shape, bool)
    is_right[known] = right(truth[known], both[known], labels, patterns.meaning)
    return JudgedLabels(
        systems=names,
        answers=answers,
        judge=judged,
        judge_right=is_right[:, -1],
        right=is_right[:, :-1],
        known=known,
        number=patterns.number.astype(float),
        labels=labels,
        skip=patterns.meaning.missing == "skip",
        called="the majority"
        if judge == MAJORITY and judge not in patterns.systems
        else "the judge",
    )
