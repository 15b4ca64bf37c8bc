"""Differences of two curves on the same items, and curves of clustered and of weighted items."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat.doubt.estimate_from_items import CurveEstimator
from karat.doubt.estimates import IntervalOptions
from karat.doubt.interval import Interval
from karat.measure.quantity import Quantity
from karat.tally.scores.paired_scores import PairedScores
from karat.verdict.compare.compared_curves import ComparedCurves
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence import evidence_of

from .row import Row, covered, rejected

MANY = 400
"""So many times as many items stand for all there are."""
ROC, PRECISION, RARE = (
    Quantity.parse(name) for name in ("roc-area", "average-precision", "pr-area@0.01")
)
NAMES = {
    ROC: ("--test delong, roc-area", "difference of roc-areas"),
    PRECISION: ("--test jackknife, average-precision", "difference of average precisions"),
    RARE: ("--test bootstrap, pr-area@0.01", "difference of areas at another prevalence"),
}


@dataclass(frozen=True, slots=True)
class World:
    """How many items of either kind there are, how far apart two systems score them, and how alike."""

    positives: int
    negatives: int
    apart: tuple[float, float]
    alike: float = 0.5
    step: float = 0.0
    """Scores are rounded to multiples of it."""
    heavy: bool = False
    """Whether scores have Student's distribution with three degrees of freedom."""

    def __str__(self) -> str:
        first, second = self.apart
        words = f"{self.positives}/{self.negatives}, d' {first:g}"
        if second != first:
            words += f" and {second:g}"
        words += f", correlation {self.alike:g}"
        if self.step:
            words += f", rounded to multiples of {self.step:g}"
        if self.heavy:
            words += ", heavy-tailed"
        return words

    def drawn(self, random: np.random.Generator, times: int = 1) -> PairedScores:
        """Return all scores of so many times as many items."""
        positive = np.arange(times * (self.positives + self.negatives)) < times * self.positives
        draw = random.standard_normal
        if self.heavy:
            draw = lambda size: random.standard_t(3, size)  # noqa: E731 (as short as the other)
        shared = np.sqrt(self.alike) * draw(len(positive))
        own = np.sqrt(1 - self.alike) * draw((len(positive), 2))
        scores = positive[:, None] * np.array(self.apart) + shared[:, None] + own
        if self.step:
            scores = np.round(scores / self.step)
        return PairedScores(("a", "b"), positive, scores, np.ones(len(positive), np.int64))

    def difference(self, quantity: Quantity) -> float:
        """Return the difference of very many items."""
        if self.apart[0] == self.apart[1]:
            return 0.0
        every = self.drawn(np.random.default_rng(0), MANY)
        first, second = (
            float(quantity.traits(every.curve(name), **quantity.arguments)) for name in "ab"
        )
        return first - second


