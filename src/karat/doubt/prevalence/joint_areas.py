"""How sure many systems' areas are together: the same items drawn anew for all, and their labels doubted too."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.curve_area import Error, rates
from karat.doubt.label_noise.ranking_order import check_draws
from karat.doubt.prevalence.area_bootstrap import (
    DRAWS,
    Counts,
    PairedAreas,
    Unseen,
    areas_of_rows,
    begins,
    low_and_high,
    stretches,
    unseen,
)
from karat.errors import OptionError, UnknownNameError
from karat.measure.prevalence.pr_curve import AT_ONCE, Roc, areas, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import Blocks, PairedBlocks

WORK = 300_000_000
"""Fractions that may be worked out for a doubt nobody asked for: some seconds."""
FEWEST = 100
"""Draws; of fewer there is no interval."""
FEWEST_BLOCKS = 20
"""Blocks; of fewer, resamples say little."""
Doubt = Literal["labels", "items", "both"]
IntArray = npt.NDArray[np.int64]
Kinds = tuple[IntArray, IntArray]


@dataclass(frozen=True, slots=True, eq=False)
class JointAreas:
    """Areas in each resample, draws x systems x skews, and the curves as they are.

    `low` and `high` are those with one unseen item of each kind, for the ends of intervals, at the first skews.
    """

    pi: FloatArray
    rocs: Mapping[str, Roc]
    drawn: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    method: str

    def pair(self, first: str, second: str) -> PairedAreas:
        """Return two systems on the same resamples."""
        for name in (first, second):
            if name not in self.rocs:
                raise UnknownNameError("system", name, list(self.rocs))
        names = list(self.rocs)
        one, other = (self.drawn[:, names.index(name)] for name in (first, second))
        return PairedAreas(self.pi, self.rocs[first], self.rocs[second], one, other, self.method)


def affordable(items: int, systems: int, skews: int) -> int:
    """Return how many draws are quickly made; 0 if too few to say anything.

    >>> affordable(1_000, 4, 10), affordable(10**7, 8, 50)
    (1000, 0)
    """
    draws = WORK // max(1, items * systems * skews)
    return min(DRAWS, draws) if draws >= FEWEST else 0


def joint_areas(
    truth: npt.ArrayLike,
    scores: Mapping[str, npt.ArrayLike],
    pi: npt.ArrayLike,
    *,
    error: Error = 0.0,
    doubt: Doubt = "both",
    ends: int = 0,
    draws: int = DRAWS,
    seed: int = 0,
) -> JointAreas:
    """How do systems compare at each skew, with few items and maybe faulty labels?

    Truth and all scores of each item, in memory. In each draw the given positives and the given negatives are drawn
    anew ("items"), labels are flipped, independently of each other and of the scores ("labels"), or first this and
    then that ("both"); an item keeps all its scores. The skew is the field's, so it stays as it is. Draws without both
    kinds of items are left out, and `method` says how many. Flips alone are drawn from their exact law; resampled items
    stand for those that might have been, which is approximate. For the first `ends` skews also the areas for the
    ends of intervals of single areas (`skew_bootstrap.ends_of`).
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13; Lamiroy, Pierrot,
    GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> scores = [4.0, 2.0, 3.0, 1.0]
    >>> found = joint_areas([1, 1, 0, 0], {"a": scores, "b": scores}, [0.5], draws=20)
    >>> bool((found.drawn[:, 0] == found.drawn[:, 1]).all())
    True
    """
    share, errors = check_prevalence("the prevalence", pi).ravel(), rates(error)
    check_draws(draws)
    if doubt not in {"labels", "items", "both"}:
        raise OptionError(f"doubt is {doubt!r}; it is about labels, items or both")
    yes = np.asarray(truth).astype(bool)
    flips = doubt != "items" and any(errors)
    curves = {name: _checked(yes, score) for name, score in scores.items()}
    places = [
        _places(curves[name], np.asarray(scores[name], np.float64), pure=not flips)
        for name in curves
    ]
    given = np.flatnonzero(yes), np.flatnonzero(~yes)
    random = np.random.default_rng(seed)
    drawing = _drawn(given, errors if flips else (0.0, 0.0), doubt, draws, random)
    weighed = (_weighed(kinds, random, ends) for kinds in drawing if all(map(len, kinds)))
    step = max(1, AT_ONCE // len(yes))
    kept = []
    while some := list(islice(weighed, step)):
        kept.append(_areas(some, places, share, ends))
    if not kept:
        raise OptionError(
            f"in none of {draws} draws were there both kinds of items; there are too few items for this"
        )
    rocs = {name: roc(curve) for name, curve in curves.items()}
    drawn, low, high = (np.concatenate(part) for part in zip(*kept, strict=True))
    return JointAreas(
        share, rocs, drawn, low, high, _method(doubt, errors, draws, len(drawn), seed)
    )


def paired_areas(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    pi: npt.ArrayLike,
    **options: object,
) -> PairedAreas:
    """How do two systems compare at each skew on resamples of the items that both have scored?

    As `joint_areas`, for two; its options.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> truth, score = [1, 1, 0, 0], [4.0, 2.0, 3.0, 1.0]
    >>> paired_areas(truth, score, score, [0.5], draws=20).better.tolist()
    [0.5]
    """
    found = joint_areas(truth, {"first": first, "second": second}, pi, **options)  # type: ignore[arg-type]
    return found.pair("first", "second")


def _checked(yes: npt.NDArray[np.bool_], scores: npt.ArrayLike) -> Curve:
    """Return the curve of one system, or a sentence about scores that do not fit the items."""
    score = np.asarray(scores, np.float64)
    if score.shape != yes.shape or np.isnan(score).any():
        raise OptionError(
            f"{score.size} scores for {yes.size} items, {int(np.isnan(score).sum())} of them missing"
        )
    curve = curve_of(yes, score)
    roc(curve)  # which refuses a curve of one kind of items
    return curve


def _places(curve: Curve, score: FloatArray, *, pure: bool) -> IntArray:
    """Return the cell of each item; scores that only positives have, or only negatives, may share one if they stay."""
    place = np.searchsorted(-curve.score, -score)
    return np.asarray((begins(curve).cumsum() - 1)[place] if pure else place)


def _drawn(
    given: Kinds, errors: tuple[float, float], doubt: Doubt, draws: int, random: np.random.Generator
) -> Iterator[Kinds]:
    """Yield the places of the truly positive and of the truly negative items."""
    up, down = errors
    for _ in range(draws):
        positive, negative = (
            part if doubt == "labels" else part[random.integers(0, len(part), len(part))]
            for part in given
        )
        if not up and not down:
            yield positive, negative
            continue
        lost, won = successes(random, len(positive), down), successes(random, len(negative), up)
        yield (
            np.concatenate([np.delete(positive, lost), negative[won]]),
            np.concatenate([np.delete(negative, won), positive[lost]]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """One resample: the places of its items, their weights for the ends of intervals, and what was not seen."""

    kinds: Kinds
    weights: tuple[FloatArray, ...]
    more: Unseen


def _weighed(kinds: Kinds, random: np.random.Generator, ends: int) -> Draw:
    weights = tuple(random.exponential(size=len(kind)) for kind in kinds) if ends else ()
    return Draw(kinds, weights, unseen(random))


def _areas(
    draws: list[Draw], places: list[IntArray], pi: FloatArray, ends: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the areas of some resamples, draws x systems x skews, and those for the ends of intervals."""
    items = [np.concatenate([draw.kinds[kind] for draw in draws]) for kind in (0, 1)]
    row = [
        np.repeat(np.arange(len(draws)), [len(draw.kinds[kind]) for draw in draws])
        for kind in (0, 1)
    ]
    weights = (
        [np.concatenate([draw.weights[kind] for draw in draws]) for kind in (0, 1)] if ends else []
    )
    more = Unseen(*np.array([astuple(draw.more) for draw in draws]).T)
    drawn = np.empty((len(draws), len(places), len(pi)))
    low, high = np.empty((2, len(draws), len(places), ends))
    for k, place in enumerate(places):
        size = int(place.max()) + 1
        cells = [place[kind] + size * draw for kind, draw in zip(items, row, strict=True)]
        counts = [_rows(cell, None, len(draws), size) for cell in cells]
        drawn[:, k] = areas_of_rows(counts[0], counts[1], pi)
        if ends:
            sums = [
                _rows(cell, each, len(draws), size)
                for cell, each in zip(cells, weights, strict=True)
            ]
            below, above = low_and_high(sums[0], sums[1], more)
            low[:, k], high[:, k] = (areas_of_rows(*sides, pi[:ends]) for sides in (below, above))
    return drawn, low, high


