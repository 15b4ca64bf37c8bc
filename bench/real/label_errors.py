"""Do the forecasts of reversed orders hold on re-annotated benchmarks? Needs the shared data.

For each benchmark: errors by chance with the true share (uniform), and the model informed with the true share and
after 100, 300 and 1,000 labels drawn at random were looked up, with constants learnt from the other benchmarks.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header
from reannotated import DATA, SETS, Case, lessons, read, without

from karat.doubt.label_noise.informed.checked_items import fit_check
from karat.doubt.label_noise.informed.constants import Constants
from karat.doubt.label_noise.informed.draws import informed_scores
from karat.doubt.label_noise.informed.items import disputes_of
from karat.doubt.label_noise.informed.unknowns import Beliefs
from karat.doubt.label_noise.pair_order import kept_classes
from karat.verdict.stability.informed import shrunk

CHECKS = (100, 300, 1000)
RUNS = 10
DRAWS = 300
ENDS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
LEAST = 1e-3
"""A probability counts as at least so much in the log score, and at most 1 less it."""


@dataclass
class Said:
    """What was said of pairs, and what happened."""

    said: list[np.ndarray] = field(default_factory=list)
    happened: list[np.ndarray] = field(default_factory=list)
    number: list[np.ndarray] = field(default_factory=list)
    """The number of reversed pairs in each draw; empty where there is none."""

    def add(self, said: np.ndarray, happened: np.ndarray, number: np.ndarray | None = None) -> None:
        """Add what was said of one table."""
        self.said.append(said)
        self.happened.append(happened.astype(float))
        self.number.append(np.empty(0) if number is None else number)

    def line(self) -> str:
        """Return how good the forecasts were."""
        said = np.concatenate(self.said)
        happened = np.concatenate(self.happened)
        runs = len(self.said)
        safe = said < ENDS[0]
        capped = np.clip(said, LEAST, 1 - LEAST)
        log = -(happened * np.log(capped) + (1 - happened) * np.log(1 - capped)).mean()
        text = f"expected {said.sum() / runs:7.2f}, Brier {((said - happened) ** 2).mean():.4f}, log {log:.3f}, "
        text += (
            f"slope {slope(said, happened)}, safe {int(happened[safe].sum())} of {int(safe.sum())}"
        )
        inside = self.inside()
        return text if inside is None else f"{text}, {inside}"

    def inside(self) -> str | None:
        """How often the interval of the number of reversed pairs held it."""
        held = 0
        ends = []
        for number, happened in zip(self.number, self.happened, strict=True):
            if not len(number):
                return None
            low, high = np.quantile(number, [0.05, 0.95], method="nearest")
            ends.append((low, high))
            held += bool(low <= happened.sum() <= high)
        low, high = np.mean(ends, axis=0)
        return f"90 % interval {low:.0f} to {high:.0f} held in {held} of {len(ends)}"

    def reliability(self) -> str:
        """Return what happened, by what was said."""
        said = np.concatenate(self.said)
        happened = np.concatenate(self.happened)
        bins = np.digitize(said, ENDS)
        cells = []
        for place in range(len(ENDS) + 1):
            own = bins == place
            if own.any():
                cells.append(f"{said[own].mean():.3f}: {happened[own].mean():.3f} ({own.sum()})")
        return ", ".join(cells)


def slope(said: np.ndarray, happened: np.ndarray) -> str:
    if said.var() == 0 or not happened.any():
        return "none"
    return f"{np.cov(said, happened)[0, 1] / said.var(ddof=1):.2f}"


def leads(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Better and worse system of each pair with an order, and whether it is reversed by the right labels."""
    given = (case.answers == case.given[:, None]).sum(axis=0)
    right = (case.answers == case.right[:, None]).sum(axis=0)
    one, other = np.nonzero(given[:, None] > given[None, :])
    return one, other, right[one] < right[other]


def uniform(case: Case, share: float | None = None) -> np.ndarray:
    """P(reversed) of each pair by chance, at the true share of the table unless given."""
    share = case.share if share is None else share
    classes = max(2, len(case.labels))
    right = case.answers == case.given[:, None]
    said = []
    for one, other in zip(*leads(case)[:2], strict=True):
        differ = case.answers[:, one] != case.answers[:, other]
        neither = differ & ~right[:, one] & ~right[:, other]
        order = kept_classes(
            int((right[:, other] & differ).sum()),
            int((right[:, one] & differ).sum()),
            share,
            classes=classes,
            neither_differ=int(neither.sum()) if classes > 2 else 0,
        )
        said.append(order.reversed)
    return np.array(said)


