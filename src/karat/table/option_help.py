"""What is known of an option beside its type and default: its help, and its form on the command line.

The options of reading are fields of frozen dataclasses (`karat.table.options`, `karat.ask.read_options`,
`karat.graphs.options`), each with a `Help` in its annotation. Python takes them as keywords, the command line makes
options of them, and nothing else lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

from karat.errors import UnknownNameError

Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class Help:
    """The help text of an option, and how its value is read.

    A name in braces is replaced by the entries of an index when the help is shown, such as {kinds} by `KINDS`: so the
    help also lists what other packages add.
    """

    metavar: str | None
    """What the value is called; None for an option without one."""
    text: str
    parse: Callable[[Any], Any] | None = None
    """From the text on the command line to the value; from all the texts, if the option may be repeated."""
    repeated: bool = False
    flag: str | None = None
    """The name on the command line, where it is not the field's."""


@cache
def helps(options: type) -> Mapping[str, Help]:
    """Return the help of each field that is an option on the command line."""
    described = {}
    for name, hint in get_type_hints(options, include_extras=True).items():
        for note in getattr(hint, "__metadata__", ()):
            if isinstance(note, Help):
                described[name] = note
    return described


def flag(options: type, name: str) -> str:
    """Return a field's name on the command line.

    >>> from karat.table.options import TableOptions
    >>> flag(TableOptions, "kinds"), flag(TableOptions, "no_truth")
    ('--kind', '--no-truth')
    """
    described = helps(options).get(name)
    own = described.flag if described else None
    return "--" + (own or name.replace("_", "-"))


def default_of(field: "Field[Any]") -> Any:
    """Return what a field is where nothing is given."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def given(options: Any) -> dict[str, Any]:
    """Return the fields that differ from their default."""
    changed = {}
    for field in fields(options):
        value = getattr(options, field.name)
        default = default_of(field)
        # A data frame compares cell by cell, so None is compared by identity.
        differs = value is not None if default is None else value != default
        if differs:
            changed[field.name] = value
    return changed


def flags_given(options: Any) -> list[str]:
    """Return the options that differ from their default, by their names on the command line, in order."""
    kind: type = type(options)
    described = helps(kind)
    return sorted(flag(kind, name) for name in given(options) if name in described)


def from_keywords(options: type[Options], keywords: Mapping[str, Any]) -> Options:
    """Return options from Python's keywords; one that does not exist is an error that offers the nearest.

    >>> from karat.table.options import TableOptions
    >>> from_keywords(TableOptions, {"sistems": ["a", "b"]})
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no option of reading is called 'sistems'; did you mean 'systems'?
    """
    known = [field.name for field in fields(options)]  # type: ignore[arg-type]
    for name in keywords:
        if name not in known:
            raise UnknownNameError("option of reading", name, known)
    return options(**keywords)
