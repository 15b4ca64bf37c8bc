"""Is it the same result again, or what differs?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.result import Result

SAME = "same"
OTHER = "other"
NONE = "nothing"
NUMBERS = "numbers"
MEANING = {
    "version": "the page on versions says which numbers another version may change",
    "options": "the same question is understood otherwise, since defaults or names are others",
    "data": "this is not the table that it was made from, or it is read otherwise (options of reading go with --with)",
    "input": "the table holds other items or systems, or others of them are missing",
}
"""What it means that a part differs."""


@dataclass(frozen=True, slots=True)
class RepeatedPart:
    """A part of a result, then and now."""

    part: str
    before: str
    now: str

    @property
    def is_same(self) -> bool:
        """Whether the part is the same."""
        return self.before == self.now

    def words(self) -> str:
        """Return what it was and is, and what that means."""
        if self.part == NUMBERS:
            return f"{NUMBERS}: {self.now}; the first of them follow."
        return f"{self.part}: it was {self.before or NONE}, it is {self.now or NONE}; {MEANING[self.part]}."


@dataclass(frozen=True, slots=True, repr=False)
class RepeatResult(Result):
    """What of a result is the same again."""

    parts_compared: tuple[RepeatedPart, ...]
    places: tuple[str, ...]
    """Where numbers differ, with what they were."""
    of_numbers: bool
    """Whether the earlier numbers are known, not only the signature."""
    about: Mapping[str, Any]

    @property
    def is_same(self) -> bool:
        """Whether it is the same result; with the earlier numbers at hand these decide, whatever version made them."""
        decisive = self.parts_compared
        if self.of_numbers:
            decisive = tuple(one for one in decisive if one.part not in {"version", "options"})
        return all(one.is_same for one in decisive)

    def has_same(self, part: str) -> bool:
        """Return whether one part is the same."""
        return all(one.is_same for one in self.parts_compared if one.part == part)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each part."""
        rows = []
        for one in self.parts_compared:
            verdict = SAME if one.is_same else OTHER
            row = {"part": one.part, "before": one.before, "now": one.now, "verdict": verdict}
            rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the parts as a person reads them; what they were is in the notes where it matters."""
        return {"": [{"part": row["part"], "verdict": row["verdict"]} for row in self.rows()]}

    def beside(self) -> Mapping[str, Any]:
        """Return whether it is the same, and the places that differ."""
        return {**self.about, "same": self.is_same, "differences": list(self.places)}

    def notes(self) -> Sequence[str]:
        """Return in words whether it is the same, and what differs."""
        differing = [one for one in self.parts_compared if not one.is_same]
        notes = [one.words() for one in differing]
        notes += [f"{place}." for place in self.places]
        if not self.is_same:
            names = ", ".join(one.part for one in differing)
            return (f"It is not the same result; other than before: {names}.", *notes)
        if self.of_numbers:
            return ("The same result again, to the last digit.", *notes)
        return ("The same signature again: the same question to the same counts.", *notes)
