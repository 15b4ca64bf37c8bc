"""A signature, taken apart: which command it is of, with which options, and of which counts."""

import re
import shlex
from dataclasses import dataclass

from karat.errors import OptionError
from karat.version import VERSION

SEPARATOR = " | "
PART = re.compile(r"""(?:'[^']*'|"[^"]*"|[^'"|]|\|(?! )|['"])+""")
"""What stands between two separators; those inside of quotes are text."""
HASH = "tally="


def with_command(line: str, command: str) -> str:
    """Return a signature with the command and its options as they were typed, in the place of the bare command."""
    version, _, *rest = line.split(SEPARATOR)
    return SEPARATOR.join([version, command, *rest])


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature in its parts."""

    version: str
    command: tuple[str, ...]
    """The command, and its options as they were typed."""
    settings: tuple[str, ...]
    """Measures, method and options, as they were understood."""
    data: str
    """The hash of the counts; empty where nothing was counted."""


def parse_signature(line: str) -> Signature:
    """Return the parts of a signature.

    >>> parse_signature("karat 0.1.0 | score --per class | f1 | level=0.95 | tally=abc8b44e4b7e").command
    ('score', '--per', 'class')
    """
    parts = [part.strip() for part in PART.findall(line.strip())]
    if len(parts) < 2 or not parts[0].startswith("karat "):
        raise OptionError(
            f"{line[:60]!r} is not a signature; it begins as karat {VERSION} | score | ..., or is a JSON file of karat"
        )
    version, command, *settings = parts
    words = _words(command)
    if not words:
        raise OptionError(f"the signature {line[:60]!r} names no command; copy the whole line")
    data = ""
    if settings and settings[-1].startswith(HASH):
        data = settings.pop().removeprefix(HASH)
    return Signature(version.removeprefix("karat "), tuple(words), tuple(settings), data)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        raise OptionError(
            f"the command of the signature, {command!r}, has a quote that does not end; copy the whole line"
        ) from None
