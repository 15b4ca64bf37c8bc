"""What checked labels show about all others: a penalised logistic regression on which systems contradict them."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from karat.doubt.label_noise.informed.constants import Constants
from karat.doubt.label_noise.informed.items import ELSEWHERE, UNCHECKED, DisputedLabels
from karat.doubt.label_noise.informed.logistic_posterior import (
    CLOSE,
    MOST_STEPS,
    inverse_root,
    logistic_posterior,
    nearest_normal,
)
from karat.numeric.arrays import BoolArray, FloatArray, IntArray

GRID = np.linspace(-6, 6, 241)
"""Standard deviations at which the log odds of rho are looked at."""
COMMON = 3
"""Intercept, slope and unanimity: the coefficients that every row has."""


@dataclass(frozen=True, slots=True, eq=False)
class FittedCheck:
    """The posterior of the unknowns after a check, a normal distribution around its mode.

    The coefficients are those of intercept, slope and unanimity, of the systems, and of the labels and groups that
    were checked at least once; the others keep their values from other benchmarks.
    """

    checked: int
    wrong: int
    wrong_disputed: int
    """Wrong labels that some system contradicts: only these show which system the errors favour."""
    systems: int
    labels: IntArray
    groups: IntArray
    mode: FloatArray
    root: FloatArray
    """root root' is the covariance."""
    answered_grid: FloatArray
    answered_weights: FloatArray
    right_labels: IntArray
    right_mode: FloatArray
    right_root: FloatArray

    def draw(self, random: np.random.Generator, size: int) -> FloatArray:
        """Return draws of the coefficients, a row a draw."""
        return self.mode + random.normal(size=(size, len(self.mode))) @ self.root.T

    def split(self, drawn: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the coefficients of the systems, the labels and the groups."""
        ends = np.cumsum([COMMON, self.systems, len(self.labels)])
        _, by_system, by_label, by_group = np.split(drawn, ends, axis=1)
        return by_system, by_label, by_group

    def draw_right_labels(self, random: np.random.Generator, size: int) -> FloatArray:
        """Return draws of how much likelier each right label is than its votes suggest."""
        return (
            self.right_mode + random.normal(size=(size, len(self.right_mode))) @ self.right_root.T
        )

    def draw_answered(self, random: np.random.Generator, size: int) -> FloatArray:
        """Return draws of the log odds that a right label is some system's answer."""
        return random.choice(self.answered_grid, size, p=self.answered_weights)


def fit_check(disputes: DisputedLabels, constants: Constants) -> FittedCheck | None:
    """Return what the checked items show, or None where none was checked."""
    items = disputes.items
    rows = np.flatnonzero(items.right != UNCHECKED)
    if not len(rows):
        return None
    number = items.number[rows].astype(float)
    is_wrong = items.right[rows] != items.given[rows]
    labels = np.unique(items.given[rows])
    groups = np.unique(items.group[rows]) if items.groups else np.empty(0, np.int64)
    columns = [
        np.ones(len(rows)),
        disputes.log_odds[rows],
        disputes.unanimity[rows],
        *disputes.against[rows].T.astype(float),
        *(items.given[rows] == label for label in labels),
        *(items.group[rows] == group for group in groups),
    ]
    start, deviation = _starts(disputes, constants, len(labels), len(groups))
    table = np.stack(columns, axis=1).astype(float)
    if items.groups:
        # Few labels were checked of each group: then the mode forecasts far more wrong labels than were found.
        mode, root = nearest_normal(
            table, number, is_wrong, start, deviation, of_each=constants.by_alternative
        )
    else:
        mode, root = logistic_posterior(table, number, is_wrong, start, deviation)
    disputed = is_wrong & (disputes.contradicted[rows] > 0)
    among = _among_alternatives(disputes, rows)
    grid = constants.answered + constants.answered_sd * GRID
    answered = float(number[disputed & among].sum())
    elsewhere = float(number[disputed & ~among].sum())
    logs = (
        -(GRID**2) / 2 + answered * -np.log1p(np.exp(-grid)) + elsewhere * -np.log1p(np.exp(grid))
    )
    weights = np.exp(logs - logs.max())
    right_labels, right_mode, right_root = right_label_effects(
        disputes, rows[disputed & among], constants
    )
    return FittedCheck(
        checked=int(number.sum()),
        wrong=int(number[is_wrong].sum()),
        wrong_disputed=int(number[disputed].sum()),
        systems=len(disputes.weights),
        labels=labels,
        groups=groups,
        mode=mode,
        root=root,
        answered_grid=grid,
        answered_weights=weights / weights.sum(),
        right_labels=right_labels,
        right_mode=right_mode,
        right_root=right_root,
    )


def _starts(
    disputes: DisputedLabels, constants: Constants, labels: int, groups: int
) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of every coefficient before the check."""
    mean = [constants.intercept, constants.slope, constants.unanimity]
    deviation = [constants.intercept_sd, constants.slope_sd, constants.unanimity_sd]
    deviation += (constants.by_system * np.sqrt(disputes.weights)).tolist()
    deviation += [constants.by_label] * labels + [constants.by_group] * groups
    mean += [0.0] * (len(deviation) - len(mean))
    return np.array(mean), np.array(deviation)


def _among_alternatives(disputes: DisputedLabels, rows: IntArray) -> BoolArray:
    """Return whether the right label of each row is the answer of some system."""
    right = disputes.items.right[rows]
    found = (disputes.alternatives[rows] == right[:, None]) & (right != ELSEWHERE)[:, None]
    return np.asarray(found.any(axis=1))


def right_label_effects(
    disputes: DisputedLabels, rows: IntArray, constants: Constants
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return which right labels are likelier than their votes suggest: a conditional logit on the wrong ones.

    P(right = j) is proportional to s_j^eta exp(phi_j), eta as other benchmarks have it.
    """
    alternatives = disputes.alternatives[rows]
    labels, place = np.unique(alternatives, return_inverse=True)
    place = place.reshape(alternatives.shape)
    first = int(np.searchsorted(labels, 0))
    labels = labels[first:]
    if not len(labels) or constants.by_right_label <= 0:
        return np.empty(0, np.int64), np.empty(0), np.empty((0, 0))
    offsets = _log_votes(disputes.shares[rows], constants.exponent)
    number = disputes.items.number[rows].astype(float)
    # A column per label: whether it is that row's alternative at a place; -1, which fills up, has none.
    chosen = alternatives == disputes.items.right[rows][:, None]
    at = np.zeros(len(labels))
    precision = constants.by_right_label**-2
    for _ in range(MOST_STEPS):
        padded = np.append(np.zeros(first), at)
        chance = special.softmax(offsets + padded[place], axis=1)
        by_row = np.zeros((len(rows), first + len(labels)))
        picked = np.zeros_like(by_row)
        index = np.arange(len(rows))[:, None]
        np.add.at(by_row, (index, place), chance)
        np.add.at(picked, (index, place), chosen.astype(float))
        by_row = by_row[:, first:]
        slope = number @ (picked[:, first:] - by_row) - precision * at
        curve = np.diag(number @ by_row) - (by_row.T * number) @ by_row
        curve += precision * np.eye(len(labels))
        step = np.linalg.solve(curve, slope)
        largest = float(np.abs(step).max())
        at = at + step / max(1.0, largest)
        if largest < CLOSE:
            break
    return labels.astype(np.int64), at, inverse_root(curve)


def _log_votes(shares: FloatArray, exponent: float) -> FloatArray:
    """Return eta log s; minus infinity where nobody answers."""
    with np.errstate(divide="ignore"):
        return np.asarray(exponent * np.log(shares))
