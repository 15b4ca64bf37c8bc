"""For two systems: how often each truth met each pair of answers; who was right alone is its marginal."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.table.labels import Codes, Labels
from karat.table.table import Table
from karat.tally.codes import (
    MISSING,
    UNASKED,
    answer_sql,
    digest,
    encode,
    filled,
    frequency,
    gather,
    used,
)
from karat.tally.tally import marginal_tally
from karat.tally.votes.confusion import meaning
from karat.tally.votes.patterns import Patterns
from karat.tally.votes.right_answers import right

SQL = "select t, {first} as a, {second} as b, {n} as n from answers where t is not null group by t, {first}, {second}"


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
        hits, number = self.right(), self.number
        asked = (self.answers != UNASKED).all(axis=1)
        hits, number = hits[asked], number[asked]
        if self.meaning.nothing in self.labels:
            nothing = self.labels.index(self.meaning.nothing)
            idle = ((self.truth == nothing) & (self.answers == nothing).all(axis=1))[asked]
            hits, number = hits[~idle], number[~idle]
        sides = ((True, True), (True, False), (False, True), (False, False))
        both, first, second, neither = (
            int(number[(hits == side).all(axis=1)].sum()) for side in sides
        )
        return both, first, second, neither

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest(
            [
                self.first,
                self.second,
                "\x00".join(self.labels),
                self.truth,
                self.answers,
                self.number,
            ]
        )


def pairs_of(patterns: Patterns, first: str, second: str) -> Pairs:
    """Return two systems' marginal of the patterns."""
    told = patterns.truth != MISSING
    places = [patterns.systems.index(name) for name in (first, second)]
    columns = [patterns.truth[told], *(patterns.answers[told, k].astype(np.int64) for k in places)]
    return _pairs(first, second, patterns.labels, columns, patterns.number[told], patterns.meaning)


@marginal_tally(pairs_of)
def pairs(table: Table, first: str, second: str) -> Pairs:
    """Count truth x answer x answer of two systems."""
    answers = [answer_sql(table, table.systems.index(name)) for name in (first, second)]
    counted = table.engine.query(
        SQL.format(first=answers[0], second=answers[1], n=frequency(table))
    )
    number = np.ma.getdata(counted["n"]).astype(np.int64)
    meanings = [None, meaning(table), meaning(table)]
    coded, labels = encode([counted["t"], counted["a"], counted["b"]], meanings, table.labels)
    return _pairs(first, second, labels, coded, number, table.labels)


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
