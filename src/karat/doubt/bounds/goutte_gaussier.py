"""What the counts leave open of precision, recall and F: their posteriors, without a simulation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.dirichlet import PRIOR
from karat.doubt.interval import Interval, Side, check_counts, tails
from karat.errors import OptionError
from karat.measure.cells import Cells
from karat.numeric.arrays import FloatArray

NODES = 120
"""Of the quadrature over a distribution's quantiles."""
HALVINGS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Where precision, recall and F lie, given the counts; one entry for each entry of the counts."""

    precision: Interval
    recall: Interval
    f: Interval
    f_mean: FloatArray
    """The posterior mean of F."""


def goutte_gaussier(
    cells: Cells, *, level: float = 0.95, side: Side = "both", prior: float = PRIOR
) -> Posterior:
    """What do the counts of hits, missed and false say of precision, recall and F?

    Precision ~ Beta(h + l, f + l), recall ~ Beta(h + l, m + l), l the prior count, 1/2 or 1. F_b = (1+b²) U / ((1+b²) U
    + b² V + W) with U, V, W ~ Gamma(h + l), Gamma(m + l), Gamma(f + l). F_1 = 2X / (1 + X) with X ~ Beta(h + l,
    m + f + 2l): exact. Other b by quadrature over V / (V + W), good to 1e-4. Assumes independent items. Without hits
    the low ends are 0, without errors the high ends 1; of nothing nothing is known.
    Reference: Goutte, Gaussier, A probabilistic interpretation of precision, recall and F-score, ECIR 2005.
    doi:10.1007/978-3-540-31865-1_25
    >>> found = goutte_gaussier(Cells(np.array(60.0), np.array(20.0), np.array(40.0), 1.0))
    >>> print(found.precision.low.round(3), found.recall.low.round(3), found.f.low.round(3), found.f.high.round(3))
    0.502 0.647 0.581 0.739
    """
    distribution = _Distribution.of(cells, prior)
    below, above = tails(level, side)
    h, m, f = distribution.counts
    shares = [_beta_ends(h, errors, prior, prior, below, above) for errors in (f, m)]
    if cells.beta == 1:
        low, high = _beta_ends(h, m + f, prior, 2 * prior, below, above)
        ends = 2 * low / (1 + low), 2 * high / (1 + high)
    else:
        low = distribution.quantile(below) if below else np.zeros(h.shape)
        high = distribution.quantile(1 - above) if above else np.ones(h.shape)
        ends = np.where(h > 0, low, 0.0), np.where(m + f > 0, high, 1.0)
    method = f"Goutte-Gaussier (prior={prior:g})"
    parts = [Interval(*pair, level, method) for pair in (*shares, ends)]
    return Posterior(parts[0], parts[1], parts[2], distribution.mean())


def f_below(x: npt.ArrayLike, cells: Cells, *, prior: float = PRIOR) -> FloatArray:
    """How likely does F lie below x?

    P(F <= x) = mean over Y = V / (V + W) ~ Beta(m + l, f + l) of P(X <= o / (1 + o)), X ~ Beta(h + l, m + f + 2l),
    o = x (b² Y + 1 - Y) / ((1 + b²) (1 - x)).
    >>> print(f_below(0.5, Cells(np.array(5.0), np.array(5.0), np.array(5.0), 1.0)).round(3))
    0.523
    """
    return _Distribution.of(cells, prior).below(np.asarray(x, float))


def likely_better(one: Cells, other: Cells, *, prior: float = PRIOR) -> FloatArray:
    """How likely is the first F above the second?

    The mean of P(second <= F) over the distribution of the first F. Assumes that the two were measured on different
    items, or independently; systems on the same items are better compared in pairs.
    >>> first, second = ([np.array(part) for part in counts] for counts in ([80.0, 20.0, 20.0], [70.0, 30.0, 20.0]))
    >>> print(likely_better(Cells(*first, 1.0), Cells(*second, 1.0)).round(3))
    0.908
    """
    distribution, rival = _Distribution.of(one, prior), _Distribution.of(other, prior)
    return distribution.expected(rival.below)


@dataclass(frozen=True, slots=True, eq=False)
class _Distribution:
    """F = (1+b²) X / ((1+b²) X + (1-X) C): X the share of the hits, C = b² Y + 1 - Y of how the errors divide."""

    counts: tuple[FloatArray, FloatArray, FloatArray]
    beta: float
    prior: float
    split: FloatArray
    """C at the nodes of its quantiles, along the first axis; C = 1 where b = 1."""
    weights: FloatArray

    @classmethod
    def of(cls, cells: Cells, prior: float) -> "_Distribution":
        h, m, f = _checked(cells, prior)
        if cells.beta == 1:
            return cls((h, m, f), 1.0, prior, np.ones((1, *h.shape)), np.ones(1))
        nodes, weights = _legendre(NODES)
        y = special.betaincinv(m + prior, f + prior, nodes[(...,) + (None,) * h.ndim])
        return cls((h, m, f), cells.beta, prior, cells.beta**2 * y + 1 - y, weights)

    @property
    def shapes(self) -> tuple[FloatArray, FloatArray]:
        """Of the beta distribution of X."""
        h, m, f = self.counts
        return h + self.prior, m + f + 2 * self.prior

    def below(self, x: FloatArray) -> FloatArray:
        """P(F <= x)."""
        above = x * self.split
        # o / (1 + o), written so that x = 1 needs no division by 0.
        place = above / (above + (1 + self.beta**2) * (1 - x))
        return np.asarray(np.tensordot(self.weights, special.betainc(*self.shapes, place), axes=1))

    def quantile(self, p: float) -> FloatArray:
        """Return where P(F <= x) is p, by halving."""
        low, high = np.zeros(self.split.shape[1:]), np.ones(self.split.shape[1:])
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            left = self.below(middle) < p
            low, high = np.where(left, middle, low), np.where(left, high, middle)
        return (low + high) / 2

    def expected(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """E function(F), over the quantiles of X and of C, which are independent."""
        nodes, weights = _legendre(NODES)
        total = np.zeros(self.split.shape[1:])
        for node, weight in zip(nodes, weights, strict=True):
            x = (1 + self.beta**2) * special.betaincinv(*self.shapes, node)
            values = x / (x + (1 - x / (1 + self.beta**2)) * self.split)
            total = total + weight * np.tensordot(
                self.weights, np.stack([function(each) for each in values]), axes=1
            )
        return total

    def mean(self) -> FloatArray:
        """E F."""
        return self.expected(lambda value: value)


def _checked(cells: Cells, prior: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    if not prior > 0:
        raise OptionError(
            f"prior is {prior}; give a count above 0, such as 0.5 (Jeffreys) or 1 (uniform)"
        )
    h, m, f = np.broadcast_arrays(
        *(np.asarray(part, float) for part in (cells.hits, cells.missed, cells.false))
    )
    for errors in (m, f):
        check_counts(errors, h + errors)
        check_counts(h, h + errors)
    return h, m, f


def _beta_ends(
    h: FloatArray, errors: FloatArray, one: float, two: float, below: float, above: float
) -> tuple[FloatArray, FloatArray]:
    """Return the quantiles of Beta(h + one, errors + two), up to the edge where it was seen to reach it."""
    low, high = np.zeros(h.shape), np.ones(h.shape)
    if below:
        special.betaincinv(h + one, errors + two, below, out=low, where=h > 0)
    if above:
        special.betainccinv(h + one, errors + two, above, out=high, where=errors > 0)
    return low, high


def _legendre(size: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes from 0 to 1 and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(size)
    return (nodes + 1) / 2, weights / 2
