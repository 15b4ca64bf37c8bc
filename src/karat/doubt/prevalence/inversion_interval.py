"""How sure the class balance is at which two systems change order."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import PairedAreas
from karat.doubt.prevalence.inversions import HIGH, LOW, inversions
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class InversionInterval:
    """A skew at which the order changes, where it may lie, and in which share of the resamples it is there at all.

    An end at the limit of the scan (1e-6, or 1 - 1e-6) says that no such end is known.
    """

    skew: float
    low: float
    high: float
    seen: float
    level: float
    method: str

    @property
    def digits(self) -> int:
        """How many decimals of the skew the interval supports: one more than its width fills."""
        wide = self.high - self.low
        return max(1, 1 - int(np.floor(np.log10(wide)))) if wide > 0 else 12


def around(skew: float, *, reach: float = 4.0, steps: int = 33) -> FloatArray:
    """Return skews around an inversion, evenly in logit, for the resamples to be evaluated at.

    >>> around(0.5, steps=3).round(3).tolist()
    [0.018, 0.5, 0.982]
    """
    if not 0 < skew < 1:
        raise OptionError(f"the inversion is at {skew:g}; it must lie strictly between 0 and 1")
    place = np.log(skew) - np.log1p(-skew)
    return np.asarray(1 / (1 + np.exp(-np.linspace(place - reach, place + reach, steps))))


def inversion_interval(
    found: PairedAreas, skew: float, *, level: float = 0.95
) -> InversionInterval:
    """Where does the inversion near this skew lie, if the items had been drawn anew?

    In each resample the sign change of the same direction that lies nearest, on straight lines in logit pi between the
    skews of `found` (from `around`); a resample without one counts as if it lay beyond the end to which its order
    points. Quantiles over resamples; approximate.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> from karat.doubt.prevalence.area_bootstrap import unpaired_areas
    >>> from karat.tally.scores.curve import Curve
    >>> flat = Curve(np.arange(4.0)[::-1], np.array([10, 20, 60, 10]), np.array([0, 10, 40, 50]))
    >>> early = Curve(np.arange(3.0)[::-1], np.array([40, 10, 50]), np.array([8, 12, 80]))
    >>> draws = unpaired_areas(flat, early, around(0.2), draws=50)
    >>> inversion_interval(draws, 0.2).low >= 1e-6
    True
    """
    place = np.log(found.pi) - np.log1p(-found.pi)
    if len(place) < 2 or not np.all(np.diff(place) > 0) or not found.pi[0] <= skew <= found.pi[-1]:
        raise OptionError(
            f"the resamples hold no rising skews around {skew:g}; make them with around({skew:g})"
        )
    gaps = (found.first_draws - found.second_draws) / (found.pi * (1 - found.pi))
    way, target = direction(found, skew), float(np.log(skew) - np.log1p(-skew))
    roots = np.array([_nearest(gap * way, place, target) for gap in gaps])
    below, above = tails(level, "both")
    ends = np.quantile(roots, [below, 1 - above], method="inverted_cdf")
    low, high = np.clip(1 / (1 + np.exp(-ends)), LOW, HIGH).tolist()
    return InversionInterval(skew, low, high, float(np.isfinite(roots).mean()), level, found.method)


def direction(found: PairedAreas, skew: float) -> int:
    """Return 1 if the first system overtakes the second as positives become more frequent than at this skew, else -1.

    That of the inversion of the two curves nearest to the skew; without one, that of the difference's slope.
    """
    known = inversions(found.first, found.second)
    if not len(known.skews):
        gap = found.first_draws.mean(axis=0) - found.second_draws.mean(axis=0)
        return 1 if gap[-1] >= gap[0] else -1
    nearest = int(
        np.abs(np.log(known.skews / (1 - known.skews)) - np.log(skew / (1 - skew))).argmin()
    )
    return known.leads[nearest + 1]


def _nearest(gap: FloatArray, place: FloatArray, target: float) -> float:
    """Return the change from below 0 to above nearest to the target; -inf or inf where there is none."""
    up = np.flatnonzero((gap[:-1] < 0) & (gap[1:] >= 0))
    if not len(up):
        return -np.inf if np.interp(target, place, gap) >= 0 else np.inf
    roots = place[up] + (place[up + 1] - place[up]) * gap[up] / (gap[up] - gap[up + 1])
    return float(roots[np.abs(roots - target).argmin()])
