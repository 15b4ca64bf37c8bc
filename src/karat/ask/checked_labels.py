"""The errors of all labels, estimated from those that were checked again: which share is wrong, and what is true."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from karat.ask.label_errors import LabelErrorRates, parse_label_errors
from karat.doubt.label_noise.error_rate import from_check
from karat.errors import OptionError

MODELS = ("uniform", "per-class", "matrix")
CLOSE = 1e-6
"""How far a row of probabilities may be from summing to 1."""
WRONG_PER_SHARE = 5
"""So many wrong labels must have been found for every share that is estimated by label."""
FEW = 6
"""Up to how many labels are named one by one."""


def of_checked(
    labels: tuple[str, ...], counts: npt.ArrayLike, *, model: str = "uniform", level: float = 0.95
) -> LabelErrorRates:
    """Which share of all labels is wrong, given those that were checked? counts[i, j]: i was given where j is true.

    k wrong of m in all: r = (k + 1/2)/(m + 1), the mean of the Beta posterior with Jeffreys' prior, and averaged over
    the whole of it. By given label (k_i + r)/(m_i + 1): rates from few checks shrink towards r, and a label of which
    none was checked has the rate r. As a matrix, row i is (n_ij + r/(K-1))/(m_i + 1) off the diagonal, K the labels of
    the check. Assumes that the checked labels were drawn at random, and that the check is right.
    Reference: Brown, Cai & DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> errors = of_checked(("a", "b"), [[9, 1], [0, 19]], model="per-class")
    >>> {label: round(rate, 4) for label, rate in errors.by_label.items()}
    {'a': 0.0955, 'b': 0.0025}
    """
    if model not in MODELS:
        raise OptionError(f"--model is {model!r}; it takes uniform, per-class or matrix")
    number = np.asarray(counts, float)
    checked = number.sum(axis=1)
    right = np.diag(number)
    wrong = checked - right
    total = checked.sum()
    if not total:
        raise OptionError(
            "no item has both a given and a checked label; so the share of wrong labels cannot be estimated"
        )
    total_wrong = total - right.sum()
    if model == "uniform":
        return parse_label_errors(f"{int(total_wrong)}/{int(total)}", level=level)
    overall = (total_wrong + 0.5) / (total + 1)
    rates = (wrong + overall) / (checked + 1)
    named = [place for place in range(len(labels)) if checked[place]]
    by_label = {labels[place]: float(rates[place]) for place in named}
    moves = _moves(labels, number, overall, named) if model == "matrix" else {}
    unchecked = f"Labels of which none was checked: {100 * overall:.3g} %."
    words = (
        _words(labels, checked, wrong, level),
        unchecked,
        *_doubts(model, len(labels), int(total_wrong)),
    )
    return LabelErrorRates(by_label=by_label, moves=moves, rest=float(overall), words=words)


def of_shares(labels: tuple[str, ...], shares: npt.ArrayLike) -> LabelErrorRates:
    """Return the errors of a matrix: shares[i, j] = P(j is true | i is given); a row of zeros is always right."""
    matrix = np.asarray(shares, float)
    rates = {}
    moves = {}
    for place, text in enumerate(labels):
        row = matrix[place]
        total = row.sum()
        if total and abs(total - 1) > CLOSE:
            raise OptionError(
                f"the shares of the given label {text!r} sum to {total:g}; P(true | given) sums to 1"
            )
        if total > 0:
            rates[text] = float(1 - row[place])
            moves[text] = _row(labels, row)
    return LabelErrorRates(by_label=rates, moves=moves)


def _doubts(model: str, labels: int, wrong: int) -> tuple[str, ...]:
    """Return a warning where shares by label are estimated from too few wrong labels.

    On 42 labels and 1,000 checks, shares by label and a matrix forecast reversed orders worse than one share for all;
    in simulated tables of few labels about as well.
    """
    shares = labels if model == "per-class" else labels * (labels - 1)
    if wrong >= WRONG_PER_SHARE * shares:
        return ()
    warning = (
        f"warning: {wrong:,} wrong labels were found, and {model} estimates {shares:,} shares from them: that fits "
        "noise. It also assumes that a label is wrong equally often whatever the systems answered. One share for all "
        "labels (--model uniform) forecasts as well, or better."
    )
    return (warning,)


def _moves(
    labels: tuple[str, ...], number: npt.NDArray[np.float64], overall: float, named: Sequence[int]
) -> dict[str, Mapping[str, float]]:
    """Return the rows of P(true | given) of the labels that were checked."""
    size = len(labels)
    right = 1 - overall if size > 1 else 1.0
    to_each_other = overall / max(1, size - 1)
    prior = np.where(np.eye(size, dtype=bool), right, to_each_other)
    matrix = (number + prior) / (number.sum(axis=1, keepdims=True) + 1)
    return {labels[place]: _row(labels, matrix[place]) for place in named}


def _row(labels: tuple[str, ...], shares: npt.NDArray[np.float64]) -> dict[str, float]:
    return {text: float(share) for text, share in zip(labels, shares, strict=True) if share}


def _words(
    labels: tuple[str, ...],
    checked: npt.NDArray[np.float64],
    wrong: npt.NDArray[np.float64],
    level: float,
) -> str:
    """Return how many labels of each kind were wrong, with exact intervals; of many labels the worst."""
    share_wrong = wrong / np.maximum(checked, 1)
    worst_first = np.argsort(np.where(checked > 0, -share_wrong, 1.0), kind="stable")
    shown = sorted(place for place in worst_first[:FEW].tolist() if checked[place])
    parts = []
    for place in shown:
        rate = from_check(int(wrong[place]), int(checked[place]), level=level)
        counts = f"{int(wrong[place]):,} of {int(checked[place]):,} {labels[place]!r}"
        parts.append(f"{counts} ({100 * rate.low:.3g} to {100 * rate.high:.3g} %)")
    number = int((checked > 0).sum())
    which = "Checked and wrong"
    if number > FEW:
        which += f", the worst {FEW} of {number:,} labels"
    return f"{which}: {', '.join(parts)}, at level {level:g}."
