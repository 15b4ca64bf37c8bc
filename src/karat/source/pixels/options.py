"""The options of images, as text on the command line; checked once, here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.errors import ChoiceError, OptionError
from karat.source.each import Each, in_turn
from karat.words import listing

UNITS = ("pixel", "object")
LEVELS = "levels"
"""What `at_least` is where every level of agreement is to be counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelOptions:
    """The options of reading images, as the user gives them."""

    unit: str = "pixel"
    ignore: str = ""
    within: str = ""
    void: str = ""
    truth_threshold: str = ""
    threshold: str = ""
    annotators: str = ""
    at_least: str = ""
    step: str = ""
    tolerance: str = ""
    overlap: str = "0.5"
    smallest: str = "1"
    clusters: str = "image"
    most_pixels: str = "500000000"
    truth: str | None = None
    systems: Sequence[str] | None = None
    asked: frozenset[str] = frozenset()
    lenient: bool = False
    each: Each = in_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The same as numbers."""

    is_of_objects: bool
    void: float | None
    truth_threshold: float | None
    thresholds: tuple[float, ...]
    """From where on each system marks a pixel; none where scores are kept, or masks are read."""
    annotators: int | None
    """How many there are, where the values of a truth are numbers of annotators who marked a pixel."""
    annotator_names: tuple[str, ...]
    """The folders or patterns of files that are theirs, where they were named."""
    at_least: int | None
    by_level: bool
    step: float | None
    tolerance: float | None
    overlap: float
    smallest: int
    clustered: bool
    most_pixels: int


def reading(options: PixelOptions, systems: Sequence[str] = ()) -> Reading:
    """Return the options for these systems; refuse what they cannot mean."""
    for name, choices in {"unit": UNITS, "clusters": ("image", "none")}.items():
        if getattr(options, name) not in choices:
            raise ChoiceError(f"--using {name}", getattr(options, name), choices)
    by_level = options.at_least == LEVELS
    names = _annotator_names(options)
    found = Reading(
        is_of_objects=options.unit == "object",
        void=_number(options, "void"),
        truth_threshold=_number(options, "truth_threshold"),
        thresholds=_thresholds(options, systems),
        annotators=None if names else _whole(options, "annotators"),
        annotator_names=names,
        at_least=None if by_level else _whole(options, "at_least"),
        by_level=by_level,
        step=_positive(options, "step"),
        tolerance=_positive(options, "tolerance"),
        overlap=_positive(options, "overlap") or 0.5,
        smallest=_whole(options, "smallest") or 1,
        clustered=options.clusters == "image",
        most_pixels=_whole(options, "most_pixels") or 0,
    )
    _check(found)
    return found


def _check(found: Reading) -> None:
    if found.overlap > 1:
        raise OptionError(f"--using overlap={found.overlap:g} is a share of an object, at most 1")
    if found.is_of_objects and found.tolerance is not None:
        raise OptionError("--using tolerance is for pixels; leave it or --using unit=object out")
    if found.by_level and (found.is_of_objects or found.tolerance is not None):
        raise OptionError(
            "levels of agreement are counted pixel by pixel; leave --using unit and --using tolerance out"
        )
    if found.thresholds and found.step is not None:
        raise OptionError("--using threshold makes masks of scores; leave --using step out")


def _annotator_names(options: PixelOptions) -> tuple[str, ...]:
    """Return the folders that are annotators' by name; none where their number is given, or nothing."""
    names = [name.strip() for name in str(options.annotators).split(",")]
    try:
        float(names[0] or 0)
    except ValueError:
        return tuple(name for name in names if name)
    return ()


def _number(options: PixelOptions, name: str) -> float | None:
    text = getattr(options, name)
    if text in {"", None}:
        return None
    try:
        return float(text)
    except (TypeError, ValueError):
        raise OptionError(f"--using {_flag(name)}={text} is not a number") from None


def _thresholds(options: PixelOptions, systems: Sequence[str]) -> tuple[float, ...]:
    """Return the threshold of each system: one for all, or as A:0.5,B:128."""
    text = str(options.threshold)
    if ":" not in text:
        one = _number(options, "threshold")
        return () if one is None else (one,) * len(systems)
    by_system: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.strip().rpartition(":")
        if name not in systems:
            raise OptionError(
                f"--using threshold={text}: no system is called {name!r}; there are {listing(systems)}"
            )
        number = _number(replace(options, threshold=value), "threshold")
        if number is not None:
            by_system[name] = number
    lacking = [name for name in systems if name not in by_system]
    if lacking:
        raise OptionError(
            f"--using threshold={text} says nothing of {listing(lacking)}; add {lacking[0]}:VALUE"
        )
    return tuple(by_system[name] for name in systems)


def _positive(options: PixelOptions, name: str) -> float | None:
    number = _number(options, name)
    if number is not None and not 0 < number < float("inf"):
        raise OptionError(f"--using {_flag(name)}={number:g}; it is a number above 0")
    return number


def _whole(options: PixelOptions, name: str) -> int | None:
    number = _number(options, name)
    if number is None:
        return None
    if number < 1 or number != int(number):
        raise OptionError(f"--using {_flag(name)}={number:g}; it is a whole number from 1 up")
    return int(number)


def _flag(name: str) -> str:
    return name.replace("_", "-")


def described(options: PixelOptions) -> str:
    """Return the source with its options, as a signature shows it."""
    defaults = PixelOptions()
    shown = []
    for name in ("unit", "void", "truth_threshold", "threshold", "annotators", "at_least", "step"):
        shown += _shown(options, defaults, name)
    for name in ("tolerance", "overlap", "smallest", "ignore", "within"):
        shown += _shown(options, defaults, name)
    return f"pixels({', '.join(shown)})"


def _shown(options: PixelOptions, defaults: PixelOptions, name: str) -> list[str]:
    value: Any = getattr(options, name)
    if value == getattr(defaults, name):
        return []
    if name in {"ignore", "within"}:
        return [name]  # the place of the folder changes nothing
    return [f"{_flag(name)}={value}"]
