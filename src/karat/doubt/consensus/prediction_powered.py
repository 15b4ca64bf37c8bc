"""A few checked items and many judged ones: what a judge of known faults adds to the few."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.interval import check_level, refuse
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class Powered:
    """A share from checked and judged items, beside the same from the checked ones alone."""

    value: float | None
    low: float
    high: float
    level: float
    weight: float
    """How far the judge was trusted, from 0 (not at all) to 1."""
    classical: float | None
    """The share among the checked items."""
    classical_low: float
    classical_high: float
    """Its exact interval."""
    checked: int
    judged: int
    """Items that only the judge saw."""
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Rows of above and below, whose means make the ratio, as they are and as the judge says, with their number."""

    true: FloatArray
    """true[row] = (above, below); of judged items nothing."""
    told: FloatArray
    number: FloatArray

    def mean(self, values: FloatArray) -> FloatArray:
        return np.asarray(self.number @ values / self.number.sum())

    def variance(self, values: FloatArray) -> float:
        return float(self.mean((values - self.mean(values)) ** 2))


def powered_mean(
    judged: npt.ArrayLike,
    true: npt.ArrayLike,
    number: npt.ArrayLike,
    judged_only: npt.ArrayLike,
    number_only: npt.ArrayLike,
    *,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How often is it true, if a few items were checked and many only judged?

    w mean_N(f) + mean_n(y - w f), y the checked truth, 0 or 1, and f what the judge said, from 0 to 1; w = 1 trusts the
    judge as prediction-powered inference does, w = cov(y, f) / ((1 + n/N) var(f)), kept from 0 to 1, as it deserves.
    Interval by the normal approximation, √(w² var_N(f) / N + var_n(y - w f) / n). Rows of equal items, with their
    number. Assumes that the checked items were drawn at random from all; poor for few checked items, or few wrong.
    Where nothing varies among the checked items the exact interval of them stands instead.
    Reference: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Science 382, 2023. doi:10.1126/science.adi6000
    Reference: Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023. arXiv:2311.01453
    >>> found = powered_mean([0, 0, 1, 1], [0, 1, 0, 1], [24, 7, 13, 56], [0, 1], [361, 639])
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4), round(found.weight, 3)
    (0.6047, 0.5246, 0.6848, 0.496)
    """
    y, f, g = (np.asarray(part, float) for part in (true, judged, judged_only))
    if y.shape != f.shape or y.shape != np.shape(number) or g.shape != np.shape(number_only):
        raise OptionError(
            f"there are {y.size} truths, {f.size} and {g.size} judgements; give one row a kind of item"
        )
    refuse((y != 0) & (y != 1), "true", y, "what was checked is 0 or 1")
    few = _Sample(_with_one(y), _with_one(f), np.asarray(number, float))
    many = _Sample(np.empty((0, 2)), _with_one(g), np.asarray(number_only, float))
    return _ratio(few, many, level, weight)


def powered_accuracy(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How often is a system right, if a few items were checked and many only judged?

    checked[s, j, t] counts items by the system's answer, the judge's label and the true label; judged[s, j] the items
    that nobody checked. `powered_mean` of s = t, of which s = j is the prediction.
    >>> counts = [[[20, 1], [3, 4]], [[4, 3], [5, 60]]]
    >>> round(powered_accuracy(counts, [[250, 60], [70, 620]]).value, 4)
    0.8648
    """
    few, many = _counts(checked, judged)
    s, j, t = np.indices(few.shape).reshape(3, -1)
    known = _Sample(_with_one(s == t), _with_one(s == j), few.ravel())
    a, b = np.indices(many.shape).reshape(2, -1)
    return _ratio(known, _Sample(np.empty((0, 2)), _with_one(a == b), many.ravel()), level, weight)


