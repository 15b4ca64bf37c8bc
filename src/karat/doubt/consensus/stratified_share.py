"""How often something is true, from a few checked items and many judged ones: by strata of items."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.jeffreys import jeffreys
from karat.doubt.interval import Interval, check_counts, check_level, refuse
from karat.numeric.arrays import FloatArray

METHOD = "post-stratified, Jeffreys and MOVER"


def stratified_share(
    right: npt.ArrayLike,
    checked: npt.ArrayLike,
    items: npt.ArrayLike,
    total: npt.ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> tuple[FloatArray, Interval]:
    """How often is it true, if a few items of each stratum were checked?

    v = Σ W p over strata along the last axis: W the share of a stratum, known of all items, p the share right among its
    checked ones. Interval by MOVER, v - √(Σ W² (p - l)²), l the end of Jeffreys' interval of p, and so upwards;
    z² (Σ W p² - v²) / N is added under the root, as W is of N items. Of a stratum that nobody checked p is unknown:
    1/2, from 0 to 1. `total` may count items beyond the strata, on which it is known to be false.
    Assumes that the items checked in each stratum were drawn at random from it.
    Reference: post-stratification: Cochran, Sampling Techniques, Wiley 1977, section 5A.9; MOVER: Zou, Donner,
    Statistics in Medicine 27, 2008. doi:10.1002/sim.3095
    >>> value, ends = stratified_share([80, 6], [86, 14], [956, 144])
    >>> print(value.round(4), ends.low.round(4), ends.high.round(4))
    0.8646 0.7975 0.9136
    """
    check_level(level)
    x, n = check_counts(right, checked)
    of_stratum = np.asarray(items, float)
    refuse(n > of_stratum, "checked", n, "there are not so many items")
    whole = of_stratum.sum(axis=-1)
    if total is not None:
        whole = np.asarray(total, float)
    shares = of_stratum / np.maximum(whole, 1)[..., None]
    point = np.where(n > 0, x / np.maximum(n, 1), 0.5)
    value = (shares * point).sum(axis=-1)
    ends = jeffreys(x, n, level=level)
    z = float(special.ndtri((1 - level) / 2))
    # The shares of the strata are themselves those of a sample.
    spread = np.maximum((shares * point**2).sum(axis=-1) - value**2, 0)
    of_shares = z**2 * spread / np.maximum(whole, 1)
    below = (shares**2 * (point - ends.low) ** 2).sum(axis=-1)
    above = (shares**2 * (ends.high - point) ** 2).sum(axis=-1)
    low = np.maximum(value - np.sqrt(below + of_shares), 0.0)
    high = np.minimum(value + np.sqrt(above + of_shares), 1.0)
    return np.asarray(value), Interval(np.asarray(low), np.asarray(high), level, METHOD)
