"""Measures of the form #(A and B) / #B: what part of the cases B is also A.

Accuracy, precision and recall of characters, words, segments, categories and extracted units all have this form, so
the same bounds serve them all.
Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and Accuracy,
ICDAR 1999. doi:10.1109/ICDAR.1999.791887
"""

from dataclasses import dataclass

import numpy as np

from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """Successes of trials; its value is undefined where nothing was tried."""

    successes: FloatArray
    trials: FloatArray

    @property
    def values(self) -> FloatArray:
        """Successes / trials, NaN inside arrays where that is 0/0; results show it as undefined."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.trials > 0, self.successes / self.trials, np.nan)


def accuracy(totals: Totals) -> Share:
    """How many of all items are answered right?

    #(right answers) / #(items), a missing answer being none.
    """
    return Share(totals.hits.sum(axis=-1), totals.total)


def error_rate(totals: Totals) -> Share:
    """How many of all items are answered wrong, or not at all?

    1 - accuracy.
    """
    return Share(totals.total - totals.hits.sum(axis=-1), totals.total)


def precision(totals: Totals) -> Share:
    """How many of the items that were given a label have it?

    #(label answered and true) / #(label answered), per class.
    """
    return Share(totals.hits, totals.answered)


def recall(totals: Totals) -> Share:
    """How many of the items that have a label were given it?

    #(label answered and true) / #(label true), per class.
    """
    return Share(totals.hits, totals.truth)


def specificity(totals: Totals) -> Share:
    """How many of the items that do not have a label were not given it?

    #(label neither true nor answered) / #(label not true), per class; the recall of the rest.
    """
    total = totals.total[..., None]
    return Share(total - totals.truth - totals.answered + totals.hits, total - totals.truth)


def pooled(share: Share) -> Share:
    """All classes together: the micro average."""
    return Share(share.successes.sum(axis=-1), share.trials.sum(axis=-1))
