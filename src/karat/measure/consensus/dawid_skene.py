"""How often each system errs, and what is true, from answers alone: Dawid and Skene's model of independent errors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

LEAST = 1e-10
"""No answer that a system gave is held less likely than this, however surely it was wrong."""
MOST_BUNDLES = 4096
"""How many different answers of several systems at once are worth a table."""
FEW_CLASSES = 16
"""Up to how many columns go faster one by one than row by row."""
Codes = npt.NDArray[np.int64]
Pairs = tuple[Codes, Codes]


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
        """e_k[c, c], a row a system, a column a class."""
        return np.asarray(np.diagonal(self.errors, axis1=1, axis2=2))

    @property
    def precision(self) -> FloatArray:
        """π_a e_k[a, a] / Σ_c π_c e_k[c, a], a row a system, a column a class."""
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

    P(answers of an item) = Σ_c π_c Π_k e_k[c, a_k], the likeliest π and e found by expectation-maximisation from the
    shares of the votes; codes below 0 are missing. Rounds end when an item gains less than `tolerance` in
    log-likelihood. `truth`, where it is not below 0, is taken as known. `weights` are exponents of e_k: 1/m for each
    of m systems that shall have one vote together. Assumes that given the true class systems err independently, and
    that most are better than chance: it finds the nearest summit, not surely the highest.
    Reference: Dawid, Skene, Applied Statistics 28, 1979. doi:10.2307/2346806
    >>> dawid_skene([[0, 0, 0], [1, 1, 0], [1, 1, 1]], [50, 10, 40]).accuracy.round(2)
    array([1. , 1. , 0.9])
    """
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    size = int(codes.max(initial=-1)) + 1 if classes is None else classes
    return _climbed(
        model_of(codes, amount, classes=size, truth=truth, weights=weights), rounds, tolerance
    )


def model_of(
    codes: npt.NDArray[Any],
    number: FloatArray,
    *,
    classes: int,
    truth: npt.ArrayLike | None,
    weights: npt.ArrayLike | None,
) -> "Model":
    """Return the answers as the model wants them: a row for each item, a column for each system."""
    if codes.ndim != 2:
        raise OptionError(
            f"the answers are of shape {codes.shape}; give a row for each item and a column a system"
        )
    _check("label", codes[codes >= 0], classes)
    return Model.of(*_bundled(codes, classes), number, (codes.shape[1], classes), truth, weights)


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
    """How often does each of many annotators err, each of whom saw few items?

    `dawid_skene` from one entry an answer; number[row] equal items a row, `shape` the numbers of systems and classes.
    >>> dawid_skene_long([0, 0, 1, 1], [0, 1, 1, 2], [0, 0, 1, 1], [3, 1], shape=(3, 2)).prior
    array([0.75, 0.25])
    """
    sizes = {"row": np.size(number), "system": shape[0], "label": shape[1]}
    codes = [np.asarray(part, np.int64) for part in (row, system, label)]
    for part, (name, size) in zip(codes, sizes.items(), strict=True):
        _check(name, part, size)
    places, each = _numbered(codes[1] * shape[1] + codes[2])
    single = np.arange(len(places)), places
    model = Model.of((codes[0], each), single, np.asarray(number, float), shape, truth, weights)
    return _climbed(model, rounds, tolerance)


def _climbed(model: "Model", rounds: int, tolerance: float) -> DawidSkene:
    last = -np.inf
    for done, (prior, errors, chances, likelihood) in enumerate(model.rounds(), 1):  # noqa: B007 (the last is used)
        converged = likelihood - last < tolerance * model.items
        if converged or done >= rounds:
            break
        last = likelihood
    full = np.where(model.answered[:, None], chances, prior)
    by_truth = np.ascontiguousarray(errors.reshape(*model.shape, -1).swapaxes(1, 2))
    return DawidSkene(prior, by_truth, full, likelihood, done, converged)


def _bundled(codes: npt.NDArray[Any], classes: int) -> tuple[Pairs, Pairs]:
    """Return which row holds which bundle of a few systems' answers, and which bundle holds which answer."""
    width = max(1, int(np.log(MOST_BUNDLES) / np.log(classes + 1)))
    held, holds, base = [], [], 0
    for start in range(0, codes.shape[1], width):
        part = np.maximum(codes[:, start : start + width].astype(np.int64), -1) + 1
        places = (classes + 1) ** np.arange(part.shape[1])
        packed = part @ places
        there = np.flatnonzero(packed)
        distinct, place = _numbered(packed[there])
        labels = distinct[:, None] // places % (classes + 1)
        bundle, system = np.nonzero(labels)
        held.append((there, base + place))
        holds.append((base + bundle, (start + system) * classes + labels[bundle, system] - 1))
        base += len(distinct)
    first, second = (
        tuple(np.concatenate(side) for side in zip(*pairs, strict=True)) for pairs in (held, holds)
    )
    return (first[0], first[1]), (second[0], second[1])


def _numbered(codes: Codes) -> Pairs:
    """Return the distinct codes and the place of each among them; they are so small that a table beats sorting."""
    seen = np.bincount(codes) > 0
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]


