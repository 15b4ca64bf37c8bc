"""The interval of F with any weight of recall, by its posterior given hits, misses and false answers."""

import numpy as np

from karat.doubt.interval import Interval, Side, tails
from karat.measure.cells import Cells
from karat.numeric.arrays import FloatArray

PRIOR = 0.5


def dirichlet(
    cells: Cells, *, level: float = 0.95, side: Side = "both", draws: int = 4000, seed: int = 0
) -> Interval:
    """Interval of F, given its hits, misses and false answers.

    F of (h, m, f) ~ Dirichlet(hits + 1/2, missed + 1/2, false + 1/2), by seeded simulation; approximate.
    Reference: Goutte, Gaussier, A probabilistic interpretation of precision, recall and F-score, ECIR 2005.
    doi:10.1007/978-3-540-31865-1_25
    """
    random = np.random.default_rng(seed)

    def gammas(counts: FloatArray) -> FloatArray:
        return random.standard_gamma(np.asarray(counts) + PRIOR, (draws, *np.shape(counts)))

    # A Dirichlet variable is a vector of gamma variables divided by their sum; F is a ratio, so the sum cancels.
    hits = gammas(cells.hits)
    missed = gammas(cells.missed)
    false = gammas(cells.false)
    simulated = Cells(hits, missed, false, cells.beta).values
    below, above = tails(level, side)
    low = np.zeros_like(cells.hits)
    high = np.ones_like(cells.hits)
    if below:
        low = np.quantile(simulated, below, axis=0)
    if above:
        high = np.quantile(simulated, 1 - above, axis=0)
    value = np.nan_to_num(cells.values)
    undefined = np.isnan(cells.values)
    # Without a hit the value is 0, and without an error 1: ends never lie on the other side of it.
    low = np.where(undefined, 0.0, np.minimum(low, value))
    high = np.where(undefined, 1.0, np.maximum(high, value))
    return Interval(low, high, level, f"dirichlet(draws={draws}, seed={seed})")
