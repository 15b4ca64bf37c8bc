"""Guided draws: fixed before the first label, preferring what may be wrong, with the risk as it was."""

import numpy as np
import pytest

import karat
from karat.errors import InputError, OptionError
from karat.verdict.audit.guide import informed_pulls
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.walk import Walk


def columns(seed=1, items=200, systems=6, spoilt=0.1):
    """Systems of falling accuracy on labels x, y and z; a part of the given labels is wrong."""
    random = np.random.default_rng(seed)
    right = random.integers(0, 3, items)
    found = {"item": [f"i{number:04d}" for number in range(items)]}
    for place in range(systems):
        wrong = (right + random.integers(1, 3, items)) % 3
        codes = np.where(random.random(items) < 0.9 - 0.05 * place, right, wrong)
        found["abcdefgh"[place]] = ["xyz"[code] for code in codes]
    other = (right + random.integers(1, 3, items)) % 3
    given = np.where(random.random(items) < spoilt, other, right)
    found["truth"] = ["xyz"[code] for code in given]
    return found, ["xyz"[code] for code in right]


@pytest.fixture(scope="module")
def table():
    return columns()


@pytest.fixture(scope="module")
def bench(table):
    return karat.read(table[0])


def test_q_is_the_part_of_the_pulls_that_are_left(bench):
    setup = bench.audit(claim=("a", "b"), seed=1, guide="informed").setup
    rows = bench.audit(claim=("a", "b"), seed=1, guide="informed").next(1000).rows()
    left = int(setup.pulls.sum())
    for row in rows:
        pull = int(setup.pulls[setup.items.names.index(row["item"])])
        assert row["q"] == pytest.approx(pull / left, rel=1e-5)
        left -= pull
    assert left == 0


def test_every_disputed_item_keeps_half_of_its_even_chance(bench):
    for claim in [("a", "b"), "best", "order"]:
        setup = bench.audit(claim=claim, seed=1, guide="informed").setup
        disputed = setup.disputes.disputed
        assert setup.pulls[disputed].mean() == pytest.approx(100, abs=0.6)
        assert setup.pulls[disputed].min() >= 50
        assert setup.pulls.sum() == setup.pulls[disputed].sum()


def test_what_all_others_contradict_is_drawn_more_often(table, bench):
    setup = bench.audit(claim=("a", "b"), seed=1, guide="informed").setup
    found = setup.disputes
    names = [name for name in table[0] if name not in {"item", "truth"}]
    first = (found.kind[0] >= 0) & (found.given[0] == 1)
    against = np.zeros(len(found.kind[0]))
    for name in names:
        against += np.array(table[0][name]) != np.array(table[0]["truth"])
    many = first & (against == against[first].max())
    few = first & (against == against[first].min())
    assert setup.pulls[many].mean() > 1.1 * setup.pulls[few].mean()


def test_errors_favouring_a_claim_are_looked_for_where_they_could_turn_it(bench):
    found = bench.audit(claim=("a", "b"), seed=1, guide="informed").setup.disputes
    pulls = informed_pulls(found)
    for_a = (found.kind[0] >= 0) & (found.given[0] == 1)
    for_b = (found.kind[0] >= 0) & (found.given[0] == -1)
    assert pulls[for_a].mean() > 1.3 * pulls[for_b].mean()


def test_the_list_is_the_same_in_whatever_order_rows_and_systems_come(table, bench):
    given = table[0]
    order = np.random.default_rng(1).permutation(len(given["item"]))
    turned = {name: [given[name][place] for place in order] for name in reversed(given)}
    wanted = bench.audit(claim="best", seed=5, guide="informed").next(50).rows()
    assert (
        karat.read(turned).audit(claim="best", seed=5, guide="informed").next(50).rows() == wanted
    )
    assert bench.audit(claim="best", seed=5).next(50).rows() != wanted


def test_a_list_counts_only_with_its_guide_and_systems(table, bench):
    guided = bench.audit(claim=("a", "b"), seed=1, guide="informed")
    fewer = {name: values for name, values in table[0].items() if name != "f"}
    others = [bench.audit(claim=("a", "b"), seed=1)]
    others.append(karat.read(fewer).audit(claim=("a", "b"), seed=1, guide="informed"))
    assert len({guided.setup.list_hash, *(one.setup.list_hash for one in others)}) == 3


def test_even_lists_are_what_they_were(bench):
    """Their hash does not know of guides."""
    setup = bench.audit(claim=("a", "b"), seed=1).setup
    assert setup.pulls is None
    assert bench.audit(claim=("a", "b"), seed=1).fixed()["audit"]["guide"] is None


