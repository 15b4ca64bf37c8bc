"""pass@k: how likely one of k samples of an item is right."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.ratios import Ratios
from karat.numeric.arrays import FloatArray
from karat.tally.votes.samples import SampleCounts


@measure(
    "samples",
    name="pass-at",
    parameter=Parameter(name="k", form="pass@{}", default=1, whole=True),
    aliases=("pass",),
)
def pass_at(samples: SampleCounts, *, k: int = 1) -> Ratios:
    """How likely is at least one of k samples of an item right, averaged over items?

    1 - C(n-c, k) / C(n, k), c of n samples being right: unbiased for each item. Items with fewer than k samples are
    left out.
    Reference: Chen et al., Evaluating large language models trained on code, 2021. arXiv:2107.03374
    """
    counts = samples.taken >= k
    chance = np.where(counts, 1 - _all_wrong(samples, k), 0.0)
    return Ratios(np.asarray(chance), counts.astype(float))


def _all_wrong(samples: SampleCounts, k: int) -> FloatArray:
    """Return the chance that k samples of an item, drawn without putting them back, are all wrong."""
    wrong = samples.taken - samples.right
    chance = np.ones(wrong.shape)
    for drawn in range(k):
        left = np.maximum(samples.taken - drawn, 1)
        chance *= np.maximum(wrong - drawn, 0) / left
    return chance
