"""Which systems are near-copies of one another, and what each is worth: from the errors that they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.tally.votes.pairs import Pairs

USUAL = 0.1
"""The quantile of the agreements in errors that is taken to be usual among unrelated systems."""
UNRELATED = 0.15
"""Up to this excess two systems are unrelated."""
COPIES = 0.45
"""From this excess on they are copies; between the two they are partly so."""
AT_ONCE = 50_000
"""Patterns whose errors are compared at once."""
EXACT_SINGLES = 2**24
"""Up to this number of items single precision counts exactly, in half the time."""
CodeTable = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class SharedErrors:
    """How often two systems make the same error, of the items that at least one of them has wrong."""

    same: FloatArray
    """same[k, l]: both are wrong, and with the same answer."""
    either: FloatArray
    """either[k, l]: at least one of the two is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class NearCopies:
    """How similar the errors of systems are, pair by pair, and a weight for each system."""

    agreement: FloatArray
    """J: the share of equal errors among all errors of two systems; not a number where neither errs."""
    excess: FloatArray
    """S: by how much more they agree than systems usually do, from 0 to 1."""
    redundancy: FloatArray
    """R: the share of one that repeats the other, 0 for unrelated systems, 1 for copies and for a system and itself."""
    weights: FloatArray
    """What each system's vote is worth; they sum to 1."""


def shared_errors(
    answers: npt.ArrayLike, reference: npt.ArrayLike, number: npt.ArrayLike | None = None
) -> SharedErrors:
    """Count the errors that every two systems share, from patterns.

    A row of `answers` is a pattern, a column a system, `reference` the label that each pattern is judged by: the
    truth, or what is used instead (a majority). Codes below 0 are missing; two systems are compared on the items that
    both of them answered.
    >>> shared = shared_errors([[1, 1], [1, 2], [0, 0]], [0, 0, 0], [5, 3, 90])
    >>> shared.same[0, 1], shared.either[0, 1]
    (np.float64(5.0), np.float64(8.0))
    """
    codes = np.asarray(answers)
    labels = np.asarray(reference)
    if codes.ndim != 2 or labels.shape != codes.shape[:1]:
        raise OptionError(
            f"answers are of shape {codes.shape} and reference labels of {labels.shape}; give a row for each pattern"
        )
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    systems = codes.shape[1]
    same = np.zeros((systems, systems))
    either = np.zeros((systems, systems))
    for start in range(0, len(codes), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        of_same, of_either = _shared(codes[part], labels[part], amount[part])
        same += of_same
        either += of_either
    return SharedErrors(same, either)


def _shared(
    codes: CodeTable, labels: CodeTable, amount: npt.NDArray[np.floating[Any]]
) -> tuple[FloatArray, ...]:
    """Count the same errors, and those of either, for every two systems."""
    is_whole = bool((amount == np.floor(amount)).all())
    if is_whole and amount.sum() < EXACT_SINGLES:
        amount = amount.astype(np.float32)
    answered = (codes >= 0) & (labels >= 0)[:, None]
    wrong = answered & (codes != labels[:, None])
    counted = amount[:, None] * wrong
    one_wrong = counted.T @ answered.astype(amount.dtype)
    both_wrong = counted.T @ wrong.astype(amount.dtype)
    return _same(codes, wrong, amount), one_wrong + one_wrong.T - both_wrong


def _same(codes: CodeTable, wrong: BoolArray, amount: npt.NDArray[np.floating[Any]]) -> FloatArray:
    """Count the equal errors of every two systems: label by label, or system by system if there are fewer."""
    systems = codes.shape[1]
    same = np.zeros((systems, systems))
    answers = np.unique(codes[wrong])
    if len(answers) <= systems:
        for answer in answers:
            gave_it = (wrong & (codes == answer)).astype(amount.dtype)
            same += (amount[:, None] * gave_it).T @ gave_it
        return same
    for system in range(systems):
        same[system] = amount @ (wrong & wrong[:, [system]] & (codes == codes[:, [system]]))
    return same


def shared_errors_of(pairs: Pairs) -> tuple[int, int]:
    """Count the errors that two systems share, and those that at least one of them makes, from their pair's tally."""
    shared = shared_errors(pairs.answers, pairs.truth, pairs.number)
    return int(shared.same[0, 1]), int(shared.either[0, 1])


def near_copies(shared: SharedErrors) -> NearCopies:
    """Return to what degree systems are near-copies of one another.

    J_kl = same errors / errors of either; a0 = the 10 % quantile of J over pairs, what unrelated systems have;
    S = max(0, (J - a0) / (1 - a0)); R = (S - 0.15) / 0.30, cut at 0 and 1, and R_kk = 1; w_k = 1 / sum_l R_kl, scaled
    to the sum 1: five copies of one system weigh together as one. Two systems that never err, or were never judged on
    the same items, count as unrelated. Where all systems are equally similar none is a copy.
    >>> answers = [[1, 1, 0, 0], [2, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 2, 0]]
    >>> near_copies(shared_errors(answers, [0] * 5)).weights.round(3).tolist()
    [0.167, 0.167, 0.333, 0.333]
    """
    defined = shared.either > 0
    agreement = np.full(shared.same.shape, np.nan)
    np.divide(shared.same, shared.either, out=agreement, where=defined)
    excess = _excess(agreement)
    redundancy = np.clip((excess - UNRELATED) / (COPIES - UNRELATED), 0, 1)
    np.fill_diagonal(redundancy, 1)
    weights = 1 / redundancy.sum(axis=1)
    return NearCopies(agreement, excess, redundancy, weights / weights.sum())


def _excess(agreement: FloatArray) -> FloatArray:
    """Return S: the agreement above what is usual, as a share of what is possible above it."""
    of_pairs = agreement[np.triu_indices(len(agreement), 1)]
    of_pairs = of_pairs[~np.isnan(of_pairs)]
    if not len(of_pairs):
        return np.zeros(agreement.shape)
    usual = float(np.quantile(of_pairs, USUAL))
    if usual >= 1:
        return np.zeros(agreement.shape)
    excess = (np.nan_to_num(agreement, nan=usual) - usual) / (1 - usual)
    return np.maximum(0, excess)
