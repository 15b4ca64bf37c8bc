"""The answers as Dawid and Skene's model takes them, and its steps of expectation-maximisation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

LEAST = 1e-10
"""The least probability of an answer that a system gave, however clearly it was wrong."""
MOST_BUNDLES = 4096
"""How many different answers of several systems at once are worth a table."""
FEW_CLASSES = 16
"""Up to how many columns go faster one by one than row by row."""
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """The places of the ones in a sparse matrix of ones and zeros."""

    rows: Codes
    columns: Codes


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """The estimate after one round of expectation-maximisation."""

    prior: FloatArray
    """How frequent each class is."""
    errors: FloatArray
    """errors[p, c]: how likely the answer p, a system and a label, is where class c is true."""
    chances: FloatArray
    """chances[i, c]: how likely row i belongs to class c."""
    log_likelihood: float
    """Of the answers, by the estimate before this round."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerMatrices:
    """The answers as a product of two sparse matrices.

    The answers of several systems to one item are a bundle; there are far fewer distinct bundles than items, so that
    each is looked at once and each item looks at a few bundles.
    """

    votes: Any
    """votes[i, b]: row i holds the bundle of answers b."""
    summed: Any
    """Its transpose, each row times the number of its items."""
    bundles: Any
    """bundles[b, p]: the answer p, a system and a label, is in the bundle b."""
    number: FloatArray
    """How many items each row represents; 0 where no system answered."""
    answered: BoolArray
    known: Codes
    """Rows whose class is known."""
    truth: Codes
    """Their classes."""
    weights: FloatArray
    """Of each system and label."""
    given: BoolArray
    """Whether a system gave a label anywhere."""
    shape: tuple[int, int]
    """The numbers of systems and of classes."""

    @classmethod
    def of(
        cls,
        held: Incidence,
        holds: Incidence,
        number: FloatArray,
        shape: tuple[int, int],
        truth: npt.ArrayLike | None,
        weights: npt.ArrayLike | None,
    ) -> "AnswerMatrices":
        """Return the model of rows that hold bundles, which hold answers."""
        from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

        rows = len(number)
        systems, classes = shape
        size = int(holds.rows.max(initial=-1)) + 1
        ones = np.ones(len(held.rows))
        votes = csr_array((ones, (held.rows, held.columns)), shape=(rows, size))
        items = number[held.rows]
        summed = csr_array((items, (held.columns, held.rows)), shape=(size, rows))
        ones = np.ones(len(holds.rows))
        bundles = csr_array((ones, (holds.rows, holds.columns)), shape=(size, systems * classes))
        answered = np.bincount(held.rows, minlength=rows) > 0
        true = np.full(rows, -1) if truth is None else np.asarray(truth, np.int64)
        known = np.flatnonzero(true >= 0)
        each = np.ones(systems) if weights is None else np.asarray(weights, float)
        return cls(
            votes=votes,
            summed=summed,
            bundles=bundles,
            number=np.where(answered, number, 0.0),
            answered=answered,
            known=known,
            truth=true[known],
            weights=np.repeat(each, classes),
            given=np.asarray(bundles.sum(axis=0)) > 0,
            shape=shape,
        )

    @property
    def items(self) -> float:
        """How many items have any answer."""
        return float(self.number.sum())

    def rounds(self) -> Iterator[Round]:
        """Yield the estimate of each round, without end."""
        prior, errors = self._maximise(self.start())
        while True:
            # A label that a system never gave is in no bundle: its logarithm is not needed.
            logs = np.log(np.where(self.given[:, None], errors, 1.0))
            logs = self.weights[:, None] * logs
            joint = self.votes @ (self.bundles @ logs)
            joint += np.log(np.maximum(prior, LEAST))
            chances, log_likelihood = self._expect(joint)
            prior, errors = self._maximise(chances)
            yield Round(prior, errors, chances, log_likelihood)

    def start(self) -> FloatArray:
        """Return the shares of the votes of each row."""
        systems, classes = self.shape
        label_of_answer = np.tile(np.eye(classes), (systems, 1))
        weighted = self.weights[:, None] * label_of_answer
        shares = np.asarray(self.votes @ (self.bundles @ weighted))
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), LEAST)
        return self.settle(shares)

    def settle(self, chances: FloatArray) -> FloatArray:
        """Return the chances, changed in place, with known classes taken as known."""
        chances[self.known] = 0.0
        chances[self.known, self.truth] = 1.0
        return chances

    def _expect(self, joint: FloatArray) -> tuple[FloatArray, float]:
        """Return each row's chances, given its log-likelihood in each class, and the log-likelihood of all rows."""
        of_known = joint[self.known, self.truth]
        # The largest is taken out before exp, which would be 0 in every class for many systems.
        largest = _reduce_rows(np.maximum, joint)
        joint -= largest[:, None]
        chances = np.exp(joint, out=joint)
        total = _reduce_rows(np.add, chances)
        chances /= total[:, None]
        log_likelihood = np.log(total) + largest
        log_likelihood[self.known] = of_known
        return self.settle(chances), float(np.einsum("i,i", self.number, log_likelihood))

    def _maximise(self, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how frequent the classes are and how each system answers them, given the chances of the rows."""
        # einsum and not @: BLAS would wake all its threads for a sum, at several times the CPU seconds.
        prior = np.einsum("i,ic->c", self.number, chances) / max(self.items, LEAST)
        counts = self.bundles.T @ (self.summed @ chances)
        counts = np.where(self.given[:, None], np.maximum(counts, LEAST), 0.0)
        cube = counts.reshape(*self.shape, -1)
        with np.errstate(invalid="ignore", divide="ignore"):
            errors = cube / cube.sum(axis=1, keepdims=True)
        return prior, errors.reshape(counts.shape)


def model_of_table(
    codes: npt.NDArray[Any],
    number: FloatArray,
    *,
    classes: int,
    truth: npt.ArrayLike | None,
    weights: npt.ArrayLike | None,
) -> AnswerMatrices:
    """Return the model of a table of answers: a row for each item, a column for each system."""
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column for each system"
        )
    check_codes("label", codes[codes >= 0], classes)
    held, holds = _bundled(codes, classes)
    return AnswerMatrices.of(held, holds, number, (codes.shape[1], classes), truth, weights)


def _bundled(codes: npt.NDArray[Any], classes: int) -> tuple[Incidence, Incidence]:
    """Return which row holds which bundle of a few systems' answers, and which bundle holds which answer.

    The answers of a few systems to one item are one number in base classes + 1, the digit 0 for no answer.
    """
    base = classes + 1
    width = max(1, int(np.log(MOST_BUNDLES) / np.log(base)))
    held = []
    holds = []
    so_far = 0
    for start in range(0, codes.shape[1], width):
        digits = np.maximum(codes[:, start : start + width].astype(np.int64), -1) + 1
        powers = base ** np.arange(digits.shape[1])
        packed = digits @ powers
        rows = np.flatnonzero(packed)
        distinct, bundle_of_row = number_distinct(packed[rows])
        held.append(Incidence(rows, so_far + bundle_of_row))
        labels = distinct[:, None] // powers % base
        bundle, system = np.nonzero(labels)
        answer = (start + system) * classes + labels[bundle, system] - 1
        holds.append(Incidence(so_far + bundle, answer))
        so_far += len(distinct)
    return _joined(held), _joined(holds)


def _joined(parts: list[Incidence]) -> Incidence:
    rows = np.concatenate([part.rows for part in parts])
    columns = np.concatenate([part.columns for part in parts])
    return Incidence(rows, columns)


def number_distinct(codes: Codes) -> tuple[Codes, Codes]:
    """Return the distinct codes and the place of each among them; they are so small that a table beats sorting.

    >>> number_distinct(np.array([5, 2, 5]))
    (array([2, 5]), array([1, 0, 1]))
    """
    occurs = np.bincount(codes) > 0
    place = np.cumsum(occurs) - 1
    return np.flatnonzero(occurs), place[codes]


def check_codes(name: str, codes: npt.NDArray[Any], size: int) -> None:
    """Refuse codes outside 0, ..., size - 1, and none at all."""
    if not codes.size:
        raise OptionError(
            "there are no answers, so nothing is known of the systems; pass items that somebody answered"
        )
    lowest = codes.min()
    highest = codes.max()
    if lowest >= 0 and highest < size:
        return
    worst = highest if highest >= size else lowest
    raise OptionError(
        f"an answer has the {name} {worst}, and there are {size}, counted from 0; pass known ones"
    )


def _reduce_rows(step: np.ufunc, table: FloatArray) -> FloatArray:
    """Return each row reduced to one number."""
    if table.shape[1] > FEW_CLASSES:
        return np.asarray(step.reduce(table, axis=1))
    # Along short rows NumPy's own reduction is slow: column by column it is one pass for each class.
    reduced = table[:, 0].copy()
    for column in table.T[1:]:
        step(reduced, column, out=reduced)
    return reduced
