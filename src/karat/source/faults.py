"""What is wrong in a file that Python reads: an error, or with lenient reading a note."""

from karat.errors import InputError
from karat.words import counted

SHOWN = 5


class Faults:
    """The faults of what is read; the first one ends the reading, unless it is lenient."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._number = 0
        self._first: list[str] = []

    def add(
        self, place: str, what: str, *, remedy: str = "fix it, or leave it out with --lenient"
    ) -> None:
        """Take note of a fault, or raise it."""
        if not self._lenient:
            raise InputError(f"{place}: {what}; {remedy}")
        self._number += 1
        if len(self._first) < SHOWN:  # of a bad file every line may be one
            self._first.append(f"{place}: {what}")

    def notes(self) -> tuple[str, ...]:
        """Return how many faults were passed over, and the first of them."""
        if not self._number:
            return ()
        shown = "; ".join(self._first)
        if self._number > SHOWN:
            shown += "; ..."
        return (f"{counted(self._number, 'fault')} passed over: {shown}",)
