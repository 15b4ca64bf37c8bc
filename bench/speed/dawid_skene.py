"""Dawid and Skene's estimate of 1e6 answers beside crowd-kit's, after the same rounds: same numbers, CPU seconds."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

from karat.measure.consensus.dawid_skene import DawidSkene, dawid_skene, dawid_skene_long

ITEMS, ANNOTATORS, CLASSES, ACCURACY, ROUNDS = 100_000, 10, 4, 0.7, 10
PEER = "crowd-kit"


def drawn(seed: int = 0) -> np.ndarray:
    """Draw answers that are right seven times in ten, and any other class where they are not."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, CLASSES, ITEMS)[:, None]
    wrong = (truth + rng.integers(1, CLASSES, (ITEMS, ANNOTATORS))) % CLASSES
    return np.where(rng.random((ITEMS, ANNOTATORS)) < ACCURACY, truth, wrong)


def peer(answers: np.ndarray) -> Any:
    """Return crowd-kit's fit after the same rounds, its data frame made beforehand."""
    import pandas as pd
    from crowdkit.aggregation import DawidSkene as Theirs

    row, system = np.divmod(np.arange(answers.size), ANNOTATORS)
    frame = pd.DataFrame({"task": row, "worker": system, "label": answers.ravel()})
    return lambda: Theirs(n_iter=ROUNDS, tol=-1e9).fit(frame)


def difference(ours: DawidSkene, theirs: Any) -> float:
    """Return the largest difference of any class's share, error rate or chance of an item."""
    labels = list(range(CLASSES))  # crowd-kit keeps them in the order of their first answers
    errors = (
        theirs.errors_.sort_index()[labels]
        .to_numpy()
        .reshape(ANNOTATORS, CLASSES, CLASSES)
        .swapaxes(1, 2)
    )
    chances = theirs.probas_.sort_index()[labels].to_numpy()
    pairs = (
        (ours.prior, theirs.priors_[labels].to_numpy()),
        (ours.errors, errors),
        (ours.chances, chances),
    )
    return max(float(np.abs(one - other).max()) for one, other in pairs)


def main() -> None:
    there = find_spec("crowdkit") is not None
    what = f"{ITEMS:.0e} items x {ANNOTATORS} annotators of accuracy {ACCURACY} x {CLASSES} classes, {ROUNDS} rounds"
    header(f"Dawid-Skene, {what}: 20x faster than {PEER}", *([PEER, "pandas"] if there else []))
    answers, fixed = drawn(), {"rounds": ROUNDS, "tolerance": -np.inf}
    row, system = np.divmod(np.arange(answers.size), ANNOTATORS)
    number, shape = np.ones(ITEMS), (ANNOTATORS, CLASSES)
    ways = {
        "dawid_skene, a row an item": lambda: dawid_skene(answers, **fixed),  # type: ignore[arg-type]
        "dawid_skene_long, a row an answer": lambda: dawid_skene_long(
            row,
            system,
            answers.ravel(),
            number,
            shape=shape,
            **fixed,  # type: ignore[arg-type]
        ),
    }
    times = {what: clock(way) for what, way in ways.items()}
    if not there:
        for what, seconds in times.items():
            line(what, seconds)
        print(f"  {PEER} is not installed; not compared")
        return
    found: list[Any] = []
    fit = peer(answers)
    theirs = clock(lambda: found.append(fit()), times=2)
    line(PEER, theirs)
    for what, seconds in times.items():
        apart = difference(ways[what](), found[-1])
        note = f"{theirs[1] / seconds[1]:.1f}x less CPU; largest difference {apart:.1e}"
        line(what, seconds, note)


main()
