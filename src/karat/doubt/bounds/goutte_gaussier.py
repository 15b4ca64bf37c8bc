"""Posteriors of precision, recall and F given their counts, without a simulation."""

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
"""Nodes of the quadrature over a distribution's quantiles."""
HALVINGS = 60
"""Steps of the bisection for a quantile: 2^-60 is below the precision of a float."""


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Credible intervals of precision, recall and F, given the counts; one entry for each entry of the counts."""

    precision: Interval
    recall: Interval
    f: Interval
    f_mean: FloatArray
    """The posterior mean of F."""


def goutte_gaussier(
    cells: Cells, *, level: float = 0.95, side: Side = "both", prior: float = PRIOR
) -> Posterior:
    """Posterior intervals of precision, recall and F, given the counts of hits, missed and false.

    Precision ~ Beta(h + l, f + l), recall ~ Beta(h + l, m + l), l the prior count, 1/2 or 1. F_b = (1+b²) U / ((1+b²) U
    + b² V + W) with U, V, W ~ Gamma(h + l), Gamma(m + l), Gamma(f + l). F_1 = 2X / (1 + X) with X ~ Beta(h + l,
    m + f + 2l): exact. Other b by quadrature over V / (V + W), good to 1e-4. Assumes independent items. Without hits
    the low ends are 0, without errors the high ends 1; without counts the intervals are [0, 1].
    Reference: Goutte, Gaussier, A probabilistic interpretation of precision, recall and F-score, ECIR 2005.
    doi:10.1007/978-3-540-31865-1_25
    >>> posterior = goutte_gaussier(Cells(np.array(60.0), np.array(20.0), np.array(40.0), 1.0))
    >>> print(posterior.precision.low.round(3), posterior.recall.low.round(3))
    0.502 0.647
    >>> print(posterior.f.low.round(3), posterior.f.high.round(3))
    0.581 0.739
    """
    distribution = _Distribution.of(cells, prior)
    below, above = tails(level, side)
    h, m, f = distribution.counts
    method = f"Goutte-Gaussier (prior={prior:g})"
    precision_ends = _beta_ends(h, f, prior, prior, below, above)
    recall_ends = _beta_ends(h, m, prior, prior, below, above)
    f_ends = distribution.ends(below, above)
    return Posterior(
        precision=Interval(*precision_ends, level, method),
        recall=Interval(*recall_ends, level, method),
        f=Interval(*f_ends, level, method),
        f_mean=distribution.mean(),
    )


def f_below(x: npt.ArrayLike, cells: Cells, *, prior: float = PRIOR) -> FloatArray:
    """Probability that F is below x.

    P(F <= x) = mean over Y = V / (V + W) ~ Beta(m + l, f + l) of P(X <= o / (1 + o)), X ~ Beta(h + l, m + f + 2l),
    o = x (b² Y + 1 - Y) / ((1 + b²) (1 - x)).
    >>> print(f_below(0.5, Cells(np.array(5.0), np.array(5.0), np.array(5.0), 1.0)).round(3))
    0.523
    """
    return _Distribution.of(cells, prior).below(np.asarray(x, float))


def likely_better(one: Cells, other: Cells, *, prior: float = PRIOR) -> FloatArray:
    """Probability that the first F is above the second.

    The mean of P(second <= F) over the distribution of the first F. Assumes that the two were measured on different
    items, or independently; systems on the same items are better compared in pairs.
    >>> first = Cells(np.array(80.0), np.array(20.0), np.array(20.0), 1.0)
    >>> second = Cells(np.array(70.0), np.array(30.0), np.array(20.0), 1.0)
    >>> print(likely_better(first, second).round(3))
    0.908
    """
    first = _Distribution.of(one, prior)
    second = _Distribution.of(other, prior)
    return first.expected(second.below)


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
        # The nodes get an axis of their own before those of the counts.
        nodes = nodes.reshape(-1, *[1] * h.ndim)
        y = special.betaincinv(m + prior, f + prior, nodes)
        split = cells.beta**2 * y + 1 - y
        return cls((h, m, f), cells.beta, prior, split, weights)

    @property
    def shapes(self) -> tuple[FloatArray, FloatArray]:
        """Return both parameters of the beta distribution of X."""
        h, m, f = self.counts
        return h + self.prior, m + f + 2 * self.prior

    def ends(self, below: float, above: float) -> tuple[FloatArray, FloatArray]:
        """Return both ends of the interval with these probabilities outside."""
        h, m, f = self.counts
        if self.beta == 1:
            low, high = _beta_ends(h, m + f, self.prior, 2 * self.prior, below, above)
            return 2 * low / (1 + low), 2 * high / (1 + high)
        low = np.zeros(h.shape)
        high = np.ones(h.shape)
        if below:
            low = np.where(h > 0, self.quantile(below), 0.0)
        if above:
            high = np.where(m + f > 0, self.quantile(1 - above), 1.0)
        return low, high

    def below(self, x: FloatArray) -> FloatArray:
        """P(F <= x)."""
        above = x * self.split
        # o / (1 + o), written so that x = 1 needs no division by 0.
        place = above / (above + (1 + self.beta**2) * (1 - x))
        chances = special.betainc(*self.shapes, place)
        return np.asarray(np.tensordot(self.weights, chances, axes=1))

    def quantile(self, p: float) -> FloatArray:
        """Return the x at which P(F <= x) is p, by bisection."""
        shape = self.split.shape[1:]
        low = np.zeros(shape)
        high = np.ones(shape)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            too_low = self.below(middle) < p
            low = np.where(too_low, middle, low)
            high = np.where(too_low, high, middle)
        return (low + high) / 2

    def expected(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """E function(F), over the quantiles of X and of C, which are independent."""
        nodes, weights = _legendre(NODES)
        scale = 1 + self.beta**2
        total = np.zeros(self.split.shape[1:])
        for node, weight in zip(nodes, weights, strict=True):
            hits = scale * special.betaincinv(*self.shapes, node)
            errors = (1 - hits / scale) * self.split
            values = hits / (hits + errors)
            results = np.stack([function(each) for each in values])
            total = total + weight * np.tensordot(self.weights, results, axes=1)
        return total

    def mean(self) -> FloatArray:
        """E F."""
        return self.expected(lambda value: value)


def _checked(cells: Cells, prior: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return hits, missed and false in one shape, or refuse them."""
    if not prior > 0:
        raise OptionError(
            f"prior is {prior}; give a count above 0, such as 0.5 (Jeffreys) or 1 (uniform)"
        )
    hits = np.asarray(cells.hits, float)
    missed = np.asarray(cells.missed, float)
    false = np.asarray(cells.false, float)
    h, m, f = np.broadcast_arrays(hits, missed, false)
    for errors in (m, f):
        check_counts(errors, h + errors)
        check_counts(h, h + errors)
    return h, m, f


def _beta_ends(
    h: FloatArray, errors: FloatArray, one: float, two: float, below: float, above: float
) -> tuple[FloatArray, FloatArray]:
    """Return the quantiles of Beta(h + one, errors + two): 0 without hits, 1 without errors."""
    low = np.zeros(h.shape)
    high = np.ones(h.shape)
    if below:
        special.betaincinv(h + one, errors + two, below, out=low, where=h > 0)
    if above:
        special.betainccinv(h + one, errors + two, above, out=high, where=errors > 0)
    return low, high


def _legendre(size: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes from 0 to 1 and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(size)
    return (nodes + 1) / 2, weights / 2
