"""The Brier score: how far probabilities are from what happened."""

import numpy as np

from karat.errors import OptionError
from karat.measure.item_mean import ItemMean
from karat.measure.measure import measure
from karat.tally.scores.curve import Curve


@measure("curve", lower_is_better=True)
def brier(curve: Curve) -> ItemMean:
    """How far are probabilities from what happened?

    The mean over the items of (s - y)², s the score as the probability of a positive, y = 1 for a positive and 0
    otherwise; 0 is perfect, and always saying one half gives 1/4. Scores must be probabilities, from 0 to 1.
    Its interval is Student's with half an item added at either end, approximate: see `karat.doubt.bounds.item_mean`,
    and bench/coverage/whole_table.py.
    Reference: Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78, 1950.
    doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
    >>> score = brier(Curve(np.array([0.9, 0.2]), np.array([3, 0]), np.array([1, 4])))
    >>> float(score.values)
    0.125
    """
    score = curve.score
    if np.isneginf(score).any():
        raise OptionError(
            "some items have no score, and so no Brier score; fill them in, or leave these items out"
        )
    if len(score) and not 0 <= score.min() <= score.max() <= 1:
        raise OptionError(
            f"scores from {score.min():g} to {score.max():g} are not probabilities, which lie from 0 to 1; "
            "turn them into probabilities first, such as 1 / (1 + exp(-score)) of a logistic model"
        )
    losses = np.concatenate([(score - 1) ** 2, score**2])
    items = np.concatenate([curve.positive, curve.negative])
    return ItemMean(losses, items)
