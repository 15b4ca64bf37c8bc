"""What a model of systems' errors says of them, as an estimator's opinion."""

from collections.abc import Callable
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
        model = fitted(answers)
        return _opinion(
            answers,
            value=model.values,
            chances=None if answers.votes is None else model.chances,
            method=f"{model.method}, each by the answers of the others",
        )

    return Estimator(
        estimate=estimate,
        reference=reference,
        ranks_by="share of right answers",
        takes_families=True,
        resampled=lambda answers, numbers: fitted(answers).resampled(numbers),
        few_rounds=True,
        chances=lambda answers: fitted(answers).chances,
    )


def _opinion(
    answers: EstimatorInput, *, value: FloatArray, chances: FloatArray | None, method: str
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
        said_yes = answers.codes == 1
        yes = number * chances[:, 1]
        hits = yes @ said_yes
        retrieved = number @ said_yes
        precision = divide(hits, retrieved)
        recall = divide(hits, yes @ answered)
    return opinion_of_rates(
        answers,
        retrieved=retrieved,
        accuracy=rounded(value),
        precision=precision,
        recall=recall,
        method=method,
        left_out=int(number[~answered.any(axis=1)].sum()),
    )
