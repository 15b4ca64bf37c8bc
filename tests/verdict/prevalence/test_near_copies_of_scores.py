"""Two systems that differ on few positives: a warning, whether the items are resampled or sampled."""

from unittest import mock

import numpy as np
import pytest

import karat
from karat.questions import prevalence
from karat.tally.scores import sampled_scores


def scores(*, differing, items=2000, positives=60):
    """A system, a copy with other scores on some positives and on a hundredth of the rest, and an unrelated one."""
    random = np.random.default_rng(2)
    truth = np.arange(items) < positives
    old = truth + random.normal(size=items)
    new = old.copy()
    new[:differing] += 0.5
    new[positives::100] += 0.5
    other = truth + random.normal(size=items)
    names = [f"i{place}" for place in range(items)]
    return {"item": names, "truth": truth.astype(int), "old": old, "new": new, "other": other}


def warnings(table):
    notes = karat.read(table).skew(to=0.01, draws=200).notes()
    return [note for note in notes if "positive" in note and "rely" in note]


@pytest.mark.parametrize(
    ("differing", "words"), [(0, "0 positives"), (1, "1 positive "), (9, "9 positives")]
)
def test_a_difference_that_few_positives_decide_is_not_to_be_relied_on(differing, words):
    (warning,) = warnings(scores(differing=differing))
    assert f"'new' and 'old' differ on {words}" in warning.replace(
        "'old' and 'new'", "'new' and 'old'"
    )


def test_it_is_said_of_a_sample_of_the_items_too():
    held = mock.patch.multiple(prevalence, MOST=500, FEW_ITEMS=500)
    with held, mock.patch.multiple(sampled_scores, DRAWN=500, TAKEN=250):
        (warning,) = warnings(scores(differing=3))
    assert "differ on 3 positives only" in warning


def test_unrelated_systems_equal_ones_and_copies_with_more_differences_get_no_warning():
    assert warnings(scores(differing=10)) == []
    table = scores(differing=0)
    assert warnings({**table, "new": table["old"]}) == []
