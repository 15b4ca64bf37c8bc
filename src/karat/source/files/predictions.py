"""Predictions as they stand in a script: labels, scores or probabilities, as scikit-learn gives them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.files.memory import absent, arrays
from karat.source.origin import Source
from karat.words import counted, listing

TRUTH, CLASS = "y_true", "class"
PART = ".p."
"""Between a system and a class, in the name of a column of probabilities."""
SLACK = 1e-3
"""By how much the probabilities of an item may miss 1, as single precision and rounding do."""
Values = npt.NDArray[Any]


def predictions(
    y_true: Any, answers: Mapping[str, Any], *, classes: Sequence[Any] | None = None
) -> Source:
    """Arrays of labels, scores or probabilities by system, beside the truth; None is no truth."""
    if not isinstance(answers, Mapping) or not answers:
        raise InputError('predictions are a mapping, {"name": y_pred, ...}, of at least one system')
    truth = None if y_true is None else _array(y_true, TRUTH)
    given = {str(name): _array(values, str(name)) for name, values in answers.items()}
    named = {str(name): _columns_of(values) for name, values in answers.items()}
    if TRUTH in given:
        raise InputError(f"no system can be called {TRUTH!r}; give it another name")
    if truth is not None:
        _check_lengths(truth, given)
    if truth is not None and truth.ndim == 2:
        known = (
            _unlike(classes)
            or _columns_of(y_true)
            or [str(place) for place in range(truth.shape[1])]
        )
        return _cells(
            truth,
            {name: _ordered(name, own, named[name], known) for name, own in given.items()},
            known,
        )
    if all(values.ndim != 2 for values in given.values()):
        return _source({} if truth is None else {TRUTH: truth}, given, tuple(given))
    return _probabilities(truth, given, named, _unlike(classes))


def _source(
    truth: Mapping[str, Any], columns: Mapping[str, Any], systems: Sequence[str], *notes: str
) -> Source:
    roles = {"systems": tuple(systems)} | ({"truth": TRUTH} if truth else {})
    return replace(arrays({**truth, **columns}), origin="the predictions", roles=roles, notes=notes)


def _probabilities(
    truth: Values | None,
    given: Mapping[str, Values],
    named: Mapping[str, list[str] | None],
    classes: list[str] | None,
) -> Source:
    """Return columns of probabilities by class; beside systems that gave labels, the likeliest label alone."""
    said = {} if truth is None else {TRUTH: _labels(truth, TRUTH)}
    names = classes or _classes(truth, [own for own in named.values() if own])
    labelled = [name for name, values in given.items() if values.ndim != 2]
    columns: dict[str, Any] = {name: _labels(given[name], name) for name in labelled}
    shares = {
        name: _shares(name, given[name], named[name], names)
        for name in given
        if name not in labelled
    }
    notes = [note for name, own in shares.items() for note in _oddities(name, own)]
    if labelled:
        columns |= {name: _likeliest(own, names) for name, own in shares.items()}
        notes.append(
            f"the likeliest label of {listing(shares)} is taken, as {listing(labelled)} gave no probabilities"
        )
        return _source(said, columns, tuple(given), *notes)
    columns = {
        f"{name}{PART}{label}": own[:, k]
        for name, own in shares.items()
        for k, label in enumerate(names)
    }
    return _source(said, columns, tuple(given), *notes)


def _shares(name: str, values: Values, own: list[str] | None, names: Sequence[str]) -> Values:
    """Return the probabilities of an item's classes; none at all where one of them is not known."""
    if PART in name:
        raise InputError(
            f"no system can be called {name!r}, as {PART!r} tells classes apart; give it another name"
        )
    try:
        found = _ordered(name, values, own, names).astype(float)
    except ValueError:
        raise InputError(
            f"{name!r} has several columns of text; labels are one an item, probabilities numbers"
        ) from None
    found[np.isnan(found).any(axis=1)] = np.nan
    return found


def _oddities(name: str, shares: Values) -> list[str]:
    """Return in words that rows are no probabilities, if so; logits and the like can still be ranked."""
    sums = shares.sum(axis=1)
    odd = np.flatnonzero((shares < 0).any(axis=1) | (np.abs(sums - 1) > SLACK))
    if not len(odd):
        return []
    what = f"{name!r} has {counted(len(odd), 'row')} of numbers that are no probabilities"
    return [
        f"{what}, as for item {odd[0] + 1:,}, with the sum {sums[odd[0]]:g}; only which is the greatest counts"
    ]


