"""What holds for the order of many systems under errors in the labels."""

from itertools import product

import numpy as np
import pytest

from karat.doubt.label_noise import ranking_order as module
from karat.doubt.label_noise.ranking_order import (
    binomial,
    ranking_from_draws,
    ranking_under_label_noise,
)
from karat.errors import OptionError

FIELDS = ("kept", "no_inversion", "best_kept", "best_among", "sole_best", "ranks", "before")


def signs(scores):
    return np.sign(scores[:, None] - scores[None, :])


def enumerated(right, error):
    """The obvious way: every set of wrong labels, one by one."""
    items, systems = right.shape
    given = right.sum(axis=0)
    sums = {
        "kept": 0.0,
        "no_inversion": 0.0,
        "best_kept": 0.0,
        "best_among": 0.0,
        "sole_best": np.zeros(systems),
    }
    sums |= {"ranks": np.zeros((systems, systems)), "before": np.zeros((systems, systems))}
    for wrong in product([False, True], repeat=items):
        chance = np.prod(np.where(wrong, error, 1 - error))
        scores = (right ^ np.array(wrong)[:, None]).sum(axis=0)
        best = scores == scores.max()
        sums["kept"] += chance * (signs(scores) == signs(given)).all()
        sums["no_inversion"] += chance * (signs(scores) * signs(given) >= 0).all()
        sums["best_kept"] += chance * (best[given.argmax()] and best.sum() == 1)
        sums["best_among"] += chance * best[given.argmax()]
        sums["sole_best"] += chance * best * (best.sum() == 1)
        for i in range(systems):
            sums["ranks"][i, (scores > scores[i]).sum()] += chance
        sums["before"] += chance * (signs(scores) > 0)
    if (given == given.max()).sum() > 1:
        sums |= {"best_kept": None, "best_among": None}
    return sums


def random_table(seed, items=8, systems=4):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, items + 1), rng.integers(1, systems + 1)
    return rng.random(shape) < rng.uniform(0.3, 0.9), rng.uniform(0, 1, shape[0])


def same(found, wanted, tolerance):
    for field in FIELDS:
        got = getattr(found, field)
        expected = wanted[field] if isinstance(wanted, dict) else getattr(wanted, field)
        if expected is None:
            assert got is None
        else:
            assert got == pytest.approx(expected, abs=tolerance), field


@pytest.mark.parametrize("seed", range(40))
def test_every_probability_is_that_of_all_sets_of_wrong_labels(seed):
    right, error = random_table(seed)
    error = error if seed % 2 else np.full(len(error), error[0])
    found = ranking_under_label_noise(right, np.ones(len(right)), error)
    assert found.method == "exact"
    assert found.standard_error == 0
    same(found, enumerated(right, error), 1e-13)


