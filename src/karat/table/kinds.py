"""What a column holds: yes/no, labels, scores, free text or nothing; from all its values, not from a sample."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.engine import Arrays, Engine, OpenedSource, Stored
from karat.table.distinct_rows import Rows

PAIRS = (("1", "0"), ("true", "false"), ("yes", "no"), ("+", "-"))
"""The words for yes and no; the first of each is the positive one."""
WORD_PAIRS = 3
"""How many of these pairs are words: in one column yes, TRUE and 1 mean the same, while + and - have no other form."""
ABSENT = ("na", "n/a", "#n/a", "<na>", "none", "null", "nil", "-", "--", "?", "missing")
"""What people write in a column of scores where a score is missing."""
LONGEST_LABEL = 80
MOST_WHOLE_LABELS = 3
"""So many whole numbers beside a truth of yes and no may be yes, no and unsure; more of them are scores."""
BEYOND_WHOLE = "9e18"
"""Beyond 64 bits no number counts as whole: there Spark's floor stops, and no integer would hold it."""
Counted = dict[str, int]

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
    distinct: int | None
    """Counted roughly; None for scores, whose number of different values means nothing."""
    numeric: int
    fractional: int
    nan: int
    integers: int
    longest: int
    pairs: tuple[int, ...]
    absent: int = 0
    """How many texts mean that there is no value, such as n/a."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The words for yes and no, if the column holds no others."""
        for words, number in zip(PAIRS, self.pairs, strict=True):
            if 0 < self.filled == number:
                return words
        if 0 < self.filled == sum(self.pairs[:WORD_PAIRS]):
            return PAIRS[0]
        return None

    @property
    def kind(self) -> str:
        """The kind of the values, unless an option gives another."""
        if not self.filled:
            return empty
        if self.pair:
            return yesno
        if self.numeric == self.filled and (self.fractional or self.nan):
            return score
        return text if self._names_rows else label

    @property
    def _names_rows(self) -> bool:
        nearly_all_differ = self.filled >= 50 and (self.distinct or 0) > 0.8 * self.filled
        return self.longest > LONGEST_LABEL or nearly_all_differ

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number, so that 3 and 3.0 are one label."""
        return self.numeric == self.filled and not self.fractional and not self.nan

    @property
    def is_scale(self) -> bool:
        """Whether the values are whole numbers on a scale, as from 0 to 255: scores, if the truth is yes or no."""
        return self.whole and (self.distinct or 0) > MOST_WHOLE_LABELS

    def has_absent_scores(self, kind: str | None) -> bool:
        """Return whether all values are scores, except for some that mean there is none; the kind may be given."""
        if kind not in {None, score}:
            return False
        are_scores = self.fractional > 0 or (kind == score and self.numeric > 0)
        return self.absent > 0 and are_scores and self.numeric + self.absent == self.filled


def profile(
    engine: Engine, relation: OpenedSource, columns: Sequence[int], rows: Rows | None = None
) -> dict[str, Profile]:
    """Count what each of these columns holds, in the rows of the relation or in those gathered from it.

    One query counts what needs no look at text, one looks at the different values of all texts that have few, one at
    every cell of the others.
    """
    rows = rows or Rows(relation.name)
    sums = [f"{rows.total} as n"]
    for column in columns:
        sums += _sums(column, relation.stored[column], rows)
    counted = _one_row(engine.query(f"select {', '.join(sums)} from {rows.name}"))
    number = counted.get("n", 0)
    counted |= _beyond_whole(engine, rows, columns, counted)
    counted |= _distinct_numbers(engine, rows, relation, columns, counted)
    few: list[int] = []
    many: list[int] = []
    for column in columns:
        if relation.stored[column] == "text":
            has_few = counted[f"distinct_{column}"] < number / 10
            (few if has_few else many).append(column)
    counted |= _texts(engine, few, rows, distinct=True)
    counted |= _texts(engine, many, rows, distinct=False)
    profiles = [_profile(relation, column, counted) for column in columns]
    return {known.name: known for known in profiles}


def _one_row(row: Arrays) -> Counted:
    """Return the sums of a query; one over no rows is missing, and left out."""
    sums: Counted = {}
    for name, array in row.items():
        is_missing = np.ma.getmaskarray(array)[0] or np.isnan(array[0])
        if not is_missing:
            sums[name] = int(array[0])
    return sums


def _beyond_whole(engine: Engine, rows: Rows, columns: Sequence[int], counted: Counted) -> Counted:
    """Return how many fractions and how many NaN there are in columns of NaN, or of numbers beyond 64 bits.

    To ask this of each number of every column would take most of the time that a look at them takes.
    """
    sums = []
    for column in columns:
        if counted.get(f"beyond_{column}"):
            for what, condition in _of_numbers(f"c{column}").items():
                sums.append(f"{rows.where(condition)} as {what}_{column}")
    if not sums:
        return {}
    return _one_row(engine.query(f"select {', '.join(sums)} from {rows.name}"))


def _distinct_numbers(
    engine: Engine, rows: Rows, relation: OpenedSource, columns: Sequence[int], counted: Counted
) -> Counted:
    """Return how many values columns of whole numbers have: of neighbours both occur, others are counted roughly.

    The number of different values says nothing about scores, and counting it would take most of a profile's time.
    """
    distinct: Counted = {}
    spans_more = []
    for column in columns:
        span = counted.get(f"span_{column}", -1)
        if relation.stored[column] == "fraction":
            split = counted.get(f"fractional_{column}", 0) + counted.get(f"nan_{column}", 0)
            if not split:
                spans_more.append(column)
        elif relation.stored[column] == "whole" and span > 1:
            spans_more.append(column)
        elif relation.stored[column] == "whole":
            distinct[f"distinct_{column}"] = span + 1
    if not spans_more:
        return distinct
    sums = [f"approx_count_distinct(c{column}) as distinct_{column}" for column in spans_more]
    return distinct | _one_row(engine.query(f"select {', '.join(sums)} from {rows.name}"))


def _profile(relation: OpenedSource, column: int, counted: Counted) -> Profile:
    def value(what: str) -> int:
        return counted.get(f"{what}_{column}", 0)

    is_score = value("fractional") + value("nan") > 0 and relation.stored[column] == "fraction"
    return Profile(
        name=relation.columns[column],
        stored=relation.stored[column],
        rows=counted.get("n", 0),
        filled=value("filled"),
        distinct=counted.get(f"distinct_{column}", None if is_score else 0),
        numeric=value("numeric"),
        fractional=value("fractional"),
        nan=value("nan"),
        integers=value("integers"),
        longest=value("longest"),
        pairs=tuple(value(f"pair{number}") for number in range(len(PAIRS))),
        absent=value("absent"),
    )


def _sums(column: int, stored: Stored, rows: Rows) -> list[str]:
    """Return the SQL that profiles a column as far as its stored type allows without looking at text."""
    cell = f"c{column}"
    number = rows.filled(cell)
    filled = f"{number} as filled_{column}"
    distinct = f"approx_count_distinct({cell}) as distinct_{column}"
    match stored:
        case "nested":
            return [f"0 as filled_{column}"]
        case "boolean":
            return [filled, distinct, f"{number} as pair1_{column}"]
        case "whole":
            only_0_and_1 = f"min({cell}) >= 0 and max({cell}) <= 1"
            return [
                filled,
                f"{number} as numeric_{column}",
                f"{number} as integers_{column}",
                f"case when {only_0_and_1} then {number} else 0 end as pair0_{column}",
                f"cast(max({cell}) as double) - cast(min({cell}) as double) as span_{column}",
            ]
        case "fraction":
            # NaN counts as the greatest of all numbers, and is not below any.
            beyond = f"max({cell}) >= {BEYOND_WHOLE} or min({cell}) <= -{BEYOND_WHOLE}"
            fractional = rows.where(f"{cell} <> floor({cell})")
            only_0_and_1 = f"min({cell}) >= 0 and max({cell}) <= 1 and {fractional} = 0"
            return [
                filled,
                f"{number} as numeric_{column}",
                f"{fractional} as fractional_{column}",
                f"case when {only_0_and_1} then {number} else 0 end as pair0_{column}",
                f"case when {beyond} then 1 else 0 end as beyond_{column}",
            ]
    return [filled, distinct]


def _texts(engine: Engine, columns: Sequence[int], rows: Rows, *, distinct: bool) -> Counted:
    """Return what the values of text columns look like: by each different value of a column once, or by every cell."""
    if not columns:
        return {}
    beside = [] if rows.number == "1" else [rows.number]
    cells = engine.cells(rows.name, [f"c{column}" for column in columns], beside=beside)
    values = Rows(f"({cells}) as cells", rows.number)
    if distinct:
        once = f"select k, v, {values.total} as number from {values.name} group by k, v"
        values = Rows(f"({once}) as once", "number")
    sums = [f"{values.where(condition)} as {what}" for what, condition in TEXTS.items()]
    found = engine.query(
        f"select k, max(length(v)) as longest, {', '.join(sums)} from {values.name} group by k"
    )
    counted: Counted = {}
    for place, k in enumerate(found["k"]):
        for what in ("longest", *TEXTS):
            one = found[what][place]
            counted[f"{what}_{columns[int(k)]}"] = 0 if np.ma.is_masked(one) else int(one)
    return counted


def as_number(cell: str, stored: Stored) -> str:
    """Return SQL for a cell as a number, null where it is not a number.

    Left alone, Spark takes 3D for a 3, and DuckDB 1_000 for a thousand.
    """
    if stored != "text":
        return f"cast({cell} as double)"
    number = f"try_cast({cell} as double)"
    lower = f"lower({cell})"
    odd = f"translate({lower}, 'dfpx_', '') <> {lower} and {lower} not like '%inf%'"
    # Most texts fail the first test, which takes a tenth of the time of the second.
    return f"case when {number} is null then null when {odd} then null else {number} end"


def _of_numbers(number: str) -> dict[str, str]:
    """Return SQL for what numbers may be."""
    split = f"(abs({number}) >= {BEYOND_WHOLE} or {number} <> floor({number}))"
    return {"fractional": f"not isnan({number}) and {split}", "nan": f"isnan({number})"}


def says_absent(text: str) -> str:
    """Return SQL for whether a text means that there is no value."""
    longest = max(map(len, ABSENT))
    return f"length(trim({text})) <= {longest} and lower(trim({text})) in {ABSENT}"


def _of_texts() -> dict[str, str]:
    """Return SQL for what the text v may be."""
    number = as_number("v", "text")
    texts = {
        "numeric": f"{number} is not null",
        **_of_numbers(number),
        "integers": "cast(try_cast(v as bigint) as string) = v",
        "pair0": "v in ('1', '0', '1.0', '0.0')",  # 01 and +1 are labels
        "absent": says_absent("v"),
    }
    for place, words in enumerate(PAIRS[1:], 1):
        texts[f"pair{place}"] = f"lower(v) in {words}"
    return texts


TEXTS = _of_texts()
