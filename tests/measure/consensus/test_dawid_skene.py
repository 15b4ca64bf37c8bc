"""Dawid and Skene's estimate against the paper, crowd-kit's numbers, a plain loop, and its own laws."""

from math import exp, log

import numpy as np
import pytest

from karat.errors import OptionError
from karat.measure.consensus import dawid_skene_model as module
from karat.measure.consensus.dawid_skene import dawid_skene, dawid_skene_long

# Dawid and Skene 1979, Table 1: 45 patients, the first anaesthetist three times, four others once.
PATIENTS = """1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111
2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111
1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222
1211111 2222222"""
OBSERVERS = [0, 0, 0, 1, 2, 3, 4]
RATINGS = np.array(
    [
        (i, k, int(mark) - 1)
        for i, row in enumerate(PATIENTS.split())
        for k, mark in zip(OBSERVERS, row, strict=True)
    ]
).T


def drawn(items=400, systems=5, classes=3, *, seed=0, missing=0.2):
    rng = np.random.default_rng(seed)
    truth = rng.choice(
        classes, items, p=np.arange(1, classes + 1) / np.arange(1, classes + 1).sum()
    )
    right = rng.random((items, systems)) < np.linspace(0.55, 0.9, systems)
    answers = np.where(right, truth[:, None], rng.integers(0, classes, (items, systems)))
    return truth, np.where(
        rng.random(answers.shape) < missing, -1 - rng.integers(0, 2, answers.shape), answers
    )


def alike(one, other, close=1e-9):
    for part in ("prior", "errors", "chances"):
        np.testing.assert_allclose(getattr(one, part), getattr(other, part), atol=close)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-9)


def slow(answers, classes, rounds):
    """Prior, errors and chances after some rounds, by loops over items, systems and classes, as crowd-kit defines."""
    items = [[(k, a) for k, a in enumerate(row) if a >= 0] for row in answers.tolist()]
    chances = [[sum(a == c for _, a in row) / len(row) for c in range(classes)] for row in items]
    used = {pair for row in items for pair in row}
    for done in range(rounds + 1):
        prior = [sum(p[c] for p in chances) / len(items) for c in range(classes)]
        counts = {(k, a, c): 0.0 for k, a in used for c in range(classes)}
        for row, p in zip(items, chances, strict=True):
            for k, a in row:
                for c in range(classes):
                    counts[k, a, c] += p[c]
        counts = {key: max(count, 1e-10) for key, count in counts.items()}
        total = {
            (k, c): sum(n for (j, _, d), n in counts.items() if (j, d) == (k, c))
            for k, _, c in counts
        }
        errors = {(k, a, c): n / total[k, c] for (k, a, c), n in counts.items()}
        if done == rounds:
            return prior, errors, chances
        for place, row in enumerate(items):
            logs = [
                log(max(prior[c], 1e-10)) + sum(log(errors[k, a, c]) for k, a in row)
                for c in range(classes)
            ]
            weights = [exp(each - max(logs)) for each in logs]
            chances[place] = [weight / sum(weights) for weight in weights]
    raise AssertionError


def test_the_anaesthetists_of_the_paper():
    found = dawid_skene_long(*RATINGS, np.ones(45), shape=(5, 4))
    assert found.converged
    # Section 4: the estimated marginals, and the error-rates of the first observer.
    assert found.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert found.errors[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]


def test_crowd_kit_has_the_same_numbers_after_20_rounds():
    # crowd-kit 1.4.2, DawidSkene(n_iter=20, tol=-1e9), on the same answers.
    found = dawid_skene_long(*RATINGS, np.ones(45), shape=(5, 4), rounds=20, tolerance=-1e9)
    prior = [0.3995547528847615, 0.4219833920886879, 0.11179518835984535, 0.06666666666670519]
    assert found.prior == pytest.approx(prior, abs=1e-12)
    diagonal = [0.8894883, 0.8763799, 0.6611785, 0.4444444]
    assert found.recall[0] == pytest.approx(diagonal, abs=5e-8)
    assert found.chances[[6, 37], [0, 2]] == pytest.approx([0.9810203, 0.97879952], abs=5e-9)
    assert found.rounds == 20


