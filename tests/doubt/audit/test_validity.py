"""False claims are settled at most as often as the risk says: 2,000 audits of each, with the draws that users get."""

from fractions import Fraction

import numpy as np
import pytest

from karat.doubt.audit.capital import Capitals, Kinds
from karat.verdict.audit.draws import drawn_by_pull, draws

RUNS = 2000
RISK = 0.05
AT_MOST = 120
"""The risk and two standard errors of that many runs."""
KINDS = Kinds(np.array([0.0, -1.0, -2.0]), np.array([2.0, 1.0, 0.0]))


def items(**numbers):
    """Items by what the given and the right label add to the lead: `a_b=3` are three that A is given and B deserves."""
    adds = {"a": 1, "o": 0, "b": -1}
    found = []
    for name, number in numbers.items():
        found += [(adds[name[0]], adds[name[2]])] * number
    return np.array(found)


def orders(size, *, undisputed=0, random=0.0):
    """The order of the disputed items in each run, by the audit's own draws."""
    found = []
    for seed in range(RUNS):
        order = draws(str(seed), size + undisputed, np.arange(size), Fraction(str(random)))
        first = list(dict.fromkeys(order.item.tolist()))
        found.append([item for item in first if item < size])
    return np.array(found)


def by_pull(pulls):
    """The order of guided draws in each run."""
    size = len(pulls)
    return np.array([drawn_by_pull(str(seed), np.arange(size), pulls) for seed in range(RUNS)])


def sums_of(kind, pulls, runs):
    """What capitals need to know of pulls, for every run."""
    largest = np.zeros(3)
    np.maximum.at(largest, kind, 1 / pulls)
    found = {
        "pull": np.bincount(kind, weights=pulls, minlength=3),
        "square": np.bincount(kind, weights=1 / pulls, minlength=3),
        "largest": largest,
    }
    return {name: np.tile(values, (runs, 1)) for name, values in found.items()}


def highest(table, order, *, undecidable=None, pulls=None):
    """The highest capital of the claim and of the opposite one in each run, looked at after every check."""
    given, right = table.T
    kind = 1 - given
    loss = (given - right).astype(float)
    gain = -loss
    if undecidable is not None:
        loss = np.where(undecidable, KINDS.most[kind], loss)
        gain = np.where(undecidable, -KINDS.least[kind], gain)
    number = np.tile(np.bincount(kind, minlength=3), (len(order), 1))
    pulls = np.ones(len(table)) if pulls is None else pulls
    sums = sums_of(kind, pulls, len(order))
    capitals = Capitals(KINDS, number, np.full(len(order), given.sum()), **sums)
    turned = Capitals(KINDS.turned(), number, np.full(len(order), -given.sum()), **sums)
    every = np.arange(len(order))
    highest_for, highest_against = np.ones(len(order)), np.ones(len(order))
    for step in range(order.shape[1]):
        drawn = order[:, step]
        capitals.draw(every, kind[drawn], loss[drawn], pull=pulls[drawn])
        turned.draw(every, kind[drawn], gain[drawn], pull=pulls[drawn])
        highest_for = np.maximum(highest_for, capitals.capital)
        highest_against = np.maximum(highest_against, turned.capital)
    return highest_for, highest_against


TIED = {
    "exactly tied, all errors in A's favour": items(a_a=50, a_b=10, b_b=40, o_o=10),
    "exactly tied, given labels that nobody deserves": items(a_a=40, a_o=12, b_b=40, o_o=8),
    "exactly tied, every given label is A's": items(a_a=30, a_b=30),
    "exactly tied, errors where neither was right": items(a_a=40, b_b=25, o_b=15, o_o=20),
    "exactly tied, errors both ways": items(a_a=30, a_b=25, b_a=15, b_b=20, o_o=10),
    "exactly tied, few large errors among many items": items(a_a=100, a_b=2, b_b=98),
    "exactly tied, small errors against large ones": items(a_a=20, a_o=30, b_a=5, b_b=25, o_b=0),
    "exactly tied, no error at all": items(a_a=30, b_b=30, o_o=5),
    "B better by one": items(a_a=30, a_b=11, b_b=20, o_o=5),
    "exactly tied, given labels far from the right ones": items(
        a_a=10, a_b=40, b_a=30, b_b=0, o_o=5
    ),
}


@pytest.mark.parametrize("case", TIED)
def test_a_false_claim_is_seldom_settled(case):
    table = TIED[case]
    lead = table[:, 1].sum()
    assert lead == 0 if case.startswith("exactly tied") else lead < 0
    settled, _ = highest(table, orders(len(table)))
    assert (settled >= 1 / RISK).sum() <= AT_MOST


@pytest.mark.parametrize("case", TIED)
def test_the_opposite_of_a_true_claim_is_seldom_said(case):
    table = -TIED[case]
    _, refuted = highest(table, orders(len(table)))
    assert (refuted >= 1 / RISK).sum() <= AT_MOST


def misleading(table, how):
    """Pulls that look away from the wrong labels, at them, or at random ones."""
    given, right = table.T
    pulls = np.random.default_rng(3).integers(20, 300, len(table))
    if how == "away from errors":
        pulls = np.where(given == right, 150, 50)
    if how == "to errors":
        pulls = np.where(given == right, 50, 300)
    return pulls


