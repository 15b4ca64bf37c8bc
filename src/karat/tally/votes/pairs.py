"""For two systems: how often each truth met each pair of answers; the discordant items are its marginal."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.table.labels import Codes, Labels
from karat.table.table import Table
from karat.tally.codes import MISSING, UNASKED, encode, filled, gather, used
from karat.tally.digest import digest, joined
from karat.tally.sql import answer_sql, numbers
from karat.tally.tally import marginal_tally
from karat.tally.votes.confusion import meaning
from karat.tally.votes.patterns import Patterns
from karat.tally.votes.right_answers import right

SQL = "select t, {first} as a, {second} as b, {n} as n from {rows} where t is not null group by t, {first}, {second}"


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The answers of two systems to the items with truth; -1 is a missing answer."""

    first: str
    second: str
    labels: tuple[str, ...]
    truth: Codes
    answers: npt.NDArray[np.int64]
    """One row per pattern, one column for each of the two."""
    number: npt.NDArray[np.int64]
    meaning: Labels

    def right(self) -> npt.NDArray[np.bool_]:
        """Return for each pattern whether the first and the second answer is right."""
        return right(*filled(self.truth, self.answers, self.labels, self.meaning), self.meaning)

    def counts(self) -> tuple[int, int, int, int]:
        """Return how often both are right, only the first, only the second, and neither."""
        # Column by column: a reduction over rows of two is ten times as slow.
        counts = (self.answers[:, 0] != UNASKED) & (self.answers[:, 1] != UNASKED)
        if self.meaning.nothing in self.labels:
            nothing = self.labels.index(self.meaning.nothing)
            counts &= ~((self.truth == nothing) & (self.answers == nothing).all(axis=1))
        first, second = self.right().T
        kind = np.where(counts, 2 * first.astype(np.int8) + second, 4)
        neither, only_second, only_first, both, _ = np.bincount(
            kind, weights=self.number, minlength=5
        )
        return int(both), int(only_first), int(only_second), int(neither)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        names = [self.first, self.second, joined(self.labels)]
        return digest([*names, self.truth, self.answers, self.number])


def pairs_of(patterns: Patterns, first: str, second: str) -> Pairs:
    """Return two systems' marginal of the patterns."""
    with_truth = patterns.truth != MISSING
    columns = [patterns.truth[with_truth]]
    for system in (first, second):
        answers = patterns.answers[with_truth, patterns.systems.index(system)]
        columns.append(answers.astype(np.int64))
    number = patterns.number[with_truth]
    return _pairs(first, second, patterns.labels, columns, number, patterns.meaning)


@marginal_tally(pairs_of)
def pairs(table: Table, first: str, second: str) -> Pairs:
    """Count truth x answer x answer of two systems."""
    first_answer = answer_sql(table, table.systems.index(first))
    second_answer = answer_sql(table, table.systems.index(second))
    counted = table.engine.query(
        SQL.format(
            first=first_answer, second=second_answer, n=table.rows.total, rows=table.rows.name
        )
    )
    meanings = [None, meaning(table), meaning(table)]
    coded, labels = encode([counted["t"], counted["a"], counted["b"]], meanings, table.labels)
    return _pairs(first, second, labels, coded, numbers(counted), table.labels)


def _pairs(
    first: str,
    second: str,
    labels: tuple[str, ...],
    columns: list[Codes],
    number: npt.NDArray[np.int64],
    meaning: Labels,
) -> Pairs:
    gathered, number = gather(columns, number)
    (truth, *answers), labels = used(gathered, labels)
    return Pairs(first, second, labels, truth, np.stack(answers, axis=1), number, meaning)
