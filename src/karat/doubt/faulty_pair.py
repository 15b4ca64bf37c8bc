"""Which of two systems has the larger area, where items are few and some labels are wrong."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.faulty_curve import Error, both_kinds, rates, successes
from karat.doubt.faulty_ranking import check_draws
from karat.doubt.interval import FloatArray
from karat.doubt.skew_bootstrap import DRAWS, PairedAreas
from karat.errors import OptionError
from karat.measure.pr_curve import areas, roc
from karat.measure.skew import check_skew
from karat.tally.packed_curve import curve_of

Doubt = Literal["labels", "items", "both"]
IntArray = npt.NDArray[np.int64]
Kinds = tuple[IntArray, IntArray]


def faulty_pair(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    pi: npt.ArrayLike,
    *,
    error: Error,
    doubt: Doubt = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> PairedAreas:
    """How sure is it that one system has the larger area at each skew, with few items and faulty labels?

    Given truth and both scores of each item, in memory. In each draw labels are flipped, independently of each other
    and of the scores ("labels"), the given positives and the given negatives are drawn anew ("items"), or first this
    and then that ("both"); an item keeps both its scores. `better` of what is returned is the share of draws in which
    the first has the larger area; draws without both kinds of items are left out, and `method` says how many. Flips
    alone are drawn from their exact law; resampled items stand for those that might have been, which is approximate.
    Reference: Lamiroy, Pierrot, GREC 2015, doi:10.1007/978-3-319-52159-6_3; Efron, Tibshirani, An Introduction to the
    Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> truth, score = [1, 1, 0, 0], [4.0, 2.0, 3.0, 1.0]
    >>> faulty_pair(truth, score, score, [0.5], error=0.1, draws=20).better.tolist()
    [0.5]
    """
    share, errors = check_skew("the skew", pi).ravel(), rates(error)
    check_draws(draws)
    if doubt not in {"labels", "items", "both"}:
        raise OptionError(f"doubt is {doubt!r}; it is about labels, items or both")
    curves = [curve_of(truth, score) for score in (first, second)]
    scores = [np.asarray(score, np.float64) for score in (first, second)]
    places = [np.searchsorted(-curve.score, -score) for curve, score in zip(curves, scores, strict=True)]
    given = np.flatnonzero(np.asarray(truth)), np.flatnonzero(np.asarray(truth) == 0)
    kept = [
        found
        for kinds in _drawn(given, errors, doubt, draws, np.random.default_rng(seed))
        if (found := _areas(kinds, places, share)) is not None
    ]
    if not kept:
        raise OptionError(f"in none of {draws} draws were there both kinds of items; there are too few items for this")
    values = np.array(kept)
    method = _method(doubt, errors, draws, len(kept), seed)
    return PairedAreas(share, roc(curves[0]), roc(curves[1]), values[:, 0], values[:, 1], method)


def _drawn(
    given: Kinds, errors: tuple[float, float], doubt: Doubt, draws: int, random: np.random.Generator
) -> Iterator[Kinds]:
    """Yield the places of the truly positive and of the truly negative items."""
    up, down = (0.0, 0.0) if doubt == "items" else errors
    for _ in range(draws):
        positive, negative = (
            part if doubt == "labels" else part[random.integers(0, len(part), len(part))] for part in given
        )
        lost, won = successes(random, len(positive), down), successes(random, len(negative), up)
        yield (
            np.concatenate([np.delete(positive, lost), negative[won]]),
            np.concatenate([np.delete(negative, won), positive[lost]]),
        )


def _areas(kinds: Kinds, places: list[IntArray], pi: FloatArray) -> FloatArray | None:
    found = []
    for place in places:
        size = int(place.max()) + 1
        parts = both_kinds(*(np.bincount(place[kind], minlength=size) for kind in kinds))
        if parts is None:
            return None
        found.append(areas(parts, pi))
    return np.array(found)


def _method(doubt: Doubt, errors: tuple[float, float], draws: int, kept: int, seed: int) -> str:
    faults = f"label errors {errors[0]:g} of the negatives and {errors[1]:g} of the positives"
    what = {"labels": faults, "items": "items drawn anew", "both": f"items drawn anew and {faults}"}[doubt]
    left = f", {draws - kept} of them without both kinds and left out" if kept < draws else ""
    return f"simulation of {what} (draws={draws}{left}, seed={seed})"
