"""Truth x answer, per system: the counts under precision, recall, F and accuracy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes, Labels, ordered
from karat.table.table import Table
from karat.tally.codes import MISSING, UNASKED, encode, filled, gather, moved, used
from karat.tally.digest import Part, digest, joined
from karat.tally.sql import alike, by_place, cells_of, key_columns, key_values, numbers
from karat.tally.tally import marginal_tally
from karat.tally.votes.small_numbers import small_numbers

if TYPE_CHECKING:
    from karat.tally.votes.patterns import Patterns

SQL = "select {keys}t, k, v, {n} as n from ({cells}) as cells group by {keys}t, k, v"


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
        truth_code = self.labels.index(truth)
        answer_code = MISSING if answer is None else self.labels.index(answer)
        here = (self.truth == truth_code) & (self.answer == answer_code)
        return int(self.number[here].sum())

    def plain(self) -> "Confusion":
        """Return the counts without keys."""
        (truth, answer), number = gather([self.truth, self.answer], self.number)
        return replace(self, truth=truth, answer=answer, number=number, keys={})

    def by(self, key: str) -> dict[Any, "Confusion"]:
        """Return one confusion per value of a key; items without truth are not split."""
        texts = [str(value) for value in self.keys[key]]
        names = ordered(texts)
        code_of = {name: code for code, name in enumerate(names)}
        codes = np.array([code_of[text] for text in texts], np.int64)
        ends = np.bincount(codes, minlength=len(names)).cumsum()
        cells_by_value = np.split(np.argsort(codes, kind="stable"), ends)[:-1]
        parts: dict[Any, Confusion] = {}
        for value, chosen in zip(names, cells_by_value, strict=True):
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
        parts = (self, other)
        truth = np.concatenate([moved(part.truth, part.labels, labels) for part in parts])
        answer = np.concatenate([moved(part.answer, part.labels, labels) for part in parts])
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
        parts: list[Part] = [joined(self.labels), self.truth, self.answer, self.number]
        parts.append(str(self.without_truth))
        for name, column in sorted(self.keys.items()):
            parts += [name, column]
        return digest(parts)


def _of_patterns(patterns: "Patterns", *, keys: str = "") -> dict[str, Confusion]:
    return {system: patterns.confusion(system, keys=keys) for system in patterns.systems}


@marginal_tally(_of_patterns)
def confusions(table: Table, *, keys: str = "") -> dict[str, Confusion]:
    """Count truth x answer of every system, split by the wanted keys that the table has."""
    found: dict[str, Confusion] = {}
    # Every item may be a cluster of its own, and weights may all differ.
    has_many_values = not {"c", "w"}.isdisjoint(set(keys) & set(table.keys))
    rows_each = table.counts.items if has_many_values else 0
    for places in alike(table, rows_each=rows_each):
        found |= _counted(table, places, keys)
    return {system: found[system] for system in table.systems}


def _counted(table: Table, places: Sequence[int], keys: str) -> dict[str, Confusion]:
    """Count the answers of some systems, which are stored in the same type, with one query."""
    key_names = key_columns(table, keys)
    counted = None if key_names else small_numbers(table, places)
    if counted is None:
        cells = cells_of(table, places, beside=[*key_names, "t"])
        key_sql = "".join(f"{name}, " for name in key_names)
        counted = table.engine.query(SQL.format(keys=key_sql, cells=cells, n=table.rows.total))
    (truth, answer), labels = encode(
        [counted["t"], counted["v"]], [None, meaning(table)], table.labels
    )
    number = numbers(counted)
    key_cells = key_values(table, keys, counted)
    found: dict[str, Confusion] = {}
    for place, own in zip(places, by_place(counted["k"], len(places)), strict=True):
        own_keys = {name: column[own] for name, column in key_cells.items()}
        raw = Confusion(labels, truth[own], answer[own], number[own], keys=own_keys)
        found[table.systems[place]] = by_rules(raw, table.labels)
    return found


def meaning(table: Table) -> tuple[str, ...] | None:
    """Return the labels that a table's answers are numbers of, if they are."""
    if table.threshold is not None and table.labels.pair:
        yes, no = table.labels.pair
        return (no, yes)
    return table.coded


def by_rules(raw: Confusion, meaning: Labels) -> Confusion:
    """Apply the table's rules for missing truths and answers, for sets and for nothing, and merge equal cells."""
    with_truth = raw.truth != MISSING
    truth, answer, labels = _members(
        raw.truth[with_truth], raw.answer[with_truth], raw.labels, meaning
    )
    counts = answer != UNASKED
    if meaning.missing == "skip":
        counts &= answer != MISSING
    truth, answer, labels = filled(truth, answer, labels, meaning)
    if meaning.nothing in labels:
        nothing = labels.index(meaning.nothing)
        counts &= (truth != nothing) | (answer != nothing)
    keys = {name: column[with_truth][counts] for name, column in raw.keys.items()}
    gathered, number = gather(
        [truth[counts], answer[counts], *keys.values()], raw.number[with_truth][counts]
    )
    codes, labels = used(gathered[:2], labels)
    return Confusion(
        labels,
        codes[0],
        codes[1],
        number,
        int(raw.number[~with_truth].sum()),
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
    known = set(labels)
    for members in sets.values():
        known.update(members)
    common = ordered(known)
    code_of = {text: code for code, text in enumerate(common)}
    answer = moved(answer, labels, common)
    # A set of right labels and an answer, as one number: so one look-up finds all right answers.
    right = []
    for code, members in sets.items():
        right += [code * len(common) + code_of[text] for text in members]
    hit = np.isin(truth * len(common) + answer, np.array(right)) & (answer >= 0)
    first = np.full(len(labels), MISSING)
    for code, members in sets.items():
        first[code] = code_of[members[0]]
    return np.where(hit, answer, first[truth]), answer, common
