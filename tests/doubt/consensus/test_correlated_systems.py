"""Systems that err together: whether they are found, and what helps against them in the paper's own case."""

import numpy as np
import pytest

from karat.demo.pipelines import pipelines
from karat.doubt.consensus.correlated_systems import collective_bias
from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.vote_weights import equal_weights, vote_weights, with_oracles
from karat.measure.consensus.votes import consensus
from karat.measure.rank_agreement import kendall

SEEDS = range(5)
EQUAL = vote_weights(np.ones(24))


def drawn(systems, *, seed, items=2000, copies=()):
    """Independent systems; of a copy, 70 % of the answers are those of the system it follows."""
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.4
    right = rng.random((items, systems)) < np.linspace(0.65, 0.9, systems)
    answers = np.where(right, truth[:, None], ~truth[:, None]).astype(int)
    for copy, model in copies:
        answers[:, copy] = np.where(rng.random(items) < 0.7, answers[:, model], answers[:, copy])
    return answers


def case(seed, **options):
    """The votes of the 24 pipelines, their number, their F by the truth, and whose OCR is good."""
    found = pipelines(seed=seed, **options)
    table, number, truth = found.patterns.answers, found.patterns.number, found.patterns.truth == 1
    hits = (number * truth) @ table
    f = 2 * hits / (number @ table + number @ truth)
    return table, number, f, found.ocr == 0


def inverted(f, good):
    """In how many of the 12 combinations of the other stages the pipeline with the bad OCR comes first."""
    return (f[:24][~good] > f[:24][good]).mean()


# Detection


@pytest.mark.parametrize("systems", [4, 8, 12])
def test_independent_errors_are_seldom_called_shared(systems):
    wrong = 0
    for seed in range(40):
        answers = drawn(systems, seed=seed)
        found = collective_bias(answers, None, dawid_skene(answers), least=0)
        wrong += len(set(found.families.tolist())) < systems
    assert wrong <= 2 + 3 * np.sqrt(
        2
    )  # 5 % of 40, and three standard errors; the method is cautious


