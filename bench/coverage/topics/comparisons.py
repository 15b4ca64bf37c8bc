"""Comparisons: every test of `compare` under the null, intervals of differences, shares of ranks, and further items."""

from collections.abc import Iterator

import numpy as np
from scipy import stats

from karat.doubt.interval import Interval
from karat.doubt.resampling.bootstrap import units
from karat.doubt.resampling.jackknife import deleted, gap_of_clusters
from karat.doubt.resampling.resampled_difference import difference_of_resamples, least
from karat.doubt.tests import TESTS
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.newcombe import newcombe
from karat.doubt.tests.noninferiority import noninferior, noninferior_samples
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.tango import tango
from karat.planning.interim_power import interim_power, likely_items
from karat.planning.items import further_items

from .row import Row, covered, rejected
from .tables import clustered

DISCORDANT = np.array([False, True, True, False, False, True, True, False])
"""Of the eight kinds of items (truth, first, second): those on which the two differ."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(4)
    for items, share in ((30, 0.2), (200, 0.1), (200, 0.5)):
        yield from _same_items(items, share)
    for trials, share in ((20, 0.5), (20, 0.9), (50, 0.8)):
        yield from _other_items(trials, share, slow=trials == 20)
    for items, recall, false, prevalence in F_WORLDS:
        yield from _f1(items, recall, false, prevalence, runs, random)
    for clusters in (5, 8, 20, 50):
        yield from _clusters(clusters, runs, random)
    yield from _no_worse(runs * 10, random)
    yield from _differences(runs * 10, random)
    yield from _families(runs, random)
    for spread in (0.02, 0.05):
        yield from _first(spread, runs * 10, random)
    yield from _further()


def _same_items(items: int, discordant: float) -> Iterator[Row]:
    """Two systems that differ on a share of the items, each being right as often: all outcomes."""
    first, second = np.meshgrid(np.arange(items + 1), np.arange(items + 1), indexing="ij")
    possible = first + second <= items
    b, c = first[possible], second[possible]
    chance = stats.multinomial.pmf(
        np.stack([b, c, items - b - c], axis=1),
        items,
        [discordant / 2, discordant / 2, 1 - discordant],
    )
    setting = f"{items} items, different on {discordant:.0%}"
    for name in ("mcnemar", "mcnemar-midp"):
        p_values = as_test(TESTS[name]).p_values(b.astype(float), c.astype(float))
        yield rejected(f"--test {name}", setting, p_values, chance)


def _other_items(trials: int, share: float, *, slow: bool) -> Iterator[Row]:
    """Two systems on items of their own, equally good: all outcomes."""
    first, second = np.meshgrid(np.arange(trials + 1), np.arange(trials + 1), indexing="ij")
    one, other = first.ravel().astype(float), second.ravel().astype(float)
    chance = stats.binom.pmf(one, trials, share) * stats.binom.pmf(other, trials, share)
    setting = f"{trials} items each, right on {share:g}"
    names = ["exact", "exact-midp"]
    if slow:
        names += ["barnard", "boschloo"]
    for name in names:
        likely = chance > 1e-7
        n = np.full(likely.sum(), float(trials))
        p_values = np.ones(len(one))
        p_values[likely] = as_test(TESTS[name]).p_values(one[likely], n, other[likely], n)
        yield rejected(f"--test {name}", setting, p_values, chance)


F_WORLDS = (
    (50, 0.7, 0.3, 0.5),
    (50, 0.8, 0.2, 0.5),
    (50, 0.8, 0.1, 0.2),
    (300, 0.95, 0.02, 0.05),
    (100, 0.3, 0.02, 0.05),
    (200, 0.3, 0.02, 0.05),
    (1000, 0.5, 0.005, 0.01),
    (30, 0.6, 0.4, 0.3),
)
"""Items, recall and false-positive rate of both systems, and the share of positives."""


def f1_of(counts: np.ndarray, *, second: bool) -> np.ndarray:
    """Return F1 of a system; the last axis has the eight kinds of items."""
    cube = counts.reshape(*counts.shape[:-1], 2, 2, 2)
    if second:
        cube = np.swapaxes(cube, -1, -2)
    hits = cube[..., 1, 1, :].sum(-1)
    errors = cube[..., 1, 0, :].sum(-1) + cube[..., 0, 1, :].sum(-1)
    return 2 * hits / np.maximum(2 * hits + errors, 1)


def _f1(
    items: int,
    recall: float,
    false: float,
    prevalence: float,
    runs: int,
    random: np.random.Generator,
) -> Iterator[Row]:
    """F1 of two equally good systems with independent errors, by the paired bootstrap."""
    of_positive = np.array([1 - recall, recall])
    of_negative = np.array([1 - false, false])
    shares = np.concatenate(
        [
            (1 - prevalence) * np.outer(of_negative, of_negative).ravel(),
            prevalence * np.outer(of_positive, of_positive).ravel(),
        ]
    )
    found, p_values = [], []
    for drawn in random.multinomial(items, shares, size=runs):
        resampled = random.multinomial(items, drawn / items, size=500)
        gaps = f1_of(resampled, second=False) - f1_of(resampled, second=True)
        gap = float(f1_of(drawn, second=False) - f1_of(drawn, second=True))
        one = difference_of_resamples(gap, gaps, units=items, differ=int(drawn[DISCORDANT].sum()))
        found.append(Interval(np.array(one.low), np.array(one.high), 0.95, ""))
        p_values.append(one.p_value)
    setting = f"{items} items, {prevalence:.0%} positive, recall {recall:g}, false {false:g}"
    yield covered("difference of F1, bootstrap", setting, 0.0, found, runs=runs)
    yield rejected("--test bootstrap, F1", setting, np.array(p_values), None)


def _clusters(clusters: int, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Two equally good systems, each with its own hard clusters."""
    found, p_values = [], []
    for _ in range(runs):
        pair = [
            deleted(units(clustered(clusters, 0.8, 0.3, random, skewed=True))) for _ in range(2)
        ]
        whole = np.array([[float(one.whole.hits.sum() / one.whole.total[0]) for one in pair]])
        parts = [one.without.hits.sum(axis=1) / one.without.total for one in pair]
        without = np.stack(parts, axis=-1)[:, None]
        gap = gap_of_clusters(whole, without, least=np.zeros(1))
        found.append(Interval(gap.low, gap.high, 0.95, ""))
        p_values.append(max(float(gap.p_value[0]), least(clusters)))
    setting = f"{clusters} clusters of skewed sizes, correlation 0.3, right on 0.8"
    yield covered("difference of clusters, jackknife", setting, 0.0, found, runs=runs)
    yield rejected("--test jackknife", setting, np.array(p_values), None)


