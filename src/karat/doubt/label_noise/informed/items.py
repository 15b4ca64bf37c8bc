"""The items of a table as the model `informed` sees them: who contradicts the given label, and with what."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.near_copies import near_copies, shared_errors
from karat.numeric.arrays import FloatArray, IntArray
from karat.tally.codes import MISSING, UNASKED, gather
from karat.tally.votes.patterns import Patterns

OFFSET = 0.02
"""Keeps the log odds of being contradicted finite where nobody or everybody contradicts."""
UNCHECKED = -1
"""The code of a right label that nobody looked up."""
ELSEWHERE = -2
"""The code of a right label that nobody gave."""
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledItems:
    """Distinct rows of a given label, the answers, a group and a right label where one was looked up."""

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    given: IntArray
    answers: npt.NDArray[np.int32]
    """One row a pattern, one column a system; below 0 is a missing answer."""
    number: IntArray
    right: IntArray
    """The right label where it was looked up: a code, ELSEWHERE, or UNCHECKED."""
    group: IntArray
    groups: int
    group_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, patterns: Patterns, right: IntArray | None = None) -> "LabelledItems":
        """Return the items with truth of these patterns; `right` holds codes into their labels."""
        patterns = _checked(patterns)
        has_truth = patterns.truth != MISSING
        answers = patterns.answers[has_truth]
        group = np.zeros(len(answers), np.int64)
        names: tuple[str, ...] = ()
        if "g" in patterns.keys:
            texts, group = np.unique(patterns.keys["g"][has_truth].astype(str), return_inverse=True)
            names = tuple(texts.tolist())
        if right is None:
            right = np.full(len(patterns.truth), UNCHECKED)
        columns = [patterns.truth[has_truth], *answers.T, group.ravel(), right[has_truth]]
        distinct, number = gather(columns, patterns.number[has_truth])
        return cls(
            systems=patterns.systems,
            labels=patterns.labels,
            given=distinct[0],
            answers=np.stack(distinct[1:-2], axis=1).astype(np.int32),
            number=number,
            right=distinct[-1],
            group=distinct[-2],
            groups=len(names),
            group_names=names,
        )

    def hits(self) -> FloatArray:
        """Return how many given labels each system has right."""
        return np.asarray(self.number @ (self.answers == self.given[:, None]), float)

    def hits_by_group(self) -> FloatArray:
        """Return the same for each group, a row a group."""
        hits = np.zeros((self.groups, self.answers.shape[1]))
        right = self.answers == self.given[:, None]
        np.add.at(hits, self.group, right * self.number[:, None])
        return hits


def right_codes(labels: tuple[str, ...], texts: npt.NDArray[Any], meaning: Any) -> IntArray:
    """Return looked-up labels, given as text and empty where none was, as codes into the labels of a table."""
    code_of = {text: code for code, text in enumerate(labels)}
    codes = [
        code_of.get(meaning.label(text), ELSEWHERE) if text else UNCHECKED
        for text in texts.tolist()
    ]
    return np.array(codes, np.int64)


def _checked(patterns: Patterns) -> Patterns:
    """Refuse tables that have no single label that could be wrong, or where systems are judged on different items."""
    meaning = patterns.meaning
    if meaning.truth_sep is not None:
        raise OptionError(
            "a truth that is a set of labels has no single label that could be wrong; name one truth"
        )
    if meaning.missing == "skip" or (patterns.answers == UNASKED).any():
        raise OptionError(
            "systems that are judged on different items have no common ranking by right labels; "
            "leave --missing skip, --run and --repeats keep out"
        )
    patterns = patterns.filled()
    if meaning.nothing in patterns.labels:
        raise OptionError(
            "rows whose truth and answer are both nothing count for some systems only; "
            "the model informed needs a label for every item"
        )
    if not (patterns.truth != MISSING).any():
        raise OptionError("no item has a truth, so there are no labels that could be wrong")
    return patterns


@dataclass(frozen=True, slots=True, eq=False)
class DisputedLabels:
    """The answers of the systems that contradict each given label, a row for each entry of `items`.

    s_j is the weight of the systems that answer j, u = 1 - s_given, near-copies weighing together as one.
    """

    items: LabelledItems
    weights: FloatArray
    contradicted: FloatArray
    """u."""
    log_odds: FloatArray
    """log((u + .02) / (1 - u + .02))."""
    unanimity: FloatArray
    """c: the largest share of an alternative among those who contradict, less 1; 0 where nobody does."""
    against: Singles
    """[v_k != g] - u, a column a system."""
    alternatives: npt.NDArray[np.int32]
    """The labels that are answered in place of the given one, filled up with -1; column by column in memory."""
    shares: FloatArray
    """Their weights, filled up with 0."""
    log_shares: FloatArray
    """Their logarithms; minus infinity where there is nothing; column by column in memory."""
    number_of_alternatives: IntArray
    pair: IntArray
    """The number of (given label, most frequent alternative); that of all undisputed rows is 0."""
    pairs: int

    def part(self, rows: IntArray) -> "DisputedLabels":
        """Return some of the rows, such as those of a group; votes, labels and groups are those of the whole table."""
        items = replace(
            self.items,
            given=self.items.given[rows],
            answers=self.items.answers[rows],
            number=self.items.number[rows],
            right=self.items.right[rows],
            group=self.items.group[rows],
        )
        return replace(
            self,
            items=items,
            contradicted=self.contradicted[rows],
            log_odds=self.log_odds[rows],
            unanimity=self.unanimity[rows],
            against=self.against[rows],
            alternatives=np.take(self.alternatives.T, rows, axis=1).T,
            shares=self.shares[rows],
            log_shares=np.take(self.log_shares.T, rows, axis=1).T,
            number_of_alternatives=self.number_of_alternatives[rows],
            pair=self.pair[rows],
        )


def disputes_of(items: LabelledItems) -> DisputedLabels:
    """Return the answers of the systems that contradict each given label."""
    weights = near_copies(shared_errors(items.answers, items.given, items.number)).weights
    against = items.answers != items.given[:, None]
    contradicted = np.clip(against @ weights, 0, 1)
    # A sum of weights may miss 0 and 1 by rounding.
    contradicted[~against.any(axis=1)] = 0
    alternatives, shares = _alternatives(items, weights)
    top = shares.max(axis=1, initial=0)
    unanimity = np.zeros(len(top))
    disputed = contradicted > 0
    unanimity[disputed] = top[disputed] / contradicted[disputed] - 1
    odds = (contradicted + OFFSET) / (1 - contradicted + OFFSET)
    pair, pairs = _pairs(items, alternatives, shares)
    return DisputedLabels(
        items=items,
        weights=weights,
        contradicted=contradicted,
        log_odds=np.log(odds),
        unanimity=unanimity,
        against=(against - contradicted[:, None]).astype(np.float32),
        alternatives=alternatives,
        shares=shares,
        log_shares=_logs(shares),
        number_of_alternatives=(alternatives >= 0).sum(axis=1),
        pair=pair,
        pairs=pairs,
    )


def _logs(shares: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.asfortranarray(shares)))


def _alternatives(
    items: LabelledItems, weights: FloatArray
) -> tuple[npt.NDArray[np.int32], FloatArray]:
    """Return each row's alternatives to the given label and their weights, in the order of their codes."""
    rows = len(items.given)
    row, system = np.nonzero((items.answers != items.given[:, None]) & (items.answers >= 0))
    width = len(items.labels)
    keys, place = np.unique(row * width + items.answers[row, system], return_inverse=True)
    share = np.bincount(place.ravel(), weights[system], len(keys))
    owner = keys // max(1, width)
    starts = np.searchsorted(owner, np.arange(rows))
    column = np.arange(len(keys)) - starts[owner]
    most = int(column.max(initial=-1)) + 1
    alternatives = np.full((rows, most), -1, np.int32, order="F")
    shares = np.zeros((rows, most))
    alternatives[owner, column] = keys - owner * width
    shares[owner, column] = share
    return alternatives, shares


def _pairs(
    items: LabelledItems, alternatives: npt.NDArray[np.int32], shares: FloatArray
) -> tuple[IntArray, int]:
    """Return the number of each row's pair of a given label and its most frequent alternative."""
    disputed = np.flatnonzero(shares.any(axis=1)) if shares.shape[1] else np.empty(0, np.int64)
    pair = np.zeros(len(shares), np.int64)
    if not len(disputed):
        return pair, 1
    top = alternatives[disputed, shares[disputed].argmax(axis=1)]
    keys = items.given[disputed] * len(items.labels) + top
    _, number = np.unique(keys, return_inverse=True)
    pair[disputed] = 1 + number.ravel()
    return pair, int(pair.max()) + 1