def _rows(cells: IntArray, weights: FloatArray | None, rows: int, size: int) -> Counts:
    return np.bincount(cells, weights, minlength=rows * size).reshape(rows, size)


def _method(doubt: Doubt, errors: tuple[float, float], draws: int, kept: int, seed: int) -> str:
    faults = f"label errors {errors[0]:g} of the negatives and {errors[1]:g} of the positives"
    left = f", {draws - kept} of them without both kinds and left out" if kept < draws else ""
    told = f"(draws={draws}{left}, seed={seed})"
    if doubt == "items" or not any(errors):
        return f"paired bootstrap within positives and negatives {told}"
    return (
        f"simulation of {faults if doubt == 'labels' else f'items drawn anew and {faults}'} {told}"
    )


def joint_blocks(
    found: PairedBlocks, pi: npt.ArrayLike, *, ends: int = 0, draws: int = DRAWS, seed: int = 0
) -> JointAreas:
    """How do systems compare at each skew on resamples of blocks of items, where items are too many to draw?

    As many blocks as there are, drawn with replacement, each with all its items and all systems' scores of them; the
    numbers of positives and negatives vary with them. Bins are cells of tied scores. Assumes that blocks are alike:
    chance, not likeness, put items together.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 8.
    >>> blocks = Blocks(np.arange(40) // 2, np.arange(40) % 2, np.arange(40) % 2 + 1, np.full(40, 2))
    >>> found = joint_blocks(PairedBlocks(20, {"a": blocks, "b": blocks}), [0.5], draws=9)
    >>> found.pair("a", "b").better.tolist()
    [0.5]
    """
    share = check_prevalence("the prevalence", pi).ravel()
    if found.number < FEWEST_BLOCKS:
        raise OptionError(
            f"there are {found.number} blocks; at least {FEWEST_BLOCKS} are needed to draw them anew"
        )
    check_draws(draws)
    random = np.random.default_rng(seed)
    times = random.multinomial(found.number, np.full(found.number, 1 / found.number), draws)
    drawn = np.empty((draws, len(found.systems), len(share)))
    low, high = np.empty((2, draws, len(found.systems), ends))
    for draw, row in enumerate(times):
        more = unseen(random)
        for k, each in enumerate(found.systems.values()):
            positive, negative = _of_blocks(each, row)
            drawn[draw, k] = areas(stretches(positive, negative), share)
            if ends:
                below, above = low_and_high(positive, negative, more)
                low[draw, k], high[draw, k] = (
                    areas(stretches(*each), share[:ends]) for each in (below, above)
                )
    rocs = {name: roc(each.curve()) for name, each in found.systems.items()}
    method = f"paired bootstrap over {found.number} blocks of items (draws={draws}, seed={seed})"
    return JointAreas(share, rocs, drawn, low, high, method)


def _of_blocks(blocks: Blocks, times: IntArray) -> Kinds:
    """Return the counts in the bins where each block was drawn so often."""
    often, length = times[blocks.block], int(blocks.bin.max()) + 1
    kinds = (
        np.bincount(blocks.bin, often * part, minlength=length)
        for part in (blocks.positive, blocks.negative)
    )
    positive, negative = (kind.astype(np.int64) for kind in kinds)
    if not (positive.any() and negative.any()):
        raise OptionError(
            "a resample of blocks has only one kind of items; there are too few for this"
        )
    return positive, negative
