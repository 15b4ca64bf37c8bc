"""The estimates of a model of systems' errors, as an estimator's opinion."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from karat.measure.consensus.estimator import (
    Estimator,
    EstimatorInput,
    Opinion,
    divide,
    opinion_of_rates,
    rounded,
)
from karat.numeric.arrays import FloatArray

MOST_ANSWERS = 5_000_000
"""Up to how many answers a model is fitted to all of them: each is looked at hundreds of times."""


class FittedModel(Protocol):
    """A model that was fitted to the answers."""

    @property
    def values(self) -> FloatArray:
        """The share of each system's answers that are right by the others."""
        ...

    @property
    def chances(self) -> FloatArray:
        """How likely each row has each label."""
        ...

    @property
    def method(self) -> str:
        """How it was fitted, in words."""
        ...

    def resampled(self, numbers: FloatArray) -> FloatArray:
        """Return the values in each resample, a row for each."""
        ...


def model_estimator(
    fitted: Callable[[EstimatorInput], FittedModel], reference: Callable[..., Any]
) -> Estimator:
    """Return the estimator that ranks by a model, each system judged by the answers of the others."""

    def estimate(answers: EstimatorInput) -> Opinion:
        fitting = items_to_fit(answers)
        model = fitted(fitting)
        method = f"{model.method}, each by the answers of the others"
        if fitting is not answers:
            method += (
                f"; of {fitting.number.sum():,.0f} items drawn from {answers.number.sum():,.0f}"
            )
        opinion = _opinion(
            answers,
            fitting,
            value=model.values,
            chances=None if answers.votes is None else model.chances,
            method=method,
        )
        return replace(opinion, model=model)

    return Estimator(
        estimate=estimate,
        reference=reference,
        ranks_by="share of right answers",
        takes_families=True,
        resampled=lambda answers, numbers: fitted(answers).resampled(numbers),
        few_rounds=True,
        chances=lambda answers: fitted(answers).chances,
    )


def items_to_fit(answers: EstimatorInput) -> EstimatorInput:
    """Return the answers; where they are very many, those to items drawn at random, without replacement.

    A share among n drawn items has a standard error of at most 1/(2 sqrt(n)): .0016 for 100,000.
    """
    systems = answers.codes.shape[1]
    most = MOST_ANSWERS // systems
    number = answers.number.astype(np.int64)
    if number.sum() <= most or len(number) * systems <= MOST_ANSWERS:
        return answers
    random = np.random.default_rng(0)
    drawn = random.multivariate_hypergeometric(number, most, method="marginals")
    rows = np.flatnonzero(drawn)
    votes = None if answers.votes is None else answers.votes[rows]
    return replace(
        answers, codes=answers.codes[rows], votes=votes, number=drawn[rows].astype(float)
    )


def _opinion(
    answers: EstimatorInput,
    fitted: EstimatorInput,
    *,
    value: FloatArray,
    chances: FloatArray | None,
    method: str,
) -> Opinion:
    """Return an opinion that ranks by the share of answers that are right by the answers of the others.

    Of yes/no answers also precision and recall, expected by the chances of yes; of several labels there is no single
    value to show.
    """
    number = answers.number
    answered = answers.answered
    if chances is None:
        undefined = np.full(len(value), np.nan)
        retrieved, precision, recall = number @ answered, undefined, undefined
    else:
        said_yes = fitted.codes == 1
        yes = fitted.number * chances[:, 1]
        hits = yes @ said_yes
        retrieved = number @ (answers.codes == 1)
        precision = divide(hits, fitted.number @ said_yes)
        recall = divide(hits, yes @ fitted.answered)
    return opinion_of_rates(
        answers,
        retrieved=retrieved,
        accuracy=rounded(value),
        precision=precision,
        recall=recall,
        method=method,
        left_out=int(number[~answered.any(axis=1)].sum()),
    )
