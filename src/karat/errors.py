"""What went wrong, where, what was found, and what to do about it."""

from collections.abc import Iterable
from difflib import get_close_matches

from karat.words import listing


class KaratError(Exception):
    """Something the user can mend; shown as one message, never as a traceback."""


class InputError(KaratError):
    """A file or frame that cannot be read as it stands."""


class RoleError(KaratError):
    """It is unclear which column plays which part."""


class OptionError(KaratError):
    """An option that cannot be honoured."""


class TallyError(KaratError):
    """Counts that are damaged or do not fit together."""


class UnknownNameError(KaratError):
    """A name nobody knows, with the nearest ones that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {listing(names)}"
        super().__init__(f"no {kind} is called {name!r}; {hint}")
