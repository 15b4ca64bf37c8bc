"""Labels that make one doubt that the values were understood: words for nothing, and spellings of one label."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.table.kinds import label
from karat.tally.facts import Facts
from karat.tally.votes.confusion import Confusion
from karat.tally.votes.patterns import Patterns
from karat.words import counted, listing

ABSENT = {"na", "n/a", "#n/a", "<na>", "nan", "none", "null", "nil"}
"""What programs write where there is nothing."""
SHOWN = 3
"""Up to how many labels of several spellings are named."""


@dataclass(frozen=True, slots=True)
class Odd:
    """How often a word for nothing is a truth and an answer, and spellings of one label."""

    absent: dict[str, tuple[int, int]] = field(default_factory=dict)
    alike: dict[str, tuple[frozenset[str], int]] = field(default_factory=dict)
    """By what is the same of them: the spellings, and how many answers are wrong for their spelling alone."""

    def __add__(self, other: "Odd") -> "Odd":
        """Return what is odd of two systems of the same items: their truths are the same, their answers are not."""
        absent, alike = dict(self.absent), dict(self.alike)
        for name, (truths, answers) in other.absent.items():
            own = absent.get(name, (0, 0))
            absent[name] = (max(own[0], truths), own[1] + answers)
        for key, (spellings, wrong) in other.alike.items():
            known, before = alike.get(key, (frozenset(), 0))
            alike[key] = (known | spellings, before + wrong)
        return Odd(absent, alike)


def of_confusion(confusion: Confusion) -> Odd:
    """Return what is odd among the labels of one system and its truths."""
    return odd(confusion.labels, confusion.truth, confusion.answer[:, None], confusion.number)


def of_patterns(patterns: Patterns) -> Odd:
    """Return what is odd among the labels of all systems and the truth."""
    return odd(patterns.labels, patterns.truth, patterns.answers, patterns.number)


def odd(
    labels: Sequence[str],
    truth: npt.NDArray[Any],
    answers: npt.NDArray[Any],
    number: npt.NDArray[Any],
) -> Odd:
    """Return words for nothing and spellings of one label, with what hangs on them."""
    same: dict[str, list[int]] = {}
    for code, text in enumerate(labels):
        same.setdefault(" ".join(text.split()).casefold(), []).append(code)
    several = {key: codes for key, codes in same.items() if len(codes) > 1}
    absent = {
        labels[code]: (
            int(number[truth == code].sum()),
            int(number @ (answers == code).sum(axis=1)),
        )
        for key in ABSENT & same.keys()
        for code in same[key]
    }
    return Odd(
        absent,
        {
            key: (
                frozenset(labels[code] for code in codes),
                _respelled(codes, truth, answers, number),
            )
            for key, codes in several.items()
        },
    )


def _respelled(
    codes: Sequence[int],
    truth: npt.NDArray[Any],
    answers: npt.NDArray[Any],
    number: npt.NDArray[Any],
) -> int:
    there = np.isin(truth, codes)[:, None] & np.isin(answers, codes) & (answers != truth[:, None])
    return int(number @ there.sum(axis=1))


def odd_warnings(facts: Facts, found: Iterable[Odd]) -> tuple[str, ...]:
    """Return what is odd in words; labels that a source made are its own."""
    if facts.kind != label or "source" in facts.options:
        return ()
    whole = sum(found, Odd())
    absent = {
        name: times
        for name, times in whole.absent.items()
        if name != facts.meaning.nothing and any(times)
    }
    alike = {key: one for key, one in whole.alike.items() if len(key) > 1}
    return (*[_absent(absent)] * bool(absent), *[_alike(list(alike.values()))] * bool(alike))


def _absent(found: Mapping[str, tuple[int, int]]) -> str:
    sides = [("truth", 0), ("answer", 1)]
    times = [
        counted(n, what) for what, side in sides if (n := sum(one[side] for one in found.values()))
    ]
    remedy = [
        f"--no-{what} {quote(name)}"
        for what, side in sides
        for name in sorted(found)
        if found[name][side]
    ]
    counts = "counts as a label" if len(found) == 1 else "count as labels"
    return (
        f"warning: {listing(sorted(found))} {counts} ({', '.join(times)}); if that means that there is none, say "
        f"{' '.join(remedy)}"
    )


def _alike(found: list[tuple[frozenset[str], int]]) -> str:
    found.sort(key=lambda one: (-one[1], sorted(one[0])))
    named = "; ".join(listing(sorted(spellings)) for spellings, _ in found[:SHOWN]) + "; ..." * (
        len(found) > SHOWN
    )
    wrong = sum(one for _, one in found)
    hurt = (
        f", and {counted(wrong, 'answer')} {'is' if wrong == 1 else 'are'} wrong for that alone"
        * bool(wrong)
    )
    return f"warning: labels differ only in case or blanks{hurt}; write them alike: {named}"
