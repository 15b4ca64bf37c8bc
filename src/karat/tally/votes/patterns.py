"""Distinct rows of (truth, answer 1, ..., answer s) with their number: the whole table, as small as it gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes, Labels, ordered
from karat.table.table import Table
from karat.tally.codes import (
    answer_sql,
    digest,
    encode,
    filled,
    frequency,
    gather,
    key_columns,
    key_values,
    moved,
)
from karat.tally.tally import marginal_tally
from karat.tally.votes.confusion import Confusion, meaning, tidy

SQL = "select {keys}t, {answers}, {n} as n from answers group by {keys}t, {grouped}"
MOST = 10_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Which answers occurred together, and how often.

    Every order of systems, every pair and every confusion is a marginal of it. Codes are places in `labels`, -1 is
    a missing truth or answer. `meaning` says what the labels stand for (sets of right labels, nothing, missing).
    """

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    truth: Codes
    answers: npt.NDArray[np.int32]
    """One row per pattern, one column per system."""
    number: npt.NDArray[np.int64]
    meaning: Labels
    keys: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def confusion(self, system: str, *, keys: str = "") -> Confusion:
        """Return the marginal for one system."""
        column = self.answers[:, self.systems.index(system)].astype(np.int64)
        split = {key: self.keys[key] for key in keys if key in self.keys}
        raw = Confusion(self.labels, self.truth, column, self.number, keys=split)
        return tidy(raw, self.meaning, origin="the tally")

    def filled(self) -> "Patterns":
        """Return the patterns with the label that stands for a missing answer, if one does, in its place."""
        if not self.meaning.missing.startswith("as:"):
            return self
        truth, answers, labels = filled(self.truth, self.answers, self.labels, self.meaning)
        meaning = replace(self.meaning, missing="wrong")
        keys = [self.keys[name] for name in sorted(self.keys)]
        return gathered(
            replace(self, labels=labels, meaning=meaning), [truth, *answers.T, *keys], self.number
        )

    def by_name(self) -> "Patterns":
        """Return the systems in the order of their names: the same rows in whatever order they were given."""
        if list(self.systems) == sorted(self.systems):
            return self
        truth, *answers = _columns(self, self.labels)
        order = sorted(range(len(self.systems)), key=lambda place: self.systems[place])
        named = replace(self, systems=tuple(self.systems[place] for place in order))
        rest = answers[len(order) :]
        return gathered(named, [truth, *(answers[place] for place in order), *rest], self.number)

    def marginal(self, keys: str) -> "Patterns":
        """Return the patterns with only the wanted keys."""
        kept = {name: column for name, column in self.keys.items() if name in keys}
        if len(kept) == len(self.keys):
            return self
        slim = replace(self, keys=kept)
        return gathered(slim, _columns(slim, self.labels), self.number)

    def __add__(self, other: "Patterns") -> "Patterns":
        """Return the patterns of both; they must speak of the same systems in the same way."""
        check_alike(self, other)
        labels = ordered({*self.labels, *other.labels})
        columns = [
            np.concatenate(pair)
            for pair in zip(_columns(self, labels), _columns(other, labels), strict=True)
        ]
        return gathered(
            replace(self, labels=labels), columns, np.concatenate([self.number, other.number])
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        keys = [part for name, column in sorted(self.keys.items()) for part in (name, column)]
        names = ["\x00".join(self.systems), "\x00".join(self.labels)]
        return digest([*names, self.truth, self.answers, self.number, *keys])


def check_alike(one: Patterns, other: Patterns) -> None:
    """Refuse patterns that cannot be added: of other systems, or counted in another way."""
    if one.systems != other.systems:
        differ = sorted({*one.systems} ^ {*other.systems}) or list(other.systems)
        raise TallyError(f"the tallies are of different systems, or in another order: {differ[:5]}")
    if one.meaning != other.meaning:
        raise TallyError(
            f"the tallies were counted with different options: {one.meaning} and {other.meaning}"
        )
    if set(one.keys) != set(other.keys):
        raise TallyError(
            f"the tallies have different keys: {sorted(one.keys)} and {sorted(other.keys)}"
        )


def _columns(patterns: Patterns, labels: tuple[str, ...]) -> list[npt.NDArray[Any]]:
    answers = [
        moved(patterns.answers[:, k], patterns.labels, labels) for k in range(len(patterns.systems))
    ]
    truth = moved(patterns.truth, patterns.labels, labels)
    return [truth, *answers, *(patterns.keys[name] for name in sorted(patterns.keys))]


def gathered(
    patterns: Patterns, columns: Sequence[npt.NDArray[Any]], number: npt.NDArray[np.int64]
) -> Patterns:
    """Return the patterns with every distinct row of truth, answers and keys once, in order."""
    distinct, number = gather(columns, number)
    last = 1 + len(patterns.systems)
    return replace(
        patterns,
        truth=distinct[0],
        answers=np.stack(distinct[1:last], axis=1).astype(np.int32),
        number=number,
        keys=dict(zip(sorted(patterns.keys), distinct[last:], strict=True)),
    )


def _marginal(patterns: Patterns, *, keys: str = "") -> Patterns:
    return patterns.marginal(keys)


@marginal_tally(_marginal)
def patterns(table: Table, *, keys: str = "") -> Patterns:
    """Count the distinct rows of the table, items without truth among them."""
    answers = [answer_sql(table, k) for k in range(len(table.systems))]
    sql = SQL.format(
        keys=key_columns(table, keys),
        answers=", ".join(f"{answer} as s{k}" for k, answer in enumerate(answers)),
        grouped=", ".join(answers),
        n=frequency(table),
    )
    counted = table.engine.query(sql if table.has_truth else sql.replace("t, ", "", 2))
    number = np.ma.getdata(counted["n"]).astype(np.int64)
    if len(number) > MOST:
        raise TallyError(
            f"{len(number):,} distinct patterns are over {MOST:,}; ask about fewer systems with --systems"
        )
    columns = [counted[f"s{k}"] for k in range(len(table.systems))]
    truth = counted["t"] if table.has_truth else np.full(len(number), None, dtype=object)
    coded, labels = encode(
        [truth, *columns], [None, *[meaning(table)] * len(columns)], table.labels
    )
    split = key_values(table, keys, counted)
    bare = Patterns(
        table.systems, labels, coded[0], np.empty((0, 0), np.int32), number, table.labels, split
    )
    return gathered(bare, [*coded, *(split[name] for name in sorted(split))], number)
