"""Truth x answer, per system: the counts under precision, recall, F and accuracy."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes, Labels, ordered
from karat.table.table import Table
from karat.tally.codes import (
    MISSING,
    UNASKED,
    answer_sql,
    check_classes,
    digest,
    encode,
    filled,
    frequency,
    gather,
    key_columns,
    key_values,
    moved,
    used,
)
from karat.tally.tally import marginal_tally

if TYPE_CHECKING:
    from karat.tally.votes.patterns import Patterns

SQL = "select {keys}t, {answer} as s, {n} as n from answers group by {keys}t, {answer}"


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each truth met each answer of one system; only what occurred is stored.

    Items without truth are counted apart. An answer of -1 is a missing one. With keys (a group, a cluster, a
    weight, a run), each cell belongs to one value of each.
    """

    labels: tuple[str, ...]
    truth: Codes
    answer: Codes
    number: npt.NDArray[np.int64]
    without_truth: int = 0
    nothing: str | None = None
    keys: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of items that count."""
        return int(self.number.sum())

    @property
    def missing(self) -> int:
        """The number of items that the system did not answer."""
        return int(self.number[self.answer == MISSING].sum())

    def cell(self, truth: str, answer: str | None) -> int:
        """Return how often this truth met this answer."""
        codes = [MISSING if text is None else self.labels.index(text) for text in (truth, answer)]
        return int(self.number[(self.truth == codes[0]) & (self.answer == codes[1])].sum())

    def plain(self) -> "Confusion":
        """Return the counts without keys."""
        (truth, answer), number = gather([self.truth, self.answer], self.number)
        return replace(self, truth=truth, answer=answer, number=number, keys={})

    def by(self, key: str) -> dict[Any, "Confusion"]:
        """Return one confusion per value of a key; items without truth are not split."""
        texts = [str(value) for value in self.keys[key]]
        names = ordered(texts)
        place = {name: code for code, name in enumerate(names)}
        codes = np.array([place[text] for text in texts], np.int64)
        ends = np.bincount(codes, minlength=len(names)).cumsum()
        parts: dict[Any, Confusion] = {}
        for value, chosen in zip(
            names, np.split(np.argsort(codes, kind="stable"), ends)[:-1], strict=True
        ):
            rest = {name: column[chosen] for name, column in self.keys.items() if name != key}
            parts[value] = replace(
                self,
                truth=self.truth[chosen],
                answer=self.answer[chosen],
                number=self.number[chosen],
                without_truth=0,
                keys=rest,
            )
        return parts

    def swapped(self) -> "Confusion":
        """Return truth and answer in each other's place; precision becomes recall."""
        if self.missing:
            raise TallyError("answers are missing; a truth cannot be")
        (truth, answer), number = gather([self.answer, self.truth], self.number)
        return replace(self, truth=truth, answer=answer, number=number, keys={})

    def __add__(self, other: "Confusion") -> "Confusion":
        """Return the counts of both."""
        if set(self.keys) != set(other.keys) or self.nothing != other.nothing:
            raise TallyError(
                "these confusions were counted with different keys or another label for nothing"
            )
        labels = ordered({*self.labels, *other.labels})
        truth, answer = (
            np.concatenate(
                [moved(getattr(part, side), part.labels, labels) for part in (self, other)]
            )
            for side in ("truth", "answer")
        )
        number = np.concatenate([self.number, other.number])
        keys = {name: np.concatenate([self.keys[name], other.keys[name]]) for name in self.keys}
        gathered, number = gather([truth, answer, *keys.values()], number)
        return Confusion(
            labels,
            gathered[0],
            gathered[1],
            number,
            self.without_truth + other.without_truth,
            self.nothing,
            dict(zip(keys, gathered[2:], strict=True)),
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        keys = [part for name, column in sorted(self.keys.items()) for part in (name, column)]
        return digest(
            [
                "\x00".join(self.labels),
                self.truth,
                self.answer,
                self.number,
                str(self.without_truth),
                *keys,
            ]
        )


def _of_patterns(patterns: "Patterns", system: str, *, keys: str = "") -> Confusion:
    return patterns.confusion(system, keys=keys)


@marginal_tally(_of_patterns)
def confusion(table: Table, system: str, *, keys: str = "") -> Confusion:
    """Count truth x answer of one system, split by the wanted keys that the table has."""
    columns = key_columns(table, keys)
    sql = SQL.format(
        keys=columns, answer=answer_sql(table, table.systems.index(system)), n=frequency(table)
    )
    counted = table.engine.query(sql)
    number = np.ma.getdata(counted["n"]).astype(np.int64)
    (truth, answer), labels = encode(
        [counted["t"], counted["s"]], [None, meaning(table)], table.labels
    )
    split = key_values(table, keys, counted)
    return tidy(
        Confusion(labels, truth, answer, number, keys=split), table.labels, origin=table.origin
    )


def meaning(table: Table) -> tuple[str, ...] | None:
    """Return the labels that a table's answers are numbers of, if they are."""
    if table.threshold is not None and table.labels.pair:
        yes, no = table.labels.pair
        return (no, yes)
    return table.coded


def tidy(raw: Confusion, meaning: Labels, *, origin: str) -> Confusion:
    """Apply what the table says of missing truths and answers, of sets and of nothing, and gather equal cells."""
    told = raw.truth != MISSING
    truth, answer, labels = _members(raw.truth[told], raw.answer[told], raw.labels, meaning)
    truth, answer, labels, counts = _unanswered(truth, answer, labels, meaning)
    counts &= answer != UNASKED
    if meaning.nothing in labels:
        nothing = labels.index(meaning.nothing)
        counts &= (truth != nothing) | (answer != nothing)
    keys = {name: column[told][counts] for name, column in raw.keys.items()}
    gathered, number = gather(
        [truth[counts], answer[counts], *keys.values()], raw.number[told][counts]
    )
    codes, labels = used(gathered[:2], labels)
    check_classes(labels, origin)
    return Confusion(
        labels,
        codes[0],
        codes[1],
        number,
        int(raw.number[~told].sum()),
        meaning.nothing,
        dict(zip(keys, gathered[2:], strict=True)),
    )


def _members(
    truth: Codes, answer: Codes, labels: tuple[str, ...], meaning: Labels
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Give a truth that is a set of right labels the answered one, if it is among them, or its first.

    So a right answer is a hit for its own class, and a wrong one a miss of the first label.
    """
    if meaning.truth_sep is None:
        return truth, answer, labels
    sets = {code: meaning.members(labels[code]) for code in np.unique(truth).tolist()}
    common = ordered({*labels, *(text for members in sets.values() for text in members)})
    place = {text: number for number, text in enumerate(common)}
    answer = moved(answer, labels, common)
    right = np.array(
        [code * len(common) + place[text] for code, members in sets.items() for text in members]
    )
    hit = np.isin(truth * len(common) + answer, right) & (answer >= 0)
    first = np.full(len(labels), MISSING)
    first[list(sets)] = [place[members[0]] for members in sets.values()]
    return np.where(hit, answer, first[truth]), answer, common


def _unanswered(
    truth: Codes, answer: Codes, labels: tuple[str, ...], meaning: Labels
) -> tuple[Codes, Codes, tuple[str, ...], npt.NDArray[np.bool_]]:
    """Return truth, answers, labels, and which cells count, after the rule for missing answers."""
    counts = (answer != MISSING) | (meaning.missing != "skip")
    return *filled(truth, answer, labels, meaning), counts
