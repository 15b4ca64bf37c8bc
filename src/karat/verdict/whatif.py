"""Every number of the ranking at another level, number of items or share of wrong labels: all that has a closed form.

The report's page recomputes the same numbers from the same counts, in the browser (report/page/whatif.js).
What depends only on the level is computed here, once for each level of the page's slider.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.few_kinds import NAMED, FewKinds
from karat.doubt.label_noise.pair_order import kept_classes, safe_errors
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import error, significant
from karat.measure.paired import paired_counts, sides
from karat.measure.quantity import Quantity
from karat.numeric.arrays import BoolArray, FloatArray
from karat.planning.interim_power import likely_items
from karat.planning.items import items_for_pair
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.comparison import BETTER, UNDECIDED
from karat.verdict.rank_ranges import RankRanges, rank_ranges
from karat.verdict.ranking import ranking
from karat.verdict.stability.stability import classes_of

Ints = npt.NDArray[np.int64]
KINDS = tuple(NAMED)
"""The kinds of items of a pair, as `kept_classes` takes them; the page's script knows them by this order."""
ROBUSTNESS = ("kept", "tie", "reversed", "critical", "tolerated")
ANY_NUMBER_OF_CLASSES = 1_000_000
"""So many graphs an expression might have: where its truth is wrong, hardly any output is right by that."""
MOST_SYSTEMS = 250
"""Up to how many systems every pair is carried along."""
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
"""The levels of the page's slider, beside the one requested."""


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """The counts under a ranking by accuracy, the best system first."""

    systems: tuple[str, ...]
    hits: tuple[int, ...]
    items: int
    only: Ints
    """only[i, j]: the items that system i has right and system j has not."""
    kinds: tuple[dict[str, int], ...]
    """For neighbours in the ranking: how many items there are of each of the KINDS."""
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
    """The positions of the sliders: a level, a share of wrong labels, and a number of items like those seen."""

    level: float = 0.95
    error: float = 0.03
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What a confidence level means for the tests and intervals of a page."""

    level: float
    error: float
    """The error probability that it leaves, as a decimal."""
    z: float
    """The normal quantile of its two-sided intervals."""
    needed: tuple[int | None, ...]
    """For neighbours in the ranking: how many items would settle which is better; None if no number would."""
    likely: tuple[int | None, ...]
    """The same with a chance of 80 %."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sliders:
    """All that the page shows of a ranking by accuracy, and all it needs to follow its sliders."""

    tallies: Tallies
    state: State
    """Where the sliders stand at first."""
    numbers: Mapping[str, Any]
    """What `whatif` says there."""
    levels: tuple[Level, ...]

    def plain(self) -> dict[str, Any]:
        """Return what the page's script computes from, as plain values."""
        return {**self.tallies.plain(), "levels": [asdict(level) for level in self.levels]}


def sliders(tally: Tallies, state: State) -> Sliders:
    """Return the numbers of a page at the given state, and what it needs for every other one."""
    levels = sorted({*LEVELS, state.level})
    return Sliders(
        tallies=tally,
        state=state,
        numbers=whatif(tally, state),
        levels=tuple(_level(tally, level) for level in levels),
    )


def _level(tally: Tallies, level: float) -> Level:
    places = range(len(tally.systems) - 1)
    needed = tuple(_needed(tally, place, level) for place in places)
    likely = tuple(_likely(tally, place, level) for place in places)
    z = -special.ndtri((1 - level) / 2)
    return Level(level=level, error=error(level), z=float(z), needed=needed, likely=likely)


def _needed(tally: Tallies, place: int, level: float) -> int | None:
    """Return how many items would settle a pair, at a level that holds for all pairs together."""
    first = int(tally.only[place, place + 1])
    second = int(tally.only[place + 1, place])
    if first == second:
        return None
    pairs = len(tally.systems) * (len(tally.systems) - 1) // 2
    joint_level = 1 - (1 - level) / pairs
    return items_for_pair(first / tally.items, second / tally.items, level=joint_level).items