def test_table_2_by_its_patterns():
    # Lamiroy, Pierrot, Table 2: A1 errs alone in 3 of the 20 cells, A2 in 1, A3 in 4. METHODS.md, LP-CF4.
    right, number = [[1, 1, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [12, 3, 1, 4]
    kept = [round(ranking_under_label_noise(right, number, e).kept, 4) for e in (0.05, 0.1, 0.2)]
    assert kept == [0.705, 0.5013, 0.2726]


@pytest.mark.parametrize("seed", range(6))
def test_the_simulation_agrees_with_the_exact_law(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    right, number = rng.random((12, 3)) < 0.6, rng.integers(1, 60, 12)
    error = rng.uniform(0, 0.4)
    exact = ranking_under_label_noise(right, number, error)
    monkeypatch.setattr(module, "MOST_CELLS", 0)
    drawn = ranking_under_label_noise(right, number, error, draws=20_000, seed=seed)
    assert exact.method == "exact"
    assert drawn.method == f"simulation (draws=20000, seed={seed})"
    assert 0 < drawn.standard_error <= 0.5 / 20_000**0.5
    same(drawn, exact, 5 * 0.5 / 20_000**0.5)


def test_the_simulation_is_the_same_in_small_steps_in_law_and_repeats_itself(monkeypatch):
    rng = np.random.default_rng(3)
    right = rng.random((400, 12)) < 0.7
    once, again = (
        ranking_under_label_noise(right, np.ones(400), 0.05, draws=4000, seed=5) for _ in range(2)
    )
    same(once, again, 0)
    monkeypatch.setattr(module, "AT_ONCE", 1000)
    same(
        ranking_under_label_noise(right, np.ones(400), 0.05, draws=4000, seed=5),
        once,
        5 * 0.5 * (2 / 4000) ** 0.5,
    )


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_items_and_of_systems_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    right, number, error = rng.random((9, 3)) < 0.6, rng.integers(0, 30, 9), rng.uniform(0, 0.5, 9)
    items, systems = rng.permutation(9), rng.permutation(3)
    found = ranking_under_label_noise(right, number, error)
    moved = ranking_under_label_noise(right[items][:, systems], number[items], error[items])
    assert [moved.kept, moved.no_inversion] == pytest.approx(
        [found.kept, found.no_inversion], abs=1e-13
    )
    assert moved.ranks == pytest.approx(found.ranks[systems], abs=1e-13)
    assert moved.before == pytest.approx(found.before[np.ix_(systems, systems)], abs=1e-13)


def test_the_order_of_items_does_not_change_a_simulation():
    rng = np.random.default_rng(1)
    right, order = rng.random((500, 20)) < 0.7, rng.permutation(500)
    one = ranking_under_label_noise(right, np.ones(500), 0.1, draws=500)
    same(ranking_under_label_noise(right[order], np.ones(500), 0.1, draws=500), one, 0)


@pytest.mark.parametrize("systems", [1, 2, 3, 30, 80])
def test_without_errors_everything_is_kept(systems):
    right = np.random.default_rng(systems).random((50, systems)) < 0.7
    found = ranking_under_label_noise(right, np.ones(50), 0, draws=100)
    assert (found.kept, found.no_inversion) == (1, 1)
    assert found.best_kept in {1, None}


def test_only_wrong_labels_turn_the_order_round():
    found = ranking_under_label_noise([[1, 0], [1, 1]], [3, 5], 1)
    assert (found.kept, found.before[1, 0]) == (0, 1)


def test_a_single_system_keeps_its_place():
    found = ranking_under_label_noise([[1], [0]], [3, 4], 0.3)
    assert (found.kept, found.best_kept, found.best_among, found.ranks.tolist()) == (
        1,
        1,
        1,
        [[1.0]],
    )


def test_two_systems_follow_the_binomial_law():
    # METHODS.md, LP-CF1: kept = sum over k of P(K = k) P(I < (n2 - n1)/2 + k), from SciPy.
    from scipy.stats import binom

    for n1, n2, e in [(1, 3, 0.2), (40, 55, 0.1), (900, 1000, 0.3), (5000, 5100, 0.01)]:
        k = np.arange(n1 + 1)
        wanted = (binom.pmf(k, n1, e) * binom.cdf(np.ceil((n2 - n1) / 2) - 1 + k, n2, e)).sum()
        assert ranking_under_label_noise([[1, 0], [0, 1]], [n1, n2], e).kept == pytest.approx(
            wanted, rel=1e-9
        )


def test_three_systems_on_many_items_are_exact_too():
    rng = np.random.default_rng(0)
    right = rng.random((20_000, 3)) < [0.8, 0.803, 0.81]
    found = ranking_under_label_noise(right, np.ones(20_000), 0.02)
    assert found.method == "exact"
    assert found.ranks.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        pair = ranking_under_label_noise(right[:, [i, j]], np.ones(20_000), 0.02)
        assert [found.before[i, j], found.before[j, i]] == pytest.approx(
            [pair.before[0, 1], pair.before[1, 0]]
        )
        assert found.tied(i, j) == pytest.approx(pair.tied(0, 1))


@pytest.mark.parametrize(
    ("n", "e"), [(0, 0.3), (7, 0.0), (7, 1.0), (50, 0.5), (1000, 0.01), (10**6, 0.03)]
)
def test_the_binomial_law_is_that_of_scipy(n, e):
    from scipy.stats import binom

    start, chances = binomial(n, e)
    assert chances == pytest.approx(binom.pmf(start + np.arange(len(chances)), n, e), rel=1e-8)
    assert chances.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("error", [-0.1, 1.01, float("nan"), [0.1, 7]])
def test_an_error_rate_that_is_no_probability_is_refused(error):
    with pytest.raises(OptionError, match="it is a probability, from 0 to 1"):
        ranking_under_label_noise([[1, 0], [1, 1]], [3, 5], error)


def test_what_cannot_be_computed_is_refused():
    with pytest.raises(OptionError, match="use scores_under_label_noise"):
        ranking_under_label_noise([[1, 0]], [3], 0.1, classes=3)
    with pytest.raises(OptionError, match="a row for each pattern"):
        ranking_under_label_noise([[1, 0]], [3, 4], 0.1)
    with pytest.raises(OptionError, match="draws is 0"):
        ranking_under_label_noise(
            np.random.default_rng(0).random((99, 20)) < 0.5, np.ones(99), 0.1, draws=0
        )


@pytest.mark.parametrize("given", [[5, 3, 3, 1], [2, 4, 1, 3], [4, 4, 2, 1]])
@pytest.mark.parametrize("lower_is_better", [False, True])
def test_simulated_scores_are_looked_at_one_draw_after_the_other(given, lower_is_better):
    random = np.random.default_rng(sum(given))
    drawn = np.array(given) + random.integers(-1, 2, (300, 4)).astype(float)
    sign = -1 if lower_is_better else 1
    goal = [sign * one for one in given]
    kept = uninverted = best_kept = best_among = 0
    before, ranks, sole_best = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros(4)
    best = goal.index(max(goal))
    for row in (sign * drawn).tolist():
        pairs = [(i, j) for i in range(4) for j in range(4) if i != j]
        kept += all(np.sign(row[i] - row[j]) == np.sign(goal[i] - goal[j]) for i, j in pairs)
        uninverted += not any(goal[i] > goal[j] and row[i] < row[j] for i, j in pairs)
        others = [row[i] for i in range(4) if i != best]
        best_kept += row[best] > max(others)
        best_among += row[best] >= max(others)
        for i in range(4):
            ranks[i, sum(other > row[i] for other in row)] += 1
            sole_best[i] += all(row[i] > row[j] for j in range(4) if j != i)
            for j in range(4):
                before[i, j] += row[i] > row[j]
    found = ranking_from_draws(given, drawn, method="drawn", lower_is_better=lower_is_better)
    assert (found.kept, found.no_inversion) == pytest.approx((kept / 300, uninverted / 300))
    assert found.before == pytest.approx(before / 300)
    assert found.ranks == pytest.approx(ranks / 300)
    assert found.sole_best == pytest.approx(sole_best / 300)
    shares = [kept, uninverted, *before.ravel(), *ranks.ravel(), *sole_best]
    if goal.count(max(goal)) == 1:
        assert (found.best_kept, found.best_among) == pytest.approx(
            (best_kept / 300, best_among / 300)
        )
        shares += [best_kept, best_among]
        largest = max(p / 300 * (1 - p / 300) for p in shares)
        assert found.standard_error == pytest.approx(np.sqrt(largest / 300))
    else:
        assert (found.best_kept, found.best_among) == (None, None)
