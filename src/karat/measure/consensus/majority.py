"""The vote of the majority, and how good it can be at best and at worst, given the accuracy of each voter."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.estimator import Estimator, EstimatorInput, Opinion, agreement_with
from karat.measure.consensus.given_labels import given_labels
from karat.numeric.arrays import FloatArray

Ties = Literal["wrong", "right"]


@dataclass(frozen=True, slots=True, eq=False)
class Majority:
    """The label that most systems give to each row; -1 where nobody gives one."""

    labels: npt.NDArray[np.int64]
    shares: FloatArray
    """How many of the answers to the row are that label; NaN where there are none."""
    ties: int
    """Items for which another label has as many votes; the label with the lowest code was taken."""
    unanswered: int
    """Items that nobody answered."""


def majority(answers: npt.ArrayLike, number: npt.ArrayLike | None = None) -> Majority:
    """Which label do most systems give?

    The label with the most votes, of several the one with the lowest code; codes below 0 are missing.
    >>> vote = majority([[0, 1, 1], [2, 0, -1], [-1, -1, -1]], [5, 2, 1])
    >>> vote.labels, vote.ties, vote.unanswered
    (array([ 1,  0, -1]), 2, 1)
    """
    found = given_labels(answers, number)
    most = found.most()
    given = found.given
    leads = found.votes == most[found.row]
    tied = found.by_row(leads) > 1
    leader = np.flatnonzero(leads)[::-1]
    labels = np.full(len(given), -1)
    # The last one written stays: of several labels the one with the lowest code.
    labels[found.row[leader]] = found.label[leader]
    with np.errstate(invalid="ignore"):
        shares = most / given
    return Majority(
        labels=labels,
        shares=shares,
        ties=int(found.items[tied].sum()),
        unanswered=int(found.items[given == 0].sum()),
    )


def _by_majority(answers: EstimatorInput) -> Opinion:
    vote = majority(answers.codes, answers.number)
    method = "agreement with the majority"
    return agreement_with(vote.labels, answers, method=method, left_out=vote.unanswered)


by_majority = Estimator(estimate=_by_majority, reference=majority)


@dataclass(frozen=True, slots=True)
class MajorityLimits:
    """How often more than half of the systems are right together."""

    low: float
    """If they are right together as seldom as can be."""
    independent: float
    """If their errors are independent."""
    high: float
    """If they are right together as often as can be."""


def majority_limits(accuracies: npt.ArrayLike, *, ties: Ties = "wrong") -> MajorityLimits:
    """How good is the majority vote at best and at worst, given how good each system is?

    high = the largest q <= 1 with Σ_i min(p_i, q) >= k q, k systems being more than half: within the q of the items
    that the majority has right each system can be right on at most min(p_i, q), and k are needed on each. low = 1 -
    high of the errors 1 - p_i, of which s - k + 1 are enough. Equal accuracies and odd s: high = min(1, p s / k),
    low = max(0, (p s - k + 1) / k). Both are reached by some dependence of the errors. With more than two classes more
    than half is more than the vote needs, so that its accuracy may be above `high`.
    Reference: Kuncheva, Whitaker, Shipp, Duin, Limits on the majority vote accuracy in classifier fusion, Pattern
    Analysis and Applications 6, 2003. doi:10.1007/s10044-002-0173-7
    >>> majority_limits([0.6, 0.6, 0.6])
    MajorityLimits(low=0.4, independent=0.648, high=0.9)
    """
    p = np.asarray(accuracies, float)
    if p.ndim != 1 or not len(p) or not np.all((p >= 0) & (p <= 1)):
        raise OptionError(f"the accuracies are {p.tolist()}; give at least one, each from 0 to 1")
    if ties not in {"wrong", "right"}:
        raise OptionError(
            f"ties is {ties!r}; half of the systems being right counts as 'wrong' or as 'right'"
        )
    needed = (len(p) + 1) // 2 if ties == "right" else len(p) // 2 + 1
    low = 1 - _most_often(1 - p, len(p) - needed + 1)
    independent = _independent(p, needed)
    high = _most_often(p, needed)
    return MajorityLimits(round(low, 15), round(independent, 15), round(high, 15))


def _most_often(chances: FloatArray, needed: int) -> float:
    """Return how often at least so many of several events can happen together, given how often each does."""
    p = np.sort(chances)
    # If the m largest are at least q, each of them gives q to Σ min(p_i, q) >= needed q, and the others give their
    # sum: q (needed - m) <= the sum of the others, for every m that is not enough alone.
    sum_of_others = np.cumsum(p)[::-1][:needed]
    still_needed = needed - np.arange(len(sum_of_others))
    bounds = sum_of_others / still_needed
    return float(min(1.0, bounds.min()))


def _independent(chances: FloatArray, needed: int) -> float:
    """Return how often at least so many of several independent events happen together."""
    distribution = np.ones(1)
    for chance in chances:
        distribution = np.convolve(distribution, [1 - chance, chance])
    return float(distribution[needed:].sum())
