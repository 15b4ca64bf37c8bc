"""Error rates of texts, entities of documents and pass@k: ratios of sums over units, and their paired differences."""

from collections.abc import Callable, Iterator

import numpy as np

from karat.doubt.bounds.ratio_of_sums import difference_of_ratios, ratio_of_sums
from karat.doubt.tests.over_units import swapped_ratios
from karat.measure.of_samples.pass_at import pass_at
from karat.measure.ratios import Ratios
from karat.numeric.arrays import FloatArray
from karat.tally.votes.samples import SampleCounts

from .row import Row, covered, rejected

Counts = tuple[FloatArray, FloatArray]
"""What each unit has above and below the line."""
Draw = Callable[[np.random.Generator, int], Counts]
LARGE = 2_000_000
"""Units from which the true value is taken."""
TESTS = 400


def rows(runs: int) -> Iterator[Row]:
    """Measure them, from even texts to those where a few are read badly."""
    random = np.random.default_rng(1)
    for name, (draw, high) in SETTINGS.items():
        for averaged in (False, True):
            whole = _ratios(*draw(random, LARGE), averaged=averaged)
            truth = float(whole.values[0])
            number = "macro rate of texts" if averaged else "rate of texts"
            if high == 1:
                number = "macro F1 of entities" if averaged else "F1 of entities"
            for units in (10, 20, 50, 200):
                found = []
                for _ in range(runs):
                    ratios = _ratios(*draw(random, units), averaged=averaged)
                    found.append(ratio_of_sums(ratios, high=high))
                yield covered(number, f"{units} units, {name}", truth, found, runs=runs)
    yield from _samples(runs, random)
    yield from _differences(runs, random)


def _ratios(above: FloatArray, below: FloatArray, *, averaged: bool) -> Ratios:
    ratios = Ratios(above[:, None], below[:, None])
    return ratios.averaged() if averaged else ratios


def _pages(random: np.random.Generator, size: int, rate: FloatArray, length: float) -> Counts:
    lengths = np.maximum(1, random.lognormal(np.log(length), 0.6, size).round())
    return random.poisson(lengths * rate).astype(float), lengths


def _even(random: np.random.Generator, size: int) -> Counts:
    return _pages(random, size, random.beta(2, 30, size), 200)


def _utterances(random: np.random.Generator, size: int) -> Counts:
    return _pages(random, size, random.beta(0.5, 4, size), 8)


def _few_bad(random: np.random.Generator, size: int) -> Counts:
    good = random.beta(1, 60, size)
    bad = random.beta(2, 3, size)
    return _pages(random, size, np.where(random.random(size) < 0.9, good, bad), 200)


def _rarely_wrong(random: np.random.Generator, size: int) -> Counts:
    return _pages(random, size, random.beta(0.1, 4, size), 8)


def _entities(random: np.random.Generator, size: int) -> Counts:
    true = random.poisson(6, size) + 1
    quality = random.beta(6, 2, size)
    hits = random.binomial(true, quality)
    false = random.poisson(1.0, size)
    return 2.0 * hits, (true + hits + false).astype(float)


SETTINGS = {
    "pages of even quality": (_even, np.inf),
    "utterances of 8 words": (_utterances, np.inf),
    "utterances, most without errors": (_rarely_wrong, np.inf),
    "one page in ten read badly": (_few_bad, np.inf),
    "documents of 7 entities": (_entities, 1.0),
}


def _samples(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """pass@k of problems whose chance of a right sample differs widely."""
    for k, taken in ((1, 10), (5, 10), (10, 20)):
        for name, (a, b) in {"Beta(0.5, 0.5)": (0.5, 0.5), "Beta(0.3, 3)": (0.3, 3.0)}.items():
            chance = random.beta(a, b, LARGE)
            truth = float((1 - (1 - chance) ** k).mean())
            for problems in (20, 50, 164):
                found = []
                for _ in range(runs):
                    right = random.binomial(taken, random.beta(a, b, problems))[:, None]
                    ones = np.ones(problems, np.int64)
                    samples = SampleCounts(("a",), ones, np.full_like(right, taken), right)
                    found.append(ratio_of_sums(pass_at(samples, k=k)))
                setting = f"{problems} problems, {taken} samples each, chances {name}, k = {k}"
                yield covered("pass@k", setting, truth, found, runs=runs)


def _differences(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Two systems that are equally good, each better on some texts."""
    for name, (draw, high) in SETTINGS.items():
        for units in (10, 20, 50):
            setting = f"{units} units, {name}"
            pairs = [_pair(draw, units, random) for _ in range(runs)]
            found = [difference_of_ratios(pair, high=high) for pair in pairs]
            yield covered("difference of rates", f"{setting}, none better", 0.0, found, runs=runs)
            yield _one_better(setting, pairs, draw, high, random)
            p_values = []
            for seed, pair in enumerate(pairs[:TESTS]):
                p_values.append(swapped_ratios(pair, 0, 1, draws=1000, seed=seed))
            yield rejected("--test randomisation of rates", setting, np.array(p_values), None)


def _one_better(
    setting: str, pairs: list[Ratios], draw: Draw, high: float, random: np.random.Generator
) -> Row:
    """Return the same where the first system has 40 % less of what is above the line."""
    less = np.array([0.6, 1.0])
    whole = _pair(draw, LARGE, random)
    first, second = Ratios(whole.above * less, whole.below).values
    changed = [Ratios(pair.above * less, pair.below) for pair in pairs]
    found = [difference_of_ratios(pair, high=high) for pair in changed]
    number = "difference of rates"
    return covered(number, f"{setting}, one 40 % lower", first - second, found, runs=len(pairs))


def _pair(draw: Draw, units: int, random: np.random.Generator) -> Ratios:
    """Return two systems on the same units, of which either could have either's counts."""
    first = draw(random, units)
    second = draw(random, units)
    above = np.stack([first[0], second[0]], axis=1)
    below = np.stack([first[1], second[1]], axis=1)
    if draw is not _entities:
        # Both read the same texts, so that these have one length.
        above[:, 1] *= below[:, 0] / below[:, 1]
        below[:, 1] = below[:, 0]
    return Ratios(above, below)
