"""Values, labels and discordant items of all systems at once, against those of one system or pair after the other."""

import numpy as np
import pytest

import karat
from karat.measure.paired import paired_counts
from karat.measure.quantity import Quantity
from karat.tally import TALLIES
from karat.verdict.compare.compared import value_of, values_of
from karat.verdict.score.scores import labels_of


def patterns(*, missing, nothing=False, seed=0):
    """Distinct rows of five systems, some of whose answers and truths are missing."""
    random = np.random.default_rng(seed)
    labels = np.array(["a", "b", "c", "nothing" if nothing else "d", "only answered", None], object)
    table = {"item": [f"i{k}" for k in range(80)], "truth": labels[random.choice([0, 1, 2, 5], 80)]}
    for system in range(5):
        table[f"s{system}"] = labels[random.integers(0, 6, 80)]
    return karat.read(table, missing=missing).counter.count(TALLIES["patterns"])


@pytest.mark.parametrize("missing", ["wrong", "skip", "as:b"])
@pytest.mark.parametrize("nothing", [False, True])
def test_they_are_those_of_one_system_after_the_other(missing, nothing):
    rows = patterns(missing=missing, nothing=nothing)
    of_each = [rows.confusion(system).labels for system in rows.systems]
    assert labels_of(rows) == set().union(*of_each)
    for measure in ("accuracy", "error-rate", "macro-f1"):
        quantity = Quantity.parse(measure)
        one_by_one = {system: value_of(rows, system, quantity) for system in rows.systems}
        assert values_of(rows, quantity) == one_by_one


@pytest.mark.parametrize("all_count", [False, True])
def test_discordant_items_are_those_of_one_pair_after_the_other(all_count):
    random = np.random.default_rng(1)
    counts = np.ones((40, 3), bool) if all_count else random.random((40, 3)) < 0.8
    hits = (random.random((40, 3)) < 0.6) & counts
    number = random.integers(1, 9, 40)
    found = paired_counts(("a", "b", "c"), hits, counts, number)
    for one in range(3):
        for other in range(3):
            both_count = counts[:, one] & counts[:, other]
            only = hits[:, one] & both_count & ~hits[:, other]
            assert found.only[one, other] == number[only].sum()
            assert found.both[one, other] == number[hits[:, one] & hits[:, other]].sum()
            assert found.items[one, other] == number[both_count].sum()
