"""Systems that err together: whether they are found, and what helps against them in the paper's own case."""

from dataclasses import replace

import numpy as np
import pytest

from karat.demo.pipelines import pipelines
from karat.doubt.consensus.correlated_systems import correlated_systems
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.pair_agreement import agreement_in_errors
from karat.measure.consensus.vote_weights import equal_weights, vote_weights, with_oracles
from karat.measure.consensus.votes import consensus
from karat.measure.rank_agreement import kendall

SEEDS = range(5)
EQUAL = vote_weights(np.ones(24))


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


def members(found):
    """The families of several systems."""
    codes = found.families
    return [tuple(np.flatnonzero(codes == c)) for c in np.unique(codes) if (codes == c).sum() > 1]


def crowd(rng, *, systems=5, items=600, copied=0.0, family=2, spammer=False, difficulty=0.0):
    """Answers yes and no; the first copies of system 0 take this share of its answers."""
    truth = rng.integers(0, 2, items)
    skill = rng.uniform(0.65, 0.9, systems)
    scale = np.sqrt(1 + 0.35 * difficulty**2)
    odds = np.log(skill / (1 - skill)) * scale + rng.normal(0, difficulty, (items, 1))
    right = rng.random((items, systems)) < 1 / (1 + np.exp(-odds))
    answers = np.where(right, truth[:, None], 1 - truth[:, None])
    for copy in range(1, family):
        taken = rng.random(items) < copied
        answers[taken, copy] = answers[taken, 0]
    if spammer:
        answers[:, -1] = rng.integers(0, 2, items)
    return answers, truth


@pytest.mark.parametrize("with_truth", [False, True])
@pytest.mark.parametrize("difficulty", [0.0, 1.5])
@pytest.mark.parametrize("systems", [5, 20])
def test_independent_errors_are_seldom_called_shared(systems, difficulty, with_truth):
    rng = np.random.default_rng(1)
    runs = 40
    wrong = 0
    for _ in range(runs):
        answers, truth = crowd(rng, systems=systems, difficulty=difficulty)
        truth = truth if with_truth else None
        wrong += bool(correlated_systems(answers, classes=2, truth=truth).evidence)
    assert wrong <= 0.05 * runs + 3 * np.sqrt(0.05 * 0.95 * runs)


def test_few_common_items_do_not_make_a_family():
    # Every two systems share some twenty items. That two of many pairs agree on all of these is chance.
    rng = np.random.default_rng(12)
    runs = 10
    wrong = 0
    for _ in range(runs):
        answers, _ = crowd(rng, systems=40, items=2000)
        answers[rng.random(answers.shape) >= 0.1] = -1
        wrong += bool(correlated_systems(answers, classes=2).evidence)
    assert wrong <= 0.05 * runs + 3 * np.sqrt(0.05 * 0.95 * runs)


def test_copies_are_found_though_few_items_are_common():
    rng = np.random.default_rng(13)
    found = []
    for _ in range(10):
        answers, _ = crowd(rng, systems=20, items=1000, family=3, copied=0.75)
        answers[rng.random(answers.shape) >= 0.3] = -1
        found += members(correlated_systems(answers, classes=2))
    assert len([family for family in found if set(family) <= {0, 1, 2}]) >= 5


@pytest.mark.parametrize("spammer", [False, True])
def test_with_the_truth_who_copies_is_named(spammer):
    rng = np.random.default_rng(2)
    for _ in range(10):
        answers, truth = crowd(rng, copied=0.75, spammer=spammer)
        found = correlated_systems(answers, classes=2, truth=truth)
        assert members(found) == [(0, 1)]
        (evidence,) = found.evidence
        assert evidence.by == "errors"
        assert evidence.low < 0.75 < evidence.high + 0.1


def test_fifty_labels_name_the_copies_mostly_and_nobody_else():
    rng = np.random.default_rng(3)
    named = 0
    for _ in range(40):
        answers, truth = crowd(rng, copied=0.75)
        truth[50:] = -1
        found = members(correlated_systems(answers, classes=2, truth=truth))
        assert found in ([], [(0, 1)])
        named += bool(found)
    assert named >= 24


def test_without_truth_a_pair_among_three_others_is_named_mostly():
    rng = np.random.default_rng(4)
    found = [members(correlated_systems(crowd(rng, copied=0.75)[0], classes=2)) for _ in range(30)]
    assert found.count([(0, 1)]) >= 24
    assert sum(families not in ([], [(0, 1)]) for families in found) <= 1


