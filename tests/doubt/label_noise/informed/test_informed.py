"""The model informed: its features and draws against slow plain versions, and its forecasts under its own model."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special
from scipy.optimize import minimize

from karat.doubt.label_noise.informed.checked_items import fit_check
from karat.doubt.label_noise.informed.constants import LEARNT, read_constants
from karat.doubt.label_noise.informed.draws import informed_scores, informed_scores_by_group
from karat.doubt.label_noise.informed.items import UNCHECKED, LabelledItems, disputes_of
from karat.doubt.label_noise.informed.learning import combined, learn
from karat.doubt.label_noise.informed.likely_labels import likely_labels
from karat.doubt.label_noise.informed.logistic_posterior import (
    logistic_posterior,
    nearest_normal,
)
from karat.doubt.label_noise.informed.unknowns import Beliefs
from karat.errors import InputError
from karat.table.labels import Labels
from karat.tally.votes.patterns import Patterns
from karat.verdict.stability.informed import shrunk

EXACT = replace(
    LEARNT,
    intercept_sd=0.0,
    slope_sd=0.0,
    unanimity_sd=0.0,
    answered_sd=0.0,
    exponent_sd=0.0,
    by_label=0.0,
    by_alternative=0.0,
    by_right_label=0.0,
    by_system=0.0,
    by_group=0.0,
)
"""Nothing is unknown: every label is wrong with its own probability, independently."""
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""Where a function is looked at for its second derivatives."""


def table(given, answers, number=None, right=None):
    answers = np.asarray(answers, np.int32)
    number = np.ones(len(answers), np.int64) if number is None else np.asarray(number)
    labels = tuple("abcdef"[: 1 + max(int(answers.max()), int(np.max(given)))])
    names = tuple(f"s{k}" for k in range(answers.shape[1]))
    rows = Patterns(names, labels, np.asarray(given), answers, number, Labels())
    return LabelledItems.of(rows, None if right is None else np.asarray(right))


def some_items(seed, items=40, systems=5, classes=4):
    random = np.random.default_rng(seed)
    given = random.integers(0, classes, items)
    errs = random.random((items, systems)) < 0.4
    other = random.integers(-1, classes, (items, systems))
    return table(given, np.where(errs, other, given[:, None]))


def plain_chance(items, weights, row, constants):
    """P(wrong) and P(right label) of one row, in the words of the formula."""
    given = items.given[row]
    shares = {}
    for system, answer in enumerate(items.answers[row]):
        shares[int(answer)] = shares.get(int(answer), 0) + weights[system]
    u = 1 - shares.get(int(given), 0)
    others = {j: s for j, s in shares.items() if j not in {int(given), -1}}
    disputed = any(answer != given for answer in items.answers[row])
    c = (max(others.values(), default=0) / u - 1) if disputed else 0
    odds = constants.intercept + constants.slope * np.log((u + 0.02) / (1 - u + 0.02))
    wrong = special.expit(odds + constants.unanimity * c)
    rho = special.expit(constants.answered) if others else 0
    votes = {j: s**constants.exponent for j, s in others.items()}
    total = sum(votes.values())
    return wrong, {j: rho * vote / total for j, vote in votes.items()}


@pytest.mark.parametrize("seed", range(3))
def test_draws_have_the_mean_and_spread_of_the_formula(seed):
    items = some_items(seed)
    disputes = disputes_of(items)
    mean = np.zeros(len(items.systems))
    variance = np.zeros(len(items.systems))
    for row in range(len(items.given)):
        wrong, to = plain_chance(items, disputes.weights, row, EXACT)
        for system, answer in enumerate(items.answers[row].tolist()):
            right = 1 - wrong if answer == items.given[row] else wrong * to.get(answer, 0)
            mean[system] += items.number[row] * right
            variance[system] += items.number[row] * right * (1 - right)
    draws = 20_000
    drawn = informed_scores(Beliefs(disputes, EXACT), draws=draws, seed=seed)
    # Where all agree the draws leave the label as given: there scores do not move apart.
    agree = ~(items.answers != items.given[:, None]).any(axis=1)
    lost = sum(
        items.number[row] * plain_chance(items, disputes.weights, row, EXACT)[0]
        for row in np.flatnonzero(agree)
    )
    within = 5 * np.sqrt(variance / draws) + 1e-9
    assert (np.abs(drawn.mean(axis=0) - lost - mean) < within).all()


