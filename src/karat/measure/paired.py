"""Two systems on the same items: who is right alone, for every pair at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.quantity import Quantity
from karat.tally.codes import MISSING, UNASKED, filled
from karat.tally.votes.patterns import Patterns
from karat.tally.votes.right_answers import right

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
PAIRED = {"accuracy", "error-rate", "recall", "specificity"}
"""Shares whose trials are the same items for every system."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """For every two systems, of the items that count for both: how many only the first, or both, have right."""

    systems: tuple[str, ...]
    only: Ints
    """only[i, j]: the items that system i has right and system j has not."""
    both: Ints
    items: Ints


def paired(patterns: Patterns, quantity: Quantity) -> Paired | None:
    """Return who is right alone; None where the quantity has not the same trials for all systems.

    #(i right, j wrong) = sum over patterns of n r_i (c_j - r_j), r and c whether a system is right and counts there.
    """
    found = sides(patterns, quantity)
    if found is None:
        return None
    hits, counts = (side.astype(float) for side in found)
    number = patterns.number[patterns.truth != MISSING][:, None]
    # Whole numbers below 2^53 are exact as floats, and their products run in compiled code.
    both = hits.T @ (number * hits)
    only = hits.T @ (number * counts) - both
    items = counts.T @ (number * counts)
    return Paired(
        patterns.systems, *(part.round().astype(np.int64) for part in (only, both, items))
    )


def sides(patterns: Patterns, quantity: Quantity) -> tuple[Bools, Bools] | None:
    """Return for each pattern with truth and each system whether it is right and whether it counts."""
    if quantity.measure not in PAIRED or quantity.average is not None:
        return None
    meaning, told = patterns.meaning, patterns.truth != MISSING
    truth, answers, labels = filled(
        patterns.truth[told], patterns.answers[told].astype(np.int64), patterns.labels, meaning
    )
    counts = answers != UNASKED
    counts &= (answers != MISSING) | (meaning.missing != "skip")
    if meaning.nothing in labels:
        idle = (truth == labels.index(meaning.nothing))[:, None] & (
            answers == labels.index(meaning.nothing)
        )
        if (idle.any(axis=1) != idle.all(axis=1)).any():
            return None
        counts &= ~idle
    if quantity.measure in {"accuracy", "error-rate"}:
        hits = right(truth, answers, labels, meaning)
        return (hits if quantity.measure == "accuracy" else ~hits) & counts, counts
    if meaning.truth_sep is not None:
        return None
    code = labels.index(quantity.label) if quantity.label in labels else len(labels) + 1
    inside = (truth == code)[:, None]
    if quantity.measure == "recall":
        return inside & (answers == code) & counts, inside & counts
    return ~inside & (answers != code) & counts, ~inside & counts
