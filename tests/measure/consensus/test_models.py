"""One-coin, pooled and their mean, beside expectation-maximisation written answer by answer."""

import numpy as np
import pytest

from karat.errors import OptionError
from karat.measure.consensus import ESTIMATORS
from karat.measure.consensus.combined import combined
from karat.measure.consensus.estimator import EstimatorInput
from karat.measure.consensus.one_coin import OneCoinOfVoters, one_coin
from karat.measure.consensus.pooled import STRENGTH, PooledOfVoters
from karat.measure.consensus.vote_weights import equal_weights
from karat.measure.consensus.voters import Voters


def crowd(seed, *, items=60, systems=5, classes=3, missing=0.3):
    """Answers of systems that are right more or less often, some of them missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    skill = np.linspace(0.4, 0.9, systems)
    right = rng.random((items, systems)) < skill
    wrong = (truth[:, None] + rng.integers(1, classes, (items, systems))) % classes
    codes = np.where(right, truth[:, None], wrong)
    codes[rng.random(codes.shape) < missing] = -1
    return codes, rng.integers(1, 4, items).astype(float)


def given(codes, number, **options):
    """The answers as an estimator takes them."""
    weights = equal_weights(codes.shape[1])
    return EstimatorInput(
        codes=codes, votes=None, labels=3, number=number, weights=weights, **options
    )


def slow(codes, number, classes, rates_of, rounds):
    """Expectation-maximisation, one answer after the other; rates_of makes error rates of expected counts."""
    items, systems = codes.shape
    answered = [i for i in range(items) if (codes[i] >= 0).any()]
    chances = {}
    for i in answered:
        votes = np.array([(codes[i] == c).sum() for c in range(classes)], float)
        chances[i] = votes / votes.sum()
    for _ in range(rounds):
        prior = sum(number[i] * chances[i] for i in answered)
        prior = prior / prior.sum()
        counts = np.zeros((systems, classes, classes))  # system, true label, answer
        for i in answered:
            for k in range(systems):
                if codes[i, k] >= 0:
                    counts[k, :, codes[i, k]] += number[i] * chances[i]
        rates = rates_of(counts)
        for i in answered:
            chances[i] = posterior(codes[i], prior, rates)
    return prior, rates


def posterior(answers, prior, rates, left_out=()):
    """How likely each label is by the answers of those who are not left out."""
    likely = prior.copy()
    for k, answer in enumerate(answers):
        if answer >= 0 and k not in left_out:
            likely = likely * rates[k, :, answer]
    return likely / likely.sum()


def slow_values(codes, number, prior, rates, families=None):
    """The share of right answers by the others, or by those of other families."""
    values = []
    for k in range(codes.shape[1]):
        out = {k} if families is None else set(np.flatnonzero(families == families[k]))
        above = below = 0.0
        for i in np.flatnonzero(codes[:, k] >= 0):
            above += number[i] * posterior(codes[i], prior, rates, out)[codes[i, k]]
            below += number[i]
        values.append(above / below)
    return values


def coins(counts):
    systems, classes, _ = counts.shape
    rates = np.empty_like(counts)
    for k in range(systems):
        accuracy = np.trace(counts[k]) / counts[k].sum()
        rates[k] = (1 - accuracy) / (classes - 1)
        np.fill_diagonal(rates[k], accuracy)
    return rates


def pools(counts):
    common = counts.sum(axis=0) + 0.01
    common = common / common.sum(axis=1, keepdims=True)
    rates = counts + STRENGTH * common
    return rates / rates.sum(axis=2, keepdims=True)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("model", "rates_of"), [(OneCoinOfVoters, coins), (PooledOfVoters, pools)])
def test_the_models_are_those_written_answer_by_answer(model, rates_of, seed, classes):
    codes, number = crowd(seed, classes=classes)
    prior, rates = slow(codes, number, classes, rates_of, rounds=300)
    found = model.of(Voters(codes, classes), number)
    assert found.fit.prior[:, 0] == pytest.approx(prior, abs=2e-3)
    assert found.values == pytest.approx(slow_values(codes, number, prior, rates), abs=2e-3)


@pytest.mark.parametrize("model", [OneCoinOfVoters, PooledOfVoters])
def test_of_a_family_nobody_confirms_another(model):
    # Copies weigh as one together, and each is judged by the answers of other families alone.
    codes, number = crowd(4, missing=0.1)
    copied = np.column_stack([codes, codes[:, 0], codes[:, 0]])
    families = np.array([0, 1, 2, 3, 4, 0, 0])
    together = model.of(Voters(copied, 3, families), number).values
    assert together[5:] == pytest.approx(together[[0, 0]])
    alone = model.of(Voters(copied, 3), number).values
    assert alone[0] > together[0] + 0.05
    if model is OneCoinOfVoters:
        once = model.of(Voters(codes, 3), number).values
        assert together[:5] == pytest.approx(once, abs=1e-6)


def test_one_coin_takes_many_labels_at_the_cost_of_those_that_are_given():
    codes, number = crowd(5, classes=4)
    few, many = (one_coin(codes, number, classes=classes) for classes in (4, 5))
    # A fifth label that nobody gives has nothing: the rest of each row is of labels that others gave.
    assert many.prior[4] < 0.02
    assert few.prior.sum() == pytest.approx(1)
    table = OneCoinOfVoters.of(Voters(codes, 4), number).chances
    assert table.sum(axis=1) == pytest.approx(np.ones(len(table)))


def test_the_mean_leans_to_the_model_that_overturns_less():
    codes, number = crowd(6, classes=2, missing=0.0)
    found = combined(Voters(codes, 2), number)
    low, high = sorted(zip(found.overturned, found.weights, strict=True))
    assert low[1] >= high[1]
    assert low[1] / high[1] == pytest.approx(np.exp((high[0] - low[0]) / 0.02))
    values = found.weights[0] * found.one_coin.values + found.weights[1] * found.pooled.values
    assert found.values == pytest.approx(values)


@pytest.mark.parametrize("name", ["one-coin", "pooled", "combined"])
def test_resamples_of_all_items_are_the_estimate(name):
    codes, number = crowd(7)
    answers = given(codes, number)
    value = ESTIMATORS[name].estimate(answers).value
    again = ESTIMATORS[name].resampled(answers, np.stack([number, number]))
    assert again == pytest.approx(np.stack([value, value]), abs=1e-4)


@pytest.mark.parametrize("name", ["one-coin", "pooled", "combined"])
def test_oracles_are_refused(name):
    codes, number = crowd(8)
    with pytest.raises(OptionError, match="no oracle"):
        ESTIMATORS[name].estimate(given(codes, number, oracles={0: 1.0}))
