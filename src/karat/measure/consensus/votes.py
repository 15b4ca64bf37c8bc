"""Precision and recall without a truth: a vote of all systems takes its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.ballots import Answers, Ballots, Votes, VoteSums, count_votes
from karat.measure.consensus.vote_weights import Weights, equal_weights, family_places
from karat.numeric.arrays import FloatArray

LeaveOut = Literal["nobody", "itself", "family"]
AT_ONCE = 4_000_000
"""Numbers worked on in one step."""


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """What each system, then (all), then (none) retrieved, and how much of it the vote holds relevant.

    One entry for each system; with labels, one column for each label. NaN inside arrays is undefined.
    """

    weight: FloatArray
    """Each system's share of the confidence."""
    retrieved: FloatArray
    """Σ S_k, over the items that the system answered, as everywhere here."""
    agreed: FloatArray
    """Σ P S_k."""
    relevant: FloatArray
    """Σ P."""
    left_out: npt.NDArray[np.int64]
    """Items that the system answered, and for which nobody whose vote counts did."""

    @property
    def precision(self) -> FloatArray:
        """Σ P S_k / Σ S_k."""
        return _over(self.agreed, self.retrieved)

    @property
    def recall(self) -> FloatArray:
        """Σ P S_k / Σ P."""
        return _over(self.agreed, self.relevant)

    def f(self, beta: float = 1.0) -> FloatArray:
        """(1+b²) Σ P S_k / (b² Σ P + Σ S_k), undefined where precision or recall is."""
        known = (self.retrieved > 0) & (self.relevant > 0)
        below = np.where(known, beta**2 * self.relevant + self.retrieved, 0.0)
        return _over((1 + beta**2) * self.agreed, below)

    def pooled(self) -> "Consensus":
        """Return the sums over all labels: every pair of an item and a label is a document."""
        return replace(
            self,
            retrieved=self.retrieved.sum(axis=-1),
            agreed=self.agreed.sum(axis=-1),
            relevant=self.relevant.sum(axis=-1),
        )


def _over(above: FloatArray, below: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


def consensus(
    votes: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    weights: Weights | None = None,
    families: npt.ArrayLike | None = None,
    leave_out: LeaveOut = "nobody",
) -> Consensus:
    """Who is best, if the vote of all systems is the truth?

    P(i) = Σ_k κ_k S_k(i), k over the systems, (all) and (none); Pr = Σ P S_k / Σ S_k; Rc = Σ P S_k / Σ P.
    votes[i, k] from 0 to 1, NaN where system k does not answer row i: there the weights of the others are made to sum
    to 1, and the row is not in the sums of system k. A row without any weight is left out. A family has one vote: its
    weight, the mean of its members', is divided among those that answered. `leave_out` keeps a system's own vote,
    or that of its family, out of the vote that it is judged by. Assumes that errors are independent: systems with
    correlated errors confirm each other.
    Reference: Lamiroy, Sun, Computing Precision and Recall with Missing or Uncertain Ground Truth, GREC 2011.
    doi:10.1007/978-3-642-36824-0_15
    >>> table_3 = consensus([[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]])
    >>> table_3.precision.round(2), table_3.recall.round(2)
    (array([0.6 , 0.67, 0.67, 0.49,  nan]), array([0.71, 0.59, 0.59, 1.  , 0.  ]))
    """
    given = _table(votes, float)
    amount = _amount(number, len(given))
    full = weights or equal_weights(given.shape[1])
    blocks = ((Votes.of(given[rows]), amount[rows]) for rows in _blocks(given, 1))
    return _summed(blocks, full, families, leave_out, channels=1).pooled()


def label_consensus(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    classes: int | None = None,
    weights: Weights | None = None,
    families: npt.ArrayLike | None = None,
    leave_out: LeaveOut = "nobody",
) -> Consensus:
    """Who gives each label best, if the vote of all systems is the truth?

    The documents are all pairs (item, label) over the labels 0, ..., classes - 1; a system retrieves the pairs of its
    answers, and `consensus` holds. Codes below 0 are unknown. Columns are labels; `pooled` gives all labels together.
    >>> label_consensus([[0, 0], [1, 2]]).precision.round(3)
    array([[0.75 , 0.5  ,   nan],
           [0.75 ,   nan, 0.5  ],
           [0.5  , 0.375, 0.375],
           [  nan,   nan,   nan]])
    """
    codes = _table(answers, np.int64)
    amount = _amount(number, len(codes))
    highest = int(codes.max(initial=-1))
    size = highest + 1 if classes is None else classes
    if highest >= size:
        raise OptionError(
            f"an answer has the code {highest}, and there are {size} classes; codes count from 0"
        )
    full = weights or equal_weights(codes.shape[1])
    blocks = ((Answers.of(codes[rows], size), amount[rows]) for rows in _blocks(codes, size))
    return _summed(blocks, full, families, leave_out, channels=size)


def relevance(
    votes: npt.ArrayLike, *, weights: Weights | None = None, families: npt.ArrayLike | None = None
) -> FloatArray:
    """How likely is each row relevant, by the vote? NaN for a row without any weight.

    >>> relevance([[1, 1, 1], [1, 0, np.nan], [0, 0, 0]])
    array([0.8, 0.5, 0.2])
    """
    given = _table(votes, float)
    systems = given.shape[1]
    full = weights or equal_weights(systems)
    members = family_places(families, systems)
    parts = [np.zeros(0)]
    for rows in _blocks(given, 1):
        count = count_votes(Votes.of(given[rows]), full, members)
        parts.append(count.chance[:, 0])
    return np.concatenate(parts)


def label_relevance(
    answers: npt.ArrayLike,
    *,
    classes: int,
    weights: Weights | None = None,
    families: npt.ArrayLike | None = None,
) -> FloatArray:
    """How likely has each row each label, by the vote? They need not sum to 1: (all) retrieves every label.

    >>> label_relevance([[0, 0], [1, -1]], classes=2).round(3)
    array([[0.75 , 0.25 ],
           [0.333, 0.667]])
    """
    codes = _table(answers, np.int64)
    systems = codes.shape[1]
    full = weights or equal_weights(systems)
    members = family_places(families, systems)
    parts = [np.zeros((0, classes))]
    for rows in _blocks(codes, classes):
        count = count_votes(Answers.of(codes[rows], classes), full, members)
        parts.append(count.chance)
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True, eq=False)
class Averages:
    """Means over queries, each of those in which the number is defined."""

    precision: FloatArray
    recall: FloatArray
    f: FloatArray
    queries: npt.NDArray[np.int64]
    """In how many queries the precision is defined."""


