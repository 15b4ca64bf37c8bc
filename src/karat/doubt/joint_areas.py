"""How sure many systems' areas are together: the same items drawn anew for all, and their labels doubted too."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import FloatArray
from karat.doubt.skew_bootstrap import PairedAreas, stretches
from karat.errors import OptionError
from karat.measure.pr_curve import Roc, areas
from karat.measure.skew import check_skew

WORK = 300_000_000
"""Fractions that may be worked out for a doubt nobody asked for: some seconds."""
FEWEST, MOST = 100, 1000
"""Draws: with fewer there is no interval, with more it hardly changes."""
_TRIES = 100


@dataclass(frozen=True, slots=True, eq=False)
class JointAreas:
    """Areas in each resample: draws x systems x skews."""

    pi: FloatArray
    systems: tuple[str, ...]
    drawn: npt.NDArray[np.float64]
    method: str

    def pair(self, first: str, second: str, rocs: tuple[Roc, Roc]) -> PairedAreas:
        """Return two systems on the same resamples."""
        one, other = (self.drawn[:, self.systems.index(name)] for name in (first, second))
        return PairedAreas(self.pi, *rocs, one, other, self.method)


def affordable(items: int, systems: int, skews: int) -> int:
    """Return how many draws are quickly made; 0 if too few to say anything.

    >>> affordable(1_000, 4, 10), affordable(10**7, 8, 50)
    (1000, 0)
    """
    draws = WORK // max(1, items * systems * skews)
    return min(MOST, draws) if draws >= FEWEST else 0


def joint_areas(
    truth: npt.ArrayLike,
    scores: npt.ArrayLike,
    pi: npt.ArrayLike,
    *,
    systems: Sequence[str],
    draws: int = MOST,
    seed: int = 0,
    label_error: tuple[float, float] = (0.0, 0.0),
) -> JointAreas:
    """How do systems compare at each skew on resamples of the items that all have scored?

    A row of scores per item, a column per system. Positives and negatives are drawn anew, each item with all its
    scores; then each positive and each negative turns with its probability in `label_error`, as P(wrong | given). The
    skew is the field's, so it stays as it is. Resamples left without positives or negatives are drawn again.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> scores = [[4.0, 4.0], [2.0, 2.0], [3.0, 3.0], [1.0, 1.0]]
    >>> found = joint_areas([1, 1, 0, 0], scores, [0.5], systems=("a", "b"), draws=20)
    >>> bool((found.drawn[:, 0] == found.drawn[:, 1]).all())
    True
    """
    yes, table, share = np.asarray(truth, bool), np.asarray(scores, np.float64), check_skew("the skew", pi).ravel()
    if draws < 1:
        raise OptionError(f"draws is {draws}; draw at least once, better a thousand times")
    places = [np.unique(-column, return_inverse=True)[1] for column in table.T]
    sizes = [int(place.max()) + 1 for place in places]
    random = np.random.default_rng(seed)
    found = np.empty((draws, len(systems), len(share)))
    for draw in range(draws):
        items, label = _redrawn(random, yes, label_error)
        hits, rest = items[label], items[~label]
        for k, (place, size) in enumerate(zip(places, sizes, strict=True)):
            counts = [np.bincount(place[part], minlength=size) for part in (hits, rest)]
            found[draw, k] = areas(stretches(counts[0], counts[1]), share)
    faulty = f", labels wrong with {label_error[0]:g} and {label_error[1]:g}" if any(label_error) else ""
    return JointAreas(share, tuple(systems), found, f"paired bootstrap (draws={draws}, seed={seed}{faulty})")


def _redrawn(
    random: np.random.Generator, yes: npt.NDArray[np.bool_], error: tuple[float, float]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return items of a resample, and whether each is positive there."""
    sides = np.flatnonzero(yes), np.flatnonzero(~yes)
    for _ in range(_TRIES):
        items = np.concatenate([side[random.integers(0, len(side), len(side))] for side in sides])
        label = yes[items]
        if any(error):
            label = label ^ (random.random(len(label)) < np.where(label, *error))
        if label.any() and not label.all():
            return items, label
    raise OptionError(f"with errors of {error[0]:g} and {error[1]:g} no resample keeps positives and negatives")
