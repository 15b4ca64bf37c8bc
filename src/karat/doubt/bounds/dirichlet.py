"""F with any weight of recall: its posterior given the cells it is made of."""

import numpy as np

from karat.doubt.interval import Interval, Side, tails
from karat.measure.cells import Cells

PRIOR = 0.5


def dirichlet(
    cells: Cells, *, level: float = 0.95, side: Side = "both", draws: int = 4000, seed: int = 0
) -> Interval:
    """Where does F lie, given its hits, misses and false answers?

    F of (h, m, f) ~ Dirichlet(hits + 1/2, missed + 1/2, false + 1/2), by seeded simulation; approximate.
    Reference: Goutte, Gaussier, A probabilistic interpretation of precision, recall and F-score, ECIR 2005.
    doi:10.1007/978-3-540-31865-1_25
    """
    random = np.random.default_rng(seed)
    parts = [
        random.standard_gamma(np.asarray(part) + PRIOR, (draws, *np.shape(part)))
        for part in (cells.hits, cells.missed, cells.false)
    ]
    drawn = Cells(parts[0], parts[1], parts[2], cells.beta).values
    below, above = tails(level, side)
    empty = np.isnan(cells.values)
    low = np.quantile(drawn, below, axis=0) if below else np.zeros_like(cells.hits)
    high = np.quantile(drawn, 1 - above, axis=0) if above else np.ones_like(cells.hits)
    value = np.nan_to_num(cells.values)
    low = np.where(empty | (cells.hits == 0), 0.0, np.minimum(low, value))
    high = np.where(empty | (cells.missed + cells.false == 0), 1.0, np.maximum(high, value))
    return Interval(low, high, level, f"dirichlet(draws={draws}, seed={seed})")
