"""The lead of one system over another as a sum over items, and what the right label of an item could make of it."""

from dataclasses import dataclass

import numpy as np

from karat.errors import OptionError
from karat.measure.outcomes import outcomes
from karat.measure.quantity import Quantity, evaluate
from karat.measure.share import Share
from karat.measure.totals import Totals
from karat.numeric.arrays import BoolArray, FloatArray

NO_SUM = (
    "{quantity} is not a sum over items with known denominators: what one label adds to it depends on all the others. "
    "Name a measure such as accuracy, error-rate, recall[LABEL] or precision[LABEL]"
)


@dataclass(frozen=True, slots=True, eq=False)
class LeadRule:
    """What one item adds to a measure of one system: success by truth and answer, and who has which trials.

    Of the whole table (`of_class` is false): success[0] of a wrong answer, success[1] of a right one. Of a class:
    success[t, a], t whether the label is the class and a whether it was answered; trial[a] where the trials are the
    system's own answers, as those of precision are, and None where all systems have the same.
    """

    of_class: bool
    success: FloatArray
    trial: FloatArray | None = None
    sign: int = 1

    def trials(self, answered: BoolArray, weight: FloatArray) -> FloatArray:
        """Return the trials of each system, by whether it answered the class; 1 where all have the same."""
        if self.trial is None:
            return np.ones(answered.shape[-1])
        return np.asarray(weight @ np.where(answered, self.trial[1], self.trial[0]))


def lead_rule(quantity: Quantity) -> LeadRule:
    """Return what one item adds to a measure, or refuse measures whose order is not that of a sum over items.

    Accuracy adds 1 for a right answer. Recall of a class divides by the items of the class, which are the same for
    both systems, whatever the labels: their order is that of the hits. Precision divides by the system's own answers,
    which no label changes: P_A > P_B where Σ (hit_A n_B - hit_B n_A) > 0.

    >>> lead_rule(Quantity("accuracy")).success.tolist(), lead_rule(Quantity("precision", label="cat")).trial.tolist()
    ([0.0, 1.0], [0.0, 1.0])
    """
    sign = -1 if quantity.lower_is_better else 1
    if quantity.counted_from != "confusion" or quantity.average is not None:
        raise OptionError(NO_SUM.format(quantity=quantity))
    if not quantity.of_classes:
        adds = outcomes(quantity)
        if adds is None:
            raise OptionError(NO_SUM.format(quantity=quantity))
        right, wrong = adds.success.tolist()
        return LeadRule(of_class=False, success=np.array([wrong, right], float), sign=sign)
    success, trial = _of_one_item(quantity)
    by_truth_only = bool((trial[:, 0] == trial[:, 1]).all())
    by_answer_only = bool((trial[0] == trial[1]).all())
    if not by_truth_only and not by_answer_only:
        raise OptionError(NO_SUM.format(quantity=quantity))
    own = None if by_truth_only else trial[0]
    return LeadRule(of_class=True, success=success, trial=own, sign=sign)


def _of_one_item(quantity: Quantity) -> tuple[FloatArray, FloatArray]:
    """Return success[t, a] and trial[t, a] of tables of one item: the class true or not, answered or not."""
    truth = np.array([0.0, 0.0, 1.0, 1.0])[:, None]
    answered = np.array([0.0, 1.0, 0.0, 1.0])[:, None]
    with np.errstate(all="ignore"):
        share = evaluate(
            quantity, Totals(("label",), truth * answered, truth, answered, np.ones(4))
        )
    if not isinstance(share, Share):
        raise OptionError(NO_SUM.format(quantity=quantity))
    return share.successes.reshape(2, 2), share.trials.reshape(2, 2)
