"""How sure is the area of a curve? What must hold however few the items are."""

import numpy as np
import pytest

from karat.doubt.bounds.areas import delong, resampled_average_precision
from karat.tally.scores.curve import Curve

BOTH = [delong, resampled_average_precision]


def perfect(positives, negatives, *, upside_down=False):
    score = np.arange(positives + negatives, 0, -1.0)
    positive = np.repeat([1, 0], [positives, negatives])[:: -1 if upside_down else 1]
    return Curve(score, positive, 1 - positive)


@pytest.mark.parametrize("interval", BOTH)
@pytest.mark.parametrize(("positives", "negatives"), [(2, 2), (3, 40), (40, 3)])
def test_a_perfect_curve_of_few_items_is_not_certain(interval, positives, negatives):
    found = interval(perfect(positives, negatives))
    assert (float(found.low), float(found.high)) == (
        pytest.approx(0.025 ** (1 / min(positives, negatives))),
        1,
    )
    below = interval(perfect(positives, negatives), side="lower")
    assert (float(below.low), float(below.high)) == (
        pytest.approx(0.05 ** (1 / min(positives, negatives))),
        1,
    )


def test_a_curve_upside_down_is_as_uncertain():
    found = delong(perfect(4, 6, upside_down=True))
    assert (float(found.low), float(found.high)) == (0, pytest.approx(1 - 0.025 ** (1 / 4)))


@pytest.mark.parametrize("interval", BOTH)
@pytest.mark.parametrize("kinds", [(1, 30), (30, 1)])
def test_of_a_single_positive_or_negative_nothing_is_known(interval, kinds):
    found = interval(perfect(*kinds))
    assert (float(found.low), float(found.high)) == (0, 1)


def test_a_resample_without_a_positive_has_no_average_precision():
    curve = Curve(np.arange(6, 0, -1.0), np.array([1, 1, 0, 0, 0, 0]), np.array([0, 0, 1, 1, 1, 1]))
    # (4/6)^6 of all resamples have no positive; they say nothing, and least of all 0.
    assert float(resampled_average_precision(curve).low) > 0.1


def test_a_hundred_perfect_items_are_nearly_certain():
    assert float(delong(perfect(100, 100)).low) > 0.96