def _likely(tally: Tallies, place: int, level: float) -> int | None:
    """Return how many items would settle a pair with a chance of 80 %, those counted among them."""
    first = int(tally.only[place, place + 1])
    second = int(tally.only[place + 1, place])
    pairs = len(tally.systems) * (len(tally.systems) - 1) // 2
    more = likely_items(first, second, tally.items, pairs=pairs, level=level)
    return None if more is None else tally.items + more


def tallies(patterns: Patterns) -> Tallies | None:
    """Return the counts under the ranking; None where some number has no closed form."""
    meaning = patterns.meaning
    single_truths = not patterns.keys and meaning.truth_sep is None and meaning.missing == "wrong"
    if not single_truths or len(patterns.systems) > MOST_SYSTEMS:
        return None
    hits_and_items = sides(patterns, Quantity("accuracy"))
    if hits_and_items is None:
        return None
    by_truth = patterns.number[patterns.truth != MISSING]
    shared = paired_counts(patterns.systems, *hits_and_items, by_truth)
    items = int(shared.items[0, 0])
    if not items or (shared.items != items).any():
        return None
    hits = dict(zip(patterns.systems, np.diag(shared.both).tolist(), strict=True))
    order = tuple(ranking(hits))
    places = [patterns.systems.index(name) for name in order]
    return Tallies(
        systems=order,
        hits=tuple(hits[name] for name in order),
        items=items,
        only=shared.only[np.ix_(np.array(places), np.array(places))],
        kinds=_kinds(patterns, hits_and_items[0], places),
        classes=classes_of(patterns),
    )


def _kinds(
    patterns: Patterns, hits: BoolArray, places: Sequence[int]
) -> tuple[dict[str, int], ...]:
    """Return how many items of each kind neighbours have, from whether each system is right."""
    has_truth = patterns.truth != MISSING
    # A row a system: whole columns of answers are read, and lie together so.
    answers = np.ascontiguousarray(patterns.answers[has_truth].T)
    right = np.ascontiguousarray(hits.T)
    number = patterns.number[has_truth]
    kinds = []
    for better, worse in pairwise(places):
        kinds.append(_kinds_of_two(answers[[better, worse]], right[[better, worse]], number))
    return tuple(kinds)


def _kinds_of_two(answers: npt.NDArray[Any], right: BoolArray, number: Ints) -> dict[str, int]:
    """Return how many items of each kind two systems have, a row a system."""
    better_answer, worse_answer = answers
    better_right, worse_right = right
    better_answers = better_answer >= 0
    worse_answers = worse_answer >= 0
    neither = ~better_right & ~worse_right
    both_answer = better_answers & worse_answers
    parts: dict[str, BoolArray] = {
        "only_worse": worse_right & better_answers & ~better_right,
        "only_better": better_right & worse_answers & ~worse_right,
        "neither_differ": neither & both_answer & (better_answer != worse_answer),
        "only_worse_silent": worse_right & ~better_answers,
        "only_better_silent": better_right & ~worse_answers,
        "neither_worse_answers": worse_answers & ~better_answers & ~worse_right,
        "neither_better_answers": better_answers & ~worse_answers & ~better_right,
    }
    return {name: int(number[parts[name]].sum()) for name in KINDS}


