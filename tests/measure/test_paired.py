"""Successes and trials item by item, and of every two systems together, against plain loops over the rows."""

import numpy as np
import pytest

import karat
from karat.measure.paired import paired, sides
from karat.measure.quantity import Quantity
from karat.tally import TALLIES

SYSTEMS = ("a", "b", "c")


def made(seed, items=60):
    random = np.random.default_rng(seed)
    truth = random.choice(list("xyz"), items)
    table = {"truth": [None if random.random() < 0.1 else one for one in truth.tolist()]}
    for name in SYSTEMS:
        answer = np.where(random.random(items) < 0.5, truth, random.choice(list("xyz"), items))
        table[name] = [None if random.random() < 0.2 else one for one in answer.tolist()]
    return table


def outcome(measure, truth, answer, missing):
    """Success and trial of one answer, in the words of the measure; None is a missing answer."""
    if answer is None and missing.startswith("as:"):
        answer = missing.removeprefix("as:")
    if answer is None and missing == "skip":
        return False, False
    is_x, says_x = truth == "x", answer == "x"
    return {
        "accuracy": (answer == truth, True),
        "error-rate": (answer != truth, True),
        "recall[x]": (says_x, is_x),
        "specificity[x]": (not says_x, not is_x),
    }[measure]


MEASURES = ["accuracy", "error-rate", "recall[x]", "specificity[x]"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("missing", ["wrong", "skip", "as:y"])
def test_pairs_are_counted_as_a_loop_counts_them(measure, missing):
    table = made(len(measure) + len(missing))
    patterns = karat.read(table, missing=missing).counter.count(TALLIES["patterns"])
    quantity = Quantity.parse(measure)
    found = paired(patterns, quantity)
    rows = [place for place, one in enumerate(table["truth"]) if one is not None]
    own = {
        name: [outcome(measure, table["truth"][row], table[name][row], missing) for row in rows]
        for name in SYSTEMS
    }
    for one, first in enumerate(SYSTEMS):
        for two, second in enumerate(SYSTEMS):
            pairs = list(zip(own[first], own[second], strict=True))
            both_count = [(a[0], b[0]) for a, b in pairs if a[1] and b[1]]
            assert found.items[one, two] == len(both_count)
            assert found.both[one, two] == sum(a and b for a, b in both_count)
            assert found.only[one, two] == sum(a and not b for a, b in both_count)


@pytest.mark.parametrize("measure", MEASURES)
def test_each_row_has_its_successes_and_whether_it_counts(measure):
    table = made(3)
    patterns = karat.read(table).counter.count(TALLIES["patterns"])
    hits, counts = sides(patterns, Quantity.parse(measure))
    known = patterns.truth >= 0
    labels = (*patterns.labels, None)
    for row, (truth, answers) in enumerate(
        zip(patterns.truth[known], patterns.answers[known], strict=True)
    ):
        for system, answer in enumerate(answers):
            success, trial = outcome(measure, labels[truth], labels[max(answer, -1)], "wrong")
            assert counts[row, system] or not trial
            assert hits[row, system] == (success and trial)


def test_a_class_that_no_item_has_has_no_trials():
    table = {"truth": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}
    patterns = karat.read(table, kinds={"": "label"}).counter.count(TALLIES["patterns"])
    hits, trials = sides(patterns, Quantity("recall", label="q"))
    assert not hits.any()
    assert not trials.any()


def test_items_where_all_say_rightly_nothing_count_for_nobody():
    table = {"truth": ["nothing", "x", "y"], "a": ["nothing", "x", "x"], "b": ["nothing", "y", "y"]}
    bench = karat.read(table, kinds={"": "label"}, nothing="nothing")
    found = paired(bench.counter.count(TALLIES["patterns"]), Quantity("accuracy"))
    assert found.items.tolist() == [[2, 2], [2, 2]]
    table["b"][0] = "x"
    bench = karat.read(table, kinds={"": "label"}, nothing="nothing")
    assert paired(bench.counter.count(TALLIES["patterns"]), Quantity("accuracy")) is None
