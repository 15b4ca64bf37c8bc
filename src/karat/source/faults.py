"""What is wrong in a file that Python reads: an error, or with lenient reading a line in a list."""

from karat.errors import InputError
from karat.words import counted

SHOWN = 5


class Faults:
    """Faults met on the way; the first one ends the reading, unless it is lenient."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._found: list[str] = []

    def add(
        self, place: str, what: str, *, remedy: str = "mend it, or leave it out with --lenient"
    ) -> None:
        """Take note of a fault, or raise it."""
        if not self._lenient:
            raise InputError(f"{place}: {what}; {remedy}")
        self._found.append(f"{place}: {what}")

    def notes(self) -> tuple[str, ...]:
        """Return how many faults were passed over, and the first of them."""
        if not self._found:
            return ()
        shown = "; ".join(self._found[:SHOWN]) + "; ..." * (len(self._found) > SHOWN)
        return (f"{counted(len(self._found), 'fault')} passed over: {shown}",)
