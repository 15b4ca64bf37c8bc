"""Accuracies without truth: how often intervals of `combined` hold the true accuracy, and how often what it estimates.

Simulated systems, and real tables whose truth is hidden: these stand for all items, and are drawn from with
replacement. Without the shared data only the simulated ones are measured.
"""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from karat.doubt.consensus.vote_bootstrap import consensus_bootstrap
from karat.doubt.interval import Interval
from karat.measure.consensus.combined import combined
from karat.measure.consensus.voters import Voters

from .row import Row, covered

DRAWS = 200
DATA = Path(__file__).parents[4] / "shared" / "data"
WHOLE = 200_000
"""Items that stand for all, where what the estimate tends to is wanted."""
TRUE = "spread over items of an accuracy by consensus (combined): the true accuracy"
TENDS = "spread over items of an accuracy by consensus (combined): what it would be on all items like these"


@dataclass(frozen=True, slots=True)
class Setting:
    """Systems that answer items of several classes."""

    what: str
    items: int
    classes: int
    accuracies: tuple[float, ...]
    shared: float
    """On this share of the items all systems have one wrong label in mind, and give it half of the time."""
    hard: float = 0.0
    """How much accuracies differ from item to item, the same way for all systems: the deviation of the log odds."""

    def __str__(self) -> str:
        low = min(self.accuracies)
        high = max(self.accuracies)
        number = len(self.accuracies)
        return (
            f"{self.what}: {number} systems right on {low:g} to {high:g}, "
            f"{self.classes} classes, {self.items:,} items"
        )


EASY = (0.95, 0.92, 0.9, 0.85, 0.8)
MIXED = (0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5)
SETTINGS = (
    Setting("independent errors", 1000, 4, EASY, 0.0),
    Setting("independent errors", 100, 4, EASY, 0.0),
    Setting("independent errors", 30, 2, EASY, 0.0),
    Setting("independent errors", 200, 2, MIXED, 0.0),
    Setting("hard items", 1000, 4, EASY, 0.0, 1.5),
    Setting("shared errors on a tenth", 1000, 4, EASY, 0.1),
    Setting("shared errors on a tenth", 100, 2, EASY, 0.1),
)


@dataclass(frozen=True, slots=True)
class RealTable:
    """A table of real systems, and how it is read."""

    name: str
    systems: str
    items: str
    truth: str
    every: int = 1
    """Of very many systems, only each so-manieth."""
    items_named: str = ""
    """Only items whose names begin so."""


JUDGES = "llmbar_judges/systems.csv.gz", "llmbar_judges/items.csv", "truth", 10
REAL = (
    RealTable(
        "cifar10_test_13",
        "cifar10_test_13/systems_label.csv.gz",
        "cifar10_test_13/items.csv.gz",
        "truth_original",
    ),
    RealTable(
        "mmlu_redux_14", "mmlu_redux_14/systems.csv", "mmlu_redux_14/items.csv", "truth_original"
    ),
    RealTable("llmbar_judges, natural", *JUDGES, "natural"),
    RealTable("llmbar_judges, adversarial", *JUDGES, "adv"),
)
LEFT_OUT = ("item", "cleanlab_cv")


def rows(runs: int) -> Iterator[Row]:
    """Yield both coverages of each setting, over all systems together."""
    random = np.random.default_rng(19)
    for setting in SETTINGS:
        yield from _setting(setting, runs // 20, random)
    if not DATA.is_dir():
        return
    for table in REAL:
        for items in (100, 500):
            yield from _real(table, items, runs // 80, random)


def _setting(setting: Setting, runs: int, random: np.random.Generator) -> Iterator[Row]:
    truth, codes = _drawn(setting, WHOLE, random)
    true = (codes == truth[:, None]).mean(axis=0)
    tends = _fitted(codes, setting.classes)
    intervals: list[Interval] = []
    for run in range(runs):
        _, codes = _drawn(setting, setting.items, random)
        intervals.append(_interval(codes, setting.classes, seed=run))
    yield from _both(str(setting), intervals, true, tends)


def _real(table: RealTable, items: int, runs: int, random: np.random.Generator) -> Iterator[Row]:
    truth, codes, classes = _read(table)
    if items > len(codes):
        return
    answered = codes >= 0
    true = ((codes == truth[:, None]) & answered).sum(axis=0) / answered.sum(axis=0)
    tends = _fitted(codes, classes)
    intervals: list[Interval] = []
    for run in range(runs):
        drawn = random.integers(0, len(codes), items)
        intervals.append(_interval(codes[drawn], classes, seed=run))
    setting = (
        f"{table.name}: {codes.shape[1]} systems right on {true.min():.2f} to {true.max():.2f}, "
        f"{classes} classes, {items:,} of {len(codes):,} items"
    )
    yield from _both(setting, intervals, true, tends)


def _read(table: RealTable) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the true label of each item, every system's answer or -1, and how many labels there are."""
    truths = {row["item"]: row[table.truth] for row in _rows(table.items)}
    own = [row for row in _rows(table.systems) if row["item"].startswith(table.items_named)]
    answers = [row for row in own if truths.get(row["item"])]
    names = [name for name in answers[0] if name not in LEFT_OUT][:: table.every]
    labels = {row[name] for row in answers for name in names}
    labels |= {truths[row["item"]] for row in answers}
    code = {label: place for place, label in enumerate(sorted(labels - {""}))}
    code[""] = -1
    truth = np.array([code[truths[row["item"]]] for row in answers])
    codes = np.array([[code[row[name]] for name in names] for row in answers])
    return truth, codes, len(code) - 1


def _rows(name: str) -> list[dict[str, str]]:
    path = DATA / name
    opened = gzip.open if name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _both(
    setting: str, intervals: list[Interval], true: np.ndarray, tends: np.ndarray
) -> Iterator[Row]:
    """Yield how often intervals hold the true accuracies, and how often what the estimates tend to."""
    for number, wanted in ((TRUE, true), (TENDS, tends)):
        off = [
            Interval(found.low - wanted, found.high - wanted, found.level, found.method)
            for found in intervals
        ]
        yield covered(number, setting, 0.0, off, runs=len(intervals))


def _drawn(
    setting: Setting, items: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the true label of each item, and every system's answer."""
    classes = setting.classes
    systems = len(setting.accuracies)
    truth = random.integers(0, classes, items)
    odds = np.log(np.array(setting.accuracies) / (1 - np.array(setting.accuracies)))
    ease = setting.hard * random.normal(size=items)
    right = random.random((items, systems)) < 1 / (1 + np.exp(-(odds + ease[:, None])))
    wrong = (truth[:, None] + random.integers(1, classes, (items, systems))) % classes
    answers = np.where(right, truth[:, None], wrong)
    tempting = (truth + random.integers(1, classes, items)) % classes
    tempted = (random.random(items) < setting.shared)[:, None]
    tempted = tempted & (random.random((items, systems)) < 0.5)
    return truth, np.where(tempted, tempting[:, None], answers)


def _patterns(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    distinct, number = np.unique(codes, axis=0, return_counts=True)
    return distinct, number.astype(float)


def _fitted(codes: np.ndarray, classes: int) -> np.ndarray:
    distinct, number = _patterns(codes)
    return combined(Voters(distinct, classes), number).values


def _interval(codes: np.ndarray, classes: int, *, seed: int) -> Interval:
    distinct, number = _patterns(codes)
    model = combined(Voters(distinct, classes), number)
    found = consensus_bootstrap(
        lambda _: model.values, number, at_once=model.resampled, draws=DRAWS, seed=seed
    )
    return found.interval()
