"""Predictions as they stand in a script: labels, scores or probabilities, as scikit-learn gives them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.memory import arrays
from karat.source.origin import Source
from karat.words import counted, listing

TRUTH = "y_true"


def predictions(y_true: Any, answers: Mapping[str, Any], *, classes: Sequence[Any] | None = None) -> Source:
    """Arrays of labels, scores or probabilities by system, beside the truth; None is no truth."""
    if not isinstance(answers, Mapping) or not answers:
        raise InputError('predictions are a mapping, {"name": y_pred, ...}, of at least one system')
    truth = None if y_true is None else np.asarray(y_true)
    given = {str(name): np.asarray(values) for name, values in answers.items()}
    if TRUTH in given:
        raise InputError(f"no system can be called {TRUTH!r}; give it another name")
    if truth is not None:
        _check_lengths(truth, given)
    if truth is not None and truth.ndim == 2:
        return _cells(truth, given, classes)
    columns: dict[str, Any] = {} if truth is None else {TRUTH: truth}
    names = _classes(truth, classes) if any(values.ndim == 2 for values in given.values()) else []
    labelled = [name for name, values in given.items() if values.ndim != 2]
    for name, values in given.items():
        columns |= _columns(name, values, names, likeliest=bool(labelled))
    roles = {"systems": tuple(given)} | ({} if truth is None else {"truth": TRUTH})
    source = arrays(columns)
    if not labelled or len(labelled) == len(given):
        return replace(source, origin="the predictions", roles=roles)
    turned = [name for name in given if name not in labelled]
    note = f"the likeliest label of {listing(turned)} is taken, as {listing(labelled)} gave no probabilities"
    return replace(source, origin="the predictions", roles=roles, notes=(note,))


def _check_lengths(truth: npt.NDArray[Any], given: Mapping[str, npt.NDArray[Any]]) -> None:
    for name, values in given.items():
        if len(np.atleast_1d(values)) != len(np.atleast_1d(truth)):
            raise InputError(
                f"{name!r} has {counted(len(np.atleast_1d(values)), 'prediction')} for {len(np.atleast_1d(truth)):,} "
                "truths; every item needs one of each"
            )


def _classes(truth: npt.NDArray[Any] | None, classes: Sequence[Any] | None) -> list[str]:
    if classes is not None:
        return [str(name) for name in classes]
    if truth is None:
        raise InputError("probabilities without a truth do not say of what; name their columns with classes=[...]")
    return [str(name) for name in np.unique(truth[[value is not None for value in truth]])]


def _columns(name: str, values: npt.NDArray[Any], classes: Sequence[str], *, likeliest: bool) -> dict[str, Any]:
    if values.ndim != 2:
        return {name: values}
    if values.shape[1] != len(classes):
        raise InputError(
            f"{name!r} has {counted(values.shape[1], 'column')} of probabilities, but the classes are "
            f"{listing(classes)}; name one for each column with classes=[...]"
        )
    if likeliest:
        return {name: np.array(classes, object)[values.argmax(axis=1)]}
    return {f"{name}.p.{label}": values[:, place] for place, label in enumerate(classes)}


def _cells(truth: npt.NDArray[Any], given: Mapping[str, npt.NDArray[Any]], classes: Sequence[Any] | None) -> Source:
    """Return one row per item and class, where the truth is a matrix of 0 and 1."""
    items, width = truth.shape
    names = [str(name) for name in classes] if classes is not None else [str(place) for place in range(width)]
    for name, values in given.items():
        if values.shape != truth.shape or len(names) != width:
            raise InputError(f"{name!r} is {values.shape}, the truth {truth.shape}, with {len(names)} names of classes")
    columns: dict[str, Any] = {"class": np.tile(np.array(names, object), items), TRUTH: truth.ravel()}
    columns |= {name: values.ravel() for name, values in given.items()}
    roles = {"systems": tuple(given), "truth": TRUTH, "group": "class"}
    return replace(arrays(columns), origin="the predictions", roles=roles)
