"""Exact tests of 1e5 pairs of shares at once, against a loop of SciPy's fisher_exact."""

import sys
from pathlib import Path

import numpy as np
from scipy.stats import fisher_exact

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import two_samples
from karat.planning.items import smallest_increase

PAIRS, LOOPED = 100_000, 2_000

header(f"exact tests of {PAIRS:.0e} pairs of shares, 20 to 200 trials each", "scipy")
random = np.random.default_rng(0)
n1, n2 = random.integers(20, 201, (2, PAIRS))
common = random.random(PAIRS)
kinds = {
    "equal shares": (random.binomial(n1, common), random.binomial(n2, common)),
    "any shares": (random.integers(0, n1, endpoint=True), random.integers(0, n2, endpoint=True)),
}
for kind, (x1, x2) in kinds.items():
    ours = clock(lambda x1=x1, x2=x2: two_samples(x1, n1, x2, n2), times=5)
    peer: list[float] = []
    cells = np.stack([x1, n1 - x1, x2, n2 - x2], axis=1).reshape(-1, 2, 2)[:LOOPED]
    looped = clock(
        lambda cells=cells, peer=peer: peer.extend(fisher_exact(table).pvalue for table in cells),
        times=1,
    )
    whole = (looped[0] * PAIRS / LOOPED, looped[1] * PAIRS / LOOPED)
    apart = np.max(np.abs(two_samples(x1, n1, x2, n2).fisher[:LOOPED] / peer - 1))
    print(f" {kind}")
    line(f"loop of fisher_exact (of {LOOPED:,}, scaled up)", whole)
    line(
        "karat.doubt.tests.two_samples (tails, doubled and Fisher's p)",
        ours,
        f"{whole[0] / ours[0]:.0f}x faster",
    )
    print(f"  at most {apart:.0e} apart, relative")

print(" beside it")
x1, x2 = kinds["equal shares"]
line(
    "karat.planning.items.smallest_increase", clock(lambda: smallest_increase(x1, n1, n2), times=1)
)
line("karat.doubt.tests.mcnemar", clock(lambda: mcnemar(x1, x2)))
line("karat.doubt.tests.tango", clock(lambda: tango(x1, x2, n1 + n2), times=1))
for n in (1_000, 1_000_000):
    one = clock(lambda n=n: two_samples(n // 2, n, n // 2 + n // 100, n), times=20)
    line(f"one table of {n:,} trials twice", one)
