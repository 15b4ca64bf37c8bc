"""What labels that were checked again tell of all the others: how many are wrong, of which label, and what is true."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from karat.ask.label_errors import SaidErrors, said_errors
from karat.doubt.label_noise.error_rate import from_check
from karat.errors import OptionError

MODELS = ("uniform", "per-class", "matrix")
CLOSE = 1e-6
"""How far a row of probabilities may be from summing to 1."""
FEW = 6
"""Up to how many labels are told one by one."""


def of_checked(
    labels: tuple[str, ...], counts: npt.ArrayLike, *, model: str = "uniform", level: float = 0.95
) -> SaidErrors:
    """How wrong are all the labels, if these were checked? counts[i, j]: label i was given where label j is true.

    k wrong of m in all: r = (k + 1/2)/(m + 1), the mean of the Beta posterior with Jeffreys' prior, and averaged over
    the whole of it. By given label (k_i + r)/(m_i + 1): what few checks say is drawn towards r, and a label of which
    none was checked errs as all together. As a matrix, row i is (n_ij + r/(K-1))/(m_i + 1) off the diagonal, K the
    labels of the check. Assumes that what was checked was drawn at random, and that the check is right.
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> said = of_checked(("a", "b"), [[9, 1], [0, 19]], model="per-class")
    >>> {label: round(rate, 4) for label, rate in said.by_label.items()}
    {'a': 0.0955, 'b': 0.0025}
    """
    if model not in MODELS:
        raise OptionError(f"--model is {model!r}; it takes uniform, per-class or matrix")
    number = np.asarray(counts, float)
    checked, right = number.sum(axis=1), np.diag(number)
    if not checked.sum():
        raise OptionError(
            "no item has both a given and a checked label; nothing can be said of errors"
        )
    if model == "uniform":
        return said_errors(f"{int(checked.sum() - right.sum())}/{int(checked.sum())}", level=level)
    overall = (checked.sum() - right.sum() + 0.5) / (checked.sum() + 1)
    rates = (checked - right + overall) / (checked + 1)
    named = [place for place in range(len(labels)) if checked[place]]
    by_label = {labels[place]: float(rates[place]) for place in named}
    words = (
        *_words(labels, checked, checked - right, level),
        f"Labels of which none was checked: {100 * overall:.3g} %.",
    )
    moves = _moves(labels, number, overall, named) if model == "matrix" else {}
    return SaidErrors(by_label=by_label, moves=moves, rest=float(overall), words=words)


def of_shares(labels: tuple[str, ...], shares: npt.ArrayLike) -> SaidErrors:
    """Return what a matrix says: shares[i, j] = P(j is true | i is given); a row of zeros is a label that is right."""
    matrix = np.asarray(shares, float)
    named = matrix.sum(axis=1) > 0
    for text, total in zip(labels, matrix.sum(axis=1), strict=True):
        if total and abs(total - 1) > CLOSE:
            raise OptionError(
                f"the shares of the given label {text!r} sum to {total:g}; P(true | given) sums to 1"
            )
    rates = {text: float(1 - matrix[k, k]) for k, text in enumerate(labels) if named[k]}
    moves = {text: _row(labels, matrix[k]) for k, text in enumerate(labels) if named[k]}
    return SaidErrors(by_label=rates, moves=moves)


def _moves(
    labels: tuple[str, ...], number: npt.NDArray[np.float64], overall: float, named: Sequence[int]
) -> dict[str, Mapping[str, float]]:
    """Return the rows of P(true | given) of the labels that were checked."""
    size = len(labels)
    prior = np.where(
        np.eye(size, dtype=bool), 1 - overall if size > 1 else 1.0, overall / max(1, size - 1)
    )
    matrix = (number + prior) / (number.sum(axis=1, keepdims=True) + 1)
    return {labels[place]: _row(labels, matrix[place]) for place in named}


def _row(labels: tuple[str, ...], shares: npt.NDArray[np.float64]) -> dict[str, float]:
    return {text: float(share) for text, share in zip(labels, shares, strict=True) if share}


def _words(
    labels: tuple[str, ...],
    checked: npt.NDArray[np.float64],
    wrong: npt.NDArray[np.float64],
    level: float,
) -> tuple[str, ...]:
    """Return how many of each label were found wrong, with exact intervals; of many labels the worst."""
    order = np.argsort(np.where(checked > 0, -wrong / np.maximum(checked, 1), 1.0), kind="stable")
    chosen = sorted(place for place in order[:FEW].tolist() if checked[place])
    said = []
    for k in chosen:
        found = from_check(int(wrong[k]), int(checked[k]), level=level)
        between = f"{100 * found.low:.3g} to {100 * found.high:.3g} %"
        said.append(f"{int(wrong[k]):,} of {int(checked[k]):,} {labels[k]!r} ({between})")
    many = int((checked > 0).sum())
    which = (
        "Checked and wrong"
        if many <= FEW
        else f"Checked and wrong, the worst {FEW} of {many:,} labels"
    )
    return (f"{which}: {', '.join(said)}, at level {level:g}.",)
