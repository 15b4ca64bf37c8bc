"""Do the forecasts of reversed orders hold where labels are wrong in other ways than on re-annotated benchmarks?

Simulated tables of 200 to 5,000 items, 2 to 40 systems and 2 to 100 labels of which 0.5 to 20 % are wrong, in worlds
that had no part in making the model: among them systems that learnt from the wrong labels, and labels that were made
by correcting the answers of one of the systems. For each world: errors by chance and the model informed with the true
share, and informed after 30 to 1,000 labels drawn at random were looked up. `safe` is said below 0.01.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import special

sys.path.append(str(Path(__file__).parents[1]))
from common import header
from label_errors import Said, informed, leads, uniform
from reannotated import Case

from karat.doubt.label_noise.informed.constants import LEARNT

TABLES = 60
CHECKS = (30, 100, 300, 1000)
SAFE_BELOW = 0.01
STEPS = 60
"""How often the search for an intercept is halved."""


@dataclass
class World:
    """Items of varying difficulty, a tempting wrong label of each, and what systems answer."""

    random: np.random.Generator
    right: np.ndarray
    labels: int
    difficulty: np.ndarray
    tempting: np.ndarray
    answers: np.ndarray
    error: float

    def wrong(self, odds: np.ndarray) -> np.ndarray:
        """Draw which labels are wrong, with these log odds and the share of the world."""
        low, high = -STEPS, STEPS
        for _ in range(STEPS):
            middle = (low + high) / 2
            if special.expit(odds + middle).mean() > self.error:
                high = middle
            else:
                low = middle
        return self.random.random(len(odds)) < special.expit(odds + low)

    def other(self, labels: np.ndarray) -> np.ndarray:
        """Return another label for each, all equally likely."""
        return (labels + self.random.integers(1, self.labels, labels.shape)) % self.labels


def drawn(random: np.random.Generator) -> World:
    """Draw a table with right labels; how its given labels are wrong comes later."""
    items = int(random.choice([200, 500, 1000, 2000, 5000]))
    systems = int(random.choice([2, 3, 5, 10, 20, 40]))
    labels = int(random.choice([2, 4, 10, 30, 100]))
    right = random.integers(0, labels, items)
    difficulty = random.normal(size=items)
    accuracy = random.uniform(0.6, 0.93) + random.normal(0, random.choice([0.01, 0.03]), systems)
    odds = special.logit(np.clip(accuracy, 0.55, 0.98)) * 1.33 - 1.5 * difficulty[:, None]
    is_right = random.random((items, systems)) < special.expit(odds)
    error = float(np.exp(random.uniform(np.log(0.005), np.log(0.2))))
    world = World(random, right, labels, difficulty, right, right[:, None], error)
    world.tempting = world.other(right)
    anything = world.other(np.repeat(right[:, None], systems, axis=1))
    is_tempted = random.random((items, systems)) < 0.5
    mistakes = np.where(is_tempted, world.tempting[:, None], anything)
    world.answers = np.where(is_right, right[:, None], mistakes)
    return world


def by_chance(world: World) -> np.ndarray:
    """Labels are wrong by chance, and any other label is then given."""
    wrong = world.wrong(np.zeros(len(world.right)))
    return np.where(wrong, world.other(world.right), world.right)


def on_hard_items(world: World) -> np.ndarray:
    """Annotators err on the items on which systems err, in ways of their own."""
    return np.where(world.wrong(2 * world.difficulty), world.other(world.right), world.right)


def same_mistakes(world: World) -> np.ndarray:
    """Annotators err on the items on which systems err, and fall for the same wrong label."""
    return np.where(world.wrong(2 * world.difficulty), world.tempting, world.right)


def siblings(world: World) -> np.ndarray:
    """Labels come in pairs that annotators and systems confuse, some of them far more often than others."""
    sibling = np.where(world.right % 2, world.right - 1, world.right + 1) % world.labels
    confused = world.answers != world.right[:, None]
    confused &= world.random.random(confused.shape) < world.random.uniform(
        0.2, 1, confused.shape[1]
    )
    world.answers = np.where(confused, sibling[:, None], world.answers)
    lean = world.random.normal(0, 1.2, world.labels)
    wrong = world.wrong(lean[world.right] + 0.7 * world.difficulty)
    return np.where(wrong, sibling, world.right)


def near_copies(world: World) -> np.ndarray:
    """Two thirds of the systems give the answer of the first on nine of ten items."""
    given = same_mistakes(world)
    for system in range(1, max(2, 2 * world.answers.shape[1] // 3)):
        copied = world.random.random(len(world.right)) < 0.9
        world.answers[copied, system] = world.answers[copied, 0]
    return given


def learnt(world: World) -> np.ndarray:
    """A quarter of the systems learnt from these labels: they repeat 30 to 90 % of the wrong ones."""
    wrong = world.wrong(world.difficulty)
    systems = world.answers.shape[1]
    share = world.random.uniform(0.3, 0.9)
    for system in world.random.choice(systems, max(1, systems // 4), replace=False):
        repeats = wrong & (world.random.random(len(wrong)) < share)
        world.answers[repeats, system] = world.tempting[repeats]
    return np.where(wrong, world.tempting, world.right)


def prelabelled(world: World) -> np.ndarray:
    """The labels are the answers of one system, corrected by people who overlooked some of its errors."""
    system = int(world.random.integers(world.answers.shape[1]))
    mistaken = world.answers[:, system] != world.right
    overlooked = world.random.random(len(mistaken)) < world.error / max(mistaken.mean(), 1e-9)
    return np.where(mistaken & overlooked, world.answers[:, system], world.right)


WORLDS: dict[str, Callable[[World], np.ndarray]] = {
    "by chance": by_chance,
    "on hard items": on_hard_items,
    "same mistakes": same_mistakes,
    "siblings": siblings,
    "near-copies": near_copies,
    "learnt": learnt,
    "prelabelled": prelabelled,
}


def case_of(name: str, seed: int) -> Case:
    """Return a table of a world."""
    world = drawn(np.random.default_rng([seed, list(WORLDS).index(name)]))
    given = WORLDS[name](world)
    systems = tuple(f"s{place}" for place in range(world.answers.shape[1]))
    labels = tuple(map(str, range(world.labels)))
    subject = np.zeros(len(given), int)
    return Case(name, systems, labels, given, world.right, world.answers, subject)


def forecast(case: Case, seed: int, found: dict[str, Said]) -> None:
    """Add what each way says of a table."""
    _, _, happened = leads(case)
    chance = uniform(case)
    found["uniform"].add(chance, happened)
    said, number = informed(case, LEARNT, seed)
    # What errors by chance may reverse is not called safe, either.
    found["share known"].add(np.maximum(said, chance), happened, number)
    random = np.random.default_rng([seed, 1])
    for size in CHECKS:
        if size < len(case.given):
            checked = random.choice(len(case.given), size, replace=False)
            said, number = informed(case, LEARNT, seed, checked)
            found[f"{size:,} checks"].add(said, happened, number)


def tables_failed(what: Said) -> str:
    """Return in how many tables some order that was called safe is reversed."""
    failed = 0
    for said, happened in zip(what.said, what.happened, strict=True):
        failed += bool(happened[said < SAFE_BELOW].any())
    return f"in {failed} of {len(what.said)} tables"


def main() -> None:
    header(f"forecasts of reversed orders in worlds of another kind, {TABLES} tables each")
    for name in WORLDS:
        ways = ("uniform", "share known", *(f"{size:,} checks" for size in CHECKS))
        found = {way: Said() for way in ways}
        for seed in range(TABLES):
            case = case_of(name, seed)
            if case.share and len(leads(case)[0]):
                forecast(case, seed, found)
        reversed_orders = int(sum(happened.sum() for happened in found["uniform"].happened))
        orders = sum(len(happened) for happened in found["uniform"].happened)
        print(f"{name}: {reversed_orders:,} of {orders:,} orders reversed")
        for way, what in found.items():
            print(f"  {way:12}", f"{what.line()}; safe failed {tables_failed(what)}", flush=True)


if __name__ == "__main__":
    main()
