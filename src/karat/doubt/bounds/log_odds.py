"""The interval of a number from 0 to 1 by its variance, on the scale of the log odds."""

import numpy as np
from scipy import special

from karat.doubt.interval import Side, tails


def log_odds_ends(
    value: float,
    variance: float,
    *,
    freedom: float,
    units: float,
    level: float = 0.95,
    side: Side = "both",
) -> tuple[float, float]:
    """Return both ends: log(v / (1-v)) ± t √V / (v (1-v)), t Student's quantile with so many degrees of freedom.

    Where v is 0 or 1 nothing varies, and g^(1/k) bounds it, as if each of k units were one trial. An undefined
    variance, or fewer than two units, give [0, 1].
    >>> [round(end, 4) for end in log_odds_ends(0.5, 0.01, freedom=10, units=20)]
    [0.2909, 0.7091]
    >>> [round(end, 4) for end in log_odds_ends(1.0, 0.0, freedom=10, units=20)]
    [0.8316, 1.0]
    """
    if units < 2 or np.isnan(variance):
        return 0.0, 1.0
    below, above = tails(level, side)
    low = 0.0
    high = 1.0
    if value in {0.0, 1.0}:
        if below and value:
            low = below ** (1 / units)
        if above and not value:
            high = 1 - above ** (1 / units)
        return low, high
    error = np.sqrt(variance) / (value * (1 - value))
    middle = special.logit(value)
    if below:
        low = float(special.expit(middle + special.stdtrit(freedom, below) * error))
    if above:
        high = float(special.expit(middle - special.stdtrit(freedom, above) * error))
    return low, high
