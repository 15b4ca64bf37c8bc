"""Measures of the form #(A and B) / #B: what part of the cases B is also A.

Accuracy, precision and recall of characters, words, segments, categories and extracted units all have this form, so
the same bounds serve them all.
Reference: Junker, Hoch, Dengel, On the Evaluation of Document Analysis Components by Recall, Precision, and Accuracy,
ICDAR 1999. doi:10.1109/ICDAR.1999.791887
"""

from dataclasses import dataclass

import numpy as np

from karat.measure.measure import measure
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """Successes and trials, both sums over items; the value is undefined where there are no trials."""

    successes: FloatArray
    trials: FloatArray

    @property
    def values(self) -> FloatArray:
        """Successes / trials, NaN inside arrays where that is 0/0; results show it as undefined."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.trials > 0, self.successes / self.trials, np.nan)

    def pooled(self) -> "Share":
        """All classes together: the micro average."""
        return Share(self.successes.sum(axis=-1), self.trials.sum(axis=-1))


@measure("counts")
def share(successes: FloatArray, trials: FloatArray) -> Share:
    """How many of the trials are successes, where only the counts are known?

    #successes / #trials.
    """
    return Share(successes, trials)
