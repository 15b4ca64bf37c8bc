"""Two tables with clusters, beside each other, that are too large to be resampled in a moment."""

import numpy as np

import karat
from karat.verdict.prevalence import area_resamples


def test_without_resamples_no_difference_of_two_tables_is_bounded(monkeypatch):
    monkeypatch.setattr(area_resamples, "_quick_draws", lambda *_: 0)
    random = np.random.default_rng(0)

    def table():
        truth = random.random(300) < 0.3
        score = random.normal(size=300) + truth
        image = [f"image {number % 6}" for number in range(300)]
        columns = {"truth": truth.astype(int), "a": score, "b": -score, "image": image}
        return karat.read(columns, cluster="image", systems=["a", "b"])

    found = table().skew(to=0.1, beside={"other": table()})
    assert len(found.rows()) == 4
    # Systems of one table share their clusters, which are left out one by one.
    assert len(found.differences) == 2