def test_likely_labels_are_the_formula_with_every_unknown_at_its_mean():
    items = some_items(4)
    disputes = disputes_of(items)
    likely = likely_labels(disputes)
    for label in (-1, 0, 1, 2, 3):
        found = likely.chance_of(np.full(len(items.given), label))
        for row in range(len(items.given)):
            wrong, rights = plain_chance(items, disputes.weights, row, LEARNT)
            wanted = 1 - wrong if label == items.given[row] else wrong * rights.get(label, 0.0)
            assert found[row] == pytest.approx(wanted)


def test_a_stated_share_is_met_in_every_draw():
    items = some_items(4, items=3_000)
    disputes = disputes_of(items)
    beliefs = Beliefs(disputes, LEARNT, lambda _random, size: np.full(size, 0.1))
    certain = Beliefs(disputes, LEARNT, lambda _random, size: np.zeros(size))
    same = informed_scores(certain, draws=20, seed=1)
    np.testing.assert_array_equal(same, np.broadcast_to(items.hits(), same.shape))
    moved = informed_scores(beliefs, draws=200, seed=1)
    assert (moved != items.hits()).any(axis=1).all()


def test_checked_items_stay_at_their_right_label():
    items = some_items(5)
    right = np.where(np.arange(len(items.given)) % 3 == 0, (items.given + 1) % 4, items.given)
    checked = replace(items, right=right)
    disputes = disputes_of(checked)
    check = fit_check(disputes, LEARNT)
    drawn = informed_scores(Beliefs(disputes, LEARNT, None, check), draws=10, seed=0)
    by_right = checked.number @ (checked.answers == right[:, None])
    np.testing.assert_array_equal(drawn, np.broadcast_to(by_right, drawn.shape))


