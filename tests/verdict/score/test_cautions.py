"""Where an interval was seen to cover less often than it says, the output says so, and nowhere else."""

import numpy as np
import pytest

import karat
from karat.doubt.bounds import areas, binormal_score, delta, query_mean, wilson
from karat.doubt.group_mean import THESE_CAUTION
from karat.doubt.resampling import jackknife


def table(items, *, share=0.5):
    random = np.random.default_rng(0)
    truth = (np.arange(items) < share * items).astype(int)
    wrong = random.random(items) < 0.2
    return {
        "item": np.arange(items),
        "truth": truth,
        "a": np.where(wrong, 1 - truth, truth),
        "group": np.arange(items) % 4,
        "page": np.arange(items) // 5,
    }


def scores(positives, negatives):
    random = np.random.default_rng(0)
    truth = np.arange(positives + negatives) < positives
    return {"truth": truth.astype(int), "a": random.normal(truth).round(4)}


@pytest.mark.parametrize(
    ("few", "many", "reading", "asking", "caution"),
    [
        (table(30, share=0.2), table(100), {}, {"measure": "macro-f1"}, delta.CAUTION),
        (
            scores(20, 80),
            scores(60, 60),
            {},
            {"measure": "roc-area"},
            binormal_score.CAUTION,
        ),
        (table(40), table(400), {}, {"measure": "accuracy", "per": "group"}, THESE_CAUTION),
        (table(60), table(600), {"cluster": "page"}, {"measure": "accuracy"}, jackknife.CAUTION),
    ],
)
def test_few_items_are_cautioned_and_many_are_not(few, many, reading, asking, caution):
    options = {"systems": ["a"], **reading}
    assert caution in karat.read(few, **options).score(**asking).notes()
    assert caution not in karat.read(many, **options).score(**asking).notes()


def test_bounds_that_hold_only_on_average_say_so():
    bench = karat.read(table(500), systems=["a"])
    assert wilson.CAUTION in bench.score(measure="accuracy", bound="wilson").notes()
    assert wilson.CAUTION not in bench.score(measure="accuracy").notes()
    curves = karat.read(scores(300, 300))
    assert areas.DELONG_CAUTION in curves.score(measure="roc-area", bound="delong").notes()


def test_few_queries_are_cautioned():
    data = {
        "item": range(6),
        "query": [1, 1, 2, 2, 3, 3],
        "truth": [0, 1] * 3,
        "s": [0.1, 0.4, 0.5, 0.3, 0.2, 0.9],
    }
    assert query_mean.CAUTION in karat.read(data).retrieval(measure="AP").notes()
