"""Counts in place of a table: 42/100, alpha=42/100, a rounded share of so many items, a table of a leaderboard."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from karat.errors import InputError, OptionError
from karat.source.paths import is_a_file

COUNTS = re.compile(r"(?:([^=/]+)=)?(\d{1,18})/(\d{1,18})")
ROUNDED = re.compile(r"(?:([^=/]+)=)?(\d*\.\d+|\d+(?:\.\d+)?%)/(\d{1,18})")
WHO = ("model", "system", "name", "method")
SHARE = ("accuracy", "acc", "share")
SUCCESSES = ("correct", "right", "successes", "hits")
TRIALS = ("n", "items", "trials", "total", "questions")
TABLES = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Count:
    """So many successes of so many trials; between least and most where only a rounded share is known."""

    name: str
    least: int
    most: int
    trials: int
    share: float | None = None
    """The share as it was published, where the count is not known."""

    @property
    def pair(self) -> tuple[int, int]:
        """Successes and trials; refused where several numbers of successes fit."""
        if self.least < self.most:
            raise OptionError(
                f"{self.name} may be {self.least:,} to {self.most:,} of {self.trials:,}; "
                f"write the count, as {self.least}/{self.trials}"
            )
        return self.least, self.trials

    @property
    def value(self) -> float | None:
        """The share: as it was published, or of the counts; None of no trials."""
        if self.share is not None:
            return self.share
        return self.least / self.trials if self.trials else None

    def range(self) -> dict[str, str | int | float | None]:
        """Return the counts that fit, as plain values."""
        return {
            "system": self.name,
            "share": self.share,
            "least": self.least,
            "most": self.most,
            "trials": self.trials,
        }

    @property
    def middle(self) -> float:
        """The middle of the shares that fit, 0 of no trials: which of two counts is ahead."""
        return (self.least + self.most) / (2 * self.trials) if self.trials else 0.0


def as_counts(
    counts: Sequence[tuple[int, int] | Count],
) -> list[Count]:
    """Return counts with their names; a pair of numbers is called as it is written."""
    found = []
    for count in counts:
        if isinstance(count, Count):
            found.append(count)
        else:
            successes, trials = count
            found.append(Count(f"{successes}/{trials}", successes, successes, trials))
    names = [count.name for count in found if count.name.rpartition("/")[1] == ""]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise OptionError(f"two counts are called {twice[0]!r}; give each its own name")
    return found


def beside(counts: Sequence[Count]) -> dict[str, list[dict[str, str | int | float | None]]]:
    """Return which counts fit the shares that were rounded, to stand beside a result; nothing if none was."""
    ranges = [count.range() for count in counts if count.share is not None]
    return {"rounded": ranges} if ranges else {}


def parse_count(word: str) -> Count | None:
    """Return the count that a word states, if it is one.

    >>> parse_count("alpha=42/100"), parse_count("t.csv")
    (Count(name='alpha', least=42, most=42, trials=100, share=None), None)
    >>> parse_count("0.853/5000")
    Count(name='0.853/5000', least=4263, most=4267, trials=5000, share=0.853)
    """
    match = COUNTS.fullmatch(word)
    if match:
        successes = int(match[2])
        return _checked(match[1] or word, successes, successes, int(match[3]))
    match = ROUNDED.fullmatch(word)
    if match:
        return rounded(match[1] or word, match[2], int(match[3]))
    return None


def rounded(name: str, share: str, trials: int) -> Count:
    """Return the numbers of successes that are this share when it is rounded as it is written, half up or down."""
    number = Decimal(share.removesuffix("%"))
    half = Decimal(5).scaleb(number.as_tuple().exponent - 1)  # type: ignore[operator]
    if share.endswith("%"):
        number /= 100
        half /= 100
    least = int(((number - half) * trials).to_integral_value(ROUND_CEILING))
    most = int(((number + half) * trials).to_integral_value(ROUND_FLOOR))
    if number > 1:
        raise OptionError(f"{name}: {share} is not a share; write it from 0 to 1, or as 85.3%")
    if least > most:
        raise OptionError(
            f"{name}: no number of successes out of {trials:,} is {share}; check both"
        )
    return _checked(name, max(least, 0), min(most, trials), trials, float(number))


def _checked(name: str, least: int, most: int, trials: int, share: float | None = None) -> Count:
    if most > trials:
        raise OptionError(f"{most}/{trials} has more successes than trials; write SUCCESSES/TRIALS")
    return Count(name, least, most, trials, share if least < most else None)


@dataclass(frozen=True, slots=True)
class _LeaderboardColumns:
    """The names of the columns of a leaderboard."""

    name: str
    value: str
    trials: str
    are_shares: bool
    """Whether the value is an accuracy; else the number of right answers."""


def leaderboard(path: str) -> list[Count]:
    """Return the counts in a table of a leaderboard, a row a model with its accuracy and n; none if it is another."""
    if not path.lower().endswith(TABLES) or not is_a_file(path):
        return []
    columns = _leaderboard_columns(path)
    if columns is None:
        return []
    from karat.source.faults import Faults  # noqa: PLC0415
    from karat.source.files.correct import rows  # noqa: PLC0415 (loads NumPy)

    found = list(rows(path, Faults(lenient=False)))
    values = [str(row[columns.value]).strip() for _, row in found]
    if columns.are_shares and any(_is_above_one(text) for text in values):
        values = [f"{text.removesuffix('%')}%" for text in values]
    counts = []
    for (place, row), value in zip(found, values, strict=True):
        count = _count_of(value, str(row[columns.trials]).strip(), are_shares=columns.are_shares)
        if count is None:
            raise InputError(
                f"{place}: {row[columns.value]!r} of {row[columns.trials]!r} is not a count; a leaderboard has a "
                "model, its accuracy (0.853, 85.3 or 85.3%) or its number of right answers, and n"
            )
        counts.append(replace(count, name=str(row[columns.name]).strip()))
    return counts


def _leaderboard_columns(path: str) -> _LeaderboardColumns | None:
    """Return which column is which; None where the table is no leaderboard."""
    columns = _columns(path)
    name = _first(columns, WHO)
    share = _first(columns, SHARE)
    value = share or _first(columns, SUCCESSES)
    trials = _first(columns, TRIALS)
    if len(columns) == 2 and name and share:
        raise InputError(
            f"{path} is a leaderboard without its number of items; add a column n: nothing else says how certain "
            "its shares are"
        )
    if len(columns) != 3 or name is None or value is None or trials is None:
        return None
    return _LeaderboardColumns(name, value, trials, are_shares=share is not None)


def _count_of(value: str, trials: str, *, are_shares: bool) -> Count | None:
    """Return the count in a row: an accuracy of 1 is no count of 1, and nobody knows how it was rounded."""
    form = ROUNDED if are_shares else COUNTS
    word = f"{value}/{trials}"
    return parse_count(word) if form.fullmatch(word) else None


def _is_above_one(text: str) -> bool:
    """Return whether an accuracy is above 1: then the column is in per cent. A whole number may be a count."""
    return re.fullmatch(r"\d+\.\d+", text) is not None and float(text) > 1


def _columns(path: str) -> dict[str, str]:
    """Return the names of the columns by what they are in lower case; none where the header cannot be read."""
    from karat.source.files.delimited import first_line, header  # noqa: PLC0415 (loads its readers)

    try:
        line = first_line(path)
        names = header(line, origin=path).names if line else ()
    except InputError:
        return {}  # what is wrong is told where the table is read
    return {name.strip().lower(): name for name in names}


def _first(columns: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((columns[name] for name in names if name in columns), None)
