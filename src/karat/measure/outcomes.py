"""What one item adds to a share, worked out from its formula: success and trial by truth and answer."""

from dataclasses import dataclass

import numpy as np

from karat.measure.quantity import Quantity, evaluate
from karat.measure.share import Share
from karat.measure.totals import Totals
from karat.numeric.arrays import BoolArray, FloatArray

WRONG = 1
MISSED = 2
"""Places of the tables of one item: right, wrong, and without an answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Whether an item is a success and whether it is a trial.

    Of a class: success[t, a], where t is whether the label is true and a whether it is answered, and trial[t]. Of the
    whole table: success[0] of a right answer and success[1] of a wrong one; every item is a trial.
    """

    success: BoolArray
    trial: BoolArray

    @property
    def of_class(self) -> bool:
        """Whether the trials are the items of the class."""
        return bool(self.trial.tolist() == [False, True])


def outcomes(quantity: Quantity) -> Outcomes | None:
    """Return what one item adds to a share; None where the trials are not the same items for every system.

    The counts of a share are sums over items, so the share of a single item is what that item adds, and no measure
    needs to state it. Averages are not shares of items.

    >>> outcomes(Quantity("recall")).trial.tolist(), outcomes(Quantity("precision"))
    ([False, True], None)
    """
    if quantity.counted_from != "confusion" or quantity.average is not None:
        return None
    if quantity.of_classes:
        return _of_class(quantity)
    return _of_table(quantity)


def of_right_answers(quantity: Quantity) -> bool:
    """Return whether a quantity orders systems as the number of right answers does.

    >>> [of_right_answers(Quantity(name)) for name in ("accuracy", "error-rate", "recall", "kappa")]
    [True, True, False, False]
    """
    adds = outcomes(quantity)
    if adds is None or quantity.of_classes:
        return False
    right, wrong = adds.success.tolist()
    better_if_right = bool(right) != quantity.lower_is_better
    return right != wrong and better_if_right


def _of_class(quantity: Quantity) -> Outcomes | None:
    """Return the outcomes of one class, from four tables of one item: label true or not, answered or not."""
    truth = np.array([0.0, 0.0, 1.0, 1.0])[:, None]
    answered = np.array([0.0, 1.0, 0.0, 1.0])[:, None]
    hits = truth * answered
    share = _share(quantity, Totals(("label",), hits, truth, answered, np.ones(4)))
    if share is None:
        return None
    success = share.successes.reshape(2, 2)
    trial = share.trials.reshape(2, 2)
    depends_on_answer = (trial[:, 0] != trial[:, 1]).any()
    if depends_on_answer or not _are_indicators(success, trial):
        return None
    return Outcomes(success > 0, trial[:, 0] > 0)


def _of_table(quantity: Quantity) -> Outcomes | None:
    """Return the outcomes of the whole table, from three tables of one item: right, wrong and without an answer."""
    label = [1.0, 0.0]
    other = [0.0, 1.0]
    none = [0.0, 0.0]
    hits = np.array([label, none, none])
    truth = np.array([label, label, label])
    answered = np.array([label, other, none])
    share = _share(quantity, Totals(("label", "other"), hits, truth, answered, np.ones(3)))
    if share is None or not _are_indicators(share.successes, share.trials):
        return None
    if not share.trials.all() or share.successes[WRONG] != share.successes[MISSED]:
        return None
    return Outcomes(share.successes[:MISSED] > 0, np.ones(1, bool))


def _share(quantity: Quantity, totals: Totals) -> Share | None:
    with np.errstate(all="ignore"):
        measured = evaluate(quantity, totals)
    return measured if isinstance(measured, Share) else None


def _are_indicators(*counts: FloatArray) -> bool:
    """Return whether one item counts as one or as none."""
    return all(np.isin(count, (0.0, 1.0)).all() for count in counts)