def averages(queries: Sequence[Consensus], *, beta: float = 1.0) -> Averages:
    """How good is each system in the mean over queries, every query counting the same?

    >>> averages([consensus([[1], [0]]), consensus([[0], [0]])]).recall.round(3)
    array([0.333, 1.   , 0.   ])
    """
    precision = np.array([query.precision for query in queries])
    recall = np.array([query.recall for query in queries])
    f = np.array([query.f(beta) for query in queries])
    return Averages(
        precision=_mean_of_known(precision),
        recall=_mean_of_known(recall),
        f=_mean_of_known(f),
        queries=(~np.isnan(precision)).sum(axis=0),
    )


def _mean_of_known(values: FloatArray) -> FloatArray:
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=0)
    return _over(total, known.sum(axis=0).astype(float))


def _table(values: npt.ArrayLike, kind: type) -> npt.NDArray[Any]:
    # Fewer bytes for float32 or int8: they are widened block by block, never the whole table.
    table = np.asarray(values)
    of_the_kind = table.dtype != object and (kind is float) == (table.dtype.kind == "f")
    if not of_the_kind:
        table = table.astype(kind)
    if table.ndim != 2 or not table.shape[1]:
        raise OptionError(
            f"the votes are of shape {table.shape}; give a row for each item and a column for each system"
        )
    return table


def _amount(number: npt.ArrayLike | None, rows: int) -> FloatArray:
    amount = np.ones(rows) if number is None else np.asarray(number, float)
    if amount.shape != (rows,):
        raise OptionError(
            f"number is of shape {amount.shape}, and there are {rows} rows of votes; give one for each"
        )
    return amount


def _blocks(table: npt.NDArray[Any], channels: int) -> Iterator[slice]:
    numbers_per_row = table.shape[1] * max(1, channels)
    step = max(1, AT_ONCE // numbers_per_row)
    for start in range(0, len(table), step):
        yield slice(start, start + step)


def _summed(
    blocks: Iterator[tuple[Ballots, FloatArray]],
    weights: Weights,
    families: npt.ArrayLike | None,
    leave_out: LeaveOut,
    *,
    channels: int,
) -> Consensus:
    systems = len(weights.systems)
    if leave_out not in get_args(LeaveOut):
        raise OptionError(f"leave_out is {leave_out!r}; it is 'nobody', 'itself' or 'family'")
    members = family_places(families, systems)
    sums = VoteSums.zeros(systems, channels)
    for ballots, number in blocks:
        if ballots.systems != systems:
            raise OptionError(
                f"there are {systems} weights and {ballots.systems} systems; give one weight for each"
            )
        sums += count_votes(ballots, weights, members).sums(number, leave_out)
    return Consensus(
        weight=weights.shares,
        retrieved=sums.retrieved,
        agreed=sums.agreed,
        relevant=sums.relevant,
        left_out=sums.left_out.round().astype(np.int64),
    )