ALIKE = (
    World(20, 200, (3.5, 3.5)),
    World(20, 200, (2, 2)),
    World(20, 200, (2, 2), 0.9),
    World(20, 200, (2, 2), step=1.5),
    World(20, 200, (3, 3), heavy=True),
    World(10, 90, (1, 1)),
    World(20, 20, (2, 2)),
    World(100, 100, (1, 1), 0.8),
    World(50, 950, (3.5, 3.5)),
)
DIFFERENT = (
    World(20, 200, (3.5, 2.5)),
    World(20, 200, (2, 1)),
    World(10, 90, (2.5, 1.5)),
    World(50, 50, (2, 1)),
    World(50, 950, (3.5, 2.5), 0.8),
    World(20, 200, (2.5, 1.5), step=1.5),
)


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(6)
    for quantity in (ROC, PRECISION):
        for world in (*ALIKE, *DIFFERENT):
            yield from _pairs(world, quantity, runs // 2, random)
    for world in (ALIKE[1], ALIKE[6], ALIKE[7], DIFFERENT[0], DIFFERENT[1]):
        yield from _pairs(world, RARE, runs // 10, random)
    yield from _no_worse(runs // 2, random)
    for pages in PAGES:
        yield from _clusters(pages, runs // 4, random)
    for pages in PAGES[:4]:
        yield from _clusters_alike(pages, runs // 4, random)
    for positives, negatives, apart, spread in WEIGHTED:
        yield from _weights(positives, negatives, apart, spread, runs // 2, random)


@dataclass(frozen=True, slots=True)
class _Tested:
    """What a comparison says of one pair."""

    interval: Interval
    p_value: float
    no_worse: float


def _tested(
    quantity: Quantity, items: PairedScores, *, margin: float | None = None, draws: int = 200
) -> _Tested:
    """Return what `compare` says."""
    curves = {name: items.curve(name) for name in items.systems}
    compared = ComparedCurves(items, quantity, curves)
    contest = ComparisonOptions(draws=draws, margin=margin)
    values = list(compared.values().values())
    found = evidence_of(compared, [(0, 1)], values, contest)
    no_worse = 1.0 if found.no_worse is None else float(found.no_worse[0][0])
    interval = Interval(found.low, found.high, contest.level, found.test)
    return _Tested(interval, float(found.p_value[0]), no_worse)


def _pairs(
    world: World, quantity: Quantity, runs: int, random: np.random.Generator
) -> Iterator[Row]:
    tested = [_tested(quantity, world.drawn(random)) for _ in range(runs)]
    test, difference = NAMES[quantity]
    if world.apart[0] == world.apart[1]:
        yield rejected(test, str(world), np.array([one.p_value for one in tested]), None)
    found = [one.interval for one in tested]
    yield covered(difference, str(world), world.difference(quantity), found, runs=runs)


def _no_worse(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """The first is worse by just the margin: no worse is to be said in 5 % at most."""
    for world in (World(50, 200, (1.5, 2)), World(20, 200, (2, 2.5))):
        margin = -world.difference(ROC)
        p_values = [_tested(ROC, world.drawn(random), margin=margin).no_worse for _ in range(runs)]
        setting = f"{world}, worse by the margin of {margin:.3f}"
        yield rejected("--margin, roc-area", setting, np.array(p_values), None)


@dataclass(frozen=True, slots=True)
class Pages:
    """Clusters of items: how many, how large, how rare positives are, how far apart, and how alike."""

    number: int
    size: int
    skewed: bool
    share: float
    apart: float
    alike: float

    def __str__(self) -> str:
        sizes = f"skewed sizes around {self.size}" if self.skewed else f"{self.size} items each"
        return (
            f"{self.number} clusters, {sizes}, {self.share:.0%} positive, "
            f"d' {self.apart:g}, correlation {self.alike:g}"
        )

    def drawn(
        self, random: np.random.Generator, number: int | None = None, systems: int = 1
    ) -> PairedScores:
        """Return the scores of so many clusters, which differ in scores, difficulty and share of positives."""
        number = number or self.number
        size = np.full(number, self.size)
        if self.skewed:
            size = np.maximum(1, random.lognormal(np.log(self.size), 1, number).astype(int))
        cluster = np.repeat(np.arange(number), size)
        share = random.beta(4 * self.share, 4 * (1 - self.share), number)
        positive = random.random(len(cluster)) < share[cluster]
        columns = []
        for _ in range(systems):
            level = np.sqrt(self.alike) * random.standard_normal(number)[cluster]
            ease = np.sqrt(self.alike / 2) * random.standard_normal(number)[cluster]
            own = np.sqrt(1 - self.alike) * random.standard_normal(len(cluster))
            columns.append(self.apart * positive + level + ease * positive + own)
        names = ("a", "b")[:systems]
        once = np.ones(len(cluster), np.int64)
        scores = np.stack(columns, axis=1)
        return PairedScores(names, positive, scores, once, cluster=cluster, clusters=number)


PAGES = (
    Pages(50, 20, True, 0.2, 1.5, 0.3),
    Pages(20, 20, True, 0.1, 2.5, 0.2),
    Pages(12, 15, True, 0.3, 1.5, 0.3),
    Pages(6, 40, False, 0.3, 1.5, 0.2),
    Pages(50, 10, True, 0.1, 3.5, 0.1),
    Pages(10, 30, False, 0.3, 1.0, 0.3),
)


def _values(items: PairedScores, quantity: Quantity) -> float:
    return float(quantity.traits(items.curve("a"), **quantity.arguments))


def _clusters(pages: Pages, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Measure intervals of curves over clusters."""
    every = pages.drawn(np.random.default_rng(0), 4_000)
    for quantity, name in (
        (ROC, "roc-area of clusters"),
        (PRECISION, "average-precision of clusters"),
        (RARE, "area at another prevalence of clusters"),
    ):
        number = runs // 4 if quantity is RARE else runs
        found = []
        while len(found) < number:
            items = pages.drawn(random)
            if min(items.sides) < 2:
                continue
            how = IntervalOptions(draws=200, seed=len(found))
            estimator = CurveEstimator(items, {"a": items.curve("a")}, how)
            found.append(estimator.estimate(quantity)["a"].interval)
        yield covered(name, str(pages), _values(every, quantity), found, runs=number)


def _clusters_alike(pages: Pages, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Measure the comparison of two equally good systems over clusters."""
    for quantity in (ROC, PRECISION):
        tested = []
        while len(tested) < runs:
            items = pages.drawn(random, systems=2)
            if min(items.sides) > 1:
                tested.append(_tested(quantity, items))
        p_values = np.array([one.p_value for one in tested])
        yield rejected(f"--test jackknife, {quantity} of clusters", str(pages), p_values, None)
        found = [one.interval for one in tested]
        yield covered(f"difference of {quantity} of clusters", str(pages), 0.0, found, runs=runs)


WEIGHTED = ((30, 300, 2.0, 0.5), (30, 300, 2.0, 1.0), (100, 100, 1.0, 1.0), (20, 200, 3.5, 0.5))


def _weights(
    positives: int,
    negatives: int,
    apart: float,
    spread: float,
    runs: int,
    random: np.random.Generator,
) -> Iterator[Row]:
    """Measure curves of items with lognormal weights: heavier items are a little easier."""
    setting = f"{positives}/{negatives}, d' {apart:g}, weights lognormal with deviation {spread:g}"

    def drawn(generator: np.random.Generator, times: int = 1) -> PairedScores:
        positive = np.arange(times * (positives + negatives)) < times * positives
        weight = generator.lognormal(0, spread, len(positive))
        easier = np.where(np.log(weight) > 0, 0.3, 0.0)
        scores = (apart + easier) * positive + generator.standard_normal(len(positive))
        once = np.ones(len(positive), np.int64)
        return PairedScores(("a",), positive, scores[:, None], once, weight=weight)

    every = drawn(np.random.default_rng(0), MANY)
    for quantity in (ROC, PRECISION):
        found = []
        for _ in range(runs):
            items = drawn(random)
            estimator = CurveEstimator(items, {"a": items.curve("a")}, IntervalOptions())
            found.append(estimator.estimate(quantity)["a"].interval)
        yield covered(
            f"{quantity} with weights", setting, _values(every, quantity), found, runs=runs
        )
