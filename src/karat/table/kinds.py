"""What a column holds: yes/no, labels, scores, free text or nothing; from all its values, not from a sample."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.engine import Arrays, Engine, OpenedSource, Stored

PAIRS = (("1", "0"), ("true", "false"), ("yes", "no"), ("+", "-"))
"""The words for yes and no; the first of each is the positive one."""
LONGEST_LABEL = 80
TOGETHER = 25
"""Columns profiled by one query; more make the query slower to plan than to run."""

yesno = "yesno"
label = "label"
score = "score"
distribution = "distribution"
text = "text"
empty = "empty"


@dataclass(frozen=True, slots=True)
class Profile:
    """What was counted in one column."""

    name: str
    stored: Stored
    rows: int
    filled: int
    distinct: int
    numeric: int
    fractional: int
    nan: int
    integers: int
    longest: int
    pairs: tuple[int, ...]

    @property
    def pair(self) -> tuple[str, str] | None:
        """The words for yes and no, if the column holds no others."""
        for words, number in zip(PAIRS, self.pairs, strict=True):
            if 0 < self.filled == number:
                return words
        return None

    @property
    def kind(self) -> str:
        """What the values are, if no option says otherwise."""
        if not self.filled:
            return empty
        if self.pair:
            return yesno
        if self.numeric == self.filled and (self.fractional or self.nan):
            return score
        return text if self._names_rows else label

    @property
    def _names_rows(self) -> bool:
        nearly_all_differ = self.filled >= 50 and self.distinct > 0.8 * self.filled
        return self.longest > LONGEST_LABEL or nearly_all_differ

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number, so that 3 and 3.0 are one label."""
        return self.numeric == self.filled and not self.fractional and not self.nan


def profile(engine: Engine, relation: OpenedSource, columns: Sequence[int]) -> dict[str, Profile]:
    """Count what each of these columns holds.

    Numbers and truth values take one pass for every few of them. Text takes a pass of its own, over its distinct
    values where these are few: what is known of a value need not be computed again for each row.
    """
    profiles: dict[str, Profile] = {}
    for start in range(0, len(columns), TOGETHER):
        part = columns[start : start + TOGETHER]
        sums = ["count(*) as n"]
        for column in part:
            sums += _sums(column, relation.stored[column])
        counted = engine.query(f"select {', '.join(sums)} from {relation.name}")
        whole = [column for column in part if relation.stored[column] == "whole"]
        counted |= _distinct_numbers(engine, relation, whole, counted)
        for column in part:
            if relation.stored[column] == "text":
                counted |= _text(engine, relation, column, counted)
            profiles[relation.columns[column]] = _profile(relation, column, counted)
    return profiles


def _distinct_numbers(
    engine: Engine, relation: OpenedSource, columns: Sequence[int], counted: Arrays
) -> Arrays:
    """Return how many values columns of whole numbers have: of neighbours both occur, others are counted roughly."""
    distinct: Arrays = {}
    spans_more = []
    for column in columns:
        span = counted[f"span_{column}"]
        if span[0] <= 1:
            distinct[f"distinct_{column}"] = span + 1
        else:
            spans_more.append(column)
    if spans_more:
        sums = [f"approx_count_distinct(c{column}) as distinct_{column}" for column in spans_more]
        distinct |= engine.query(f"select {', '.join(sums)} from {relation.name}")
    return distinct


def _profile(relation: OpenedSource, column: int, counted: Arrays) -> Profile:
    def value(what: str) -> int:
        array = counted.get(f"{what}_{column}")
        if array is None or np.ma.getmaskarray(array)[0] or np.isnan(array[0]):
            return 0
        return int(array[0])

    return Profile(
        name=relation.columns[column],
        stored=relation.stored[column],
        rows=int(counted["n"][0]),
        filled=value("filled"),
        distinct=value("distinct"),
        numeric=value("numeric"),
        fractional=value("fractional"),
        nan=value("nan"),
        integers=value("integers"),
        longest=value("longest"),
        pairs=tuple(value(f"pair{number}") for number in range(len(PAIRS))),
    )


def _sums(column: int, stored: Stored) -> list[str]:
    """Return the SQL that profiles a column as far as its stored type allows without looking at text."""
    cell = f"c{column}"
    filled = f"count({cell}) as filled_{column}"
    always = [filled, f"approx_count_distinct({cell}) as distinct_{column}"]
    match stored:
        case "nested":
            return [f"0 as filled_{column}"]
        case "boolean":
            return [*always, f"count({cell}) as pair1_{column}"]
        case "whole":
            only_0_and_1 = f"min({cell}) >= 0 and max({cell}) <= 1"
            return [
                filled,
                f"count({cell}) as numeric_{column}",
                f"count({cell}) as integers_{column}",
                f"case when {only_0_and_1} then count({cell}) else 0 end as pair0_{column}",
                f"cast(max({cell}) as double) - cast(min({cell}) as double) as span_{column}",
            ]
        case "fraction":
            ones = _count(f"{cell} in (0, 1)", f"pair0_{column}", weight="1")
            return [
                *always,
                f"count({cell}) as numeric_{column}",
                *_numbers(cell, column, weight="1"),
                ones,
            ]
    return always


def _text(engine: Engine, relation: OpenedSource, column: int, counted: Arrays) -> Arrays:
    """Return what the values of a text column look like."""
    cell = f"c{column}"
    few_values = counted[f"distinct_{column}"][0] < counted["n"][0] / 10
    if few_values:
        values = f"select {cell}, count(*) as n from {relation.name} group by {cell}"
    else:
        values = f"select {cell}, 1 as n from {relation.name}"
    number = as_number(cell, "text")
    sums = [
        _count(f"{number} is not null", f"numeric_{column}"),
        *_numbers(number, column),
        _count(f"cast(try_cast({cell} as bigint) as string) = {cell}", f"integers_{column}"),
        f"max(length({cell})) as longest_{column}",
        _count(f"{cell} in ('1', '0', '1.0', '0.0')", f"pair0_{column}"),  # 01 and +1 are labels
    ]
    for place, words in enumerate(PAIRS[1:], 1):
        sums.append(_count(f"lower({cell}) in {words}", f"pair{place}_{column}"))
    return engine.query(f"select {', '.join(sums)} from ({values}) as cells")


def as_number(cell: str, stored: Stored) -> str:
    """Return SQL for a cell as a number, null where it is none.

    Left alone, Spark takes 3D for a 3, and DuckDB 1_000 for a thousand.
    """
    if stored != "text":
        return f"cast({cell} as double)"
    lower = f"lower({cell})"
    odd = f"translate({lower}, 'dfpx_', '') <> {lower} and {lower} not like '%inf%'"
    return f"case when {odd} then null else try_cast({cell} as double) end"


def _numbers(number: str, column: int, *, weight: str = "n") -> list[str]:
    # Beyond 64 bits no number counts as whole: there Spark's floor stops, and no integer would hold it.
    split = f"(abs({number}) >= 9e18 or {number} <> floor({number}))"
    return [
        _count(f"not isnan({number}) and {split}", f"fractional_{column}", weight=weight),
        _count(f"isnan({number})", f"nan_{column}", weight=weight),
    ]


def _count(condition: str, name: str, *, weight: str = "n") -> str:
    return f"sum(case when {condition} then {weight} else 0 end) as {name}"
