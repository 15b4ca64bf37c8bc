"""How the entities of each system match the true ones, document by document, by the schemes of the contests."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError, TallyError
from karat.source.entities.entities import FUZZY, matched_places
from karat.source.entities.tags import Span
from karat.table.table import Table
from karat.tally.codes import MISSING, UNASKED
from karat.tally.digest import Part, digest, joined
from karat.tally.tally import marginal_tally
from karat.tally.votes.patterns import Patterns, patterns

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
HALF = 0.5
"""What the contests give for an overlap in their scheme `partial`."""


class Credit(NamedTuple):
    """What the answers of one document are worth, by scheme, and how many there are."""

    answered: float
    strict: float
    exact: float
    partial: float
    type: float


@dataclass(frozen=True, slots=True, eq=False)
class SpanMatches:
    """The matches of each document: a row for each distinct row of truth and answers, a column for each system."""

    systems: tuple[str, ...]
    number: Whole
    """How many documents a row represents."""
    truth: Numbers
    """How many true entities there are; none where the document does not count for a system."""
    answered: Numbers
    strict_credit: Numbers
    exact_credit: Numbers
    partial_credit: Numbers
    type_credit: Numbers
    keys: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def __add__(self, other: "SpanMatches") -> "SpanMatches":
        """Return the documents of both."""
        if (self.systems, set(self.keys)) != (other.systems, set(other.keys)):
            raise TallyError("these matches are of other systems, or have other keys")
        keys = {name: np.concatenate([self.keys[name], other.keys[name]]) for name in self.keys}
        columns: dict[str, Any] = {}
        for name in COLUMNS:
            columns[name] = np.concatenate([getattr(self, name), getattr(other, name)])
        return replace(self, **columns, keys=keys)

    def chosen(self, rows: npt.NDArray[np.bool_]) -> "SpanMatches":
        """Return some of the documents."""
        columns: dict[str, Any] = {name: getattr(self, name)[rows] for name in COLUMNS}
        keys = {name: column[rows] for name, column in self.keys.items()}
        return replace(self, **columns, keys=keys)

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[Part] = [joined(self.systems)]
        parts += [getattr(self, name) for name in COLUMNS]
        for name, column in sorted(self.keys.items()):
            parts += [name, column]
        return digest(parts)


COLUMNS = tuple(one.name for one in fields(SpanMatches) if one.name not in {"systems", "keys"})


def _of_patterns(rows: Patterns, *, keys: str = "") -> SpanMatches:
    """Match the entities of every distinct row of truth and answers."""
    rows = rows.marginal(keys)
    has_truth = rows.truth != MISSING
    truth = rows.truth[has_truth]
    answers = rows.answers[has_truth]
    documents = [_spans(label) for label in rows.labels]
    sizes = np.array([len(spans) for spans in documents], float)
    true_number = np.repeat(sizes[truth][:, None], len(rows.systems), axis=1)
    left_out = answers == UNASKED
    if rows.meaning.missing == "skip":
        left_out |= answers == MISSING
    true_number[left_out] = 0
    credit_of = np.zeros((len(Credit._fields), *answers.shape))
    there = answers >= 0
    pairs = np.stack([truth[np.nonzero(there)[0]], answers[there]], axis=1)
    if len(pairs):
        distinct, place = np.unique(pairs, axis=0, return_inverse=True)
        found = [_credit(documents[true], documents[answer]) for true, answer in distinct.tolist()]
        credit_of[:, there] = np.array(found)[place.reshape(-1)].T
    answered, strict, exact, partial, of_type = credit_of
    return SpanMatches(
        systems=rows.systems,
        number=rows.number[has_truth],
        truth=true_number,
        answered=answered,
        strict_credit=strict,
        exact_credit=exact,
        partial_credit=partial,
        type_credit=of_type,
        keys={name: column[has_truth] for name, column in rows.keys.items()},
    )


@marginal_tally(_of_patterns)
def span_matches(table: Table, *, keys: str = "") -> SpanMatches:
    """Match the entities of every document, which are written as its label."""
    return _of_patterns(patterns.of_table(table, keys=keys), keys=keys)


def _spans(label: str) -> list[Span]:
    """Return the spans that a label holds."""
    try:
        return [Span(*one) for one in json.loads(label)]
    except (TypeError, ValueError):
        raise OptionError(
            f"{label[:40]!r} is not a list of spans; read entities with --using rows=documents"
        ) from None


def _credit(truth: Sequence[Span], answers: Sequence[Span]) -> Credit:
    """Return what answers are worth by each scheme of SemEval-2013.

    >>> _credit([Span(0, 2, "PER"), Span(4, 6, "LOC")], [Span(0, 2, "ORG"), Span(5, 6, "LOC")])
    Credit(answered=2, strict=0.0, exact=1.0, partial=1.5, type=1.0)
    """
    strict = exact = partial = of_type = 0.0
    for i, j in matched_places(truth, answers, match=FUZZY):
        same_ends = truth[i][:2] == answers[j][:2]
        same_type = truth[i].label == answers[j].label
        strict += same_ends and same_type
        exact += same_ends
        partial += 1 if same_ends else HALF
        of_type += same_type
    return Credit(len(answers), strict, exact, partial, of_type)