def _check(name: str, codes: npt.NDArray[Any], size: int) -> None:
    if not codes.size:
        raise OptionError(
            "there are no answers, so nothing is known of the systems; pass items that somebody answered"
        )
    if codes.min() < 0 or codes.max() >= size:
        worst = codes.max() if codes.max() >= size else codes.min()
        raise OptionError(
            f"an answer has the {name} {worst}, and there are {size}, counted from 0; pass known ones"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The answers as a product of two sparse matrices.

    The answers of several systems to one item are a bundle; there are far fewer distinct bundles than items, so that
    each is looked at once and each item looks at a few bundles.
    """

    votes: Any
    """votes[i, b]: row i holds the bundle of answers b."""
    summed: Any
    """The same turned over, each row times the number of its items."""
    bundles: Any
    """bundles[b, p]: the answer p, a system and a label, is in the bundle b."""
    number: FloatArray
    """Of the items with any answer; others say nothing."""
    answered: npt.NDArray[np.bool_]
    known: Codes
    """Rows whose class is known."""
    truth: Codes
    weights: FloatArray
    """Of each system and label."""
    there: npt.NDArray[np.bool_]
    """Whether a system gave a label anywhere."""
    shape: tuple[int, int]

    @classmethod
    def of(
        cls,
        held: Pairs,
        holds: Pairs,
        number: FloatArray,
        shape: tuple[int, int],
        truth: npt.ArrayLike | None,
        weights: npt.ArrayLike | None,
    ) -> "Model":
        """Return the model of rows that hold bundles, which hold answers."""
        from scipy.sparse import csr_array  # noqa: PLC0415 (wanted only here)

        (row, bundle), size = held, int(holds[0].max(initial=-1)) + 1
        votes = csr_array((np.ones(len(row)), (row, bundle)), shape=(len(number), size))
        summed = csr_array((number[row], (bundle, row)), shape=(size, len(number)))
        bundles = csr_array((np.ones(len(holds[0])), holds), shape=(size, shape[0] * shape[1]))
        answered = np.bincount(row, minlength=len(number)) > 0
        codes = np.full(len(number), -1) if truth is None else np.asarray(truth, np.int64)
        known, amount = np.flatnonzero(codes >= 0), np.where(answered, number, 0.0)
        each = np.repeat(
            np.ones(shape[0]) if weights is None else np.asarray(weights, float), shape[1]
        )
        there = np.asarray(bundles.sum(axis=0)) > 0
        return cls(
            votes, summed, bundles, amount, answered, known, codes[known], each, there, shape
        )

    @property
    def items(self) -> float:
        """How many items have any answer."""
        return float(self.number.sum())

    def rounds(self) -> Iterator[tuple[FloatArray, FloatArray, FloatArray, float]]:
        """Yield prior, errors (systems and labels by classes), chances and log-likelihood of each round."""
        prior, errors = self._estimated(self.start())
        while True:
            logs = self.weights[:, None] * np.log(np.where(self.there[:, None], errors, 1.0))
            joint = self.votes @ (self.bundles @ logs)
            joint += np.log(np.maximum(prior, LEAST))
            chances, likelihood = self._weighed(joint)
            prior, errors = self._estimated(chances)
            yield prior, errors, chances, likelihood

    def start(self) -> FloatArray:
        """Return the shares of the votes of each row."""
        each = self.weights[:, None] * np.tile(np.eye(self.shape[1]), (self.shape[0], 1))
        shares = np.asarray(self.votes @ (self.bundles @ each))
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), LEAST)
        return self.settled(shares)

    def settled(self, chances: FloatArray) -> FloatArray:
        """Return the chances, in place, with what is known taken as known."""
        chances[self.known] = 0.0
        chances[self.known, self.truth] = 1.0
        return chances

    def _weighed(self, joint: FloatArray) -> tuple[FloatArray, float]:
        """Return what each row is, given its log-likelihood in each class, and the sum of their logarithms."""
        told = joint[self.known, self.truth]
        most = _across(np.maximum, joint)
        joint -= most[:, None]
        chances = np.exp(joint, out=joint)
        total = _across(np.add, chances)
        chances /= total[:, None]
        each = np.log(total) + most
        each[self.known] = told
        return self.settled(chances), float(np.einsum("i,i", self.number, each))

    def _estimated(self, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how frequent the classes are and how each system answers them, if this is what the rows are."""
        # einsum and not @: BLAS would wake all its threads for a sum, at several times the CPU seconds.
        prior = np.einsum("i,ic->c", self.number, chances) / max(self.items, LEAST)
        counts = np.where(
            self.there[:, None], np.maximum(self.bundles.T @ (self.summed @ chances), LEAST), 0.0
        )
        cube = counts.reshape(*self.shape, -1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return prior, (cube / cube.sum(axis=1, keepdims=True)).reshape(counts.shape)


def _across(step: np.ufunc, table: FloatArray) -> FloatArray:
    """Reduce each row to one number."""
    if table.shape[1] > FEW_CLASSES:
        return np.asarray(step.reduce(table, axis=1))
    found = table[:, 0].copy()
    for column in table.T[1:]:  # along short rows NumPy's own reduction is slow
        step(found, column, out=found)
    return found
