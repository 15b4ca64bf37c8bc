"""How often each system is wrong, and what is true, from answers: Dawid and Skene's model of independent errors."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.dawid_skene_model import (
    AnswerMatrices,
    Incidence,
    check_codes,
    model_of_table,
    number_distinct,
)
from karat.measure.consensus.dawid_skene_resampled import resampled_labels
from karat.measure.consensus.estimator import (
    Codes,
    Estimator,
    EstimatorInput,
    Opinion,
    divide,
    opinion_of_rates,
    rounded,
    shares_of_labels,
)
from karat.numeric.arrays import FloatArray

MOST_CELLS = 40_000_000
"""Up to how many error rates there may be."""


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """How frequent each class is, how each system answers it, and how likely each row belongs to it.

    NaN inside arrays is undefined: the errors of a system that gave no answer, the precision of one never given.
    """

    prior: FloatArray
    errors: FloatArray
    """errors[k, c, a]: system k answers a where c is true."""
    chances: FloatArray
    """chances[i, c]: row i belongs to class c."""
    log_likelihood: float
    """Of the answers, by the estimate before the last round."""
    rounds: int
    converged: bool

    @property
    def accuracy(self) -> FloatArray:
        """Σ_c π_c e_k[c, c]: how many answers of each system are right."""
        return np.asarray(self.recall @ self.prior)

    @property
    def recall(self) -> FloatArray:
        """e_k[c, c], a row for each system, a column for each class."""
        return np.asarray(np.diagonal(self.errors, axis1=1, axis2=2))

    @property
    def precision(self) -> FloatArray:
        """π_a e_k[a, a] / Σ_c π_c e_k[c, a], a row for each system, a column for each class."""
        answered = np.einsum("c,kca->ka", self.prior, self.errors)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(answered > 0, self.prior * self.recall / answered, np.nan)


def dawid_skene(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    classes: int | None = None,
    truth: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    rounds: int = 2000,
    tolerance: float = 1e-9,
) -> DawidSkene:
    """How often does each system take which class for which, if nobody knows the truth?

    P(answers of an item) = Σ_c π_c Π_k e_k[c, a_k], the likeliest π and e by expectation-maximisation from the
    shares of the votes; codes below 0 are missing. Rounds end when an item gains less than `tolerance` in
    log-likelihood. `truth`, where it is not below 0, is taken as known. `weights` are exponents of e_k: 1/m for each
    of m systems that are to have one vote together. Assumes that errors are independent given the true class, and
    that most systems are better than chance: it finds a local maximum, which need not be the highest.
    Reference: Dawid, Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> dawid_skene([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [50, 10, 40]).accuracy.round(2)
    array([1. , 1. , 0.9])
    """
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    size = int(codes.max(initial=-1)) + 1 if classes is None else classes
    model = model_of_table(codes, amount, classes=size, truth=truth, weights=weights)
    return _fit(model, rounds, tolerance)


def dawid_skene_long(
    row: npt.ArrayLike,
    system: npt.ArrayLike,
    label: npt.ArrayLike,
    number: npt.ArrayLike,
    *,
    shape: tuple[int, int],
    truth: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    rounds: int = 2000,
    tolerance: float = 1e-9,
) -> DawidSkene:
    """How often is each of many annotators wrong, each of whom saw few items?

    `dawid_skene` from one entry for each answer; row i represents number[i] equal items, and `shape` gives the numbers
    of systems and of classes.
    >>> dawid_skene_long([0, 0, 1, 1], [0, 1, 1, 2], [0, 0, 1, 1], [3, 1], shape=(3, 2)).prior
    array([0.75, 0.25])
    """
    systems, classes = shape
    rows = np.asarray(row, np.int64)
    voters = np.asarray(system, np.int64)
    labels = np.asarray(label, np.int64)
    check_codes("row", rows, np.size(number))
    check_codes("system", voters, systems)
    check_codes("label", labels, classes)
    # Annotators who saw few items have few answers in common: each answer is a bundle of its own.
    distinct, bundle = number_distinct(voters * classes + labels)
    held = Incidence(rows, bundle)
    holds = Incidence(np.arange(len(distinct)), distinct)
    model = AnswerMatrices.of(held, holds, np.asarray(number, float), shape, truth, weights)
    return _fit(model, rounds, tolerance)


def _fit(model: AnswerMatrices, most_rounds: int, tolerance: float) -> DawidSkene:
    """Return the estimate of the round that gains too little, or of the last that is allowed."""
    before = -np.inf
    for done, estimate in enumerate(model.rounds(), 1):
        gain = estimate.log_likelihood - before
        converged = gain < tolerance * model.items
        if converged or done >= most_rounds:
            break
        before = estimate.log_likelihood
    errors = estimate.errors.reshape(*model.shape, -1).swapaxes(1, 2)
    return DawidSkene(
        prior=estimate.prior,
        errors=np.ascontiguousarray(errors),
        chances=np.where(model.answered[:, None], estimate.chances, estimate.prior),
        log_likelihood=estimate.log_likelihood,
        rounds=done,
        converged=converged,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Voters:
    """The systems without the truth, which is known and does not vote here."""

    codes: Codes
    classes: int
    truth: Codes | None
    weights: FloatArray | None

    @property
    def options(self) -> dict[str, Any]:
        """As `dawid_skene` and `resampled_labels` take them."""
        return {"classes": self.classes, "truth": self.truth, "weights": self.weights}


def _voters(answers: EstimatorInput) -> _Voters:
    codes = answers.codes
    families = answers.families
    truth = None
    if answers.oracles:
        if answers.truth is None or answers.oracles != {answers.truth: 1}:
            raise OptionError(
                "dawid-skene takes the truth itself as an oracle, as --oracle '(truth)=1'"
            )
        truth = codes[:, answers.truth]
        codes = np.delete(codes, answers.truth, axis=1)
        if families is not None:
            families = np.delete(families, answers.truth)
    if codes.shape[1] * answers.classes**2 > MOST_CELLS:
        raise OptionError(
            f"{answers.classes:,} classes are too many for dawid-skene; use the vote, or the majority"
        )
    weights = None
    if families is not None:
        sizes = np.array([(families == family).sum() for family in families])
        weights = 1 / sizes
    return _Voters(codes, answers.classes, truth, weights)


def _by_model(answers: EstimatorInput) -> Opinion:
    voters = _voters(answers)
    number = answers.number
    fit = dawid_skene(voters.codes, number, **voters.options)
    if answers.votes is None:
        retrieved = number @ (voters.codes >= 0)
        precision = _mean_of_known(fit.precision)
        recall = _mean_of_known(fit.recall)
    else:
        retrieved = number @ (voters.codes == 1)
        precision = fit.precision[:, 1]
        recall = fit.recall[:, 1]
    ended = "" if fit.converged else ", not converged"
    opinion = opinion_of_rates(
        answers,
        retrieved=retrieved,
        accuracy=fit.accuracy,
        precision=precision,
        recall=recall,
        method=f"agreement with dawid-skene's likeliest labels ({fit.rounds} rounds{ended})",
    )
    # How often a system gives the likeliest labels ranks closer to the truth than the model's own error rates
    # (bench/real/consensus.py).
    labels = fit.chances.argmax(axis=1)
    (share,) = shares_of_labels(voters.codes, labels[None], number[None])
    opinion = replace(opinion, value=rounded(share))
    if answers.truth is None:
        return opinion
    return _with_truth(opinion, answers.truth)


def _with_truth(opinion: Opinion, place: int) -> Opinion:
    """Return the opinion with an entry for the truth, which is right by definition."""
    return replace(
        opinion,
        value=np.insert(opinion.value, place, 1.0),
        retrieved=np.insert(opinion.retrieved, place, np.nan),
        precision=np.insert(opinion.precision, place, 1.0),
        recall=np.insert(opinion.recall, place, 1.0),
        f=np.insert(opinion.f, place, 1.0),
        accuracy=None if opinion.accuracy is None else np.insert(opinion.accuracy, place, 1.0),
    )


def _resampled(answers: EstimatorInput, numbers: FloatArray) -> FloatArray:
    voters = _voters(answers)
    labels = resampled_labels(voters.codes, numbers, **voters.options)
    value = rounded(shares_of_labels(voters.codes, labels, numbers))
    if answers.truth is None:
        return value
    return np.insert(value, answers.truth, 1.0, axis=1)


def _chances(answers: EstimatorInput) -> FloatArray:
    voters = _voters(answers)
    return dawid_skene(voters.codes, answers.number, **voters.options).chances


def _mean_of_known(rates: FloatArray) -> FloatArray:
    """Return the mean over the classes in which a rate is defined."""
    known = ~np.isnan(rates)
    return divide(np.where(known, rates, 0.0).sum(axis=1), known.sum(axis=1))


by_dawid_skene = Estimator(
    estimate=_by_model,
    reference=dawid_skene,
    ranks_by="share of the likeliest labels",
    takes_families=True,
    resampled=_resampled,
    chances=_chances,
)