def test_the_regression_is_the_maximum_that_a_general_optimiser_finds():
    random = np.random.default_rng(0)
    columns = random.normal(size=(60, 4))
    number = random.integers(1, 5, 60).astype(float)
    happened = random.random(60) < 0.3
    mean = random.normal(size=4)
    deviation = random.uniform(0.3, 2, 4)

    def surprise(at):
        linear = columns @ at
        fit = happened * linear - np.logaddexp(0, linear)
        return -(number @ fit) + (((at - mean) / deviation) ** 2).sum() / 2

    mode, root = logistic_posterior(columns, number, happened, mean, deviation)
    best = minimize(surprise, mean, method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(mode, best.x, atol=1e-4)
    step = 1e-4 * np.eye(4)
    curve = np.zeros((4, 4))
    for one in range(4):
        for other in range(4):
            ends = [surprise(mode + a * step[one] + b * step[other]) for a, b in CORNERS]
            curve[one, other] = (ends[0] - ends[1] - ends[2] + ends[3]) / 4e-8
    np.testing.assert_allclose(root @ root.T, np.linalg.inv(curve), rtol=1e-3, atol=1e-5)


def test_the_regression_is_the_nearest_normal_distribution_that_a_general_optimiser_finds():
    random = np.random.default_rng(0)
    columns = random.normal(size=(40, 2))
    number = random.integers(1, 5, 40).astype(float)
    happened = random.random(40) < 0.3
    prior_mean = random.normal(size=2)
    deviation = random.uniform(0.3, 2, 2)
    of_each = 0.7
    z = np.linspace(-8, 8, 401)
    weights = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()

    def distance(at):
        # The Kullback-Leibler divergence from the posterior, but for a constant; at is the mean, then L of L L'.
        mean = at[:2]
        root = np.array([[np.exp(at[2]), 0], [at[3], np.exp(at[4])]])
        spread = np.sqrt(((columns @ root) ** 2).sum(axis=1) + of_each**2)
        linear = (columns @ mean)[:, None] + spread[:, None] * z
        fit = (happened[:, None] * linear - np.logaddexp(0, linear)) @ weights
        pull = ((mean - prior_mean) ** 2 + (root**2).sum(axis=1)) / deviation**2
        return -(number @ fit) + pull.sum() / 2 - at[2] - at[4]

    mean, root = nearest_normal(columns, number, happened, prior_mean, deviation, of_each=of_each)
    best = minimize(distance, np.zeros(5), method="BFGS", options={"gtol": 1e-7}).x
    lower = np.array([[np.exp(best[2]), 0], [best[3], np.exp(best[4])]])
    np.testing.assert_allclose(mean, best[:2], atol=1e-4)
    np.testing.assert_allclose(root @ root.T, lower @ lower.T, atol=1e-4)


def test_as_many_wrong_labels_are_forecast_as_a_check_found():
    # Sixty labels of which each was checked five times, and nine wrong ones: an effect a label, its spread 1.
    labels = np.repeat(np.arange(60), 5)
    columns = np.column_stack([np.ones(300), labels[:, None] == np.arange(60)]).astype(float)
    happened = np.arange(300) % 33 == 0
    start = np.zeros(61)
    deviation = np.append(10.0, np.ones(60))
    mean, root = nearest_normal(columns, np.ones(300), happened, start, deviation)
    drawn = mean + np.random.default_rng(1).normal(size=(4_000, 61)) @ root.T
    forecast = special.expit(drawn @ columns.T).sum(axis=1)
    # The mean of a mean: its own spread over the draws, by the root of their number.
    within = 4 * forecast.std() / np.sqrt(4_000)
    assert forecast.mean() == pytest.approx(happened.sum(), abs=within + 0.1)


def own_model(random, systems=6, items=1_200, classes=5):
    """A table whose right labels come from the model itself: given labels, answers, right labels."""
    given = random.integers(0, classes, items)
    skill = random.uniform(0.6, 0.75, systems)
    errs = random.random((items, systems)) > skill
    answers = np.where(errs, random.integers(0, classes, (items, systems)), given[:, None])
    seen = LabelledItems(
        tuple(f"s{k}" for k in range(systems)),
        tuple("abcde"),
        given,
        answers.astype(np.int32),
        np.ones(items, np.int64),
        np.full(items, UNCHECKED),
        np.zeros(items, np.int64),
        0,
    )
    disputes = disputes_of(seen)
    unknowns = Beliefs(disputes, LEARNT).draw(random, 1)
    right = given.copy()
    for row in range(items):
        odds = unknowns.intercept[0] + unknowns.slope[0] * disputes.log_odds[row]
        odds += unknowns.unanimity[0] * disputes.unanimity[row]
        odds += unknowns.by_label[0, given[row]] + unknowns.by_pair[0, disputes.pair[row]]
        odds += unknowns.by_system[0] @ disputes.against[row]
        if random.random() >= special.expit(odds):
            continue
        right[row] = -2
        votes = {}
        for place, label in enumerate(disputes.alternatives[row]):
            if label >= 0:
                share = disputes.shares[row, place]
                votes[int(label)] = share ** unknowns.exponent[0] * np.exp(
                    unknowns.by_right_label[0, label]
                )
        if votes and random.random() < unknowns.answered[0]:
            chances = np.array(list(votes.values()))
            right[row] = random.choice(list(votes), p=chances / chances.sum())
    return seen, right


@pytest.mark.parametrize("checks", [0, 300])
def test_forecasts_are_calibrated_where_the_model_holds(checks):
    # Said and happened, over tables whose errors are drawn from the model itself, one label at a time.
    random = np.random.default_rng(7)
    said = []
    happened = []
    for _ in range(60):
        seen, right = own_model(random)
        given_hits = (seen.answers == seen.given[:, None]).sum(axis=0)
        right_hits = (seen.answers == right[:, None]).sum(axis=0)
        known = np.full(len(right), UNCHECKED)
        places = random.choice(len(right), checks, replace=False)
        known[places] = right[places]
        disputes = disputes_of(replace(seen, right=known))
        beliefs = Beliefs(disputes, LEARNT, None, fit_check(disputes, LEARNT))
        drawn = informed_scores(beliefs, draws=200, seed=1)
        for one in range(6):
            for other in range(6):
                if given_hits[one] > given_hits[other]:
                    said.append((drawn[:, one] < drawn[:, other]).mean())
                    happened.append(right_hits[one] < right_hits[other])
    said = np.array(said)
    happened = np.array(happened, float)
    # Pairs of one table hang together; 60 tables leave a few hundredths.
    assert happened.mean() == pytest.approx(said.mean(), abs=0.03)
    slope = np.cov(said, happened)[0, 1] / said.var(ddof=1)
    assert 0.75 < slope < 1.25
    assert happened[said < 0.01].mean() < 0.01


def test_resampled_items_spread_as_a_bootstrap_does():
    items = some_items(6, items=500)
    nothing_wrong = Beliefs(disputes_of(items), EXACT, lambda _random, size: np.zeros(size))
    drawn = informed_scores(nothing_wrong, draws=4_000, seed=2, few=True)
    share = items.hits() / items.number.sum()
    wanted = np.sqrt(items.number.sum() * share)
    # A Gamma(n) weight for n items: mean and variance are n.
    assert drawn.mean(axis=0) == pytest.approx(items.hits(), rel=0.02)
    assert drawn.std(axis=0) == pytest.approx(wanted, rel=0.06)


@pytest.mark.parametrize("few", [False, True])
def test_groups_are_parts_of_the_whole(few):
    items = some_items(7, items=400)
    groups = np.arange(len(items.given)) % 3
    disputes = disputes_of(replace(items, group=groups, groups=3))
    beliefs = Beliefs(disputes, LEARNT, lambda _random, size: np.full(size, 0.1))
    whole = informed_scores(beliefs, draws=30, seed=1, few=few)
    by_group = informed_scores_by_group(beliefs, draws=30, seed=1, few=few)
    np.testing.assert_allclose(by_group.sum(axis=1), whole)
    nothing_wrong = Beliefs(disputes, LEARNT, lambda _random, size: np.zeros(size))
    for group in range(3):
        own = disputes.part(np.flatnonzero(groups == group)).items
        drawn = informed_scores_by_group(nothing_wrong, draws=3, seed=1)[:, group]
        np.testing.assert_array_equal(drawn, np.broadcast_to(own.hits(), drawn.shape))


def test_a_benchmark_from_the_model_teaches_its_constants():
    random = np.random.default_rng(3)
    lessons = []
    for _ in range(8):
        seen, right = own_model(random, systems=8, items=4_000)
        lessons.append([learn(disputes_of(replace(seen, right=right)))])
    found = combined(dict(enumerate(lessons)), source="test")
    # Eight tables: the mean slope has the standard error .32 / sqrt 8.
    assert found.slope == pytest.approx(LEARNT.slope, abs=0.4)
    assert found.intercept == pytest.approx(LEARNT.intercept, abs=1.6)
    assert found.exponent == pytest.approx(LEARNT.exponent, abs=0.4)


def test_constants_are_read_from_a_file(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"slope": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="has no number for"):
        read_constants(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_constants(tmp_path / "absent.json")


def test_parts_of_a_table_have_its_votes_and_add_up_to_it():
    """Scores of the parts sum to those of the whole on average: nothing is unknown, so each item has its chance."""
    items = some_items(6)
    disputes = disputes_of(items)
    rows = np.arange(len(items.given))
    whole = informed_scores(Beliefs(disputes, EXACT), draws=20_000, seed=1).mean(axis=0)
    total = np.zeros(len(items.systems))
    for own in (rows[::3], rows[1::3], rows[2::3]):
        part = disputes.part(own)
        assert part.weights is disputes.weights
        total += informed_scores(Beliefs(part, EXACT), draws=20_000, seed=2).mean(axis=0)
    assert np.abs(total - whole).max() < 5 * np.sqrt(2 * len(rows) / 4 / 20_000)


def test_hits_by_group_are_counted_row_by_row():
    random = np.random.default_rng(8)
    items = some_items(8)
    rows = len(items.given)
    number = random.integers(1, 5, rows)
    items = replace(items, number=number, group=random.integers(0, 3, rows), groups=3)
    wanted = np.zeros((3, 5))
    for given, answers, number, group in zip(
        items.given, items.answers, items.number, items.group, strict=True
    ):
        wanted[group] += number * (answers == given)
    np.testing.assert_array_equal(items.hits_by_group(), wanted)
    np.testing.assert_array_equal(items.hits(), wanted.sum(axis=0))


def test_a_check_is_the_regression_on_columns_written_out():
    """Intercept, log odds, unanimity, who contradicts, and one column for each label that was checked."""
    items = some_items(9, items=120)
    random = np.random.default_rng(9)
    size = len(items.given)
    right = np.where(random.random(size) < 0.4, random.integers(0, 4, size), items.given)
    checked = replace(items, right=np.where(np.arange(size) % 2 == 0, right, UNCHECKED))
    disputes = disputes_of(checked)
    found = fit_check(disputes, LEARNT)
    items = disputes.items
    rows = [row for row in range(len(items.given)) if items.right[row] != UNCHECKED]
    labels = sorted({int(items.given[row]) for row in rows})
    table = []
    for row in rows:
        against = [float(one) for one in disputes.against[row]]
        of_label = [float(items.given[row] == label) for label in labels]
        table.append([1.0, disputes.log_odds[row], disputes.unanimity[row], *against, *of_label])
    wrong = [float(items.right[row] != items.given[row]) for row in rows]
    deviation = [LEARNT.intercept_sd, LEARNT.slope_sd, LEARNT.unanimity_sd]
    deviation += [LEARNT.by_system * np.sqrt(weight) for weight in disputes.weights]
    deviation += [LEARNT.by_label] * len(labels)
    mean = np.zeros(len(deviation))
    mean[:3] = LEARNT.intercept, LEARNT.slope, LEARNT.unanimity
    number = items.number[rows].astype(float)
    mode, root = logistic_posterior(np.array(table), number, wrong, mean, np.array(deviation))
    assert found.mode == pytest.approx(mode)
    assert found.root == pytest.approx(root)
    assert found.labels.tolist() == labels
    assert found.checked == number.sum()
    assert found.wrong == number @ wrong
    disputed = [float(disputes.contradicted[row] > 0) for row in rows]
    assert found.wrong_disputed == number @ (np.array(wrong) * disputed)


@pytest.mark.parametrize("found", [None, 0, 1, 24])
def test_who_profits_is_believed_as_far_as_wrong_labels_tell(found):
    """Of f wrong labels that systems contradict, f + 1 parts in f + 6 of what lies above 0.3 are believed."""
    check = None if found is None else SimpleNamespace(wrong_disputed=found)
    part = ((found or 0) + 1) / ((found or 0) + 6)
    assert shrunk(0.9, check) == pytest.approx(0.3 + 0.6 * part)
    assert shrunk(0.3, check) == 0.3
    assert shrunk(0.1, check) == 0.1
