"""A stated share of wrong labels is that of the whole table, whatever of it was looked up already."""

import numpy as np
import pytest

from karat.doubt.label_noise.informed.constants import LEARNT
from karat.doubt.label_noise.informed.draws import informed_scores
from karat.doubt.label_noise.informed.items import UNCHECKED, LabelledItems, disputes_of
from karat.doubt.label_noise.informed.unknowns import Beliefs

ITEMS = 400
SHARE = 0.2


@pytest.mark.parametrize(("checked", "wrong"), [(0, 0), (100, 0), (100, 30), (200, 60)])
def test_who_answers_as_labelled_is_wrong_on_the_stated_share(checked, wrong):
    # One system gives every given label, the other contradicts it everywhere: no item is certain.
    given = np.arange(ITEMS) % 2
    right = np.full(ITEMS, UNCHECKED)
    right[:checked] = given[:checked]
    right[:wrong] = 1 - given[:wrong]
    items = LabelledItems(
        ("as labelled", "against"),
        ("x", "y"),
        given,
        np.column_stack([given, 1 - given]).astype(np.int32),
        np.ones(ITEMS, np.int64),
        right,
        np.zeros(ITEMS, np.int64),
        1,
    )
    beliefs = Beliefs(disputes_of(items), LEARNT, lambda _random, size: np.full(size, SHARE))
    scores = informed_scores(beliefs, draws=2000, seed=1)[:, 0]
    assert scores.mean() == pytest.approx((1 - SHARE) * ITEMS, abs=1.5)
    assert (scores <= ITEMS - wrong).all()
    assert (scores >= checked - wrong).all()