def whatif(tally: Tallies, state: State) -> dict[str, Any]:
    """Return every system's share with its exact interval, and how neighbours in the ranking compare.

    Counts of another number of items are those seen, in proportion, rounded half up.
    """
    hits = _scaled(np.array(tally.hits), tally, state)
    only = _scaled(tally.only, tally, state)
    adjusted = _adjusted(only)
    neighbours = range(len(hits) - 1)
    intervals = tango(np.diag(only, 1), np.diag(only, -1), state.items, level=state.level)
    pairs = []
    for place in neighbours:
        p_value = float(adjusted[place, place + 1])
        ends = float(intervals.low[place]), float(intervals.high[place])
        pairs.append(_pair(tally, place, only, ends, p_value, state))
    ranges = rank_ranges(_better(only, adjusted, state))
    return {
        "systems": _systems(hits, state, ranges),
        "settled": {
            "neighbours": ranges.settled_neighbours,
            "all": ranges.settled,
            "pairs": ranges.pairs,
        },
        "pairs": pairs,
        "adjusted": [adjusted[i, i + 1 :].tolist() for i in neighbours],
        "different": int(significant(adjusted[0, 1:], level=state.level).sum()),
    }


def _scaled(counts: npt.NDArray[Any], tally: Tallies, state: State) -> Ints:
    return np.floor(counts * (state.items / tally.items) + 0.5).astype(np.int64)


def _better(only: Ints, adjusted: FloatArray, state: State) -> BoolArray:
    """Return which system is significantly better than which; the better one comes first in the order."""
    sure = np.zeros(only.shape, bool)
    above = np.triu_indices(len(only), 1)
    sure[above] = significant(adjusted[above], level=state.level)
    differ: BoolArray = only != only.T
    return sure & differ


def _systems(hits: Ints, state: State, ranges: RankRanges) -> list[dict[str, Any]]:
    interval = exact(hits, state.items, level=state.level)
    low = interval.low.tolist()
    high = interval.high.tolist()
    systems = []
    for place, hit in enumerate(hits.tolist()):
        systems.append(
            {
                "hits": hit,
                "trials": state.items,
                "value": hit / state.items,
                "low": low[place],
                "high": high[place],
                "ranks": ranges.systems[place].ranks,
                "letters": ranges.systems[place].letters,
            }
        )
    return systems


def _adjusted(only: Ints) -> FloatArray:
    """Return the p-value of every pair above the diagonal, adjusted for their number."""
    adjusted = np.full(only.shape, np.nan)
    above = np.triu_indices(len(only), 1)
    if len(above[0]):
        adjusted[above] = holm(mcnemar(only[above], only.T[above]))
    return adjusted


def _pair(
    tally: Tallies,
    place: int,
    only: Ints,
    ends: tuple[float, float],
    adjusted: float,
    state: State,
) -> dict[str, Any]:
    """Return how two neighbours compare."""
    first = int(only[place, place + 1])
    second = int(only[place + 1, place])
    lead = int(tally.only[place, place + 1]) - int(tally.only[place + 1, place])
    better = first != second and bool(significant(adjusted, level=state.level))
    needed = None if better else _needed(tally, place, state.level)
    likely = None if better else _likely(tally, place, state.level)
    return {
        "only_first": first,
        "only_second": second,
        "p": float(mcnemar(first, second)),
        "adjusted": adjusted,
        "difference": lead / tally.items,
        "low": ends[0],
        "high": ends[1],
        "verdict": BETTER if better else UNDECIDED,
        "more": None if needed is None else max(1, needed - state.items),
        "likely": None if likely is None else max(1, likely - state.items),
        **_robustness(tally, place, state),
    }


def _robustness(tally: Tallies, place: int, state: State) -> dict[str, Any]:
    """Return how robust the order of two neighbours is to wrong labels; nothing where neither leads."""
    share = state.items / tally.items
    kinds = {name: floor(count * share + 0.5) for name, count in tally.kinds[place].items()}
    worse = kinds["only_worse"] + kinds["only_worse_silent"]
    better = kinds["only_better"] + kinds["only_better_silent"]
    if worse >= better:
        return dict.fromkeys(ROBUSTNESS)
    order = kept_classes(error=state.error, classes=tally.classes, **kinds)
    critical = FewKinds.named(kinds).critical_rate(tally.classes, level=state.level)
    return {
        "kept": order.kept,
        "tie": order.tie,
        "reversed": order.reversed,
        "critical": critical,
        "tolerated": safe_errors(worse, better),
    }