def test_without_truth_a_spammer_leaves_two_pairs_that_cannot_be_told_apart():
    rng = np.random.default_rng(5)
    told = 0
    for _ in range(30):
        found = correlated_systems(crowd(rng, copied=0.75, spammer=True)[0], classes=2)
        assert members(found) == []
        for evidence in found.evidence:
            assert {(0, 1)} & {evidence.systems, evidence.otherwise}
            told += 1
    assert told >= 10


def test_five_of_eight_are_named_with_the_truth():
    rng = np.random.default_rng(6)
    for _ in range(10):
        answers, truth = crowd(rng, systems=8, family=5, copied=0.75)
        assert members(correlated_systems(answers, classes=2, truth=truth)) == [(0, 1, 2, 3, 4)]


def test_gathered_rows_say_the_same():
    answers, truth = crowd(np.random.default_rng(7), copied=0.75)
    both = np.column_stack([answers, truth])
    rows, number = np.unique(both, axis=0, return_counts=True)
    for known in (None, truth):
        one = correlated_systems(answers, classes=2, truth=known)
        gathered = None if known is None else rows[:, 5]
        other = correlated_systems(rows[:, :5], number, classes=2, truth=gathered)
        assert one.families.tolist() == other.families.tolist()
        assert one.evidence[0].excess == pytest.approx(other.evidence[0].excess)


def test_systems_that_share_no_item_are_not_compared():
    answers = np.array([[0, -1, 0, 1], [1, -1, 1, 0], [-1, 1, 1, 1], [-1, 0, 0, 0]] * 15)
    found = correlated_systems(answers, classes=2)
    assert np.isnan(found.observed[0, 1])


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


@pytest.mark.parametrize("others", [0.5, 2.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_by_the_truth_each_ocr_is_a_family(seed, others):
    found = pipelines(seed=seed, others=others)
    rows = found.patterns
    by_truth = correlated_systems(rows.answers, rows.number, classes=2, truth=rows.truth)
    assert members(by_truth) == [tuple(np.flatnonzero(found.ocr == ocr)) for ocr in (0, 1)]


@pytest.mark.parametrize("seed", SEEDS)
def test_without_truth_half_of_the_systems_cannot_be_seen(seed):
    # One side's common errors are the other's common truths: neither is named.
    table, number, _, _ = case(seed)
    assert members(correlated_systems(table, number, classes=2)) == []


@pytest.mark.parametrize("leave_out", ["nobody", "family"])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_vote_for_the_bad_ocr_repairs_the_order(seed, leave_out):
    table, number, f, good = case(seed)
    families = np.where(good, np.arange(24), 24)
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
    # With more documents that nobody finds one vote for each OCR changes nothing.
    table, number, f, good = case(seed, others=2.0)
    fit = dawid_skene(table, number)
    families = good.astype(int)
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


def test_a_merger_gains_the_misfit_of_its_pairs_for_each_of_them():
    """By loops: half of precision times square for each of both places of a pair, -1 where the pairs lie below."""
    from karat.doubt.consensus.correlated_systems import _gains, _leaving_out, _Search

    answers, truth = crowd(np.random.default_rng(11), systems=6, copied=0.5, family=3)
    agreement = agreement_in_errors(answers, np.ones(600), truth, classes=2)
    search = replace(_Search.of_errors(agreement, 2, 0.95), clusters=np.array([0, 0, 2, 3, 4, 5]))
    value, precision = search.value, search.between
    mergers = [(0, 2), (2, 3), (4, 5), (0, 4)]
    without = np.stack([_leaving_out(search, pair, precision) for pair in mergers])
    found = _gains(search, value, precision, without)
    for gain, (one, other) in zip(found, mergers, strict=True):
        pairs = [
            (k, j)
            for k in np.flatnonzero(search.clusters == one)
            for j in np.flatnonzero(search.clusters == other)
        ]
        residual = np.array([value[pair] - search.expected[pair] for pair in pairs])
        weight = np.array([precision[pair] for pair in pairs])
        wanted = (weight * residual**2).sum() / len(pairs)
        assert gain == pytest.approx(wanted if (weight * residual).sum() > 0 else -1.0)