def powered_precision(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    label: int = 1,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How many of the items that a system gave a label have it, if a few items were checked and many only judged?

    The ratio of the prediction-powered means of [s = t = label] and [s = label], counted as in `powered_accuracy`; the
    interval by linearisation.
    """
    return _of_label(checked, judged, label, level, weight, by_system=True)


def powered_recall(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    label: int = 1,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How many of the items that have a label were given it, if a few items were checked and many only judged?

    The ratio of the prediction-powered means of [s = t = label] and [t = label], counted as in `powered_accuracy`; the
    interval by linearisation.
    """
    return _of_label(checked, judged, label, level, weight, by_system=False)


def _of_label(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    label: int,
    level: float,
    weight: float | None,
    *,
    by_system: bool,
) -> Powered:
    """Return how many of the items with a label, by the system or by the truth, have it by both."""
    few, many = _counts(checked, judged)
    s, j, t = (part == label for part in np.indices(few.shape).reshape(3, -1))
    a, b = (part == label for part in np.indices(many.shape).reshape(2, -1))

    def sides(system: BoolArray, other: BoolArray) -> FloatArray:
        return np.stack([system & other, system if by_system else other], 1).astype(float)

    known = _Sample(sides(s, t), sides(s, j), few.ravel())
    return _ratio(known, _Sample(np.empty((0, 2)), sides(a, b), many.ravel()), level, weight)


def _with_one(values: npt.NDArray[np.generic]) -> FloatArray:
    return np.column_stack([values, np.ones(len(values))]).astype(float)


def _counts(checked: npt.ArrayLike, judged: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    few, many = np.asarray(checked, float), np.asarray(judged, float)
    if few.ndim != 3 or len(set(few.shape)) != 1 or many.shape != few.shape[:2]:
        raise OptionError(
            f"the counts are of shape {few.shape} and {many.shape}; give [answer, judge, truth] of the checked and "
            "[answer, judge] of the others, over the same labels"
        )
    return few, many


def _ratio(few: _Sample, many: _Sample, level: float, weight: float | None) -> Powered:
    """Return the ratio of two means, and the same from the checked items alone."""
    _check(few, many, level, weight)
    above, below = few.mean(few.true)
    total = few.number.sum()
    plain = exact(*np.round([above * total, below * total]), level=level)
    old = float(above / below) if below else None
    ends = float(plain.low), float(plain.high)
    value, spread, trust = (old, 0.0, 0.0) if old is None else _powered(few, many, old, weight)
    method = f"prediction-powered, normal approximation (weight={trust:.4g})"
    if value is None or spread == 0:
        low, high = ends
        method = "exact, of the checked items alone: nothing varies among them"
        value, trust = old, 0.0
    else:
        reach = -special.ndtri((1 - level) / 2) * spread
        low, high = max(0.0, value - reach), min(1.0, value + reach)
    sizes = int(total), int(many.number.sum())
    return Powered(value, float(low), float(high), level, trust, old, *ends, *sizes, method)


def _powered(
    few: _Sample, many: _Sample, start: float, weight: float | None
) -> tuple[float | None, float, float]:
    """Return the value, its standard error and the trust in the judge."""
    n, m = few.number.sum(), many.number.sum()
    trust = _deserved(few, many, start) if weight is None else weight
    above, below = trust * many.mean(many.told) + few.mean(few.true - trust * few.told)
    if below <= 0:
        return None, 0.0, trust
    value = float(np.clip(above / below, 0, 1))
    line = np.array([1.0, -value])
    inside = few.variance((few.true - trust * few.told) @ line)
    spread = np.sqrt(trust**2 * many.variance(many.told @ line) / m + inside / n) / below
    return value, float(spread) if inside else 0.0, trust


def _deserved(few: _Sample, many: _Sample, value: float) -> float:
    """cov(y, f) / ((1 + n/N) var(f)) of the linearised ratio, kept from 0 to 1."""
    line, n, m = np.array([1.0, -value]), few.number.sum(), many.number.sum()
    y, f = few.true @ line, few.told @ line
    covariance = few.mean((y - few.mean(y)) * (f - few.mean(f)))
    every = _Sample(
        few.true[:0],
        np.concatenate([few.told, many.told]),
        np.concatenate([few.number, many.number]),
    )
    variance = every.variance(every.told @ line) * (n + m) / (n + m - 1)
    return float(np.clip(covariance / ((1 + n / m) * variance), 0, 1)) if variance > 0 else 0.0


def _check(few: _Sample, many: _Sample, level: float, weight: float | None) -> None:
    check_level(level)
    for name, sample in (("checked", few), ("judged", many)):
        refuse(
            (sample.number < 0) | ~np.isfinite(sample.number),
            f"the {name} items",
            sample.number,
            "a count is >= 0",
        )
        if not sample.number.sum():
            raise OptionError(
                f"there are no {name} items; give some of both kinds, or use an interval of one kind"
            )
    if weight is not None and not 0 <= weight <= 1:
        raise OptionError(f"weight is {weight}; the judge is trusted from 0, not at all, to 1")
