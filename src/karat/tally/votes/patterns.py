"""Distinct rows of (truth, answer 1, ..., answer s) with their number: the whole table, as small as it gets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import TallyError
from karat.table.distinct_rows import SAMPLE
from karat.table.labels import Codes, Labels, ordered
from karat.table.table import Table
from karat.tally.codes import filled, gather, moved, narrow_codes
from karat.tally.digest import Part, digest, joined
from karat.tally.sql import answer_sql, key_columns, key_values, numbers
from karat.tally.tally import marginal_tally
from karat.tally.votes.confusion import Confusion, by_rules, meaning

SQL = "select {keys}{truth}{answers}, {n} as n from {rows} group by {keys}{truth}{grouped}"
MOST = 10_000_000
"""How many patterns memory holds."""
ONE_BY_ONE = (
    "this asks what the systems answered to the same items, and score maps are counted one system at a time; "
    "make masks of them as they are read, with --using threshold=VALUE"
)


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Which answers occurred together, and how often.

    Every order of systems, every pair and every confusion is a marginal of it. Codes are places in `labels`, -1 is
    a missing truth or answer. `meaning` is what the labels mean (sets of right labels, nothing, missing).
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
        key_cells = {key: self.keys[key] for key in keys if key in self.keys}
        raw = Confusion(self.labels, self.truth, column, self.number, keys=key_cells)
        return by_rules(raw, self.meaning)

    def filled(self) -> "Patterns":
        """Return the patterns with missing answers replaced by the label that they count as, if there is one."""
        if not self.meaning.missing.startswith("as:"):
            return self
        truth, answers, labels = filled(self.truth, self.answers, self.labels, self.meaning)
        meaning = replace(self.meaning, missing="wrong")
        keys = [self.keys[name] for name in sorted(self.keys)]
        relabelled = replace(self, labels=labels, meaning=meaning)
        return gathered(relabelled, [truth, *answers.T, *keys], self.number)

    def by_name(self) -> "Patterns":
        """Return the systems in the order of their names: the same rows in whatever order they were given."""
        if list(self.systems) == sorted(self.systems):
            return self
        truth, *answers_and_keys = _columns(self, self.labels)
        order = sorted(range(len(self.systems)), key=lambda place: self.systems[place])
        answers = [answers_and_keys[place] for place in order]
        keys = answers_and_keys[len(order) :]
        renamed = replace(self, systems=tuple(self.systems[place] for place in order))
        return gathered(renamed, [truth, *answers, *keys], self.number)

    def marginal(self, keys: str) -> "Patterns":
        """Return the patterns with only the wanted keys."""
        kept = {name: column for name, column in self.keys.items() if name in keys}
        if len(kept) == len(self.keys):
            return self
        slim = replace(self, keys=kept)
        return gathered(slim, _columns(slim, self.labels), self.number)

    def __add__(self, other: "Patterns") -> "Patterns":
        """Return the patterns of both; they must be of the same systems, counted with the same options."""
        check_alike(self, other)
        labels = ordered({*self.labels, *other.labels})
        pairs = zip(_columns(self, labels), _columns(other, labels), strict=True)
        columns = [np.concatenate(pair) for pair in pairs]
        number = np.concatenate([self.number, other.number])
        return gathered(replace(self, labels=labels), columns, number)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[Part] = [joined(self.systems), joined(self.labels)]
        parts += [self.truth, self.answers, self.number]
        for name, column in sorted(self.keys.items()):
            parts += [name, column]
        return digest(parts)


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
    """Return truth, answers and keys as columns, with codes into other labels."""
    truth = moved(patterns.truth, patterns.labels, labels)
    answers = [moved(column, patterns.labels, labels) for column in patterns.answers.T]
    keys = [patterns.keys[name] for name in sorted(patterns.keys)]
    return [truth, *answers, *keys]


def gathered(
    patterns: Patterns, columns: Sequence[npt.NDArray[Any]], number: npt.NDArray[np.int64]
) -> Patterns:
    """Return the patterns with every distinct row of truth, answers and keys once, in order."""
    distinct, number = gather(columns, number)
    last = 1 + len(patterns.systems)
    answers = np.empty((len(number), len(patterns.systems)), np.int32)
    for place, column in enumerate(distinct[1:last]):
        answers[:, place] = column
    return replace(
        patterns,
        truth=distinct[0].astype(np.int64),
        answers=answers,
        number=number,
        keys=dict(zip(sorted(patterns.keys), distinct[last:], strict=True)),
    )


def _marginal(patterns: Patterns, *, keys: str = "") -> Patterns:
    return patterns.marginal(keys)


@marginal_tally(_marginal)
def patterns(table: Table, *, keys: str = "") -> Patterns:
    """Count the distinct rows of the table, items without truth among them."""
    if table.reading.one_by_one and "c" not in keys:
        raise TallyError(ONE_BY_ONE)
    read = _row_by_row if _has_mostly_different_rows(table) else _grouped
    columns, number, labels = read(table, keys)
    ungathered = Patterns(
        systems=table.systems,
        labels=labels,
        truth=np.empty(0, np.int64),
        answers=np.empty((0, 0), np.int32),
        number=number,
        meaning=table.labels,
        keys=dict.fromkeys(key_columns(table, keys), number),
    )
    return gathered(ungathered, columns, number)


Columns = tuple[list[npt.NDArray[Any]], npt.NDArray[np.int64], tuple[str, ...]]
"""Truth, answers and keys as columns, how many rows of the data each row represents, and the labels."""


def _has_mostly_different_rows(table: Table) -> bool:
    """Return whether equal rows were looked for and not found, where columns can be read one after the other."""
    items = table.counts.items
    return table.engine.ordered and table.rows.number == "1" and SAMPLE < items <= MOST


def _row_by_row(table: Table, keys: str) -> Columns:
    """Read column by column: memory holds codes, and the values of one column.

    A query that groups them would hold every value as an object of Python, and would not make them fewer.
    """

    def read() -> Iterator[npt.NDArray[Any]]:
        wanted = ["t"] if table.has_truth else ["null"]
        wanted += [answer_sql(table, system) for system in range(len(table.systems))]
        for cell in wanted:
            yield table.engine.query(f"select {cell} as v from {table.rows.name}")["v"]

    meanings = [None, *[meaning(table)] * len(table.systems)]
    columns: list[npt.NDArray[Any]] = []
    coded, labels = narrow_codes(read(), meanings, table.labels)
    columns += coded
    for key in key_columns(table, keys):
        counted = table.engine.query(f"select {key} from {table.rows.name}")
        columns.append(key_values(table, key, counted)[key])
    return columns, np.ones(len(columns[0]), np.int64), labels


def _grouped(table: Table, keys: str) -> Columns:
    """Let the engine group equal rows; how many it found is known before the first leaves it."""
    answers = [answer_sql(table, system) for system in range(len(table.systems))]
    named = [f"{answer} as s{system}" for system, answer in enumerate(answers)]
    sql = SQL.format(
        keys="".join(f"{key}, " for key in key_columns(table, keys)),
        truth="t, " if table.has_truth else "",
        answers=", ".join(named),
        grouped=", ".join(answers),
        n=table.rows.total,
        rows=table.rows.name,
    )
    counted = _few(table, sql)
    number = numbers(counted)
    truth = np.full(len(number), None, dtype=object)
    if table.has_truth:
        truth = counted["t"]
    columns = [counted[f"s{system}"] for system in range(len(table.systems))]
    meanings = [None, *[meaning(table)] * len(columns)]
    coded, labels = narrow_codes([truth, *columns], meanings, table.labels)
    key_cells = key_values(table, keys, counted)
    return [*coded, *[key_cells[name] for name in sorted(key_cells)]], number, labels


def _few(table: Table, sql: str) -> Arrays:
    """Return patterns; too many are refused while they are in the engine still."""
    if table.counts.items <= MOST:
        return table.engine.query(sql)
    table.engine.keep("counted_patterns", sql)
    found = int(table.engine.query("select count(*) as n from counted_patterns")["n"][0])
    if found > MOST:
        raise TallyError(
            f"{found:,} distinct patterns are over {MOST:,}; choose fewer systems with --systems"
        )
    return table.engine.query("select * from counted_patterns")
