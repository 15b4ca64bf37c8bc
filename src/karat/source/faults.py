"""What is wrong in a file that Python reads: an error, or with lenient reading a note."""

from karat.errors import InputError
from karat.words import counted

SHOWN = 5


class Faults:
    """The faults of what is read; the first one ends the reading, unless it is lenient."""

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self.number = 0
        self.first: list[str] = []

    def add(
        self, place: str, what: str, *, remedy: str = "fix it, or leave it out with --lenient"
    ) -> None:
        """Take note of a fault, or raise it."""
        if not self._lenient:
            raise InputError(f"{place}: {what}; {remedy}")
        self.number += 1
        if len(self.first) < SHOWN:  # of a bad file every line may be one
            self.first.append(f"{place}: {what}")

    def include(self, later: "Faults") -> None:
        """Take over what was passed over in files that were read elsewhere."""
        self.number += later.number
        self.first += later.first[: SHOWN - len(self.first)]

    def notes(self) -> tuple[str, ...]:
        """Return how many faults were passed over, and the first of them."""
        if not self.number:
            return ()
        shown = "; ".join(self.first)
        if self.number > SHOWN:
            shown += "; ..."
        return (f"{counted(self.number, 'fault')} passed over: {shown}",)
