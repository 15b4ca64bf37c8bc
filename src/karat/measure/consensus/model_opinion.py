"""What a model of systems' errors says of them, as an estimator's opinion."""

import numpy as np

from karat.measure.consensus.estimator import (
    EstimatorInput,
    Opinion,
    divide,
    opinion_of_rates,
    rounded,
)
from karat.numeric.arrays import FloatArray


def opinion_of_model(
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
