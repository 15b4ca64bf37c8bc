"""Does a 95 % interval for the difference of two areas hold 95 % of the time, if it is from a sample of the items?

Sample and items are a thirtieth of what they are in use, so that many tables can be drawn. Beside the interval by the
sample stands that by all items, which says what the sample costs and what the approximation itself.
`sampled_areas.py 60 copies` is of 60 tables each, of the detectors whose names begin so.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

import karat
from karat.doubt.prevalence.sampled_areas import sampled_areas
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.tally.scores import sampled_scores as samples
from karat.tally.scores.curve import curves
from karat.tally.scores.packed_curve import curve_of

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
NAMES = sys.argv[2] if len(sys.argv) > 2 else ""
ITEMS, DRAWN, TAKEN = 33_000, 6_600, 3_300
LEVEL, WHOLE = 0.95, 3_000_000
PREVALENCES = np.array([0.5, 0.1, 0.01])
Detectors = Callable[[np.ndarray, np.random.Generator], tuple[np.ndarray, np.ndarray]]


def strong(truth: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    shared = 2.2 * truth + 0.9 * random.normal(size=len(truth))
    own = 0.44 * random.normal(size=(2, len(truth)))
    return shared + own[0], shared + own[1]


def weak(truth: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    own = random.normal(size=(2, len(truth)))
    return 0.2 * truth + own[0], 0.3 * truth + 0.5 * own[0] + 0.9 * own[1]


def heavy_tails(truth: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    own = random.standard_cauchy(size=(2, len(truth)))
    return 2 * truth + own[0], 2 * truth + 0.5 * own[0] + 0.5 * own[1]


def ties(truth: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    shared = 1.5 * truth + random.normal(size=len(truth))
    return np.round(shared), np.round(2 * shared + random.normal(size=len(truth)))


def copies_but_for(share: float) -> Detectors:
    """Return detectors that have the same score but for this share of the items."""

    def copies(truth: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        first = 1.5 * truth + random.normal(size=len(truth))
        other = random.normal(size=len(truth))
        return first, np.where(random.random(len(truth)) < share, other, first)

    return copies


DETECTORS: dict[str, Detectors] = {
    "strong": strong,
    "weak": weak,
    "heavy_tails": heavy_tails,
    "ties": ties,
    "copies but 1 %": copies_but_for(0.01),
    "copies but 3 %": copies_but_for(0.03),
    "copies but 10 %": copies_but_for(0.1),
}


def of_table(
    truth: np.ndarray, scores: tuple[np.ndarray, np.ndarray], seed: int, pi: np.ndarray
) -> np.ndarray:
    """Return both ends of the difference by a sample, and by all items: 2 x prevalences x 2."""
    names = np.random.default_rng(seed).integers(0, 2**40, len(truth))
    columns = {"item": names, "truth": truth.astype(int), "a": scores[0], "b": scores[1]}
    counter = karat.read(columns, duplicate_check=False).counter
    counted = counter.count(curves)
    ends = []
    for drawn in (DRAWN, ITEMS):
        samples.DRAWN, samples.TAKEN = drawn, TAKEN
        sampled = counter.count(samples.sampled_scores, ["a", "b"], curves=counted)
        found = sampled_areas(sampled, counted, pi, seed=seed)
        for place, weight in enumerate(np.eye(len(pi))):
            difference = float(found.whole[0, place] - found.whole[1, place])
            reach = found.difference(0, 1, weight).reach(LEVEL)
            ends.append((difference - reach, difference + reach))
    return np.array(ends).reshape(2, len(pi), 2)


def true_differences(
    detectors: Detectors, rate: float, random: np.random.Generator, pi: np.ndarray
) -> np.ndarray:
    truth = random.random(WHOLE) < rate
    first, second = (roc(curve_of(truth, each)) for each in detectors(truth, random))
    return np.asarray(pr_area(first, pi=pi) - pr_area(second, pi=pi))


def main() -> None:
    header(
        f"coverage of differences of areas by a sample at level {LEVEL}, {RUNS:,} tables of {ITEMS:,} items each"
    )
    print("  detectors       positive   at      by a sample   by all items   width of the former")
    for name, detectors in DETECTORS.items():
        if not name.startswith(NAMES):
            continue
        for rate in (0.1, 0.003):
            random = np.random.default_rng(5)
            true = true_differences(detectors, rate, random, PREVALENCES)
            found = []
            for run in range(RUNS):
                truth = random.random(ITEMS) < rate
                found.append(of_table(truth, detectors(truth, random), run, PREVALENCES))
            low, high = np.moveaxis(np.array(found), -1, 0)
            held = ((low <= true) & (true <= high)).mean(axis=0)
            widths = (high - low).mean(axis=0)
            for place, pi in enumerate(PREVALENCES):
                print(
                    f"  {name:15} {rate:8}   {pi:<5}   {held[0, place]:10.3f}   {held[1, place]:12.3f}"
                    f"   {widths[0, place] / widths[1, place]:10.2f} of the latter",
                    flush=True,
                )


if __name__ == "__main__":
    main()
