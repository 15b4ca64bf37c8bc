"""How sure many systems' areas are together: the same items resampled for all, and their labels flipped too."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import check_draws
from karat.doubt.prevalence.area_bootstrap import DRAWS, PairedAreas
from karat.doubt.prevalence.area_under_label_noise import Error, rates
from karat.doubt.prevalence.counted_resamples import CountedResamples, counted_resamples
from karat.doubt.prevalence.curve_cells import areas_of_rows, begins
from karat.doubt.prevalence.resampled_items import (
    Doubt,
    FlipRates,
    IntArray,
    ItemsByKind,
    resampled_items,
)
from karat.doubt.prevalence.unseen_items import extremes
from karat.errors import OptionError, UnknownNameError
from karat.measure.prevalence.pr_curve import RocCurve, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve, gathered
from karat.tally.scores.packed_curve import curve_of

WORK = 300_000_000
"""Fractions that may be worked out for intervals nobody requested: some seconds."""
FEWEST = 100
"""Draws; fewer give no interval."""


@dataclass(frozen=True, slots=True, eq=False)
class JointAreas:
    """Areas in each resample, draws x systems x prevalences, and the curves as they are.

    `low` and `high` are those with one unseen item of each kind, at the prevalences where intervals end.
    """

    pi: FloatArray
    rocs: Mapping[str, RocCurve]
    drawn: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    method: str

    def pair(self, first: str, second: str) -> PairedAreas:
        """Return two systems on the same resamples."""
        return PairedAreas(
            self.pi,
            self._roc(first),
            self._roc(second),
            self._drawn_of(first),
            self._drawn_of(second),
            self.method,
        )

    def _roc(self, name: str) -> RocCurve:
        if name not in self.rocs:
            raise UnknownNameError("system", name, list(self.rocs))
        return self.rocs[name]

    def _drawn_of(self, name: str) -> FloatArray:
        return self.drawn[:, list(self.rocs).index(name)]


def affordable(items: int, systems: int, prevalences: int) -> int:
    """Return how many draws are quickly made; 0 if these are too few.

    >>> affordable(1_000, 4, 10), affordable(10**7, 8, 50)
    (1000, 0)
    """
    draws = WORK // max(1, items * systems * prevalences)
    if draws < FEWEST:
        return 0
    return min(DRAWS, draws)


def joint_areas(
    truth: npt.ArrayLike,
    scores: Mapping[str, npt.ArrayLike],
    pi: npt.ArrayLike,
    *,
    error: Error = 0.0,
    doubt: Doubt = "both",
    ends: npt.ArrayLike = (),
    draws: int = DRAWS,
    seed: int = 0,
    weight: npt.ArrayLike | None = None,
) -> JointAreas:
    """How do systems compare at each prevalence, with few items and maybe wrong labels?

    Truth and all scores of each item, in memory. In each draw the given positives and the given negatives are resampled
    ("items"), labels are flipped, independently of each other and of the scores ("labels"), or first this and then that
    ("both"); an item keeps all its scores. The prevalence is that of the deployment, so it stays as it is. Draws
    without both kinds of items are left out, and `method` says how many. Flips alone are drawn from their exact
    distribution; resampled items stand for those that might have been, which is approximate. At the prevalences `ends`
    also the areas for the ends of intervals of single areas (`area_bootstrap.ends_of`). A weight is what an item counts
    for in a curve; it is drawn as often as any other.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13; Lamiroy, Pierrot,
    GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> scores = [4.0, 2.0, 3.0, 1.0]
    >>> found = joint_areas([1, 1, 0, 0], {"a": scores, "b": scores}, [0.5], draws=20)
    >>> bool((found.drawn[:, 0] == found.drawn[:, 1]).all())
    True
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    at_ends = check_prevalence("the prevalence", ends).ravel()
    errors = FlipRates(*rates(error))
    check_draws(draws)
    if doubt not in {"labels", "items", "both"}:
        raise OptionError(f"doubt is {doubt!r}; it is about labels, items or both")
    if doubt == "items":
        errors = FlipRates(0.0, 0.0)
    yes = np.asarray(truth).astype(bool)
    weights = None if weight is None else np.asarray(weight, np.float64)
    curves = {name: _checked(yes, score, weights) for name, score in scores.items()}
    cells = []
    for name, curve in curves.items():
        score = np.asarray(scores[name], np.float64)
        cells.append(_cell_of_each(curve, score, labels_stay=not errors))
    given = ItemsByKind(np.flatnonzero(yes), np.flatnonzero(~yes))
    random = np.random.default_rng(seed)
    resamples = resampled_items(
        given, errors, doubt, random, draws=draws, weighted=len(at_ends) > 0
    )
    counts = counted_resamples(resamples, cells, weights, only_ends=not len(prevalences))
    batches = [_areas(counted, prevalences, at_ends) for counted in counts]
    if not batches:
        raise OptionError(
            f"in none of {draws} draws were there both kinds of items; there are too few items for this"
        )
    drawn = np.concatenate([batch.drawn for batch in batches])
    return JointAreas(
        prevalences,
        {name: roc(curve) for name, curve in curves.items()},
        drawn,
        np.concatenate([batch.low for batch in batches]),
        np.concatenate([batch.high for batch in batches]),
        _method(doubt, errors, draws, len(drawn), seed),
    )


