"""What a column holds: yes/no, labels, scores, free text or nothing; from all its values, not from a sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from karat.engine import Arrays, Engine, Relation, Stored

PAIRS = (("1", "0"), ("true", "false"), ("yes", "no"), ("+", "-"))
"""The words for yes and no; the first of each is the positive one."""
LONGEST_LABEL = 80
TOGETHER = 25
"""Columns profiled by one query; more make the query slower to plan than to run."""

yesno, label, score, distribution, text, empty = "yesno", "label", "score", "distribution", "text", "empty"


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
        return next((words for words, n in zip(PAIRS, self.pairs, strict=True) if 0 < self.filled == n), None)

    @property
    def kind(self) -> str:
        """What the values are, if nobody says otherwise."""
        if not self.filled:
            return empty
        if self.pair:
            return yesno
        if self.numeric == self.filled:
            return score if self.fractional or self.nan else label
        return text if self._names_rows else label

    @property
    def _names_rows(self) -> bool:
        return self.longest > LONGEST_LABEL or (self.filled >= 50 and self.distinct > 0.9 * self.filled)

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number, so that 3 and 3.0 are one label."""
        return self.numeric == self.filled and not self.fractional and not self.nan


def profile(engine: Engine, relation: Relation, columns: Sequence[int]) -> dict[str, Profile]:
    """Count what each of these columns holds, in one pass for every few of them."""
    profiles: dict[str, Profile] = {}
    for start in range(0, len(columns), TOGETHER):
        part = columns[start : start + TOGETHER]
        sums = ", ".join(sql for column in part for sql in _sums(column, relation.stored[column]))
        counted = engine.query(f"select count(*) as n, {sums} from {relation.name}")
        profiles |= {relation.columns[column]: _profile(relation, column, counted) for column in part}
    return profiles


def _profile(relation: Relation, column: int, counted: Arrays) -> Profile:
    def value(what: str) -> int:
        array = counted.get(f"{what}{column}")
        return 0 if array is None or array[0] is None or not array[0] == array[0] else int(array[0])  # noqa: SIM201

    return Profile(
        name=relation.columns[column],
        stored=relation.stored[column],
        rows=int(counted["n"][0]),
        pairs=tuple(value(f"pair{number}_") for number in range(len(PAIRS))),
        **{what: value(f"{what}_") for what in _COUNTED},
    )


_COUNTED = ("filled", "distinct", "numeric", "fractional", "nan", "integers", "longest")


def _sums(column: int, stored: Stored) -> list[str]:
    """Return the SQL that profiles a column, cheap where the stored type already says much."""
    cell = f"c{column}"
    number = f"try_cast({cell} as double)" if stored == "text" else f"cast({cell} as double)"
    always = [f"count({cell}) as filled_{column}", f"approx_count_distinct({cell}) as distinct_{column}"]
    match stored:
        case "nested":
            return [f"0 as filled_{column}"]
        case "boolean":
            return [*always, f"count({cell}) as pair1_{column}"]
        case "whole":
            return [
                *always,
                f"count({cell}) as numeric_{column}",
                f"count({cell}) as integers_{column}",
                f"case when min({cell}) >= 0 and max({cell}) <= 1 then count({cell}) else 0 end as pair0_{column}",
            ]
        case "fraction":
            return [
                *always,
                f"count({cell}) as numeric_{column}",
                *_fractions(number, column),
                _ones(cell, column),
            ]
    return [
        *always,
        f"count({number}) as numeric_{column}",
        *_fractions(number, column),
        _count(f"cast(try_cast({cell} as bigint) as string) = {cell}", f"integers_{column}"),
        f"max(length({cell})) as longest_{column}",
        _count(f"{number} in (0, 1)", f"pair0_{column}"),
        *(
            _count(f"lower({cell}) in ('{yes}', '{no}')", f"pair{place}_{column}")
            for place, (yes, no) in enumerate(PAIRS)
            if place
        ),
    ]


def _fractions(number: str, column: int) -> list[str]:
    return [
        _count(f"not isnan({number}) and {number} <> floor({number})", f"fractional_{column}"),
        _count(f"isnan({number})", f"nan_{column}"),
    ]


def _ones(cell: str, column: int) -> str:
    return _count(f"{cell} in (0, 1)", f"pair0_{column}")


def _count(condition: str, name: str) -> str:
    return f"sum(case when {condition} then 1 else 0 end) as {name}"
