"""The delta method's variance against loops over all cells, with derivatives by complex steps."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.bounds import delta as module
from karat.doubt.bounds.delta import CAUTION, HARDLY, delta, delta_variance
from karat.measure import MEASURES
from karat.measure.measure import measure
from karat.measure.quantity import Quantity
from karat.measure.totals import totals
from karat.tally.votes.confusion import Confusion

TABLE = np.array([[17, 3, 1, 2], [2, 9, 4, 0], [0, 1, 6, 1]])
"""Truth by answer; the last column is missing answers."""
TINY = 1e-30


def confusion(table=TABLE):
    truth, answer = np.nonzero(table)
    number = table[truth, answer]
    size = len(table)
    return Confusion(tuple("xyz"[:size]), truth, np.where(answer == size, -1, answer), number)


SINGLE = {
    "recall": lambda h, t, _a, _n: h / t,
    "precision": lambda h, _t, a, _n: h / a,
    "f1": lambda h, t, a, _n: 2 * h / (t + a),
    "specificity": lambda h, t, a, n: (n - t - a + h) / (n - t),
}


def kappa(h, t, a, n):
    chance = (t * a).sum()
    return (n * h.sum() - chance) / (n * n - chance)


def matthews(h, t, a, n):
    # A missing answer is an answer of one more class.
    rest = n - a.sum()
    rest_of_truth = n - t.sum()
    above = n * h.sum() - (t * a).sum() - rest * rest_of_truth
    of_truth = n * n - (t**2).sum() - rest_of_truth**2
    of_answers = n * n - (a**2).sum() - rest**2
    return above / np.sqrt(of_truth * of_answers)


def margins_of(table):
    size = len(table)
    square = table[:, :size]
    return np.diag(square), table.sum(axis=1), square.sum(axis=0), table.sum()


def slope(function, margins, which, place=None):
    """The derivative by one margin, exact to rounding."""
    moved = [np.array(part, complex) for part in margins]
    if place is None:
        moved[which] = moved[which] + TINY * 1j
    else:
        moved[which][place] += TINY * 1j
    return np.imag(function(*moved)) / TINY


def slow_average(single, table):
    """Σ n I² with half a hit, half a miss and half a false answer more in each class, by loops."""
    hits, truth, answered, total = margins_of(table)
    size = len(table)
    smooth = (hits + 0.5, truth + 1.0, answered + 1.0, total + 1.5 * size)
    by = np.zeros((4, size))
    for c in range(size):
        own = [part[c] for part in smooth[:3]] + [smooth[3]]
        steeper = (truth[c] + answered[c] + 2) / (truth[c] + answered[c])
        for which in range(4):
            by[which, c] = steeper * slope(single, own, which) / size
    item = by[3].sum()
    variance = 0.0
    for t in range(size):
        for a in range(table.shape[1]):
            influence = by[1, t] + item
            if a < size:
                influence += by[2, a]
            if a == t:
                influence += by[0, t]
            variance += table[t, a] * influence**2
        variance += 0.5 * (by[:3, t].sum() + item) ** 2
        variance += 0.5 * (by[1, t] + item) ** 2
        variance += 0.5 * (by[2, t] + item) ** 2
    return variance


def slow_whole(function, table):
    """The same for a measure of the whole table: the half error of a class is spread over the other classes."""
    hits, truth, answered, total = margins_of(table)
    size = len(table)
    smooth = (hits + 0.5, truth + 1.0, answered + 1.0, total + 1.0 * size)
    steeper = smooth[3] / total
    by = np.array([[slope(function, smooth, which, c) for c in range(size)] for which in range(3)])
    by = steeper * by
    item = steeper * slope(function, smooth, 3)
    variance = 0.0
    for t in range(size):
        for a in range(table.shape[1]):
            influence = by[1, t] + item
            if a < size:
                influence += by[2, a]
            if a == t:
                influence += by[0, t]
            variance += table[t, a] * influence**2
        variance += 0.5 * (by[:, t].sum() + item) ** 2
        for a in range(size):
            if a != t:
                variance += 0.5 * (by[1, t] + by[2, a] + item) ** 2 / (size - 1)
    return variance


@pytest.mark.parametrize("name", SINGLE)
def test_the_variance_of_an_average_is_that_of_loops_over_all_cells(name):
    counts = confusion()
    found = delta_variance(Quantity.parse(f"macro-{name}"), counts, totals(counts))
    assert float(found) == pytest.approx(slow_average(SINGLE[name], TABLE), rel=1e-6)


@pytest.mark.parametrize(("name", "function"), [("kappa", kappa), ("matthews", matthews)])
@pytest.mark.parametrize("table", [TABLE, TABLE[:2, :3], TABLE[:, :3]], ids=["3", "2", "square"])
def test_the_variance_of_a_measure_of_the_whole_table_is_that_of_loops(name, function, table):
    table = table.copy()
    if name == "kappa":
        table = table[:, : len(table)]
    counts = confusion(table)
    found = delta_variance(Quantity.parse(name), counts, totals(counts))
    assert float(found) == pytest.approx(slow_whole(function, table), rel=1e-6)


def informedness(h, t, a, n):
    return h / t + (n - t - a + h) / (n - t) - 1


def test_the_variance_of_each_class_is_that_of_its_four_cells(monkeypatch):
    """Recall + specificity - 1 of each class: hits, missed and false, half of each more, and the rest."""

    @measure("confusion", per_class=True, low=-1.0, high=1.0)
    def bookmaker(totals):
        return informedness(totals.hits, totals.truth, totals.answered, totals.total[..., None])

    points = {"bookmaker": SimpleNamespace(load=lambda: bookmaker)}
    monkeypatch.setattr(MEASURES, "_installed", lambda: points)
    counts = confusion()
    found = delta_variance(Quantity("bookmaker"), counts, totals(counts))
    hits, truth, answered, total = margins_of(TABLE)
    for c in range(3):
        own = (hits[c] + 0.5, truth[c] + 1.0, answered[c] + 1.0, total + 1.5)
        by = [slope(informedness, own, which) for which in range(4)]
        cells = {
            "hit": (hits[c] + 0.5, sum(by)),
            "missed": (truth[c] - hits[c] + 0.5, by[1] + by[3]),
            "false": (answered[c] - hits[c] + 0.5, by[2] + by[3]),
            "rest": (total - truth[c] - answered[c] + hits[c], by[3]),
        }
        expected = sum(number * influence**2 for number, influence in cells.values())
        assert float(found[c]) == pytest.approx(expected, rel=1e-6)


def test_many_classes_are_moved_in_parts_with_the_same_result(monkeypatch):
    counts = confusion()
    whole = delta(Quantity.parse("kappa"), counts)
    monkeypatch.setattr(module, "AT_ONCE", 3)
    parts = delta(Quantity.parse("kappa"), counts)
    assert (float(parts.low), float(parts.high)) == (float(whole.low), float(whole.high))


def test_classes_of_one_item_are_a_caution_of_their_own():
    truth = [*"xxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyy", "z"]
    answers = [*"xxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyx", "z"]
    bench = karat.read({"truth": truth, "a": answers})
    assert bench.score(measure="macro-f1").cautions() == [HARDLY]
    assert bench.score(measure="kappa").cautions() == [CAUTION]
    without = karat.read({"truth": truth[:-1], "a": answers[:-1]})
    assert without.score(measure="macro-f1").cautions() == []


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_ends_are_a_normal_quantile_of_standard_errors_away(level):
    quantity = Quantity.parse("macro-f1")
    hits, truth, answered, _ = margins_of(TABLE)
    value = float(np.mean(2 * hits / (truth + answered)))
    error = float(np.sqrt(delta_variance(quantity, confusion(), totals(confusion()))))
    reach = stats.norm.ppf((1 + level) / 2) * error
    found = delta(quantity, confusion(), level=level)
    assert (float(found.low), float(found.high)) == pytest.approx((value - reach, value + reach))
    below = delta(quantity, confusion(), level=(1 + level) / 2, side="lower")
    above = delta(quantity, confusion(), level=(1 + level) / 2, side="upper")
    assert (float(below.low), float(below.high)) == pytest.approx((value - reach, 1.0))
    assert (float(above.low), float(above.high)) == pytest.approx((0.0, value + reach))


def test_the_ends_stay_in_the_range_of_the_measure():
    few = confusion(np.array([[1, 0, 0], [1, 1, 0]]))
    found = delta(Quantity.parse("macro-f1"), few, level=0.999)
    assert (float(found.low), float(found.high)) == (0.0, 1.0)
    found = delta(Quantity("kappa"), few, level=0.999)
    assert float(found.low) == -1.0
    assert float(found.high) == 1.0
