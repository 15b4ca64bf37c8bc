"""By how much one more item moves the area at a prevalence: its variance, and that of a difference, follow from it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

NODES = 8
STEEP = 4.0
"""From this growth of a denominator on its integrals are taken in closed form; below, that would lose digits."""


@dataclass(frozen=True, slots=True, eq=False)
class AreaInfluences:
    """The derivative of the area by the number of positives, or of negatives, in a cell: cells x prevalences."""

    of_positive: FloatArray
    of_negative: FloatArray


def area_influences(curve: Curve, pi: npt.ArrayLike) -> AreaInfluences:
    """Return by how much the area at each prevalence moves with one more item in each cell of a curve.

    The area is the integral of P dR, P = pi R / D, D = pi R + (1 - pi) F. One more of m positives moves R by
    (G - R) / m, where G is 0 before its cell, 1 after it, and rises evenly inside; one more of n negatives moves F by
    (G - F) / n. So the derivatives are (mean of P in the cell - area + integral of P_R (G - R) dR) / m and
    (integral of P_F (G - F) dR) / n, with P_R = pi (1 - pi) F / D² and P_F = -pi (1 - pi) R / D². Items of one kind
    move the area by 0 on average.
    Reference: Hampel, Journal of the American Statistical Association 69, 1974. doi:10.1080/01621459.1974.10482962
    >>> found = area_influences(Curve(np.array([2.0, 1.0]), np.array([3, 0]), np.array([0, 9])), [0.5])
    >>> found.of_positive.round(4).ravel().tolist(), found.of_negative.round(4).ravel().tolist()
    ([0.0, -0.1023], [-0.1111, 0.0])
    """
    share = check_prevalence("the prevalence", pi).ravel()
    # At 0 and 1 every precision is 0 or 1.
    share = np.clip(share, 1e-200, np.nextafter(1, 0))
    cells = _RocCells.of(curve)
    means = cells.means(share)
    # In a cell R = r + h x and F = f + k x, x from 0 to 1.
    r, h, f, k = cells.r, cells.h, cells.f, cells.k
    weight = share * (1 - share) * h
    recall = weight * (f * means.square_0 + k * means.square_1)
    recall_inside = weight * (f * means.square_1 + k * means.square_2)
    rate = -weight * (r * means.square_0 + h * means.square_1)
    rate_inside = -weight * (r * means.square_1 + h * means.square_2)
    # The integral of R P_R dR, which is that of -F P_F dR too.
    both = r * f * means.square_0 + (r * k + f * h) * means.square_1 + h * k * means.square_2
    kept = (weight * both).sum(axis=0)
    precision = share * (r * means.once_0 + h * means.once_1)
    area = (h * precision).sum(axis=0)
    of_positive = precision - area + _after(recall) + recall_inside - kept
    of_negative = _after(rate) + rate_inside + kept
    return AreaInfluences(of_positive / cells.positives, of_negative / cells.negatives)


def _after(each: FloatArray) -> FloatArray:
    """Return for each cell the sum over all cells behind it."""
    behind = np.zeros_like(each)
    behind[:-1] = each[:0:-1].cumsum(axis=0)[::-1]
    return behind


@dataclass(frozen=True, slots=True, eq=False)
class _Means:
    """Means over x from 0 to 1: of x^j / D (`once_j`), and of x^j / D² (`square_j`)."""

    once_0: FloatArray
    once_1: FloatArray
    square_0: FloatArray
    square_1: FloatArray
    square_2: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _RocCells:
    """Where each cell begins on the ROC curve, r and f, and by how much it rises, h and k; a row a cell."""

    r: FloatArray
    f: FloatArray
    h: FloatArray
    k: FloatArray
    positives: float
    negatives: float

    @classmethod
    def of(cls, curve: Curve) -> "_RocCells":
        positives = float(curve.positive.sum())
        negatives = float(curve.negative.sum())
        h = curve.positive / positives
        k = curve.negative / negatives
        r = np.append(0.0, curve.positive.cumsum()[:-1] / positives)
        f = np.append(0.0, curve.negative.cumsum()[:-1] / negatives)
        columns = (r[:, None], f[:, None], h[:, None], k[:, None])
        return cls(*columns, positives, negatives)

    def means(self, share: FloatArray) -> _Means:
        """Return the means at each prevalence: in closed form where D grows steeply in a cell, else by quadrature.

        A cell that begins at the origin has no finite `once_0`, `square_0` and `square_1`; they are multiplied by r
        or f, which are 0 there, or by what comes before the cell, which is nothing; 0 stands for them.
        """
        begin = share * self.r + (1 - share) * self.f
        growth = share * self.h + (1 - share) * self.k
        is_steep = growth > (STEEP - 1) * begin
        exact = _closed_form(begin, np.where(is_steep, growth, 1.0))
        near = _quadrature(np.where(begin > 0, begin, 1.0), growth)
        return _Means(
            *(np.where(is_steep, one, other) for one, other in zip(exact, near, strict=True))
        )


def _closed_form(begin: FloatArray, growth: FloatArray) -> list[FloatArray]:
    """Return the means for D = begin + growth x."""
    at_origin = begin == 0
    safe = np.where(at_origin, 1.0, begin)
    once_0 = np.where(at_origin, 0.0, np.log1p(growth / safe) / growth)
    square_0 = np.where(at_origin, 0.0, 1 / (safe * (safe + growth)))
    once_1 = (1 - begin * once_0) / growth
    square_1 = np.where(at_origin, 0.0, (once_0 - begin * square_0) / growth)
    square_2 = (1 - 2 * begin * once_0 + begin**2 * square_0) / growth**2
    return [once_0, once_1, square_0, square_1, square_2]


def _quadrature(begin: FloatArray, growth: FloatArray) -> list[FloatArray]:
    """Return the same means by Gauss and Legendre's nodes."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    shape = (5, *np.broadcast_shapes(begin.shape, growth.shape))
    sums = np.zeros(shape)
    for x, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        inverse = 1 / (begin + growth * x)
        square = inverse**2
        sums += weight * np.array([inverse, inverse * x, square, square * x, square * x**2])
    return list(sums)
