"""Differences of two systems with intervals and p-values: the test that fits the measure, for all pairs at once."""

from collections.abc import Sequence

import numpy as np

from karat.doubt.tests import TESTS
from karat.doubt.tests.newcombe import newcombe
from karat.doubt.tests.noninferiority import noninferior, noninferior_samples
from karat.doubt.tests.significance_test import as_test
from karat.doubt.tests.tango import tango
from karat.errors import OptionError
from karat.measure.paired import Paired
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.verdict.compare.compared import Compared
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence, Pair, places, sides
from karat.verdict.compare.spread_evidence import by_clusters, by_influences, by_resamples

CHEAP = 40_000_000
"""Patterns times draws up to which ranks are simulated by default."""


def evidence_of(
    tally: Compared, pairs: list[Pair], known: Sequence[float | None], options: ComparisonOptions
) -> Evidence:
    """Return the evidence of every pair by the requested test, or by the one that fits."""
    shared = None if tally.keys else tally.paired()
    test = options.test
    if test == "auto":
        test = _fitting(tally, shared)
    basis = as_test(TESTS[test]).basis
    if basis == "queries":
        raise OptionError(
            f"--test {test} is for rankings of documents, query by query; use mcnemar or bootstrap"
        )
    if basis == "scores":
        _check_areas(tally, test)
        return by_influences(tally, pairs, known, options, normal=True)
    if basis == "resamples":
        return by_resamples(tally, pairs, known, options)
    if basis == "clusters":
        items_are_clusters = "c" not in tally.keys
        if items_are_clusters and tally.influences is not None:
            return by_influences(tally, pairs, known, options, normal=False)
        return by_clusters(tally, pairs, known, options)
    if tally.keys:
        remedy = "with clusters use jackknife or bootstrap, with weights bootstrap"
        raise OptionError(f"--test {test} takes items as independent and equal; {remedy}")
    if basis == "counts":
        shares = [tally.share(system) for system in tally.systems]
        return samples(shares, tally.quantity, pairs, test, options)
    if shared is None:
        raise OptionError(
            f"{tally.quantity} does not have the same trials for all systems, as {test} needs; use bootstrap"
        )
    return _discordant(shared, tally.quantity, pairs, test, options)


def _fitting(tally: Compared, shared: Paired | None) -> str:
    """Return the test that fits: on the same trials if there are such, by clusters if there are such."""
    if tally.fitting is not None:
        return tally.fitting
    if shared is not None:
        return "mcnemar"
    if "c" in tally.keys:
        return "jackknife"
    return "bootstrap"


def _discordant(
    shared: Paired, quantity: Quantity, pairs: list[Pair], test: str, options: ComparisonOptions
) -> Evidence:
    one, other = places(pairs)
    first = shared.only[one, other].astype(float)
    second = shared.only[other, one].astype(float)
    items = shared.items[one, other].astype(float)
    interval = tango(first, second, items, level=options.level)
    with np.errstate(invalid="ignore"):
        difference = (first - second) / items

    def worse(swapped: bool) -> FloatArray:
        counts = (second, first) if swapped else (first, second)
        test = noninferior(*counts, items, margin=options.margin or 0.0)
        return test.p_value

    return Evidence(
        difference,
        interval.low,
        interval.high,
        as_test(TESTS[test]).p_values(first, second),
        sides(worse, quantity, options),
        test,
        (first, second),
        items,
    )


def samples(
    shares: Sequence[tuple[float, float]],
    quantity: Quantity,
    pairs: Sequence[Pair],
    test: str,
    options: ComparisonOptions,
) -> Evidence:
    """Return the evidence of shares, successes of trials, as if no two had an item in common."""
    one, other = places(pairs)
    successes = np.array([share[0] for share in shares])
    trials = np.array([share[1] for share in shares])
    first = (successes[one], trials[one])
    second = (successes[other], trials[other])
    interval = newcombe(*first, *second, level=options.level)
    with np.errstate(invalid="ignore"):
        difference = first[0] / first[1] - second[0] / second[1]

    def worse(swapped: bool) -> FloatArray:
        counts = (*second, *first) if swapped else (*first, *second)
        one_sided = noninferior_samples(*counts, margin=options.margin or 0.0)
        return one_sided.p_value

    p_value = as_test(TESTS[test]).p_values(*first, *second)
    no_worse = sides(worse, quantity, options)
    return Evidence(difference, interval.low, interval.high, p_value, no_worse, test)


def _check_areas(tally: Compared, test: str) -> None:
    """Refuse a test of ROC areas for anything else, and for clustered items."""
    if tally.quantity.traits.bounded_by != "delong":
        raise OptionError(f"--test {test} compares ROC areas; {tally.quantity} is none")
    if "c" in tally.keys:
        raise OptionError(
            f"--test {test} takes items as independent; with clusters use jackknife or bootstrap"
        )
