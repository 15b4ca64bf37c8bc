"""Labels that may have been read wrongly: words for a missing value, and several spellings of one label."""

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
"""What programs write for a missing value."""
PERHAPS_ABSENT = {
    "-1",
    "-99",
    "-999",
    "?",
    "-",
    "--",
    "unknown",
    "missing",
    "unlabeled",
    "unlabelled",
}
"""What may stand for a missing value, and may be a label: the second, if it is both a truth and an answer."""
SHOWN = 3
"""Up to how many labels of several spellings are named."""


@dataclass(frozen=True, slots=True)
class MissingWord:
    """How often a word for a missing value is a truth, and how often an answer."""

    truths: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Spellings:
    """The spellings of one label, and how many answers are wrong only because they are spelled differently."""

    names: frozenset[str] = frozenset()
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class UnusualLabels:
    """Words for a missing value that count as labels, and labels that are spelled in several ways."""

    absent: dict[str, MissingWord] = field(default_factory=dict)
    respelled: dict[str, Spellings] = field(default_factory=dict)
    """By what the spellings have in common: lower case, single spaces."""

    def __add__(self, other: "UnusualLabels") -> "UnusualLabels":
        """Return what is unusual of two systems of the same items: their truths are the same, their answers are not."""
        absent = dict(self.absent)
        for name, times in other.absent.items():
            own = absent.get(name, MissingWord())
            truths = max(own.truths, times.truths)
            absent[name] = MissingWord(truths, own.answers + times.answers)
        respelled = dict(self.respelled)
        for key, spellings in other.respelled.items():
            same = respelled.get(key, Spellings())
            respelled[key] = Spellings(same.names | spellings.names, same.wrong + spellings.wrong)
        return UnusualLabels(absent, respelled)


def of_confusion(confusion: Confusion) -> UnusualLabels:
    """Return what is unusual among the labels of one system and its truths."""
    return unusual_labels_of(
        confusion.labels, confusion.truth, confusion.answer[:, None], confusion.number
    )


def of_patterns(patterns: Patterns) -> UnusualLabels:
    """Return what is unusual among the labels of all systems and the truth."""
    return unusual_labels_of(patterns.labels, patterns.truth, patterns.answers, patterns.number)


def unusual_labels_of(
    labels: Sequence[str],
    truth: npt.NDArray[Any],
    answers: npt.NDArray[Any],
    number: npt.NDArray[Any],
) -> UnusualLabels:
    """Return words for a missing value and spellings of one label, with how many truths and answers they concern."""
    keys = [" ".join(text.split()).casefold() for text in labels]
    same: dict[str, list[int]] = {}
    words = ABSENT | PERHAPS_ABSENT
    if len({*keys}) < len(keys) or not words.isdisjoint(keys):
        for code, key in enumerate(keys):
            same.setdefault(key, []).append(code)
    absent = {}
    for key in words & same.keys():
        for code in same[key]:
            truths = int(number[truth == code].sum())
            times = int(number @ (answers == code).sum(axis=1))
            absent[labels[code]] = MissingWord(truths, times)
    respelled = {}
    for key, codes in same.items():
        if len(codes) > 1:
            names = frozenset(labels[code] for code in codes)
            respelled[key] = Spellings(names, _respelled(codes, truth, answers, number))
    return UnusualLabels(absent, respelled)


def _respelled(
    codes: Sequence[int],
    truth: npt.NDArray[Any],
    answers: npt.NDArray[Any],
    number: npt.NDArray[Any],
) -> int:
    """Return how many answers are another spelling of the truth."""
    both_spellings = np.isin(truth, codes)[:, None] & np.isin(answers, codes)
    respelled = both_spellings & (answers != truth[:, None])
    return int(number @ respelled.sum(axis=1))


def unusual_label_warnings(facts: Facts, parts: Iterable[UnusualLabels]) -> tuple[str, ...]:
    """Return what is unusual in words; labels that a source made are its own."""
    if facts.kind != label or "source" in facts.options:
        return ()
    whole = sum(parts, UnusualLabels())
    absent = {}
    for name, times in _meant_as_missing(whole.absent).items():
        occurs = times.truths or times.answers
        if occurs and name != facts.meaning.nothing:
            absent[name] = times
    # Single letters of two cases are mostly two labels.
    respelled = [spellings for key, spellings in whole.respelled.items() if len(key) > 1]
    warnings = []
    if absent:
        warnings.append(_missing_words(absent))
    if respelled:
        warnings.append(_several_spellings(respelled))
    return tuple(warnings)


def _meant_as_missing(words: Mapping[str, MissingWord]) -> dict[str, MissingWord]:
    """Return the words that stand for a missing value, without those that are more likely labels.

    A word that may be either is a label if both the truth and the systems use it, and no other such word occurs.
    """
    has_others = any(name.casefold() in ABSENT for name in words)
    meant = {}
    for name, times in words.items():
        is_one_sided = not times.truths or not times.answers
        if name.casefold() in ABSENT or is_one_sided or has_others:
            meant[name] = times
    return meant


def _missing_words(absent: Mapping[str, MissingWord]) -> str:
    names = sorted(absent)
    truths = sum(times.truths for times in absent.values())
    answers = sum(times.answers for times in absent.values())
    counts = []
    if truths:
        counts.append(counted(truths, "truth"))
    if answers:
        counts.append(counted(answers, "answer"))
    remedy = [f"--no-truth {quote(name)}" for name in names if absent[name].truths]
    remedy += [f"--no-answer {quote(name)}" for name in names if absent[name].answers]
    count_as = "counts as a label"
    if_so = "if it stands for a missing value"
    if len(names) > 1:
        count_as = "count as labels"
        if_so = "if they stand for missing values"
    return (
        f"warning: {listing(names)} {count_as} ({', '.join(counts)}); {if_so}, use "
        f"{' '.join(remedy)}"
    )


def _several_spellings(respelled: Sequence[Spellings]) -> str:
    worst_first = sorted(respelled, key=lambda one: (-one.wrong, sorted(one.names)))
    named = "; ".join(listing(sorted(spellings.names)) for spellings in worst_first[:SHOWN])
    if len(respelled) > SHOWN:
        named += "; ..."
    wrong = sum(spellings.wrong for spellings in respelled)
    harm = ""
    if wrong:
        are = "is" if wrong == 1 else "are"
        harm = f", and {counted(wrong, 'answer')} {are} wrong only for that"
    return f"warning: labels differ only in case or spaces{harm}; spell them the same: {named}"