def paired_areas(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    pi: npt.ArrayLike,
    **options: object,
) -> PairedAreas:
    """How do two systems compare at each prevalence on resamples of the items that both have scored?

    As `joint_areas`, for two; its options.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> truth, score = [1, 1, 0, 0], [4.0, 2.0, 3.0, 1.0]
    >>> paired_areas(truth, score, score, [0.5], draws=20).better.tolist()
    [0.5]
    """
    both = {"first": first, "second": second}
    joint = joint_areas(truth, both, pi, **options)  # type: ignore[arg-type]
    return joint.pair("first", "second")


def _checked(
    yes: npt.NDArray[np.bool_], scores: npt.ArrayLike, weights: FloatArray | None
) -> Curve:
    """Return the curve of one system, or a sentence about scores that do not fit the items."""
    score = np.asarray(scores, np.float64)
    missing = int(np.isnan(score).sum())
    if score.shape != yes.shape or missing:
        raise OptionError(f"{score.size} scores for {yes.size} items, {missing} of them missing")
    if weights is None:
        curve = curve_of(yes, score)
    else:
        curve = gathered(score, np.where(yes, weights, 0.0), np.where(yes, 0.0, weights))
    roc(curve)  # which refuses a curve of one kind of items
    return curve


def _cell_of_each(curve: Curve, score: FloatArray, *, labels_stay: bool) -> IntArray:
    """Return the cell of each item: its score, from the highest down.

    Neighbouring scores of one kind of items may share a cell as long as no label changes.
    """
    place = np.searchsorted(-curve.score, -score)
    if not labels_stay:
        return np.asarray(place)
    cell_of_score = begins(curve).cumsum() - 1
    return np.asarray(cell_of_score[place])


@dataclass(frozen=True, slots=True, eq=False)
class AreaBatch:
    """Areas of some resamples, draws x systems x prevalences, and those for the ends of intervals."""

    drawn: FloatArray
    low: FloatArray
    high: FloatArray


def _areas(counted: CountedResamples, pi: FloatArray, ends: FloatArray) -> AreaBatch:
    """Return the areas of counted resamples."""
    systems = max(len(counted.systems), len(counted.of_ends))
    drawn = np.empty((counted.rows, systems, len(pi)))
    low = np.empty((counted.rows, systems, len(ends)))
    high = np.empty((counted.rows, systems, len(ends)))
    for place, each in enumerate(counted.systems):
        drawn[:, place] = areas_of_rows(each.positive, each.negative, pi)
    for place, each in enumerate(counted.of_ends):
        both = extremes(each.positive, each.negative, counted.more)
        low[:, place] = areas_of_rows(both.low.positive, both.low.negative, ends)
        high[:, place] = areas_of_rows(both.high.positive, both.high.negative, ends)
    return AreaBatch(drawn, low, high)


def _method(doubt: Doubt, errors: FlipRates, draws: int, kept: int, seed: int) -> str:
    how = f"(draws={draws}{left_out(draws, kept)}, seed={seed})"
    if not errors:
        return f"paired bootstrap within positives and negatives {how}"
    flips = (
        f"label errors {errors.of_negatives:g} of the negatives "
        f"and {errors.of_positives:g} of the positives"
    )
    if doubt == "labels":
        return f"simulation of {flips} {how}"
    return f"simulation of resampled items and {flips} {how}"


def left_out(draws: int, kept: int) -> str:
    """Return in words how many draws had items of one kind only."""
    if kept == draws:
        return ""
    return f", {draws - kept} of them without both kinds and left out"
