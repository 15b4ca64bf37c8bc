"""Error rates over clusters (speakers, books), their mean over groups, and shares of words without their order."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.bounds.ratio_of_sums import ratio_of_sums, variance_of_ratio
from karat.doubt.group_mean import GroupValues, mean_of_these_groups
from karat.measure.ratios import Ratios
from karat.numeric.arrays import FloatArray

from .row import Row, covered

WORDS = 8
"""In an utterance, on average."""
LARGE = 300_000
"""Speakers from which the true value is taken."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them with few and many clusters, of even and of skewed sizes."""
    random = np.random.default_rng(1)
    for sizes in ("even", "skewed"):
        truth = float(_speakers(random, LARGE, sizes).values[0])
        for speakers in (6, 12, 30, 120):
            drawn = [_speakers(random, speakers, sizes) for _ in range(runs)]
            found = [ratio_of_sums(one, high=np.inf) for one in drawn]
            setting = f"{speakers} speakers, {sizes} numbers of utterances around 10"
            yield covered("rate over clusters", setting, truth, found, runs=runs)
    yield from _means_over_groups(runs, random)
    yield from _bags(runs, random)


def _speakers(random: np.random.Generator, number: int, sizes: str) -> Ratios:
    """Return the errors and words of each speaker, some of whom are far harder to understand than others."""
    utterances = np.full(number, 10.0)
    if sizes == "skewed":
        utterances = np.maximum(1, random.lognormal(np.log(10), 1.0, number).round())
    words = utterances + random.poisson((WORDS - 1) * utterances)
    errors = random.poisson(words * random.beta(1.5, 10, number))
    return _ratios(errors, words)


def _ratios(above: FloatArray, below: FloatArray) -> Ratios:
    return Ratios(above.astype(float)[:, None], below.astype(float)[:, None])


def _means_over_groups(runs: int, random: np.random.Generator) -> Iterator[Row]:
    rates = np.array([0.02, 0.05, 0.08, 0.15, 0.3])
    for texts in (10, 30, 100):
        found = []
        for _ in range(runs):
            groups = [_values(_texts_of_rate(random, texts, rate)) for rate in rates]
            stacked = GroupValues.stacked(groups)
            found.append(mean_of_these_groups(stacked, low=0.0, high=np.inf))
        setting = f"5 groups of {texts} texts, rates from 0.02 to 0.3"
        yield covered("mean rate over these groups", setting, float(rates.mean()), found, runs=runs)


def _texts_of_rate(random: np.random.Generator, number: int, rate: float) -> Ratios:
    words = 1.0 + random.poisson(WORDS - 1, number)
    return _ratios(random.poisson(words * rate * random.gamma(1.0, 1.0, number)), words)


def _values(own: Ratios) -> GroupValues:
    return GroupValues(own.values, np.array([variance_of_ratio(own)]), own.number.astype(float))


def _bags(runs: int, random: np.random.Generator) -> Iterator[Row]:
    for name, (a, b) in {"well read": (30, 1.5), "of all qualities": (2, 1)}.items():
        truth = float(_bag(random, LARGE, a, b).values[0])
        for pages in (10, 30, 100):
            found = [ratio_of_sums(_bag(random, pages, a, b)) for _ in range(runs)]
            yield covered("bag-f1", f"{pages} pages, {name}", truth, found, runs=runs)


def _bag(random: np.random.Generator, pages: int, a: float, b: float) -> Ratios:
    words = np.maximum(1, random.lognormal(np.log(200), 0.6, pages).round()).astype(int)
    hits = random.binomial(words, random.beta(a, b, pages))
    read = hits + random.poisson(0.03 * words)
    return _ratios(2 * hits, words + read)
