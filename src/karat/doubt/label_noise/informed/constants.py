"""What is known of wrong labels before any label of a table was checked: learnt from re-annotated benchmarks."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.words import listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Where the unknowns of the model `informed` start: a mean and a standard deviation, or a deviation around 0."""

    intercept: float
    intercept_sd: float
    """alpha, the log odds of a wrong label where half of the systems contradict it, if no share is stated."""
    slope: float
    slope_sd: float
    """beta, by how much the log odds rise with those of being contradicted."""
    unanimity: float
    unanimity_sd: float
    """gamma, by how much they rise where those who contradict agree with each other."""
    answered: float
    answered_sd: float
    """The log odds of rho, that the right label of a disputed wrong one is some system's answer."""
    exponent: float
    exponent_sd: float
    """eta, how closely the right label follows the votes."""
    by_label: float
    """The deviation of delta, the log odds of a given label."""
    by_alternative: float
    """That of kappa, of a given label and its most frequent alternative."""
    by_right_label: float
    """That of phi, of a right label."""
    by_system: float
    """That of xi, of a system's contradiction, where all systems together are one vote: 1.5 / sqrt(K) each."""
    by_group: float
    """That of a group of items."""
    source: str
    """Where they come from."""

    def signed(self) -> str:
        """Return the text that represents them in a signature."""
        numbers = [f"{value:g}" for value in asdict(self).values() if isinstance(value, float)]
        return " ".join(numbers)


LEARNT = Constants(
    intercept=-2.84,
    intercept_sd=1.34,
    slope=0.73,
    slope_sd=0.32,
    unanimity=1.05,
    unanimity_sd=1.67,
    answered=2.7,
    answered_sd=0.34,
    exponent=0.92,
    exponent_sd=0.25,
    by_label=0.87,
    by_alternative=0.7,
    by_right_label=0.66,
    by_system=1.5,
    by_group=1.0,
    source="six re-annotated benchmarks in thirteen versions, one vote each",
)
"""Means and deviations over six benchmarks; `bench/real/reannotated.py` learns such numbers again."""


def read_constants(path: str | Path) -> Constants:
    """Return constants that were learnt from another benchmark, from a JSON file with a number for each field."""
    given = _json_object(path)
    names = [field.name for field in fields(Constants) if field.name != "source"]
    numbers = {}
    missing = []
    negative = []
    for name in names:
        value = given.get(name)
        if not isinstance(value, int | float):
            missing.append(name)
            continue
        numbers[name] = float(value)
        is_valid = numbers[name] >= 0 or not _is_deviation(name)
        if not is_valid:
            negative.append(name)
    if missing:
        raise InputError(f"{path} has no number for {listing(missing)}; it needs {listing(names)}")
    if negative:
        raise InputError(f"{path}: {listing(negative)} is below 0; a deviation is 0 or more")
    return Constants(**numbers, source=str(given.get("source") or path))


def _json_object(path: str | Path) -> dict[str, Any]:
    """Return what a JSON file holds by name; nothing where it is of another form."""
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{path} is not valid JSON; it should hold a number for each constant"
        ) from None
    return given if isinstance(given, dict) else {}


def _is_deviation(name: str) -> bool:
    return name.endswith("_sd") or name.startswith("by_")