def informed(
    case: Case, constants: Constants, seed: int, checked: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """P(reversed) of each pair, and the number of reversed pairs in each draw."""
    disputes = disputes_of(case.items(checked))
    check = fit_check(disputes, constants)
    share = case.share
    stated = None if checked is not None else lambda _random, size: np.full(size, share)
    drawn = informed_scores(Beliefs(disputes, constants, stated, check), draws=DRAWS, seed=seed)
    one, other, _ = leads(case)
    reversed_now = drawn[:, one] < drawn[:, other]
    said = np.array([shrunk(float(chance), check) for chance in reversed_now.mean(axis=0)])
    return said, reversed_now.sum(axis=1)


def judged(
    case: Case, constants: Constants, pooled: dict[str, Said], checks: tuple[int, ...]
) -> None:
    _, _, happened = leads(case)
    print(
        f"{case.name}: {len(case.given):,} items, {len(case.systems)} systems, {100 * case.share:.2f} % wrong; "
        f"{int(happened.sum())} of {len(happened)} orders reversed"
    )
    own = {"uniform": Said(), "share": Said()}
    own["uniform"].add(uniform(case), happened)
    said, number = informed(case, constants, 0)
    own["share"].add(said, happened, number)
    for size in checks:
        name = f"{size:,} checks"
        own[name] = Said()
        for run in range(RUNS):
            random = np.random.default_rng(1000 * size + run)
            checked = random.choice(len(case.given), size, replace=False)
            said, number = informed(case, constants, run, checked)
            own[name].add(said, happened, number)
    for name, what in own.items():
        print(f"  {name:12}", what.line(), flush=True)
        every = pooled.setdefault(name, Said())
        every.said += what.said
        every.happened += what.happened
        every.number += what.number


def subjects(case: Case, constants: Constants) -> None:
    """Each subject of mmlu as a ranking of its own: with its true share, and after checks anywhere in the table."""
    names = np.unique(case.subject)
    parts = [case.part(np.flatnonzero(case.subject == name), f"mmlu {name}") for name in names]
    own = {"uniform": Said(), "one share": Said(), "share": Said()}
    for part in parts:
        _, _, happened = leads(part)
        own["uniform"].add(uniform(part), happened)
        # No check of some hundred items knows each subject's share; errors by chance at that of all of them do not.
        own["one share"].add(uniform(part, case.share), happened)
        said, number = informed(part, constants, 0)
        own["share"].add(said, happened, number)
    for size in CHECKS:
        own[f"{size:,} checks"] = Said()
        for run in range(RUNS):
            random = np.random.default_rng(1000 * size + run)
            checked = random.choice(len(case.given), size, replace=False)
            by_subject(case, parts, constants, run, checked, own[f"{size:,} checks"])
    number = int(sum(happened.sum() for happened in own["share"].happened))
    print(
        f"mmlu by subject, 57 rankings: {number} orders reversed; a line is of one subject on average"
    )
    for name, what in own.items():
        print(f"  {name:12}", what.line(), flush=True)
        print(f"  {'':12}", what.reliability(), flush=True)


def by_subject(
    case: Case,
    parts: list[Case],
    constants: Constants,
    seed: int,
    checked: np.ndarray,
    found: Said,
) -> None:
    """Say which orders of each subject are reversed, by checked labels of all subjects."""
    disputes = disputes_of(case.items_by_subject(checked))
    check = fit_check(disputes, constants)
    for place, part in enumerate(parts):
        rows = np.flatnonzero(disputes.items.group == place)
        beliefs = Beliefs(disputes.part(rows), constants, None, check)
        drawn = informed_scores(beliefs, draws=DRAWS, seed=seed)
        one, other, happened = leads(part)
        reversed_now = drawn[:, one] < drawn[:, other]
        said = np.array([shrunk(float(chance), check) for chance in reversed_now.mean(axis=0)])
        found.add(said, happened, reversed_now.sum(axis=1))


def main() -> None:
    header("forecasts of reversed orders")
    if not DATA.is_dir():
        print("the shared data is not here")
        return
    found = dict(lessons())
    pooled: dict[str, Said] = {}
    for name in sys.argv[1:] or SETS:
        case = read(name)
        of_sets = name == "imagenet ReaL"
        judged(case, without(case.benchmark, found), {} if of_sets else pooled, CHECKS)
        if name == "mmlu":
            subjects(case, without("mmlu", found))
    print("all but imagenet ReaL; said: happened (pairs)")
    for name, what in pooled.items():
        said, happened = np.concatenate(what.said), np.concatenate(what.happened)
        print(f"  {name:12} slope {slope(said, happened)};", what.reliability())


if __name__ == "__main__":
    main()
