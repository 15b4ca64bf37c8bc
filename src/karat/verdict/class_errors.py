"""Where systems go wrong: which label is taken for which, and which classes suffer most."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.exact import exact
from karat.tally.codes import MISSING
from karat.tally.votes.confusion import Confusion

MOST_SYSTEMS = 8
"""The first so many systems of the ranking are shown."""
MOST_CLASSES = 12
"""So many classes, those with the most errors, are in the matrix."""
MOST_CONFUSIONS = 15
MOST_ROWS = 60
"""So many classes are in the table."""
NO_ANSWER = "(no answer)"
OTHERS = "(others)"
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelConfusion:
    """A label that was taken for another."""

    truth: str
    answer: str
    number: int
    of: int
    """How many items have this truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """One class: how many of its items a system has right, and how many of its answers."""

    label: str
    items: int
    wrong: int
    recall: float
    low: float
    high: float
    precision: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassErrors:
    """Where one system goes wrong, the classes with the most errors first."""

    system: str
    wrong: int
    rows: tuple[str, ...]
    """The labels of the matrix."""
    columns: tuple[str, ...]
    """The same labels, then all others and no answer."""
    matrix: tuple[tuple[int, ...], ...]
    confusions: tuple[LabelConfusion, ...]
    """The most frequent first."""
    classes: tuple[ClassRow, ...]
    of_classes: int
    """How many classes there are."""


def class_errors(system: str, counts: Confusion, *, level: float) -> ClassErrors:
    """Return where a system goes wrong, from how often each truth met each answer."""
    plain = counts.plain()
    size = len(plain.labels)
    sides = _sides(plain, size)
    order = _worst_first(sides.items - sides.hits, sides.items)
    worst = order[:MOST_CLASSES]
    columns = [plain.labels[code] for code in worst]
    return ClassErrors(
        system=system,
        wrong=int((sides.items - sides.hits).sum()),
        rows=tuple(columns),
        columns=(*columns, OTHERS, NO_ANSWER),
        matrix=_matrix(plain, worst),
        confusions=_confusions(plain, sides.items),
        classes=_classes(plain, sides, order[:MOST_ROWS], level),
        of_classes=int((sides.items > 0).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """For each label: the items that have it, the answers that say it, and where both do."""

    items: Ints
    answers: Ints
    hits: Ints


def _sides(counts: Confusion, size: int) -> _Sides:
    answered = counts.answer != MISSING
    right = counts.truth == counts.answer
    return _Sides(
        items=_summed(counts.truth, counts.number, size),
        answers=_summed(counts.answer[answered], counts.number[answered], size),
        hits=_summed(counts.truth[right], counts.number[right], size),
    )


def _summed(codes: Ints, number: Ints, size: int) -> Ints:
    sums = np.zeros(size, np.int64)
    np.add.at(sums, codes, number)
    return sums


def _worst_first(wrong: Ints, items: Ints) -> list[int]:
    """Return the classes that occur, those with the most errors first, then the largest."""
    codes = np.flatnonzero(items)
    by_size = sorted(codes.tolist(), key=lambda code: (-wrong[code], -items[code], code))
    return [int(code) for code in by_size]


def _matrix(counts: Confusion, chosen: list[int]) -> tuple[tuple[int, ...], ...]:
    """Return how often each of some labels got each of these answers, another one, or none."""
    place = {code: number for number, code in enumerate(chosen)}
    matrix = np.zeros((len(chosen), len(chosen) + 2), np.int64)
    cells = zip(counts.truth.tolist(), counts.answer.tolist(), counts.number.tolist(), strict=True)
    for truth, answer, number in cells:
        if truth not in place:
            continue
        column = len(chosen) + 1 if answer == MISSING else place.get(answer, len(chosen))
        matrix[place[truth], column] += number
    return tuple(tuple(row) for row in matrix.tolist())


def _confusions(counts: Confusion, items: Ints) -> tuple[LabelConfusion, ...]:
    """Return the most frequent confusions."""
    wrong = np.flatnonzero(counts.truth != counts.answer)
    order = wrong[np.argsort(-counts.number[wrong], kind="stable")][:MOST_CONFUSIONS]
    found = []
    for cell in order.tolist():
        truth = int(counts.truth[cell])
        answer = int(counts.answer[cell])
        said = NO_ANSWER if answer == MISSING else counts.labels[answer]
        number = int(counts.number[cell])
        found.append(LabelConfusion(counts.labels[truth], said, number, int(items[truth])))
    return tuple(found)


def _classes(
    counts: Confusion, sides: _Sides, chosen: list[int], level: float
) -> tuple[ClassRow, ...]:
    if not chosen:
        return ()
    interval = exact(sides.hits[chosen], sides.items[chosen], level=level)
    rows = []
    for place, code in enumerate(chosen):
        hits = int(sides.hits[code])
        items = int(sides.items[code])
        answers = int(sides.answers[code])
        rows.append(
            ClassRow(
                label=counts.labels[code],
                items=items,
                wrong=items - hits,
                recall=hits / items,
                low=float(interval.low[place]),
                high=float(interval.high[place]),
                precision=hits / answers if answers else None,
            )
        )
    return tuple(rows)


def errors_of_first(
    order: tuple[str, ...], counts: Mapping[str, Confusion], *, level: float
) -> tuple[ClassErrors, ...]:
    """Return where the first systems of a ranking go wrong."""
    return tuple(
        class_errors(name, counts[name], level=level)
        for name in order[:MOST_SYSTEMS]
        if name in counts
    )