def _no_worse(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """The first is worse by just the margin: no worse is to be said in 5 % at most."""
    margin = 0.05
    for items in (50, 200):
        shares = [0.05, 0.10, 0.85]
        drawn = random.multinomial(items, shares, size=runs)
        p_values = noninferior(drawn[:, 0], drawn[:, 1], items, margin=margin).p_value
        setting = f"{items} items, worse by the margin of {margin:g}"
        yield rejected("--margin, same items (Tango)", setting, p_values, None)
        one = random.binomial(items, 0.80, runs)
        other = random.binomial(items, 0.85, runs)
        p_values = noninferior_samples(one, items, other, items, margin=margin).p_value
        setting = f"{items} items each, worse by the margin of {margin:g}"
        yield rejected("--margin, other items (Farrington-Manning)", setting, p_values, None)


def _differences(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Intervals of the difference of two accuracies."""
    for items, only in ((30, (0.2, 0.1)), (200, (0.05, 0.03)), (200, (0.01, 0.01))):
        drawn = random.multinomial(items, [*only, 1 - sum(only)], size=runs)
        found = tango(drawn[:, 0], drawn[:, 1], items)
        setting = f"{items} items, only first right {only[0]:.0%}, only second {only[1]:.0%}"
        truth = only[0] - only[1]
        yield covered("difference of accuracies, Tango", setting, truth, [found], runs=runs)
    for items, right in ((20, (0.8, 0.9)), (100, (0.95, 0.97))):
        one = random.binomial(items, right[0], runs)
        other = random.binomial(items, right[1], runs)
        found = newcombe(one, items, other, items)
        setting = f"{items} items each, right on {right[0]:g} and {right[1]:g}"
        truth = right[0] - right[1]
        yield covered("difference of accuracies, Newcombe", setting, truth, [found], runs=runs)


def _answers(accuracy: np.ndarray, items: int, random: np.random.Generator) -> np.ndarray:
    """Return who is right on which item; some items are harder than others."""
    hard = random.random(items) < 0.3
    ease = np.where(hard, -0.1, 0.1 * 0.3 / 0.7)
    return random.random((len(accuracy), items)) < accuracy[:, None] + ease


def _families(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Five equally good systems: is any pair of them called different?"""
    any_pair = np.zeros(runs)
    for run in range(runs):
        right = _answers(np.full(5, 0.8), 200, random)
        first, second = np.triu_indices(5, 1)
        b = (right[first] & ~right[second]).sum(axis=1)
        c = (~right[first] & right[second]).sum(axis=1)
        any_pair[run] = holm(mcnemar(b, c)).min()
    setting = "5 equally good systems, 200 items, any of 10 pairs"
    yield rejected("McNemar with Holm", setting, any_pair, None)


def _first(spread: float, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """How often is the system that comes first in so many resamples truly the best?"""
    said, truly = np.zeros(runs), np.zeros(runs, bool)
    for run in range(runs):
        accuracy = 0.8 + spread * random.standard_normal(4)
        right = _answers(accuracy, 200, random)
        kinds, number = np.unique(right, axis=1, return_counts=True)
        counts = random.multinomial(200, number / 200, size=400)
        drawn = counts @ kinds.T
        first = (drawn == drawn.max(axis=1, keepdims=True)).mean(axis=0)
        said[run] = first.max()
        truly[run] = accuracy.argmax() == first.argmax()
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        here = (said >= low) & (said < high)
        if here.sum() > 10:
            yield Row(
                number="first in (share of resamples), as a probability of being best",
                setting=f"4 systems at 0.8 ± {spread:g}, 200 items, {low:g} to {min(high, 1):g} of resamples",
                said=float(said[here].mean()),
                measured=float(truly[here].mean()),
                runs=int(here.sum()),
            )


def _further() -> Iterator[Row]:
    """How likely are the numbers of further items that compare shows to decide a pair?"""
    for first, second, items in ((39, 23, 150), (12, 5, 100), (60, 45, 1000)):
        setting = f"{first}:{second} of {items}"
        some = further_items(first, second, items) or 0
        many = likely_items(first, second, items) or 0
        for number, said in ((some, 0.5), (many, 0.8)):
            yield Row(
                number="further items (+N/M: N an even chance, M 80 %)",
                setting=f"{setting}, {number} more",
                said=said,
                measured=interim_power(first, second, items, number, 0.025),
                runs=0,
            )
