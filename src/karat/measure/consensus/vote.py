"""The estimator `vote`: precision, recall and F by a weighted vote of all systems, as Lamiroy and Sun have it."""

from typing import Any

import numpy as np

from karat.measure.consensus.estimator import (
    Codes,
    Estimator,
    EstimatorInput,
    F,
    Opinion,
    rounded,
)
from karat.measure.consensus.summed_votes import blocked_consensus, summed_consensus
from karat.measure.consensus.votes import (
    Consensus,
    consensus,
    label_consensus,
    label_relevance,
    relevance,
)
from karat.numeric.arrays import FloatArray
from karat.tally.votes.covotes import BlockedCovotes, Covotes


def vote_sums(answers: EstimatorInput) -> Consensus:
    """Return what each system retrieved and how much of it the vote holds relevant, of labels one by one."""
    options = _options(answers)
    if answers.votes is not None:
        return consensus(answers.votes, answers.number, **options)
    return label_consensus(answers.codes, answers.number, classes=answers.labels, **options)


def _by_vote(answers: EstimatorInput) -> Opinion:
    sums = vote_sums(answers)
    if answers.votes is None:
        sums = sums.pooled()
    return _opinion(sums, answers, "vote")


def _by_summed_confidences(covotes: Covotes, answers: EstimatorInput) -> Opinion:
    sums = summed_consensus(covotes, **_options(answers))
    return _opinion(sums, answers, "vote, from sums of confidences")


def _by_blocks(blocks: BlockedCovotes, answers: EstimatorInput) -> Consensus:
    return blocked_consensus(blocks, **_options(answers))


def _chances(answers: EstimatorInput) -> FloatArray:
    """Return how likely each row has each label, by the vote."""
    options = {"weights": answers.weights, "families": answers.families}
    if answers.votes is None:
        return label_relevance(answers.codes, classes=answers.labels, **options)  # type: ignore[arg-type]
    yes = relevance(answers.votes, **options)  # type: ignore[arg-type]
    return np.stack([1 - yes, yes], axis=1)


def _options(answers: EstimatorInput) -> dict[str, Any]:
    return {
        "weights": answers.weights,
        "families": answers.families,
        "leave_out": answers.leave_out,
    }


def _opinion(sums: Consensus, answers: EstimatorInput, method: str) -> Opinion:
    f = sums.f(answers.beta)
    return Opinion(
        value=rounded(f),
        retrieved=sums.retrieved,
        precision=sums.precision,
        recall=sums.recall,
        f=f,
        method=method,
        weight=_shared_weights(sums.weight, answers.families),
        left_out=int(sums.left_out[-1]),
    )


def _shared_weights(weight: FloatArray, families: Codes | None) -> FloatArray:
    """Return each voter's share of the votes; a family's one vote, the mean of its members', is divided among them."""
    if families is None:
        return weight
    shared = weight.copy()
    for family in np.unique(families):
        members = np.flatnonzero(families == family)
        shared[members] = weight[members].mean() / len(members)
    return np.asarray(shared / shared.sum())


vote = Estimator(
    estimate=_by_vote,
    reference=consensus,
    ranks_by=F,
    takes_weights=True,
    takes_families=True,
    quick=True,
    chances=_chances,
    vote=vote_sums,
    of_sums=_by_summed_confidences,
    of_blocks=_by_blocks,
)
