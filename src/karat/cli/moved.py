"""Forms that moved: the old one is understood for one release, and says what to write instead."""

from typing import Annotated

import typer

from karat.cli.printing import tell
from karat.errors import OptionError

MovedFlag = Annotated[bool, typer.Option(hidden=True)]
"""A flag that another option has taken the place of."""


def tell_moved(old: str, new: str) -> None:
    """Say on standard error that an old form is used, and what it is now."""
    tell(f"note: {old} is now {new}; the old form goes with the next release")


def per_of(per: str, part: str, *, old: bool) -> str:
    """Return what a row is about; `old` says that it was written as a flag, such as --per-item."""
    if not old:
        return per
    if per != "total":
        raise OptionError(f"--per-{part} is --per {part}; leave --per {per} out")
    tell_moved(f"--per-{part}", f"--per {part}")
    return part
