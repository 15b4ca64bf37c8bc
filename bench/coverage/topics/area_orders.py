"""How often the system that is ahead in so many resamples at a prevalence truly is the better one there."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.prevalence.joint_areas import joint_areas

from .row import Row

DRAWS = 200
POSITIVES, NEGATIVES = 50, 200


def rows(runs: int) -> Iterator[Row]:
    """Yield the share of right leaders, by how often they were ahead."""
    random = np.random.default_rng(19)
    for spread in (0.1, 0.4):
        yield from _ahead(spread, runs // 2, random)


def _ahead(spread: float, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Two detectors whose distances differ by chance; with scores correlated by one half the nearer is the worse."""
    truth = np.repeat([True, False], [POSITIVES, NEGATIVES])
    said = np.zeros(runs)
    truly = np.zeros(runs, bool)
    for run in range(runs):
        distance = 1.5 + spread * random.standard_normal(2)
        shared = random.normal(size=len(truth))
        own = random.normal(size=(2, len(truth)))
        scores = np.sqrt(0.5) * (shared + own) + distance[:, None] * truth
        found = joint_areas(truth, {"a": scores[0], "b": scores[1]}, [0.05], draws=DRAWS, seed=run)
        gap = found.drawn[:, 0, 0] - found.drawn[:, 1, 0]
        first = float(((gap > 0) + 0.5 * (gap == 0)).mean())
        said[run] = max(first, 1 - first)
        truly[run] = (distance[0] > distance[1]) == (first > 0.5)
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        here = (said >= low) & (said < high)
        if here.sum() > 10:
            yield Row(
                number="ahead in (share of resamples, skew), as a probability of being better",
                setting=(
                    f"2 detectors, d' 1.5 ± {spread:g}, {POSITIVES}/{NEGATIVES} at 0.05, "
                    f"{low:g} to {min(high, 1):g} of resamples"
                ),
                said=float(said[here].mean()),
                measured=float(truly[here].mean()),
                runs=int(here.sum()),
            )
