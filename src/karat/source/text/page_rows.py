"""The texts of a page as rows: a row for each character or word, with what each system read there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from karat.source.counted_rows import Row
from karat.source.text.alignment import against
from karat.source.text.multiple_alignment import multiple_alignment
from karat.words import NOTHING

READ, OTHER = "read", "other"
"""The labels of every character, and of every wrong one, where characters are not classes."""
Answers = Sequence[Sequence[str] | None]
"""The characters or words of each system; None where it has no such page."""


@dataclass(frozen=True, slots=True)
class NamedRows:
    """The rows of a page, and the name of the place of each."""

    rows: list[Row]
    places: Iterable[str]


def characters(text: str) -> Sequence[str]:
    """Return the characters of a text."""
    return text if NOTHING not in text else list(map(_quoted, text))


def words(text: str) -> Sequence[str]:
    """Return the words of a text."""
    words = text.split()
    return words if NOTHING not in text else list(map(_quoted, words))


def _quoted(label: str) -> str:
    """Return a character or word, quoted where it would be mistaken for the label of nothing."""
    return f"'{NOTHING}'" if label == NOTHING else label


def aligned_rows(truth: Sequence[str] | None, answers: Answers) -> NamedRows:
    """Return texts aligned to the truth, or to each other where there is none."""
    if truth is None:
        return _aligned_to_each_other(answers)
    alignment = against(truth, answers)
    numbers = map(str, range(1, len(alignment.rows) + 1))
    return NamedRows(
        [*alignment.rows, *alignment.insertions], chain(numbers, alignment.insertion_places)
    )


def _aligned_to_each_other(answers: Answers) -> NamedRows:
    """Return texts aligned to each other; a system without the page has a missing answer in every row."""
    texts = [answer for answer in answers if answer is not None]
    rows: list[Row] = []
    for row_of_texts in multiple_alignment(texts):
        labels = iter(row_of_texts)
        rows.append(tuple(None if answer is None else next(labels) for answer in answers))
    return NamedRows(rows, [str(place) for place in range(1, len(rows) + 1)])


def counted_words(truth: Sequence[str] | None, answers: Answers) -> NamedRows:
    """Return a row for each copy of each word: the first, second, ... copy of it, and which texts have one."""
    texts = list(answers)
    if truth is not None:
        texts.insert(0, truth)
    counts = [None if words is None else Counter(words) for words in texts]
    most_copies: Counter[str] = Counter()
    for count in counts:
        if count is not None:
            most_copies |= count
    in_truth = Counter(truth)
    rows: list[Row] = []
    places: list[str] = []
    for word, most in most_copies.items():
        for copy in range(1, most + 1):
            # A missing page lacks what the truth has. What the truth does not have, the page cannot have added.
            is_added = truth is not None and in_truth[word] < copy
            if_missing = NOTHING if is_added else None
            rows.append(tuple(_copy(word, copy, count, if_missing) for count in counts))
            places.append(f"{word}/{copy}")
    return NamedRows(rows, places)


def _copy(word: str, copy: int, count: Counter[str] | None, if_missing: str | None) -> str | None:
    """Return the word if a text has so many copies of it, else nothing."""
    if count is None:
        return if_missing
    return word if count[word] >= copy else NOTHING


def classless(row: Row) -> Row:
    """Return a row that shows only who read the character rightly, wrongly, or not at all."""
    truth, *answers = row
    labels: list[str | None] = [NOTHING if truth == NOTHING else READ]
    for answer in answers:
        if answer is None or answer == NOTHING:
            labels.append(answer)
        else:
            labels.append(READ if answer == truth else OTHER)
    return tuple(labels)
