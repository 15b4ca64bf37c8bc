"""Precision and recall without truth, against a plain loop over fractions and against their own laws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from karat.errors import OptionError
from karat.measure.consensus import votes as module
from karat.measure.consensus.vote_weights import equal_weights, vote_weights, with_oracles
from karat.measure.consensus.votes import (
    averages,
    consensus,
    label_consensus,
    label_relevance,
    relevance,
)

LAWS = settings(derandomize=True, deadline=None, max_examples=80)
ANY = some.sampled_from([None, 0, 1, 0.25, 0.5])
LEAVE = ["nobody", "itself", "family"]


@some.composite
def polls(draw, votes=ANY):
    systems, rows = draw(some.integers(1, 4)), draw(some.integers(1, 5))
    small = some.integers(0, 3)
    weight = draw(some.lists(small, min_size=systems + 2, max_size=systems + 2).filter(any))
    line = some.lists(votes, min_size=systems, max_size=systems)
    return (
        draw(some.lists(line, min_size=rows, max_size=rows)),
        draw(some.lists(small, min_size=rows, max_size=rows)),
        weight,
        draw(some.lists(some.integers(0, 2), min_size=systems, max_size=systems)),
    )


def slow_chance(row, weight, families, absent=()):
    """P of one row by the definition, or None: families vote with the mean of their members that answered."""
    systems = len(row)
    above, below = Fraction(0), Fraction(0)
    for place, vote in ((systems, 1), (systems + 1, 0)):
        if place not in absent:
            above, below = above + weight[place] * vote, below + weight[place]
    for family in set(families):
        members = [k for k in range(systems) if families[k] == family]
        there = [k for k in members if row[k] is not None and weight[k] and k not in absent]
        if there:
            say = Fraction(sum(weight[k] for k in members), len(members))
            total = sum(weight[k] for k in there)
            above += say * sum(Fraction(weight[k], total) * Fraction(row[k]) for k in there)
            below += say
    return above / below if below else None


def slow(rows, number, weight, families, leave_out):
    """Σ S, Σ P S, Σ P and the items left out, for every system, by a loop over items."""
    systems = len(rows[0])
    found = []
    for k in range(systems + 2):
        absent = () if leave_out == "nobody" else (k,)
        if leave_out == "family" and k < systems:
            absent = tuple(j for j in range(systems) if families[j] == families[k])
        sums = [Fraction(0)] * 4
        for row, n in zip(rows, number, strict=True):
            vote = [*row, 1, 0][k]
            chance = slow_chance(row, weight, families, absent)
            if vote is None:
                continue
            if chance is None:
                sums[3] += n
                continue
            vote = Fraction(vote)
            sums = [sums[0] + n * vote, sums[1] + n * vote * chance, sums[2] + n * chance, sums[3]]
        found.append([float(part) for part in sums])
    return np.array(found).T


def sums(found):
    return np.array([found.retrieved, found.agreed, found.relevant, found.left_out])


def of_label(found, label):
    return np.array([part[:, label] for part in (found.retrieved, found.agreed, found.relevant)])


def ask(function, table, number, weight, families, leave_out, **options):
    weights = vote_weights(weight[:-2], top=weight[-2], bottom=weight[-1])
    return function(
        table, number, weights=weights, families=families, leave_out=leave_out, **options
    )


def floats(rows):
    return np.array([[np.nan if vote is None else vote for vote in row] for row in rows], float)


@pytest.mark.parametrize("leave_out", LEAVE)
@LAWS
@given(polls())
def test_the_sums_are_those_of_a_plain_loop(leave_out, poll):
    rows, number, weight, families = poll
    found = ask(consensus, floats(rows), number, weight, families, leave_out)
    assert sums(found) == pytest.approx(slow(rows, number, weight, families, leave_out), abs=1e-12)


@LAWS
@given(polls())
def test_p_of_each_row_is_that_of_a_plain_loop(poll):
    rows, _, weight, families = poll
    weights = vote_weights(weight[:-2], top=weight[-2], bottom=weight[-1])
    right = [slow_chance(row, weight, families) for row in rows]
    right = [np.nan if chance is None else float(chance) for chance in right]
    assert relevance(floats(rows), weights=weights, families=families) == pytest.approx(
        right, nan_ok=True
    )


@pytest.mark.parametrize("leave_out", LEAVE)
@LAWS
@given(polls(some.integers(-2, 2)))
def test_labels_are_the_expansion_into_pairs_of_item_and_label(leave_out, poll):
    rows, number, weight, families = poll
    codes = np.array(rows)
    found = ask(label_consensus, codes, number, weight, families, leave_out, classes=3)
    pairs = [np.where(codes < 0, np.nan, codes == label) for label in range(3)]
    for label in range(3):
        one = ask(consensus, pairs[label], number, weight, families, leave_out)
        assert of_label(found, label) == pytest.approx(sums(one)[:3], abs=1e-12)
        assert found.left_out.tolist() == one.left_out.tolist()
    every = ask(consensus, np.concatenate(pairs), number * 3, weight, families, leave_out)
    for ours, expanded in [
        (found.pooled().precision, every.precision),
        (found.pooled().recall, every.recall),
        (found.pooled().f(2), every.f(2)),
    ]:
        assert ours == pytest.approx(expanded, abs=1e-12, nan_ok=True)
    weights = vote_weights(weight[:-2], top=weight[-2], bottom=weight[-1])
    chances = label_relevance(codes, classes=3, weights=weights, families=families)
    singly = [relevance(part, weights=weights, families=families) for part in pairs]
    assert chances == pytest.approx(np.array(singly).T, nan_ok=True)


@LAWS
@given(polls(some.sampled_from([0, 1])))
def test_the_recalls_sum_to_what_the_votes_say(poll):
    rows, number, _, _ = poll
    p, size = relevance(floats(rows)), len(rows[0]) + 2
    found, number = consensus(floats(rows), number), np.array(number)
    if number.any():
        assert found.recall.sum() == pytest.approx(size * (number @ p**2) / (number @ p))
        assert found.precision[-2] == pytest.approx((number @ p) / number.sum())
        assert found.recall[-2:].tolist() == [1, 0]


@LAWS
@given(polls())
def test_equal_rows_may_be_gathered_and_blocks_may_be_small(poll):
    rows, number, weight, families = poll
    table = floats(rows)
    once = ask(consensus, table, number, weight, families, "itself")
    apart = ask(consensus, np.repeat(table, number, axis=0), None, weight, families, "itself")
    assert sums(apart) == pytest.approx(sums(once), abs=1e-12)
    whole, module.AT_ONCE = module.AT_ONCE, 1
    try:
        assert sums(ask(consensus, table, number, weight, families, "itself")) == pytest.approx(
            sums(once), abs=1e-12
        )
    finally:
        module.AT_ONCE = whole


@LAWS
@given(polls(some.sampled_from([0, 1])))
def test_an_oracle_in_whom_all_trust_is_classical_evaluation(poll):
    rows, number, _, _ = poll
    table, number = floats(rows), np.array(number)
    found = consensus(table, number, weights=with_oracles(equal_weights(table.shape[1]), {0: 1}))
    truth = table[:, 0] == 1
    for k in range(table.shape[1]):
        hits = number[truth & (table[:, k] == 1)].sum()
        above = [found.agreed[k], found.retrieved[k], found.relevant[k]]
        assert above == pytest.approx([hits, number @ table[:, k], number[truth].sum()])


def test_an_oracle_who_is_silent_leaves_the_item_out_and_it_is_counted():
    weights = with_oracles(equal_weights(2), {1: 1})
    found = consensus([[1, 1], [1, np.nan], [0, 0]], [2, 3, 4], weights=weights)
    assert found.left_out.tolist() == [3, 0, 3, 3]
    assert found.retrieved.tolist() == [2, 2, 6, 0]


def test_an_oracle_leaves_the_others_their_proportions():
    found = with_oracles(vote_weights([3, 1, 5, 2], top=2, bottom=0), {2: 0.5, 3: 0.2}).shares
    assert found == pytest.approx([0.3 * 3 / 6, 0.3 / 6, 0.5, 0.2, 0.3 * 2 / 6, 0])


def test_leave_one_out_of_two_judges_each_by_the_other():
    found = consensus(
        [[1, 1], [1, 0]], weights=vote_weights([1, 1], top=0, bottom=0), leave_out="itself"
    )
    assert found.precision[:2].tolist() == [0.5, 1]
    assert found.recall[:2].tolist() == [1, 0.5]


def test_a_family_of_copies_weighs_no_more_than_one_of_them():
    rng = np.random.default_rng(3)
    table = (rng.random((50, 3)) < 0.5).astype(float)
    copied = np.column_stack([table, table[:, 2], table[:, 2]])
    assert relevance(
        copied, families=[0, 1, 2, 2, 2], weights=vote_weights(np.ones(5))
    ) == pytest.approx(relevance(table))


def test_averages_over_queries_pass_over_what_is_undefined():
    one, other = consensus([[1, 0], [1, 0]]), consensus([[1, 1], [0, 0]])
    found = averages([one, other])
    assert found.precision[:2] == pytest.approx(
        [(one.precision[0] + other.precision[0]) / 2, other.precision[1]]
    )
    assert found.queries.tolist() == [2, 1, 2, 0]


def test_float32_and_sparse_tables_are_read_as_they_are():
    rng = np.random.default_rng(4)
    table = np.where(rng.random((300, 7)) < 0.8, np.nan, rng.integers(0, 2, (300, 7)))
    assert sums(consensus(table.astype(np.float32))) == pytest.approx(sums(consensus(table)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: consensus([[2.0]]), "a vote is 2; a vote is a confidence from 0 to 1"),
        (lambda: consensus([1, 0]), "give a row for each item"),
        (lambda: consensus([[1]], [1, 2]), "give one for each"),
        (lambda: consensus([[1, 0]], weights=equal_weights(3)), "3 weights and 2 systems"),
        (lambda: consensus([[1, 0]], families=[1]), "give one family for each"),
        (lambda: consensus([[1, 0]], leave_out="me"), "leave_out is 'me'"),
        (lambda: vote_weights([-1]), "give 0 for no vote"),
        (lambda: vote_weights([0], top=0, bottom=0), "nobody votes"),
        (lambda: with_oracles(equal_weights(2), {0: 0.7, 1: 0.7}), "their sum at most 1"),
        (lambda: with_oracles(equal_weights(2), {4: 0.7}), "counted from 0"),
        (lambda: label_consensus([[3]], classes=2), "codes count from 0"),
    ],
)
def test_errors_say_what_to_do(call, words):
    with pytest.raises(OptionError, match=words):
        call()
