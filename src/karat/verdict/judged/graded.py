"""Outputs that a judge graded, all of them, and people some: counts by strata of the judge's grades."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.consensus.random_sample import Feature
from karat.doubt.consensus.stratified_difference import Strata, pooled
from karat.numeric.arrays import FloatArray
from karat.table.graded import PEOPLE
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.judged.items import Bools, ShareCounts

Grades = npt.NDArray[np.int64]
"""1 right, 0 wrong, -1 not graded; one column per system."""
JUDGED = ((1, 1), (1, 0), (0, 1), (0, 0))
"""The strata of two systems: the judge's grades of the first and of the second."""


@dataclass(frozen=True, slots=True, eq=False)
class GradedOutputs:
    """The judge's and people's grades of every system's output of an item.

    A system's strata: outputs that the judge calls right, and wrong. Those of two: the four pairs of such grades; an
    item tells something of two systems where people graded both outputs. Outputs that the judge did not grade are left
    out.
    """

    systems: tuple[str, ...]
    judge: Grades
    people: Grades
    number: FloatArray

    @property
    def known(self) -> Bools:
        """Items of which people graded an output, and the judge, too."""
        return np.asarray(((self.people >= 0) & (self.judge >= 0)).any(axis=1))

    def share(self, place: int) -> ShareCounts:
        """Return the counts of one system by stratum."""
        judge = self.judge[:, place]
        people = self.people[:, place]
        strata = [judge == 1, judge == 0]
        return ShareCounts(
            right=self._sums([rows & (people == 1) for rows in strata]),
            checked=self._sums([rows & (people >= 0) for rows in strata]),
            items=self._sums(strata),
            total=float(self.number[judge >= 0].sum()),
            by_judge=float(self.number[judge == 1].sum()),
        )

    def strata(self, pairs: Sequence[tuple[int, int]]) -> Strata:
        """Return the counts of pairs by stratum."""
        shape = (len(pairs), len(JUDGED))
        only_first = np.zeros(shape)
        only_second = np.zeros(shape)
        checked = np.zeros(shape)
        items = np.zeros(shape)
        for place, (first, second) in enumerate(pairs):
            by_first = self.people[:, first]
            by_second = self.people[:, second]
            graded = (by_first >= 0) & (by_second >= 0)
            first_right = graded & (by_first == 1) & (by_second == 0)
            second_right = graded & (by_first == 0) & (by_second == 1)
            for stratum, (one, other) in enumerate(JUDGED):
                rows = (self.judge[:, first] == one) & (self.judge[:, second] == other)
                only_first[place, stratum] = self.number[rows & first_right].sum()
                only_second[place, stratum] = self.number[rows & second_right].sum()
                checked[place, stratum] = self.number[rows & graded].sum()
                items[place, stratum] = self.number[rows].sum()
        return pooled(Strata(only_first, only_second, checked, items, items.sum(axis=-1)))

    def differing(self, first: int, second: int) -> Bools:
        """Return the rows of which people have not graded both outputs."""
        graded = (self.people[:, first] >= 0) & (self.people[:, second] >= 0)
        judged = (self.judge[:, first] >= 0) & (self.judge[:, second] >= 0)
        return np.asarray(judged & ~graded)

    def features(self) -> list[Feature]:
        """Return how often the judge passes each system, among outputs that people graded and others."""
        features = []
        for place, name in enumerate(self.systems):
            judge = self.judge[:, place]
            graded = self.people[:, place] >= 0
            among = [graded & (judge >= 0), ~graded & (judge >= 0)]
            passed = [rows & (judge == 1) for rows in among]
            with_it, others_with = self._sums(passed)
            labelled, others = self._sums(among)
            feature = Feature(
                f"the judge passes {name!r}",
                int(with_it),
                int(labelled),
                int(others_with),
                int(others),
            )
            features.append(feature)
        return features

    def record(self) -> tuple[int, int]:
        """Return how often the judge grades as people do, and how often both graded."""
        both = (self.people >= 0) & (self.judge >= 0)
        same = both & (self.people == self.judge)
        return int(self.number @ same.sum(axis=1)), int(self.number @ both.sum(axis=1))

    @property
    def checked_items(self) -> int:
        """How many items have an output that people graded."""
        return int(self.number[self.known].sum())

    @property
    def sampled(self) -> int:
        """How many outputs people graded."""
        return self.record()[1]

    @property
    def alike_tells_nothing(self) -> bool:
        """Of two outputs that the judge grades alike, one may be right and the other wrong."""
        return False

    def errors_elsewhere(self, place: int) -> FloatArray | None:
        """Return the judge's errors on the outputs of all other systems together."""
        errors = self.errors()
        return np.asarray(errors.sum(axis=0) - errors[place])

    @property
    def outputs(self) -> int:
        """How many outputs the judge graded."""
        return int(self.number @ (self.judge >= 0).sum(axis=1))

    def errors(self) -> FloatArray:
        """Return for each system: outputs wrong by people, those of them that pass, outputs right, those that fail."""
        rows = []
        for place in range(len(self.systems)):
            judge = self.judge[:, place]
            people = self.people[:, place]
            wrong = (people == 0) & (judge >= 0)
            right = (people == 1) & (judge >= 0)
            rows.append(self._sums([wrong, wrong & (judge == 1), right, right & (judge == 0)]))
        return np.array(rows)

    def _sums(self, rows: Sequence[Bools]) -> FloatArray:
        return np.array([self.number[one].sum() for one in rows], float)


def graded_outputs(patterns: Patterns) -> GradedOutputs:
    """Return the grades of outputs, from patterns with a column for each system's grades by the judge and by people."""
    systems = tuple(name for name in patterns.systems if name + PEOPLE in patterns.systems)
    positive = patterns.meaning.pair[0] if patterns.meaning.pair else "1"
    code = patterns.labels.index(positive) if positive in patterns.labels else MISSING - 9
    answers = patterns.answers.astype(np.int64)
    grades = np.where(answers < 0, MISSING, answers == code).astype(np.int64)
    return GradedOutputs(
        systems=systems,
        judge=grades[:, [patterns.systems.index(name) for name in systems]],
        people=grades[:, [patterns.systems.index(name + PEOPLE) for name in systems]],
        number=patterns.number.astype(float),
    )
