"""How sure the prevalence is at which two systems change order."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import PairedAreas
from karat.doubt.prevalence.inversions import HIGH, LOW, inversions, logit
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class InversionInterval:
    """A prevalence at which the order changes, where it may lie, and in which share of the resamples it is there.

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
        """How many decimals of the prevalence the interval supports: one more than its width fills."""
        width = self.high - self.low
        if width <= 0:
            return 12
        return max(1, 1 - int(np.floor(np.log10(width))))


def around(skew: float, *, reach: float = 4.0, steps: int = 33) -> FloatArray:
    """Return prevalences around an inversion, evenly in logit, for the resamples to be evaluated at.

    >>> around(0.5, steps=3).round(3).tolist()
    [0.018, 0.5, 0.982]
    """
    if not 0 < skew < 1:
        raise OptionError(f"the inversion is at {skew:g}; it must be strictly between 0 and 1")
    place = logit(skew)
    places = np.linspace(place - reach, place + reach, steps)
    return np.asarray(1 / (1 + np.exp(-places)))


def inversion_interval(
    found: PairedAreas, skew: float, *, level: float = 0.95
) -> InversionInterval:
    """Where does the inversion near this prevalence lie, if the items were resampled?

    In each resample the sign change of the same direction that lies nearest, on straight lines in logit pi between the
    prevalences of `found` (from `around`); a resample without one counts as if it lay beyond the end to which its order
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
    rising = len(place) >= 2 and np.all(np.diff(place) > 0)
    if not rising or not found.pi[0] <= skew <= found.pi[-1]:
        raise OptionError(
            f"the resamples hold no rising prevalences around {skew:g}; make them with around({skew:g})"
        )
    # Over pi (1 - pi) the difference does not fade at the ends, so straight lines between the places fit better.
    gaps = (found.first_draws - found.second_draws) / (found.pi * (1 - found.pi))
    sign = direction(found, skew)
    target = logit(skew)
    roots = np.array([_nearest(gap * sign, place, target) for gap in gaps])
    below, above = tails(level, "both")
    ends = np.quantile(roots, [below, 1 - above], method="inverted_cdf")
    low, high = np.clip(1 / (1 + np.exp(-ends)), LOW, HIGH).tolist()
    seen = float(np.isfinite(roots).mean())
    return InversionInterval(skew, low, high, seen, level, found.method)


def direction(found: PairedAreas, skew: float) -> int:
    """Return 1 if the first system overtakes the second as positives become more frequent than here, else -1.

    That of the inversion of the two curves nearest to this prevalence; without one, that of the difference's slope.
    """
    known = inversions(found.first, found.second)
    if not len(known.skews):
        gap = found.first_draws.mean(axis=0) - found.second_draws.mean(axis=0)
        return 1 if gap[-1] >= gap[0] else -1
    places = np.log(known.skews / (1 - known.skews))
    distance = np.abs(places - np.log(skew / (1 - skew)))
    return known.leads[int(distance.argmin()) + 1]


def _nearest(gap: FloatArray, place: FloatArray, target: float) -> float:
    """Return the change from below 0 to above nearest to the target; -inf or inf where there is none."""
    up = np.flatnonzero((gap[:-1] < 0) & (gap[1:] >= 0))
    if not len(up):
        return -np.inf if np.interp(target, place, gap) >= 0 else np.inf
    step = place[up + 1] - place[up]
    roots = place[up] + step * gap[up] / (gap[up] - gap[up + 1])
    nearest = np.abs(roots - target).argmin()
    return float(roots[nearest])