def _array(values: Any, name: str) -> Values:
    """Return what was given as an array; a single column is one value an item."""
    dense = values.toarray() if hasattr(values, "toarray") else values
    try:
        found = np.asarray(dense)
    except ValueError:
        raise InputError(
            f"{name!r} has rows of different lengths; every item needs as many values"
        ) from None
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def _columns_of(values: Any) -> list[str] | None:
    """Return the names of a frame's columns, unless they are but numbers from 0 on."""
    columns = getattr(values, "columns", None)
    found = (
        None if columns is None or not np.iterable(columns) else [_name(name) for name in columns]
    )
    return None if not found or found == [str(place) for place in range(len(found))] else found


def _unlike(classes: Sequence[Any] | None) -> list[str] | None:
    names = (
        None if classes is None else [_name(name) for name in np.asarray(classes, object).tolist()]
    )
    if names and len(set(names)) < len(names):
        raise InputError(
            f"classes=[...] names {next(name for name in names if names.count(name) > 1)!r} twice"
        )
    return names


def _check_lengths(truth: Values, given: Mapping[str, Values]) -> None:
    for name, values in given.items():
        if len(np.atleast_1d(values)) != len(np.atleast_1d(truth)):
            raise InputError(
                f"{name!r} has {counted(len(np.atleast_1d(values)), 'prediction')} for {len(np.atleast_1d(truth)):,} "
                "truths; every item needs one of each"
            )


def _name(value: Any) -> str:
    """Return a label as text: 1, 1.0 and True are one label, as they are to scikit-learn."""
    whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return str(int(value)) if whole else str(value)


def _labels(values: Values, name: str) -> list[str | None]:
    """Return labels as text; scores are none."""
    found = values.ravel().tolist()
    if any(
        isinstance(value, float) and not value.is_integer() and not absent(value) for value in found
    ):
        raise InputError(
            f"{name!r} has scores where others have a probability per class; give it a column per class"
        )
    return [None if absent(value) else _name(value) for value in found]


def _classes(truth: Values | None, frames: Sequence[list[str]]) -> list[str]:
    """Return a frame's columns if all labels of the truth are among them, else these, sorted as scikit-learn does."""
    if truth is None and not frames:
        raise InputError(
            "probabilities without a truth do not say of what; name their columns with classes=[...]"
        )
    known = (
        set() if truth is None else {value for value in truth.ravel().tolist() if not absent(value)}
    )
    try:
        found = [_name(value) for value in sorted(known)]
    except TypeError:
        raise InputError(
            f"{TRUTH} mixes numbers and text; name the columns of probabilities with classes=[...]"
        ) from None
    return next((own for own in frames if set(found) <= set(own)), found)


def _ordered(name: str, values: Values, own: list[str] | None, names: Sequence[str]) -> Values:
    """Return a column per class, in the order of the classes; a frame's columns go by their names."""
    if values.ndim != 2 or values.shape[1] != len(names):
        width = values.shape[1] if values.ndim == 2 else 1
        raise InputError(
            f"{name!r} has {counted(width, 'column')} of classes, but the classes are "
            f"{listing(names)}; name one for each column with classes=[...]"
        )
    if own is None:
        return values
    if set(own) != set(names):
        raise InputError(
            f"{name!r} has the columns {listing(own)}, but the classes are {listing(names)}; rename them"
        )
    return values[:, [own.index(label) for label in names]]


def _likeliest(values: Values, names: Sequence[str]) -> Values:
    """Return the label of the greatest probability; None where one is not known."""
    found: Values = np.array(names, object)[values.argmax(axis=1)]
    found[np.isnan(values).any(axis=1)] = None
    return found


def _cells(truth: Values, given: Mapping[str, Values], names: Sequence[str]) -> Source:
    """Return one row per item and class, where the truth is a matrix of 0 and 1."""
    if CLASS in given:
        raise InputError(
            f"no system can be called {CLASS!r} where items have several labels; give it another name"
        )
    _ordered(TRUTH, truth, None, names)
    columns: dict[str, Any] = {CLASS: np.tile(np.array(names, object), len(truth))}
    columns |= {name: values.ravel() for name, values in given.items()}
    found = _source({TRUTH: truth.ravel()}, columns, tuple(given))
    return replace(found, roles={**found.roles, "group": CLASS})
