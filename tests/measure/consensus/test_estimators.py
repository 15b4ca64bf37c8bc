"""Every estimator of the index does what its traits say."""

from dataclasses import replace

import numpy as np
import pytest

from karat.measure.consensus import DEFAULT_ESTIMATOR, ESTIMATORS
from karat.measure.consensus.estimator import Estimator, EstimatorInput, Opinion
from karat.measure.consensus.vote_weights import equal_weights

SYSTEMS = 4


def answers(classes, *, yes_no=False, seed=0):
    """Answers that are right four times in five, some of them missing."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, 60)
    right = random.random((60, SYSTEMS)) < 0.8
    codes = np.where(right, truth[:, None], random.integers(0, classes, (60, SYSTEMS)))
    codes[random.random(codes.shape) < 0.05] = -1
    return EstimatorInput(
        codes=codes,
        votes=np.where(codes < 0, np.nan, codes) if yes_no else None,
        labels=1 if yes_no else classes,
        number=random.integers(1, 5, 60).astype(float),
        weights=equal_weights(SYSTEMS),
    )


def inputs(estimator):
    """Yes/no answers, and labels where the estimator takes them."""
    return [answers(2, yes_no=True), *([answers(3)] if estimator.labels else [])]


def every(trait=None):
    """A mark that runs a test for every estimator that has a trait."""
    names = [name for name in ESTIMATORS if trait is None or getattr(ESTIMATORS[name], trait)]
    entries = [ESTIMATORS[name] for name in names]
    return pytest.mark.parametrize("estimator", entries, ids=names)


def test_the_default_is_in_the_index():
    assert isinstance(ESTIMATORS[DEFAULT_ESTIMATOR], Estimator)


@every()
def test_an_estimator_judges_every_voter(estimator):
    for given in inputs(estimator):
        opinion = estimator.estimate(given)
        assert isinstance(opinion, Opinion)
        sizes = {len(part) for part in (opinion.value, opinion.retrieved, opinion.f)}
        assert sizes <= {SYSTEMS, SYSTEMS + 2}
        assert ((opinion.value >= 0) & (opinion.value <= 1) | np.isnan(opinion.value)).all()
        ranked_by = opinion.f if estimator.ranks_by_f else opinion.value
        assert opinion.value == pytest.approx(ranked_by, nan_ok=True)


@every("resampled")
def test_resamples_at_once_are_resamples_one_by_one(estimator):
    for given in inputs(estimator):
        numbers = np.random.default_rng(1).multinomial(150, np.full(60, 1 / 60), 5).astype(float)
        single = [estimator.estimate(replace(given, number=number)).value for number in numbers]
        at_once = estimator.resampled(given, numbers)
        if estimator.few_rounds:
            # From the estimate of all items a resample may end at another maximum than from its own votes.
            assert np.abs(at_once - np.array(single)).mean() < 5e-3
        else:
            assert at_once == pytest.approx(np.array(single))


@every("chances")
def test_chances_are_of_every_row_and_class(estimator):
    for given in inputs(estimator):
        chances = estimator.chances(given)
        assert chances.shape == (60, given.classes)
        assert ((chances >= 0) & (chances <= 1)).all()


@every("vote")
def test_the_votes_sums_give_its_opinion(estimator):
    for given in inputs(estimator):
        sums = estimator.vote(given)
        pooled = sums if given.votes is not None else sums.pooled()
        assert estimator.estimate(given).f == pytest.approx(pooled.f(), nan_ok=True)


@every()
def test_an_estimator_shows_the_docstring_of_its_method(estimator):
    assert estimator.__doc__ == (estimator.reference or estimator.estimate).__doc__
    assert "?" in estimator.__doc__.partition("\n")[0]