@pytest.mark.parametrize(
    "case",
    [
        "exactly tied, all errors in A's favour",
        "exactly tied, every given label is A's",
        "exactly tied, errors both ways",
        "B better by one",
    ],
)
@pytest.mark.parametrize("how", ["away from errors", "to errors", "at random"])
def test_guided_draws_keep_the_risk_wherever_they_look(case, how):
    table = TIED[case]
    pulls = misleading(table, how)
    order = by_pull(pulls)
    settled, _ = highest(table, order, pulls=pulls)
    assert (settled >= 1 / RISK).sum() <= AT_MOST
    _, refuted = highest(-table, order, pulls=pulls)
    assert (refuted >= 1 / RISK).sum() <= AT_MOST


@pytest.mark.parametrize("random", [0.2, 0.7, 1.0])
def test_draws_that_go_to_all_items_keep_the_risk(random):
    table = TIED["exactly tied, all errors in A's favour"]
    settled, refuted = highest(table, orders(len(table), undisputed=60, random=random))
    assert (settled >= 1 / RISK).sum() <= AT_MOST
    assert (refuted >= 1 / RISK).sum() <= AT_MOST


def test_undecidable_labels_keep_the_risk_wherever_they_are():
    table = TIED["exactly tied, errors both ways"]
    order = orders(len(table))
    given, right = table.T
    chance = np.random.default_rng(1)
    choices = [given > right, given < right, given == right, chance.random(len(table)) < 0.3]
    for undecidable in choices:
        settled, refuted = highest(table, order, undecidable=undecidable)
        assert (settled >= 1 / RISK).sum() <= AT_MOST
        assert (refuted >= 1 / RISK).sum() <= AT_MOST


def test_clear_claims_are_settled():
    table = items(a_a=60, a_b=3, b_b=20, o_o=7)
    settled, refuted = highest(table, orders(len(table)))
    assert (settled >= 1 / RISK).mean() > 0.95
    assert (refuted >= 1 / RISK).sum() <= AT_MOST


def best(rivals, *, seed):
    """Rivals with items of their own: how often all are settled, or the mean of the turned capitals reaches 20."""
    size = len(rivals[0])
    random = np.random.default_rng(seed)
    lanes = RUNS * len(rivals)
    given = np.stack([table[:, 0] for table in rivals])
    loss = np.stack([table[:, 0] - table[:, 1] for table in rivals])
    kind = 1 - given
    number = np.stack([np.bincount(row, minlength=3) for row in kind])
    lead = given.sum(axis=1)
    capitals = Capitals(KINDS, np.tile(number, (RUNS, 1)), np.tile(lead, RUNS))
    turned = Capitals(KINDS.turned(), np.tile(number, (RUNS, 1)), np.tile(-lead, RUNS))
    rival_of = np.tile(np.arange(len(rivals)), RUNS)
    own = random.permuted(np.tile(np.arange(size), (lanes, 1)), axis=1)
    turn = random.permuted(np.tile(np.repeat(np.arange(len(rivals)), size), (RUNS, 1)), axis=1)
    at = np.zeros(lanes, int)
    settled = np.zeros(lanes, bool)
    refuted, first = np.zeros(RUNS, bool), np.zeros(RUNS, bool)
    total = np.full(RUNS, float(len(rivals)))
    for step in range(turn.shape[1]):
        lane = np.arange(RUNS) * len(rivals) + turn[:, step]
        lane = lane[~settled[lane]]
        run = lane // len(rivals)
        total[run] -= turned.capital[lane]
        item = own[lane, at[lane]]
        rival = rival_of[lane]
        capitals.draw(lane, kind[rival, item], loss[rival, item])
        turned.draw(lane, kind[rival, item], -loss[rival, item])
        at[lane] += 1
        settled[lane] |= capitals.capital[lane] >= 1 / RISK
        total[run] += turned.capital[lane]
        refuted |= total >= len(rivals) / RISK
        first[run] |= turned.capital[lane] >= 1 / RISK
    return settled.reshape(RUNS, -1).all(axis=1).sum(), refuted.sum(), first.sum()


def test_blanks_that_are_replaced_would_let_the_checker_choose_the_result():
    """What the order of the draws is for: who may leave out labels that speak against A settles an exact tie."""
    table = TIED["exactly tied, all errors in A's favour"]
    given, right = table.T
    kept = np.flatnonzero(given <= right)
    number = np.bincount(1 - given, minlength=3)
    settled = 0
    for seed in range(300):
        capitals = Capitals(KINDS, [number], [given.sum()])
        order = np.random.default_rng(seed).permutation(kept)
        for item in order:
            loss = float(given[item] - right[item])
            capitals.draw(np.array([0]), np.array([1 - given[item]]), loss)
            if capitals.capital[0] >= 1 / RISK:
                settled += 1
                break
    assert settled == 300


CLOSE = items(a_a=12, a_b=5, b_a=5, b_b=11, o_o=2)
"""A is better by one, and the labels are no help."""


@pytest.mark.parametrize("number", [2, 10, 30])
def test_a_true_best_is_seldom_refuted_by_any_number_of_close_rivals(number):
    _, refuted, _ = best([CLOSE] * number, seed=number)
    assert refuted <= AT_MOST


@pytest.mark.parametrize("number", [2, 10, 30])
def test_a_false_best_is_seldom_settled(number):
    tied = items(a_a=15, a_b=3, b_b=12, o_o=2)
    clear = items(a_a=28, b_b=1, o_o=3)
    settled, _, _ = best([tied, *[clear] * (number - 1)], seed=number)
    assert settled <= AT_MOST


def test_taking_the_first_of_many_rivals_would_refute_too_often():
    _, _, first = best([CLOSE] * 30, seed=1)
    assert first > AT_MOST
