"""Two systems on the same items: the discordant items of every pair at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.outcomes import Outcomes, outcomes
from karat.measure.quantity import Quantity
from karat.table.labels import Codes
from karat.tally.codes import MISSING, UNASKED, filled
from karat.tally.votes.patterns import Patterns
from karat.tally.votes.right_answers import right

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """For every two systems, of the items that count for both: how many only the first, or both, have right."""

    systems: tuple[str, ...]
    only: Ints
    """only[i, j]: the items that system i has right and system j has not."""
    both: Ints
    items: Ints


def paired(patterns: Patterns, quantity: Quantity) -> Paired | None:
    """Return the discordant items of each pair; None where the quantity has other trials for other systems."""
    successes_and_trials = sides(patterns, quantity)
    if successes_and_trials is None:
        return None
    hits, counts = successes_and_trials
    number = patterns.number[patterns.truth != MISSING]
    return paired_counts(patterns.systems, hits, counts, number)


def paired_counts(systems: tuple[str, ...], hits: Bools, counts: Bools, number: Ints) -> Paired:
    """Return the discordant items of each pair, from whether each system is right and counts in each row of items.

    #(i right, j wrong) = sum over rows of n r_i (c_j - r_j), r and c whether a system is right and counts there.
    """
    # Whole numbers below 2^53 are exact as floats, and their products run in compiled code.
    right_there = hits.astype(float)
    weight = number[:, None]
    both = right_there.T @ (weight * right_there)
    if counts.all():
        # Where every row counts for everybody, no product is needed to know it.
        only = np.diag(both)[:, None] - both
        items = np.full(both.shape, number.sum(), float)
        return Paired(systems, _whole(only), _whole(both), _whole(items))
    counts_there = counts.astype(float)
    only = right_there.T @ (weight * counts_there) - both
    items = counts_there.T @ (weight * counts_there)
    return Paired(systems, _whole(only), _whole(both), _whole(items))


def _whole(counts: npt.NDArray[np.float64]) -> Ints:
    return counts.round().astype(np.int64)


def sides(patterns: Patterns, quantity: Quantity) -> tuple[Bools, Bools] | None:
    """Return for each pattern with truth and each system whether it is a success and whether it counts."""
    adds = outcomes(quantity)
    if adds is None:
        return None
    meaning = patterns.meaning
    has_truth = patterns.truth != MISSING
    answers = patterns.answers[has_truth].astype(np.int64)
    truth, answers, labels = filled(patterns.truth[has_truth], answers, patterns.labels, meaning)
    counts = answers != UNASKED
    counts &= (answers != MISSING) | (meaning.missing != "skip")
    if meaning.nothing in labels:
        nothing = labels.index(meaning.nothing)
        # Where both truth and answer are nothing there is no item; if some systems have an answer there, trials differ.
        both_nothing = (truth == nothing)[:, None] & (answers == nothing)
        for_some = both_nothing.any(axis=1)
        for_all = both_nothing.all(axis=1)
        if (for_some != for_all).any():
            return None
        counts &= ~both_nothing
    if not quantity.of_classes:
        hits = right(truth, answers, labels, meaning)
        return np.where(hits, *adds.success) & counts, counts
    if meaning.truth_sep is not None:
        return None
    code = len(labels) + 1
    if quantity.label in labels:
        code = labels.index(quantity.label)
    return _of_label(truth, answers, code, counts, adds)


def _of_label(
    truth: Codes, answers: Codes, code: int, counts: Bools, adds: Outcomes
) -> tuple[Bools, Bools]:
    """Return successes and trials of one class."""
    true = (truth == code).astype(int)[:, None]
    answered = (answers == code).astype(int)
    success = adds.success[true, answered]
    trial = adds.trial[true] & counts
    return success & trial, trial
