"""What may be said at another level, with more items, or with more wrong labels: all that has a closed form.

A page recomputes the same numbers from the same counts, in the browser.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.pair_order import kept_classes, safe_errors
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import significant
from karat.measure.paired import paired, sides
from karat.measure.quantity import Quantity
from karat.planning.items import further_items
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.result import BETTER, UNDECIDED
from karat.verdict.ranking import ranking
from karat.verdict.stability.stability import classes_of

Ints = npt.NDArray[np.int64]
KINDS = (
    "only_worse",
    "only_better",
    "neither_differ",
    "only_worse_silent",
    "only_better_silent",
    "neither_worse_answers",
    "neither_better_answers",
)
ANY_NUMBER_OF_CLASSES = 1_000_000
"""So many graphs an expression might have: where its truth is wrong, hardly any output is right by that."""
MOST_SYSTEMS = 120
"""Up to how many systems every pair is carried along."""


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """The counts under a ranking by accuracy, the best system first."""

    systems: tuple[str, ...]
    hits: tuple[int, ...]
    items: int
    only: Ints
    """only[i, j]: the items that system i has right and system j has not."""
    kinds: tuple[dict[str, int], ...]
    """For neighbours in the ranking: how many items of each kind, as `kept_classes` takes them."""
    classes: int

    def plain(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "systems": list(self.systems),
            "hits": list(self.hits),
            "items": self.items,
            "only": self.only.tolist(),
            "kinds": [[kind[name] for name in KINDS] for kind in self.kinds],
            "classes": self.classes,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is supposed: a level, a share of wrong labels, and a number of items like those seen."""

    level: float = 0.95
    error: float = 0.03
    items: int


def tallies(patterns: Patterns) -> Tallies | None:
    """Return the counts under the ranking; None where some number has no closed form."""
    accuracy = Quantity("accuracy")
    plain = (
        not patterns.keys
        and patterns.meaning.truth_sep is None
        and patterns.meaning.missing == "wrong"
    )
    shared = paired(patterns, accuracy) if plain and len(patterns.systems) <= MOST_SYSTEMS else None
    if shared is None or (shared.items != shared.items[0, 0]).any() or not shared.items[0, 0]:
        return None
    found = dict(zip(patterns.systems, np.diag(shared.both).tolist(), strict=True))
    order = tuple(ranking(found))
    places = [patterns.systems.index(name) for name in order]
    kinds = tuple(_kinds(patterns, better, worse) for better, worse in pairwise(places))
    hits = tuple(found[name] for name in order)
    only = shared.only[np.ix_(np.array(places), np.array(places))]
    return Tallies(order, hits, int(shared.items[0, 0]), only, kinds, classes_of(patterns))


def _kinds(patterns: Patterns, better: int, worse: int) -> dict[str, int]:
    """Return how many items of each kind two systems have."""
    found = sides(patterns, Quantity("accuracy"))
    if found is None:
        raise TypeError("these systems share no items")
    told = patterns.truth != MISSING
    number, (first, second) = patterns.number[told], (found[0][:, k] for k in (better, worse))
    answers = [patterns.answers[told][:, k] for k in (better, worse)]
    one, two = (answer >= 0 for answer in answers)
    parts = {
        "only_worse": second & one & ~first,
        "only_better": first & two & ~second,
        "neither_differ": one & two & ~first & ~second & (answers[0] != answers[1]),
        "only_worse_silent": second & ~one,
        "only_better_silent": first & ~two,
        "neither_worse_answers": two & ~one & ~second,
        "neither_better_answers": one & ~two & ~first,
    }
    return {name: int(number[parts[name]].sum()) for name in KINDS}


def whatif(tally: Tallies, state: State) -> dict[str, Any]:
    """Return every system's share with its exact interval, and what may be said of neighbours in the ranking.

    Counts of another number of items are those seen, in proportion, rounded half up.
    """
    hits, only = _scaled(np.array(tally.hits), tally, state), _scaled(tally.only, tally, state)
    bound = exact(hits, state.items, level=state.level)
    systems = [
        {
            "hits": int(hit),
            "trials": state.items,
            "value": int(hit) / state.items,
            "low": float(low),
            "high": float(high),
        }
        for hit, low, high in zip(hits, bound.low, bound.high, strict=True)
    ]
    above = np.triu_indices(len(hits), 1)
    adjusted = np.full(only.shape, np.nan)
    adjusted[above] = holm(mcnemar(only[above], only.T[above])) if len(above[0]) else []
    places = range(len(hits) - 1)
    pairs = [
        _pair(tally, place, only, float(adjusted[place, place + 1]), state) for place in places
    ]
    return {
        "systems": systems,
        "pairs": pairs,
        "adjusted": [adjusted[i, i + 1 :].tolist() for i in places],
        "apart": int(significant(adjusted[0, 1:], level=state.level).sum()),
    }


def _scaled(counts: npt.NDArray[Any], tally: Tallies, state: State) -> Ints:
    return np.floor(counts * (state.items / tally.items) + 0.5).astype(np.int64)


def _pair(tally: Tallies, place: int, only: Ints, adjusted: float, state: State) -> dict[str, Any]:
    first, second = int(only[place, place + 1]), int(only[place + 1, place])
    seen = int(tally.only[place, place + 1]), int(tally.only[place + 1, place])
    pairs = len(tally.systems) * (len(tally.systems) - 1) // 2
    ends = tango(first, second, state.items, level=state.level)
    better = first != second and bool(significant(adjusted, level=state.level))
    return {
        "only_first": first,
        "only_second": second,
        "p": float(mcnemar(first, second)),
        "adjusted": adjusted,
        "difference": (seen[0] - seen[1]) / tally.items,
        "low": float(ends.low),
        "high": float(ends.high),
        "verdict": BETTER if better else UNDECIDED,
        "more": None
        if better
        else further_items(*seen, tally.items, pairs=pairs, level=state.level, now=state.items),
        **_survival(tally, place, state),
    }


def _survival(tally: Tallies, place: int, state: State) -> dict[str, Any]:
    """Return what the order of two neighbours survives."""
    kinds = {
        name: floor(count * (state.items / tally.items) + 0.5)
        for name, count in tally.kinds[place].items()
    }
    worse, better = (
        kinds[side] + kinds[f"{side}_silent"] for side in ("only_worse", "only_better")
    )
    if worse >= better:
        return dict.fromkeys(("kept", "tie", "reversed", "critical", "safe"))

    def kept(error: float) -> float:
        return kept_classes(error=error, classes=tally.classes, **kinds).kept

    law = kept_classes(error=state.error, classes=tally.classes, **kinds)
    disputed = sum(kinds.values())
    return {
        "kept": law.kept,
        "tie": law.tie,
        "reversed": law.reversed,
        "critical": critical(kept, items=disputed, classes=tally.classes, level=state.level),
        "safe": safe_errors(worse, better),
    }