def test_crowd_kit_has_the_same_numbers_where_answers_are_missing():
    # crowd-kit 1.4.2, DawidSkene(n_iter=7, tol=-1e9); the errors of the last of four workers by true class.
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 60)
    answers = np.where(rng.random((60, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (60, 4)))
    answers[rng.random(answers.shape) < 0.3] = -1
    found = dawid_skene(answers, rounds=7, tolerance=-1e9)
    assert found.prior == pytest.approx(
        [0.3471621893201737, 0.3099474348246988, 0.34289037585512755], abs=1e-10
    )
    last = [
        [0.8025874163047723, 0.19741258363834288, 5.688490932334615e-11],
        [0.13680827504460705, 0.47050275305196937, 0.39268897190342367],
        [0.16951647481615845, 0.08203502691546154, 0.74844849826838],
    ]
    np.testing.assert_allclose(found.errors[3], last, atol=1e-9)


@pytest.mark.parametrize("rounds", [1, 4])
@pytest.mark.parametrize("seed", range(3))
def test_a_plain_loop_has_the_same_numbers(seed, rounds):
    _, answers = drawn(40, 4, 3, seed=seed)
    answers = answers[(answers >= 0).any(axis=1)]
    found = dawid_skene(answers, rounds=rounds, tolerance=-1e9)
    prior, errors, chances = slow(answers, 3, rounds)
    assert found.prior == pytest.approx(prior, abs=1e-12)
    np.testing.assert_allclose(found.chances, chances, atol=1e-9)
    for (k, a, c), error in errors.items():
        assert found.errors[k, c, a] == pytest.approx(error, abs=1e-12)


def test_equal_rows_may_be_gathered():
    _, answers = drawn()
    rows, place, number = np.unique(answers, axis=0, return_inverse=True, return_counts=True)
    once, apart = dawid_skene(rows, number), dawid_skene(answers)
    np.testing.assert_allclose(once.errors, apart.errors, atol=1e-8)
    np.testing.assert_allclose(once.chances[place.ravel()], apart.chances, atol=1e-6)


def test_bundles_and_single_answers_say_the_same(monkeypatch):
    _, answers = drawn(systems=9)
    row, system = np.nonzero(answers >= 0)
    long = dawid_skene_long(
        row, system, answers[row, system], np.ones(len(answers)), shape=(9, 3), rounds=9
    )
    alike(dawid_skene(answers, rounds=9), long)
    monkeypatch.setattr(module, "MOST_BUNDLES", 20)
    alike(dawid_skene(answers, rounds=9), long)


def test_the_likelihood_never_falls():
    _, answers = drawn(seed=3)
    found = [dawid_skene(answers, rounds=r, tolerance=-1e9).log_likelihood for r in range(1, 30)]
    assert (np.diff(found) > -1e-7).all()


def test_the_likelihood_is_that_of_the_answers():
    _, answers = drawn(60, 3, 2, seed=4)
    before, after = (dawid_skene(answers, rounds=r, tolerance=-1e9) for r in (6, 7))
    direct = 0.0
    for row in answers:
        joint = before.prior.copy()
        for k, a in enumerate(row):
            joint *= before.errors[k, :, a] if a >= 0 else 1
        direct += np.log(joint.sum()) if (row >= 0).any() else 0
    assert after.log_likelihood == pytest.approx(direct, rel=1e-9)


def test_the_estimate_comes_near_the_truth():
    truth, answers = drawn(20_000, 6, 3, seed=7)
    found = dawid_skene(answers)
    known = [
        ((answers[:, k] == truth) & (answers[:, k] >= 0)).sum() / (answers[:, k] >= 0).sum()
        for k in range(6)
    ]
    # 16,000 answers each: a standard error of .004, and as much again for the guessed labels.
    assert found.accuracy == pytest.approx(known, abs=0.02)
    assert found.prior == pytest.approx(np.bincount(truth) / len(truth), abs=0.02)


def test_precision_is_by_bayes_rule():
    found = dawid_skene(drawn(seed=9)[1])
    joint = found.prior[:, None] * found.errors[1]
    assert found.precision[1] == pytest.approx(np.diag(joint) / joint.sum(axis=0))
    assert found.accuracy[1] == pytest.approx(np.trace(joint))


def test_known_truth_is_kept_and_helps():
    truth, answers = drawn(seed=11)
    told = np.where(np.arange(len(truth)) % 2, truth, -1)
    found = dawid_skene(answers, truth=told)
    assert (found.chances[1::2].argmax(axis=1) == truth[1::2]).all()
    whole = dawid_skene(answers, truth=truth, classes=3)
    seen = answers[:, 0] >= 0
    recall = [(answers[seen & (truth == c), 0] == c).mean() for c in range(3)]
    assert whole.recall[0] == pytest.approx(recall, abs=1e-9)


def test_copies_that_share_one_vote_count_as_one_system():
    _, answers = drawn(seed=13, missing=0)
    copied = np.column_stack([answers, answers[:, 0], answers[:, 0]])
    one, three = (
        dawid_skene(answers),
        dawid_skene(copied, weights=[1 / 3, 1, 1, 1, 1, 1 / 3, 1 / 3]),
    )
    np.testing.assert_allclose(three.chances, one.chances, atol=1e-9)
    np.testing.assert_allclose(three.errors[5], one.errors[0], atol=1e-9)


def test_what_nobody_answered_has_the_chances_of_any_item():
    found = dawid_skene([[0, 0], [-1, -2], [1, 1]], [3, 5, 1])
    assert found.chances[1].tolist() == found.prior.tolist()
    assert found.prior == pytest.approx([0.75, 0.25])


def test_a_system_without_answers_has_no_errors():
    found = dawid_skene([[0, -1], [1, -1]])
    assert np.isnan(found.errors[1]).all()
    assert np.isnan(found.accuracy[1])
    assert found.accuracy[0] == pytest.approx(1)


def test_many_annotators_with_few_answers_each():
    rng = np.random.default_rng(1)
    items, systems = 20_000, 762
    truth, row = rng.integers(0, 4, items), np.repeat(np.arange(items), 5)
    system = rng.integers(0, systems, len(row))
    skill = rng.uniform(0.5, 0.95, systems)
    label = np.where(rng.random(len(row)) < skill[system], truth[row], rng.integers(0, 4, len(row)))
    found = dawid_skene_long(row, system, label, np.ones(items), shape=(systems, 4))
    votes = np.zeros((items, 4))
    np.add.at(votes, (row, label), 1)
    ours = (found.chances.argmax(axis=1) == truth).mean()
    assert ours > (votes.argmax(axis=1) == truth).mean()
    right = skill + (1 - skill) / 4
    assert np.corrcoef(found.accuracy, right)[0, 1] > 0.85


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dawid_skene([1, 2]), "give a row for each item"),
        (lambda: dawid_skene([[3, 0]], classes=2), "the label 3, and there are 2"),
        (
            lambda: dawid_skene_long([0], [4], [0], [1], shape=(2, 2)),
            "the system 4, and there are 2",
        ),
        (lambda: dawid_skene_long([], [], [], [1], shape=(2, 2)), "no answers"),
        (lambda: dawid_skene([[-1, -1]]), "no answers"),
    ],
)
def test_errors_say_what_to_do(call, words):
    with pytest.raises(OptionError, match=words):
        call()