@pytest.mark.parametrize("seed", SEEDS)
def test_a_strong_bloc_draws_the_fit_to_its_side_and_the_others_are_called_a_family_too(seed):
    answers = drawn(8, seed=seed, copies=[(3, 1), (4, 1)])
    found = collective_bias(answers, None, dawid_skene(answers))
    assert found.families.tolist() == [0, 1, 0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_are_found_and_nobody_else(seed):
    answers = drawn(8, seed=seed, copies=[(1, 0), (2, 0)])
    found = collective_bias(answers, None, dawid_skene(answers))
    assert found.families.tolist() == [0, 0, 0, 1, 2, 3, 4, 5]


def test_the_counts_are_those_of_a_plain_loop():
    rng = np.random.default_rng(2)
    answers, number = rng.integers(-1, 3, (30, 4)), rng.integers(1, 4, 30)
    fit = dawid_skene(answers, number)
    found = collective_bias(answers, number, fit)
    for j in range(4):
        for k in range(4):
            n = agreed = expected = 0.0
            for row, copies, chance in zip(answers, number, fit.chances, strict=True):
                if row[j] < 0 or row[k] < 0:
                    continue
                n, agreed = n + copies, agreed + copies * (row[j] == row[k])
                expected += copies * sum(
                    chance[c] * (fit.errors[j, c] @ fit.errors[k, c]) for c in range(3)
                )
            z = (agreed - expected) / np.sqrt(expected * (1 - expected / n))
            ours = [part[j, k] for part in (found.items, found.observed, found.expected, found.z)]
            assert ours == pytest.approx([n, agreed / n, expected / n, z])


def test_gathered_rows_say_the_same():
    answers = drawn(5, seed=1, copies=[(1, 0)])
    rows, number = np.unique(answers, axis=0, return_counts=True)
    one = collective_bias(answers, None, dawid_skene(answers, rounds=50, tolerance=-1))
    other = collective_bias(rows, number, dawid_skene(rows, number, rounds=50, tolerance=-1))
    np.testing.assert_allclose(one.z, other.z, atol=1e-6)


def test_systems_that_share_no_item_are_not_compared():
    answers = np.array([[0, -1, 0], [1, -1, 1], [-1, 1, 1], [-1, 0, 0]] * 5)
    found = collective_bias(answers, None, dawid_skene(answers))
    assert np.isnan(found.z[0, 1])
    assert found.items[0, 1] == 0


def test_answers_of_another_fit_are_refused():
    with pytest.raises(OptionError, match="pass the answers that were fitted"):
        collective_bias([[0, 1]], None, dawid_skene([[0, 1], [1, 1]]))


# The 24 pipelines


def test_there_are_24_pipelines_and_one_ocr_is_much_worse():
    table, number, f, good = case(0)
    assert table.shape[1] == 24
    assert good.tolist() == [True, False] * 12
    assert number.sum() == 2540
    assert f[good].min() > f[~good].max() + 0.15


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plain_vote_is_in_opposite_phase_as_in_figure_3(seed):
    table, number, f, good = case(seed)
    assert inverted(f, good) == 0
    assert inverted(consensus(table, number).f(), good) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_within_an_ocr_the_order_is_that_of_the_truth_as_in_figure_4(seed):
    table, number, f, good = case(seed)
    for mine in (good, ~good):
        together = consensus(table, number).f()[:24][mine]
        apart = consensus(table[:, mine], number).f()[:12]
        assert kendall(together, f[mine]) > 0.6
        assert kendall(apart, f[mine]) > 0.6


@pytest.mark.parametrize("seed", SEEDS)
def test_the_family_that_errs_together_is_found(seed):
    table, number, _, good = case(seed)
    found = collective_bias(table, number, dawid_skene(table, number))
    assert len(set(found.families[~good].tolist())) == 1
    assert len(set(found.families[good].tolist())) == 12


@pytest.mark.parametrize("leave_out", ["nobody", "family"])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_vote_for_the_family_that_was_found_repairs_the_order(seed, leave_out):
    table, number, f, good = case(seed)
    families = collective_bias(table, number, dawid_skene(table, number)).families
    ours = consensus(table, number, weights=EQUAL, families=families, leave_out=leave_out).f()
    assert inverted(ours, good) == 0
    assert kendall(ours[:24], f) > 0.85 > kendall(consensus(table, number).f()[:24], f) + 0.7


@pytest.mark.parametrize("seed", SEEDS)
def test_what_does_not_repair_the_order(seed):
    # A pipeline's own vote is one of twelve; and two families of twelve have as many votes each as before.
    table, number, _, good = case(seed)
    alone = consensus(table, number, leave_out="itself").f()
    by_ocr = consensus(table, number, weights=EQUAL, families=good).f()
    without = consensus(table, number, weights=EQUAL, families=good, leave_out="family").f()
    assert [inverted(ours, good) for ours in (alone, by_ocr, without)] == [1, 1, 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_dawid_and_skene_see_through_it_here(seed):
    table, number, f, good = case(seed)
    fit = dawid_skene(table, number)
    precision, recall = fit.precision[:, 1], fit.recall[:, 1]
    ours = 2 * precision * recall / (precision + recall)
    assert inverted(ours, good) == 0
    assert kendall(ours, f) > 0.85


@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_blocs_the_answers_do_not_say_which_is_right(seed):
    # With more documents that nobody finds, both OCRs are found to err together, and one vote each changes nothing.
    table, number, f, good = case(seed, others=2.0)
    fit = dawid_skene(table, number)
    families = collective_bias(table, number, fit).families
    assert [len(set(families[mine].tolist())) for mine in (good, ~good)] == [1, 1]
    assert len(set(families.tolist())) == 2
    assert inverted(f, good) == 0
    assert inverted(consensus(table, number).f(), good) == 1
    assert inverted(consensus(table, number, weights=EQUAL, families=families).f(), good) == 1
    assert (
        inverted(
            2 * fit.precision[:, 1] * fit.recall[:, 1] / (fit.precision + fit.recall)[:, 1], good
        )
        == 1
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_there_a_few_checked_items_help(seed):
    found = pipelines(seed=seed, others=2.0)
    checked = np.random.default_rng(seed).random(len(found.patterns.truth)) < 0.1
    oracle = np.where(checked, found.patterns.truth, np.nan)
    votes = np.column_stack([found.patterns.answers, oracle])
    ours = consensus(votes, found.patterns.number, weights=with_oracles(equal_weights(25), {24: 1}))
    f, good = ours.f()[:24], found.ocr == 0
    assert f[good].mean() > f[~good].mean()
    assert ours.left_out[24] == 0
    assert ours.left_out[0] == found.patterns.number[~checked].sum()


def test_the_seed_decides():
    one, same, other = (pipelines(entities=50, seed=seed).patterns.digest() for seed in (1, 1, 2))
    assert one == same != other
