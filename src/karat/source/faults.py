"""What is wrong in a file that Python reads: an error, or with lenient reading a note."""

from karat.errors import InputError
from karat.words import counted

SHOWN = 5


class Faults:
    """The faults of what is read; the first one ends the reading, unless it is lenient."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._faults: list[str] = []

    def add(
        self, place: str, what: str, *, remedy: str = "fix it, or leave it out with --lenient"
    ) -> None:
        """Take note of a fault, or raise it."""
        if not self._lenient:
            raise InputError(f"{place}: {what}; {remedy}")
        self._faults.append(f"{place}: {what}")

    def notes(self) -> tuple[str, ...]:
        """Return how many faults were passed over, and the first of them."""
        if not self._faults:
            return ()
        shown = "; ".join(self._faults[:SHOWN])
        if len(self._faults) > SHOWN:
            shown += "; ..."
        return (f"{counted(len(self._faults), 'fault')} passed over: {shown}",)
