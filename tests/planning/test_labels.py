"""How many more labels: against the test itself, on grown counts."""

import numpy as np
import pytest

from karat.doubt.consensus.stratified_difference import Strata, stratified_difference
from karat.planning.labels import further_labels, grown


def strata_of(first, second, checked, items, total):
    return Strata(
        *np.array([[first], [second], [checked], [items]], float), np.array([float(total)])
    )


def test_with_so_many_more_labels_the_test_decides_and_with_fewer_it_does_not():
    strata = strata_of([9, 1], [4, 5], [13, 6], [900, 300], 10_000)
    for pairs in (1, 10):
        more = further_labels(strata, pairs=pairs)
        number = float(more.exactly[0])
        for labels, decided in ((number, True), (number - 2, False)):
            factor = np.array([(19 + labels) / 19])
            p_value = stratified_difference(grown(strata, factor)).p_value[0]
            assert (p_value <= 0.05 / pairs) == decided
        assert more.likely[0] > number


def test_swapping_the_systems_changes_nothing():
    strata = strata_of([9, 1], [4, 5], [13, 6], [900, 300], 10_000)
    assert further_labels(strata).exactly == further_labels(strata.turned()).exactly


@pytest.mark.parametrize(
    ("first", "second", "checked", "items"),
    [([5], [5], [10], [900]), ([0], [0], [0], [900]), ([3], [2], [5], [8])],
)
def test_where_no_number_of_labels_decides_none_is_named(first, second, checked, items):
    more = further_labels(strata_of(first, second, checked, items, 10_000))
    assert np.isnan(more.exactly[0])
    assert np.isnan(more.likely[0])


def test_the_likely_number_decides_in_four_of_five():
    """Labels drawn from a stratum in which the first is right in 70 %: in 80 % of the cases decided, or nearly."""
    strata = strata_of([14], [6], [20], [100_000], 1_000_000)
    labels = int(further_labels(strata).likely[0])
    random = np.random.default_rng(1)
    runs = 1000
    first = 14.0 + random.binomial(labels, 0.7, runs)
    checked = np.full((runs, 1), 20.0 + labels)
    drawn = Strata(
        first[:, None],
        checked - first[:, None],
        checked,
        np.full((runs, 1), 100_000.0),
        np.full(runs, 1_000_000.0),
    )
    decided = (stratified_difference(drawn).p_value <= 0.05).mean()
    assert 0.75 < decided < 0.95
