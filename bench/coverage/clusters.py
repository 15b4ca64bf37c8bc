"""Does a 95 % interval hold 95 % of the time where items hang together and there are few clusters of them?"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.resampling.bootstrap import Units, bootstrap, units
from karat.doubt.resampling.jackknife import deleted, gap_of_clusters, jackknife
from karat.measure.quantity import Quantity
from karat.tally.votes.confusion import Confusion

RUNS = 1000
ACCURACY = Quantity("accuracy")
WORLDS = (
    (0.5, 0.2, False),
    (0.8, 0.05, False),
    (0.8, 0.3, True),
    (0.95, 0.1, False),
    (0.98, 0.1, True),
)


def drawn(
    clusters: int, accuracy: float, alike: float, *, skewed: bool, random: np.random.Generator
) -> Confusion:
    """Return items of some ten a cluster, which are right together: beta-binomial, `alike` their correlation."""
    own = accuracy * (1 - alike) / alike, (1 - accuracy) * (1 - alike) / alike
    size = (
        random.lognormal(np.log(10), 0.8, clusters).round()
        if skewed
        else random.poisson(10, clusters)
    )
    number = np.maximum(size, 1).astype(np.int64)
    right = random.binomial(number, random.beta(*own, clusters))
    truth, answer = np.zeros(2 * clusters, np.int64), np.repeat([0, 1], clusters)
    keys = {"c": np.tile(np.arange(clusters), 2)}
    found = np.concatenate([right, number - right])
    there = found > 0
    return Confusion(
        ("x", "y"), truth[there], answer[there], found[there], keys={"c": keys["c"][there]}
    )


def percentile(parts: Units, seed: int) -> tuple[float, float]:
    """Return the quantiles of a bootstrap over clusters, for comparison."""
    number = len(parts.number)
    resampled = parts.resampled(draws=400, seed=seed)
    found = bootstrap(ACCURACY, resampled, what="clusters", number=number, draws=400, seed=seed)
    return float(found.low), float(found.high)


def shares(random: np.random.Generator) -> None:
    """Print the coverage and the mean width of both intervals of a share."""
    print(
        f"  {'clusters':>8} {'accuracy':>8} {'alike':>6} {'sizes':>6}    jackknife (width)  bootstrap quantiles (width)"
    )
    for clusters in (2, 3, 5, 8, 12, 20, 50):
        for accuracy, alike, skewed in WORLDS:
            held, width = np.zeros(2), np.zeros(2)
            for run in range(RUNS):
                table = drawn(clusters, accuracy, alike, skewed=skewed, random=random)
                parts = units(table)
                own = jackknife(ACCURACY, deleted(parts), items=int(table.number.sum()))
                ends = np.array([(float(own.low), float(own.high)), percentile(parts, run)])
                held += (ends[:, 0] <= accuracy) & (accuracy <= ends[:, 1])
                width += ends[:, 1] - ends[:, 0]
            shown = "".join(
                f"{share:14.3f} ({wide:.3f})"
                for share, wide in zip(held / RUNS, width / RUNS, strict=True)
            )
            print(
                f"  {clusters:8} {accuracy:8} {alike:6} {'skewed' if skewed else 'alike':>6}{shown}"
            )


def gaps(random: np.random.Generator) -> None:
    """Print how often two equally good systems are called different, and how often the interval holds 0."""
    print(
        f"  {'clusters':>8} {'accuracy':>8} {'alike':>6} {'sizes':>6}    p < 0.05   interval holds 0"
    )
    none = np.zeros(1)
    for clusters in (2, 3, 5, 8, 12, 20, 50):
        for accuracy, alike, skewed in WORLDS:
            found, held = 0, 0
            for _ in range(RUNS):
                pair = [
                    drawn(clusters, accuracy, alike, skewed=skewed, random=random) for _ in range(2)
                ]
                sums = [deleted(units(one)) for one in pair]
                whole = np.array(
                    [[float(one.whole.hits.sum() / one.whole.total[0]) for one in sums]]
                )
                without = np.stack(
                    [one.without.hits.sum(axis=1) / one.without.total for one in sums], axis=-1
                )[:, None]
                gap = gap_of_clusters(whole, without, least=none)
                p_value = max(float(gap.p_value[0]), 2.0 ** (1 - clusters))
                found, held = found + (p_value < 0.05), held + bool(gap.low[0] <= 0 <= gap.high[0])
            print(
                f"  {clusters:8} {accuracy:8} {alike:6} {'skewed' if skewed else 'alike':>6}"
                f"{found / RUNS:12.3f}{held / RUNS:19.3f}"
            )


def main() -> None:
    header(
        f"coverage of intervals over clusters at level 0.95, {RUNS:,} simulated tables each (+- 0.014)"
    )
    random = np.random.default_rng(0)
    shares(random)
    print("two systems that are equally good, on clusters of their own")
    gaps(random)


if __name__ == "__main__":
    main()
