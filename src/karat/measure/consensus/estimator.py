"""What an estimator is: a way to judge systems by each other's answers, with what else it can do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from karat.measure.consensus.vote_weights import Weights
from karat.measure.consensus.votes import Consensus, LeaveOut
from karat.numeric.arrays import BoolArray, FloatArray
from karat.tally.votes.covotes import BlockedCovotes, Covotes

Codes = npt.NDArray[np.int64]
DIGITS = 12
"""Values that are equal to so many digits are tied."""
F = "f"
"""An estimator that ranks by this ranks by F, with the beta that was requested."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EstimatorInput:
    """The answers of all voters to rows of equal items, and how much each voter counts."""

    codes: Codes
    """codes[row, voter]: the label, or 1 for yes and 0 for no; below 0 where it is unknown."""
    votes: FloatArray | None
    """Yes/no answers and confidences as votes from 0 to 1, NaN where unknown; None for labels."""
    labels: int
    """How many labels are voted on: one for yes/no answers."""
    number: FloatArray
    """How many items each row represents."""
    weights: Weights
    families: Codes | None = None
    """The family of each voter, where the members of a family have one vote together."""
    leave_out: LeaveOut = "nobody"
    beta: float = 1.0
    oracles: Mapping[int, float] = field(default_factory=dict)
    """Voters that are treated as the truth, with this confidence."""
    truth: int | None = None
    """Which voter is the truth itself, where it votes."""

    @property
    def classes(self) -> int:
        """How many classes an item may belong to."""
        return self.labels if self.votes is None else 2

    @property
    def answered(self) -> BoolArray:
        """answered[row, voter]: whether there is an answer."""
        return self.codes >= 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opinion:
    """How good each voter is; NaN inside arrays is undefined.

    The arrays have an entry for each voter, and may have two more for the virtual systems (all) and (none).
    """

    value: FloatArray
    """What the ranking is by."""
    retrieved: FloatArray
    """How many items were answered with yes, or with any label."""
    precision: FloatArray
    recall: FloatArray
    f: FloatArray
    method: str
    accuracy: FloatArray | None = None
    """None where the estimator does not estimate it."""
    weight: FloatArray | None = None
    """Each voter's share of the votes; None where the estimator has no such weights."""
    left_out: int = 0
    """Items that could not be judged."""
    model: object = None
    """What was fitted to the answers, for who asks more of it; None where nothing was."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimator:
    """A way to judge systems by each other's answers, and what it can do.

    Only `estimate` is needed; `karat consensus --estimator NAME` finds an estimator by its name in the index
    `ESTIMATORS`, where other packages add theirs by the entry points `karat.estimators`.
    """

    estimate: Callable[[EstimatorInput], Opinion]
    reference: Callable[..., object] | None = None
    """The function whose docstring describes and cites the method, if it is not `estimate`."""
    ranks_by: str = "accuracy"
    """What the ranking is by, in words; `F` where it is the F of yes, or of all pairs of an item and a label."""
    labels: bool = True
    """Whether it can judge answers that are labels, and not only yes/no answers."""
    takes_weights: bool = False
    """Whether weights may be given to the voters, and their own votes left out."""
    takes_families: bool = False
    """Whether families may have one vote together, and oracles be trusted."""
    quick: bool = False
    """Whether it is quick enough to resample ten times as many answers as others may."""
    resampled: Callable[[EstimatorInput, FloatArray], FloatArray] | None = None
    """The values of many resamples, given the number of items of each row in each, faster than one after the other."""
    few_rounds: bool = False
    """Whether resamples start at the estimate of all items and end after a few rounds: close to those that do not."""
    chances: Callable[[EstimatorInput], FloatArray] | None = None
    """How likely each row has each label; no and yes for yes/no answers."""
    vote: Callable[[EstimatorInput], Consensus] | None = None
    """What each voter retrieved, with a column for each label where answers are labels: for results in parts."""
    of_sums: Callable[[Covotes, EstimatorInput], Opinion] | None = None
    """The opinion from sums of confidences, where they are too many to look at one by one."""
    of_blocks: Callable[[BlockedCovotes, EstimatorInput], Consensus] | None = None
    """The same in each block of items, for an interval."""

    def __post_init__(self) -> None:
        """Show the method's docstring as the estimator's own, which is where `karat cite` looks."""
        method = self.reference or self.estimate
        object.__setattr__(self, "__doc__", method.__doc__)
        object.__setattr__(self, "__module__", method.__module__)

    @property
    def ranks_by_f(self) -> bool:
        """Whether the ranking is by F."""
        return self.ranks_by == F


def opinion_of_rates(
    answers: EstimatorInput,
    *,
    retrieved: FloatArray,
    accuracy: FloatArray,
    precision: FloatArray,
    recall: FloatArray,
    method: str,
    left_out: int = 0,
) -> Opinion:
    """Return an opinion that ranks by accuracy, with F from precision and recall."""
    b = answers.beta**2
    f = divide((1 + b) * precision * recall, b * precision + recall)
    return Opinion(
        value=rounded(accuracy),
        retrieved=retrieved.astype(float),
        precision=precision,
        recall=recall,
        f=f,
        method=method,
        accuracy=accuracy,
        left_out=left_out,
    )


def agreement_with(
    labels: Codes, answers: EstimatorInput, *, method: str, left_out: int = 0
) -> Opinion:
    """Return how often each voter agrees with one label for each row, below 0 where there is none."""
    number = answers.number
    compared = answers.answered & (labels >= 0)[:, None]
    same = compared & (answers.codes == labels[:, None])
    accuracy = divide(number @ same, number @ compared)
    if answers.votes is None:
        # Precision and recall are of one label: of several there is no single value to show.
        undefined = np.full(len(accuracy), np.nan)
        return opinion_of_rates(
            answers,
            retrieved=number @ compared,
            accuracy=accuracy,
            precision=undefined,
            recall=undefined,
            method=method,
            left_out=left_out,
        )
    said_yes = compared & (answers.codes == 1)
    truly_yes = compared & (labels == 1)[:, None]
    hits = number @ (said_yes & truly_yes)
    return opinion_of_rates(
        answers,
        retrieved=number @ said_yes,
        accuracy=accuracy,
        precision=divide(hits, number @ said_yes),
        recall=divide(hits, number @ truly_yes),
        method=method,
        left_out=left_out,
    )


def shares_of_labels(codes: Codes, labels: Codes, numbers: FloatArray) -> FloatArray:
    """Return how many of each system's answers are these labels, with a row for each resample.

    labels[r, i] is the label of row i in resample r, numbers[r, i] how many items the row represents there.
    >>> shares_of_labels(np.array([[0, 0], [1, 0]]), np.array([[0, 1]]), np.array([[3.0, 1.0]]))
    array([[1.  , 0.75]])
    """
    answered = codes >= 0
    agreed = []
    for system in range(codes.shape[1]):
        same = answered[:, system] & (labels == codes[:, system])
        agreed.append((numbers * same).sum(axis=1))
    return divide(np.stack(agreed, axis=1), numbers @ answered)


def rounded(value: FloatArray) -> FloatArray:
    """Return values that are equal but for rounding errors as equal ones."""
    return np.asarray(value.round(DIGITS))


def divide(above: npt.NDArray[np.generic], below: npt.NDArray[np.generic]) -> FloatArray:
    """Return above / below, NaN where it is undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)  # type: ignore[operator]