@pytest.mark.parametrize("measure", ["accuracy", "error-rate", "recall[x]", "precision[x]"])
def test_every_capital_can_be_recomputed_from_its_bets(table, bench, measure):
    audit = bench.audit(claim=("a", "b"), seed=1, guide="informed", measure=measure)
    right = dict(zip(table[0]["item"], table[1], strict=True))
    names = [row["item"] for row in audit.next(30).rows()]
    audit = audit.apply({name: right[name] for name in names})
    (pair,) = audit.beside()["pairs"]
    pulls = audit.setup.pulls
    left = pulls[audit.setup.disputes.disputed].sum()
    capital = 1.0
    lead = pair["lead"]
    for draw in pair["draws"]:
        place = audit.setup.items.names.index(draw["item"])
        code = audit.setup.reader.codes[draw["right"]]
        label = RightLabel(draw["right"], frozenset({code}))
        loss = float(audit.setup.disputes.losses(place, label)[0])
        assert draw["q"] == pytest.approx(pulls[place] / left)
        assert draw["lead"] == pytest.approx(lead)
        z = draw["guesses"] + (loss - draw["guess"]) / draw["q"]
        capital *= 1 + draw["stake"] * (lead - z)
        assert draw["capital"] == pytest.approx(capital)
        left -= pulls[place]
        lead -= loss


def test_the_share_of_wrong_labels_is_what_is_certain(table, bench):
    audit = bench.audit(claim=("a", "b"), seed=1, guide="informed")
    right = dict(zip(table[0]["item"], table[1], strict=True))
    names = [row["item"] for row in audit.next(10).rows()]
    audit = audit.apply({name: right[name] for name in names})
    share = audit.beside()["label_error"]
    counted = audit.walk.counts[0]
    assert share["value"] is None
    assert share["low"] == counted.wrong / share["items"]
    assert share["high"] == 1 - (counted.checked - counted.wrong) / share["items"]
    assert any("Guided draws" in note for note in audit.notes())


def test_all_labels_lead_to_the_truth():
    """To the end, whatever was drawn first: the capitals' leads are those of the right labels."""
    given, right = columns(seed=3, items=80)
    setup = karat.read(given).audit(claim="order", seed=2, guide="informed").setup
    codes = setup.reader.codes
    labels = {
        place: RightLabel(label, frozenset({codes[label]})) for place, label in enumerate(right)
    }
    walk = Walk(setup, labels).go()
    for found, (_, pair) in zip(walk.verdicts, walk.rows, strict=True):
        first, second = setup.disputes.pairs[pair]
        hits = {
            name: sum(one == other for one, other in zip(given[name], right, strict=True))
            for name in (first, second)
        }
        if found is not None and found.verdict == "certain":
            assert (hits[first] > hits[second]) == found.first_is_better


def test_new_items_and_plans_go_with_a_guide(table, bench):
    audit = bench.audit(claim=("a", "f"), seed=1, guide="informed", new_items=True)
    right = dict(zip(table[0]["item"], table[1], strict=True))
    names = [row["item"] for row in audit.next(1000).rows()]
    done = audit.apply({name: right[name] for name in names})
    (row,) = done.beside()["new_items"]
    true_lead = sum(
        (one == label) - (other == label)
        for one, other, label in zip(table[0]["a"], table[0]["f"], table[1], strict=True)
    )
    assert 0 < row["lead_at_least"] <= true_lead
    (planned,) = bench.audit(claim=("a", "f"), seed=1, guide="informed").plan(0.05).rows()
    assert 0 < planned["low_checks"] <= planned["checks"] <= planned["high_checks"]


def test_refusals(bench, table):
    with pytest.raises(OptionError, match="guide= is 'informd'"):
        bench.audit(claim="best", guide="informd")
    with pytest.raises(OptionError, match="leave one of the two out"):
        bench.audit(claim="best", guide="informed", random=0.2)
    without = {name: values for name, values in table[0].items() if name != "truth"}
    with pytest.raises(OptionError, match="no truth"):
        karat.read(without).audit(claim=("a", "b"), guide="informed")
    some = {**table[0], "truth": [None, *table[0]["truth"][1:]]}
    with pytest.raises(OptionError, match="some items have no given label"):
        karat.read(some).audit(claim=("a", "b"), guide="informed")
    audit = bench.audit(claim=("a", "b"), seed=1, guide="informed")
    agreed = [name for name in table[0]["item"] if name not in _drawn(audit)]
    with pytest.raises(InputError, match="was not drawn"):
        audit.apply({agreed[0]: "x"})


def _drawn(audit):
    return {row["item"] for row in audit.next(10_000).rows()}
