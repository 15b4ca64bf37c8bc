"""Where the systems will be used: class balances from words and from files."""

from collections.abc import Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from karat.ask.prevalence import Columns, Field, between, on, one, skew_of
from karat.engine import ENGINES, Engine, Relation
from karat.errors import OptionError
from karat.source.recognise import is_file, recognise
from karat.table.series import series


def read_series(path: str | Path, *names: str) -> Columns:
    """Read columns of numbers: a balance over time, the weights of balances, or scores from the field."""
    return series(*open_series(path), names)


def open_series(path: Any) -> tuple[Engine, Relation]:
    """Open columns of numbers, without reading them."""
    source = recognise(path)
    engine: Engine = ENGINES["duckdb"](paths=source.paths)
    return engine, engine.open(source)


def fields_of(
    *,
    to: float | str | Path | Sequence[float | str | Path] = (),
    low: float | str | None = None,
    high: float | str | None = None,
    prior: str | Columns = "uniform",
    trajectory: Any = None,
    time: float | Sequence[float | None] | None = None,
) -> tuple[tuple[Field, ...], list[str]]:
    """Return the fields that were named, and the files of scores among them."""
    given = [to] if isinstance(to, float | int | Real | str | Path) else list(to)
    words = [
        part for each in given for part in _parts(str(each) if isinstance(each, Path) else each)
    ]
    if given and not words:
        raise OptionError("--to names no class balance; write one, as 0.01")
    files = [word for word in words if isinstance(word, str) and is_file(word)]
    if len(files) > 1:
        raise OptionError(
            f"one file of scores from the field at a time; there are {len(files)}, first {files[0]}"
        )
    fields = [_field(word) for word in words if word not in files]
    if (low is None) != (high is None):
        raise OptionError("a range of class balances has two ends; say --low and --high")
    if low is not None and high is not None:
        weights = (
            read_series(prior, "skew", "weight")
            if isinstance(prior, str) and is_file(prior)
            else prior
        )
        fields.append(between(skew_of(low), skew_of(high), prior=weights))
    elif prior != "uniform":
        raise OptionError("--prior weighs the balances of a range; say --low and --high")
    if trajectory is not None:
        path = isinstance(trajectory, Path) or (isinstance(trajectory, str) and is_file(trajectory))
        course = read_series(trajectory, "time", "skew") if path else trajectory
        fields += [
            on(course, time=each) for each in (time if isinstance(time, Sequence) else [time])
        ]
    elif time is not None:
        raise OptionError("--time is how long a trajectory lasts; say --trajectory")
    return tuple(fields), files


def _field(word: float | str) -> Field:
    """Return the field that a word names: a class balance, or a range of them as LOW..HIGH."""
    low, dots, high = str(word).partition("..")
    return between(skew_of(low), skew_of(high)) if dots else one(skew_of(word))


def _parts(word: float | str) -> list[float | str]:
    """Return balances written with commas one by one; a file's name may hold a comma."""
    if not isinstance(word, str) or is_file(word):
        return [word]
    return [part for part in word.split(",") if part.strip()]
