"""Are systems that copy found, and nobody else? Simulated: copies, spammers, items of varying difficulty.

Named: a family within the true one. Wrong: any family with somebody else in it. Either or: both sides are named. With
tau: of the default estimator with the true skills, before and after families that were found have one vote.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.consensus.correlated_systems import correlated_systems
from karat.measure.consensus.combined import combined
from karat.measure.consensus.voters import Voters
from karat.measure.rank_agreement import kendall

RUNS = 60


@dataclass(frozen=True)
class Setting:
    """How answers are made."""

    systems: int = 5
    items: int = 600
    copied: float = 0.0
    family: int = 2
    spammers: int = 0
    difficulty: float = 0.0
    classes: int = 2
    checked: int = 0
    """Items with a truth."""
    answered: float = 1.0
    """Which share of the items each system answers, by chance."""
    traps: float = 0.0
    """Which share of the items misleads four of five systems to the same wrong label."""
    leaning: bool = False
    """Whether systems say the first label when they do not know, each more or less often."""


def drawn(rng: np.random.Generator, how: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Return answers and the truth; on each item one wrong label attracts half of the errors."""
    truth = rng.integers(0, how.classes, how.items)
    skill = rng.uniform(0.65, 0.9, how.systems)
    scale = np.sqrt(1 + 0.35 * how.difficulty**2)
    odds = np.log(skill / (1 - skill)) * scale + rng.normal(0, how.difficulty, (how.items, 1))
    shape = how.items, how.systems
    right = rng.random(shape) < 1 / (1 + np.exp(-odds))
    attracts = (truth + rng.integers(1, how.classes, how.items)) % how.classes
    wrong = (truth[:, None] + rng.integers(1, how.classes, shape)) % how.classes
    wrong = np.where(rng.random(shape) < 0.5, attracts[:, None], wrong)
    if how.leaning:
        wrong = np.where(rng.random(shape) < rng.uniform(0, 1, how.systems), 0, wrong)
    if how.traps:
        is_trap = (rng.random(how.items) < how.traps)[:, None]
        right = np.where(is_trap, rng.random(shape) < 0.2, right)
        wrong = np.where(is_trap, attracts[:, None], wrong)
    answers = np.where(right, truth[:, None], wrong)
    for copy in range(1, how.family):
        taken = rng.random(how.items) < how.copied
        answers[taken, copy] = answers[taken, 0]
    for system in range(how.systems - how.spammers, how.systems):
        answers[:, system] = rng.integers(0, how.classes, how.items)
    if how.answered < 1:
        answers[rng.random(shape) >= how.answered] = -1
    return answers, truth


def measured(how: Setting) -> str:
    """Return how often families are named, wrong or undecided, and what one vote a family does."""
    rng = np.random.default_rng(how.systems * how.items + how.checked)
    true_family = set(range(how.family)) if how.copied else set()
    named = wrong = either = 0
    before, after = [], []
    for _ in range(RUNS):
        answers, truth = drawn(rng, how)
        known = np.where(np.arange(how.items) < how.checked, truth, -1)
        found = correlated_systems(answers, classes=how.classes, truth=known)
        groups = [set(np.flatnonzero(found.families == code)) for code in np.unique(found.families)]
        families = [group for group in groups if len(group) > 1]
        wrong += any(not family <= true_family for family in families)
        named += any(family <= true_family for family in families)
        either += any(one.otherwise for one in found.evidence)
        if families:
            right = (answers == truth[:, None]).sum(axis=0)
            accuracy = right / (answers >= 0).sum(axis=0)
            number = np.ones(how.items)
            plain = combined(Voters(answers, how.classes), number).values
            grouped = combined(Voters(answers, how.classes, found.families), number).values
            before.append(kendall(plain, accuracy))
            after.append(kendall(grouped, accuracy))
    text = f"named {named / RUNS:.2f}  wrong {wrong / RUNS:.2f}  either or {either / RUNS:.2f}"
    if before:
        text += f"  tau {np.mean(before):.2f}, one vote {np.mean(after):.2f}"
    return text


def shown(title: str, settings: list[Setting]) -> None:
    print(f"\n{title}")
    for how in settings:
        whole = replace(how, checked=how.items)
        kind = f"{how.systems} systems, {how.items:,} items, {how.classes} labels, difficulty {how.difficulty:g}"
        if how.copied:
            kind += f", {how.family} copy {how.copied:g}"
        if how.spammers:
            kind += f", {how.spammers} spammer"
        if how.traps:
            kind += f", {100 * how.traps:g} % of the items are traps"
        if how.leaning:
            kind += ", who lean towards a label"
        if how.answered < 1:
            kind += f", {100 * how.answered:g} % answered"
        print(f"  {kind}")
        for name, one in (
            ("no truth", how),
            ("50 labels", replace(how, checked=50)),
            ("truth", whole),
        ):
            print(f"    {name:<10} {measured(one)}", flush=True)


def main() -> None:
    header("families: false alarms at most 0.05")
    nobody = []
    for systems in (5, 8, 20, 40):
        for items in (200, 600, 2000):
            nobody += [Setting(systems, items, difficulty=hard) for hard in (0.0, 1.5)]
    nobody += [Setting(20, 600, difficulty=1.5, classes=4), Setting(5, 600, spammers=2)]
    shown("Nobody copies", nobody)
    sparse = [Setting(20, 500, answered=0.2), Setting(40, 2000, answered=0.1)]
    sparse += [replace(how, difficulty=1.5) for how in sparse]
    shown("Nobody copies, and few items are answered by both of two systems", sparse)
    misled = [Setting(8, 1000, classes=5), Setting(20, 500, classes=3)]
    common = [replace(how, traps=0.1) for how in misled]
    common += [replace(how, leaning=True) for how in misled]
    shown("Nobody copies, but what misleads one misleads others", common)
    copies = [Setting(copied=share) for share in (0.3, 0.5, 0.75, 1.0)]
    copies += [Setting(copied=0.75, difficulty=1.0), Setting(copied=0.75, spammers=1)]
    copies += [
        Setting(8, copied=0.75, family=5),
        Setting(8, copied=0.3),
        Setting(8, 200, copied=0.5),
    ]
    copies += [
        Setting(20, copied=0.5, family=3, difficulty=1.5),
        Setting(40, 1000, copied=0.5, family=5),
        Setting(20, 1000, copied=0.75, family=3, answered=0.3),
    ]
    shown("Some copy", copies)


main()
