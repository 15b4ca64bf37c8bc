"""What all intervals have in common: low and high ends, tails, and checks of levels, seeds and counts."""

from dataclasses import dataclass
from numbers import Integral
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

Side = Literal["both", "lower", "upper"]


@dataclass(frozen=True, slots=True)
class Interval:
    """Confidence or credible intervals: one low and one high end per value."""

    low: FloatArray
    high: FloatArray
    level: float
    method: str
    caution: str = ""
    """A sentence where the method was seen to cover less often than it says, in settings like this one."""


def check_level(level: float) -> None:
    """Refuse a level that is not a probability.

    >>> check_level(95)
    Traceback (most recent call last):
    karat.errors.OptionError: level is 95; it must be strictly between 0 and 1, such as 0.95
    """
    if not 0 < level < 1:
        raise OptionError(f"level is {level}; it must be strictly between 0 and 1, such as 0.95")


def check_chance(*, draws: int = 1, seed: int = 0) -> None:
    """Refuse numbers of draws below 1, and seeds below 0.

    >>> check_chance(draws=0)
    Traceback (most recent call last):
    karat.errors.OptionError: draws= is 0; it is a whole number from 1 up
    """
    _check_whole("draws", draws, least=1)
    _check_whole("seed", seed, least=0)


def _check_whole(name: str, value: int, *, least: int) -> None:
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise OptionError(f"--{name} is {value}; it is a whole number from {least} up")


def tails(level: float, side: Side) -> tuple[float, float]:
    """Return the error probability below the low end, and that above the high end.

    >>> tails(0.75, "both"), tails(0.75, "lower"), tails(0.75, "upper")
    ((0.125, 0.125), (0.25, 0.0), (0.0, 0.25))
    """
    check_level(level)
    error = 1 - level
    shares = {"both": (error / 2, error / 2), "lower": (error, 0.0), "upper": (0.0, error)}
    if side not in shares:
        raise OptionError(f"side is {side!r}; it must be 'both', 'lower' or 'upper'")
    return shares[side]


def check_counts(successes: npt.ArrayLike, trials: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return successes and trials as two arrays of one shape, or refuse the first entry that is not a share.

    >>> check_counts([7, 9], 8)
    Traceback (most recent call last):
    karat.errors.OptionError: entry 1 has 9 successes in 8 trials; there cannot be more successes than trials
    """
    x = floats("successes", successes)
    n = floats("trials", trials)
    x, n = together(x, n, "successes have the shape {}, trials {}")
    for name, counts in (("successes", x), ("trials", n)):
        refuse(~np.isfinite(counts), name, counts, "a count must be finite")
        refuse(counts < 0, name, counts, "a count cannot be negative")
    entry = _first(x > n)
    if entry is not None:
        counts_there = f"{_plain(x[entry])} successes in {_plain(n[entry])} trials"
        raise OptionError(
            f"{_where(entry)} has {counts_there}; there cannot be more successes than trials"
        )
    return x, n


def refuse(bad: BoolArray, name: str, counts: FloatArray, rule: str) -> None:
    """Refuse counts with a bad entry: name the first, the count there, and the rule it breaks.

    >>> refuse(np.array([False, True]), "trials", np.array([3.0, 2.5]), "trials are whole")
    Traceback (most recent call last):
    karat.errors.OptionError: entry 1 of trials is 2.5; trials are whole
    """
    entry = _first(bad)
    if entry is not None:
        raise OptionError(f"{_where(entry)} of {name} is {_plain(counts[entry])}; {rule}")


def floats(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return values as an array of floats, or refuse them.

    >>> floats("trials", "many")
    Traceback (most recent call last):
    karat.errors.OptionError: trials cannot be read as numbers: could not convert string to float: 'many'
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"{name} cannot be read as numbers: {error}") from error


def together(one: FloatArray, other: FloatArray, shapes: str) -> tuple[FloatArray, FloatArray]:
    """Return two arrays in one shape, or refuse them, with a phrase that takes their shapes.

    >>> together(np.array([1.0, 2.0]), np.array(5.0), "the shapes {} and {}")[1]
    array([5., 5.])
    """
    try:
        first, second = np.broadcast_arrays(one, other)
    except ValueError as error:
        both_shapes = shapes.format(one.shape, other.shape)
        raise OptionError(f"{both_shapes}; give one count for each, or one for all") from error
    return first, second


def _first(bad: BoolArray) -> tuple[int, ...] | None:
    """Return the place of the first bad entry, if there is one."""
    if not np.any(bad):
        return None
    return tuple(np.argwhere(bad)[0].tolist())


def _where(entry: tuple[int, ...]) -> str:
    if not entry:
        return "the only entry"
    return f"entry {', '.join(map(str, entry))}"


def _plain(count: float) -> str:
    # The shortest digits that distinguish two floats: "0.3 exceeds 0.3" would puzzle users who sum weights.
    return np.format_float_positional(count, trim="-")
