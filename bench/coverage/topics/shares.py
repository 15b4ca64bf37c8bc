"""Shares, F, and means over items and queries."""

from collections.abc import Iterator

import numpy as np
from scipy import special

from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.bounds.goutte_gaussier import goutte_gaussier
from karat.doubt.bounds.item_mean import item_mean
from karat.doubt.bounds.query_mean import query_mean
from karat.doubt.estimate_from_confusion import f_interval
from karat.doubt.estimates import IntervalOptions
from karat.measure.cells import Cells
from karat.measure.item_mean import ItemMean

from .row import Row, covered

GRID = (np.arange(999) + 1) / 1000
"""True shares, from which the worst is sought."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    for trials in (10, 50, 500):
        for name in ("exact", "wilson", "jeffreys"):
            yield from _share(name, trials)
    random = np.random.default_rng(0)
    for items, share in ((20, 0.5), (50, 0.9)):
        yield from _f(items, share, runs, random)
    for items, shape in ((30, (1.0, 1.0)), (100, (0.5, 4.5)), (1000, (0.1, 9.9))):
        yield _brier(items, shape, runs, random)
    for queries, shape in ((10, (2.0, 2.0)), (50, (0.5, 0.5)), (20, (0.3, 6.0))):
        yield _queries(queries, shape, runs, random)


def _share(name: str, trials: int) -> Iterator[Row]:
    x = np.arange(trials + 1)
    found = BOUNDS[name](x, trials)
    ways = special.gammaln(trials + 1) - special.gammaln(x + 1) - special.gammaln(trials - x + 1)
    chance = np.exp(
        ways[:, None]
        + special.xlogy(x[:, None], GRID)
        + special.xlog1py(trials - x[:, None], -GRID)
    )
    held = (found.low[:, None] <= GRID) & (found.high[:, None] >= GRID)
    coverage = (chance * held).sum(axis=0)
    width = (chance * (found.high - found.low)[:, None]).sum(axis=0).mean()
    for what, value in (("worst share", coverage.min()), ("mean over all shares", coverage.mean())):
        yield Row(
            number=f"share, {name}",
            setting=f"{trials} items, {what}",
            said=0.95,
            measured=float(value),
            runs=0,
            width=float(width),
        )


def _f(items: int, right: float, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """F of a class that is half of the items: hits, missed, false and the rest."""
    shares = np.array([right / 2, (1 - right) / 2, (1 - right) / 2, right / 2])
    drawn = random.multinomial(items, shares, size=runs).astype(float)
    for beta in (1.0, 2.0):
        cells = Cells(drawn[:, 0], drawn[:, 1], drawn[:, 2], beta)
        truth = float(Cells(shares[0], shares[1], shares[2], beta).values)
        setting = f"{items} items, half of them positive, right on {right:g}"
        number = (
            f"F{beta:g} of a class, {'exact given hits and errors' if beta == 1 else 'Dirichlet'}"
        )
        how = IntervalOptions()
        found = f_interval(cells, how) if beta == 1 else dirichlet(cells)
        yield covered(number, setting, truth, [found], runs=runs)
        if beta == 1:
            posterior = goutte_gaussier(cells).f
            yield covered("F1, Goutte and Gaussier", setting, truth, [posterior], runs=runs)


def _brier(items: int, shape: tuple[float, float], runs: int, random: np.random.Generator) -> Row:
    """The mean loss of a calibrated forecaster, whose probabilities are beta-distributed."""
    a, b = shape
    truth = a * b / ((a + b) * (a + b + 1))
    found = []
    for _ in range(runs):
        forecast = random.beta(a, b, items)
        loss = (forecast - (random.random(items) < forecast)) ** 2
        found.append(item_mean(ItemMean(loss, np.ones(items, np.int64))))
    setting = f"{items} items, calibrated, probabilities Beta({a:g}, {b:g})"
    return covered("Brier score, Student's t over items", setting, truth, found, runs=runs)


def _queries(
    queries: int, shape: tuple[float, float], runs: int, random: np.random.Generator
) -> Row:
    a, b = shape
    found = (query_mean(random.beta(a, b, queries)) for _ in range(runs))
    setting = f"{queries} queries, values Beta({a:g}, {b:g})"
    return covered("mean over queries, Student's t", setting, a / (a + b), found, runs=runs)
