"""The value of one measure, from the counts of one system."""

import numpy as np

from karat.measure.quantity import Quantity, values
from karat.measure.totals import totals
from karat.tally.votes.confusion import Confusion


def value_of_confusion(confusion: Confusion, quantity: Quantity) -> float | None:
    """Return the value over all weighted items; None where it is undefined, or the class does not occur."""
    weights = None
    if "w" in confusion.keys:
        weights = np.asarray(confusion.keys["w"], float)
    margins = totals(confusion, weights)
    place = 0
    if quantity.label is not None:
        if quantity.label not in margins.labels:
            return None
        place = margins.labels.index(quantity.label)
    by_class = np.atleast_1d(values(quantity, margins))
    value = float(by_class[place])
    return None if np.isnan(value) else value
