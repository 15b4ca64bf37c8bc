"""Predictions in memory: labels, scores or probabilities, as scikit-learn gives them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.source.files.memory import absent, arrays, column, of_tensor
from karat.source.origin import Source
from karat.words import counted, listing

TRUTH, CLASS = "y_true", "class"
PART = ".p."
"""Between a system and a class, in the name of a column of probabilities."""
SLACK = 1e-3
"""By how much the probabilities of an item may miss 1, as single precision and rounding do."""
Values = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Predictions:
    """The values of each system as an array, and the names of its columns where it is a frame."""

    arrays: Mapping[str, Values]
    columns: Mapping[str, list[str] | None]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.arrays)


def predictions(
    y_true: Any,
    answers: Mapping[str, Any],
    *,
    classes: Sequence[Any] | None = None,
    beside: Mapping[str, Any] | None = None,
) -> Source:
    """Arrays of labels, scores or probabilities by system, beside the truth; None is no truth.

    `beside` holds what else is known of each item, by its role: item, group, cluster, weight.
    """
    return _with_roles(_answers(y_true, answers, classes), beside or {})


def _answers(y_true: Any, answers: Mapping[str, Any], classes: Sequence[Any] | None) -> Source:
    """Return the answers as columns: labels or scores, probabilities by class, or a row per item and class."""
    given = _predictions_of(answers)
    truth = None
    if y_true is not None:
        truth = _array(y_true, TRUTH)
        _check_lengths(truth, given.arrays)
    names = _class_names(classes)
    if truth is not None and truth.ndim == 2:
        numbers = [str(place) for place in range(truth.shape[1])]
        return _cells(truth, given, names or _columns_of(y_true) or numbers)
    if all(values.ndim != 2 for values in given.arrays.values()):
        return _source(truth, given.arrays, given.systems)
    return _probabilities(truth, given, names)


def _predictions_of(answers: Mapping[str, Any]) -> Predictions:
    if not isinstance(answers, Mapping) or not answers:
        raise InputError('predictions are a mapping, {"name": y_pred, ...}, of at least one system')
    arrays_by_name: dict[str, Values] = {}
    columns_by_name: dict[str, list[str] | None] = {}
    for name, values in answers.items():
        arrays_by_name[str(name)] = _array(values, str(name))
        columns_by_name[str(name)] = _columns_of(values)
    if TRUTH in arrays_by_name:
        raise InputError(f"no system can be called {TRUTH!r}; give it another name")
    return Predictions(arrays_by_name, columns_by_name)


def _with_roles(source: Source, beside: Mapping[str, Any]) -> Source:
    """Return the source with a column for each role; where an item has a row per class, its value is in all of them."""
    columns = dict(source.data)
    roles = dict(source.roles)
    rows = len(next(iter(columns.values())))
    per_item = len(set(columns[CLASS])) if roles.get("group") == CLASS else 1
    items = rows // per_item
    for role, values in beside.items():
        if role in columns:
            raise InputError(
                f"no system can be called {role!r} beside {role}=; give it another name"
            )
        array = column(_array(values, role), role)
        if len(array) != items:
            raise InputError(
                f"{role}= has {counted(len(array), 'value')} for {counted(items, 'item')}; "
                "every item needs one"
            )
        columns[role] = np.repeat(array, per_item)
        roles[role] = role
    return replace(source, data=columns, roles=roles)


def _source(
    truth: Any | None, columns: Mapping[str, Any], systems: Sequence[str], notes: Sequence[str] = ()
) -> Source:
    data = dict(columns)
    roles: dict[str, Any] = {"systems": tuple(systems)}
    if truth is not None:
        data = {TRUTH: truth, **columns}
        roles["truth"] = TRUTH
    return replace(arrays(data), origin="the predictions", roles=roles, notes=tuple(notes))


def _probabilities(truth: Values | None, given: Predictions, classes: list[str] | None) -> Source:
    """Return columns of probabilities by class; where a system gave labels, only the likeliest label of the others."""
    true_labels = None if truth is None else _labels(truth, TRUTH)
    names = classes or _classes(truth, [own for own in given.columns.values() if own])
    labels: dict[str, Any] = {}
    shares: dict[str, Values] = {}
    notes = []
    for name, values in given.arrays.items():
        if values.ndim != 2:
            labels[name] = _labels(values, name)
        else:
            shares[name] = _shares(name, values, given.columns[name], names)
            notes += _note_on_other_numbers(name, shares[name])
    if labels:
        for name, own in shares.items():
            labels[name] = _likeliest(own, names)
        labelled = [name for name in labels if name not in shares]
        notes.append(
            f"the likeliest label of {listing(shares)} is used, as {listing(labelled)} gave no probabilities"
        )
        return _source(true_labels, labels, given.systems, notes)
    columns: dict[str, Any] = {}
    for name, own in shares.items():
        for place, label in enumerate(names):
            columns[f"{name}{PART}{label}"] = own[:, place]
    return _source(true_labels, columns, given.systems, notes)


def _shares(name: str, values: Values, own: list[str] | None, names: Sequence[str]) -> Values:
    """Return the probabilities of each item's classes; NaN for all of them where one is missing."""
    if PART in name:
        raise InputError(
            f"no system can be called {name!r}, as {PART!r} stands before a class; give it another name"
        )
    try:
        shares = _ordered(name, values, own, names).astype(float)
    except ValueError:
        raise InputError(
            f"{name!r} has several columns of text; labels are one an item, probabilities numbers"
        ) from None
    shares[np.isnan(shares).any(axis=1)] = np.nan
    return shares


def _note_on_other_numbers(name: str, shares: Values) -> list[str]:
    """Return a note on rows that are not probabilities, if there are any; logits and the like can still be ranked."""
    sums = shares.sum(axis=1)
    is_odd = (shares < 0).any(axis=1) | (np.abs(sums - 1) > SLACK)
    odd = np.flatnonzero(is_odd)
    if not len(odd):
        return []
    first = odd[0]
    what = f"{name!r} has {counted(len(odd), 'row')} of numbers that are not probabilities"
    example = f"as for item {first + 1:,}, with the sum {sums[first]:g}"
    return [f"{what}, {example}; only which is the greatest counts"]


def _array(values: Any, name: str) -> Values:
    """Return values as an array; a single column is one value an item."""
    dense = values.toarray() if hasattr(values, "toarray") else of_tensor(values)
    try:
        array = np.asarray(dense)
    except ValueError:
        raise InputError(
            f"{name!r} has rows of different lengths; every item needs as many values"
        ) from None
    is_column = array.ndim == 2 and array.shape[1] == 1
    return array[:, 0] if is_column else array


def _columns_of(values: Any) -> list[str] | None:
    """Return the names of a frame's columns, unless they are just the numbers from 0 on."""
    columns = getattr(values, "columns", None)
    if columns is None or not np.iterable(columns):
        return None
    names = [_name(name) for name in columns]
    numbers = [str(place) for place in range(len(names))]
    return None if names == numbers else names


def _class_names(classes: Sequence[Any] | None) -> list[str] | None:
    """Return the names of the classes, none of them twice."""
    if classes is None:
        return None
    names = [_name(name) for name in np.asarray(classes, object).tolist()]
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"classes=[...] names {name!r} twice")
    return names


def _check_lengths(truth: Values, given: Mapping[str, Values]) -> None:
    items = len(np.atleast_1d(truth))
    for name, values in given.items():
        number = len(np.atleast_1d(values))
        if number != items:
            raise InputError(
                f"{name!r} has {counted(number, 'prediction')} for {items:,} "
                "truths; every item needs one of each"
            )


def _name(value: Any) -> str:
    """Return a label as text: 1, 1.0 and True are one label, as they are to scikit-learn."""
    whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return str(int(value)) if whole else str(value)


def _labels(values: Values, name: str) -> list[str | None]:
    """Return labels as text; scores are refused."""
    listed = values.ravel().tolist()
    if any(isinstance(value, float) and _is_fraction(value) for value in listed):
        raise InputError(
            f"{name!r} has scores where others have a probability per class; give it a column per class"
        )
    return [None if absent(value) else _name(value) for value in listed]


def _is_fraction(value: float) -> bool:
    return not value.is_integer() and not absent(value)


def _classes(truth: Values | None, frames: Sequence[list[str]]) -> list[str]:
    """Return a frame's columns if all labels of the truth are among them, else these, sorted as scikit-learn does."""
    if truth is None and not frames:
        raise InputError(
            "probabilities without a truth do not say of what; name their columns with classes=[...]"
        )
    values = [] if truth is None else truth.ravel().tolist()
    distinct = {value for value in values if not absent(value)}
    try:
        labels = [_name(value) for value in sorted(distinct)]
    except TypeError:
        raise InputError(
            f"{TRUTH} mixes numbers and text; name the columns of probabilities with classes=[...]"
        ) from None
    for columns in frames:
        if set(labels) <= set(columns):
            return columns
    return labels


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
    """Return the label of the greatest probability; None where a probability is missing."""
    labels: Values = np.array(names, object)[values.argmax(axis=1)]
    labels[np.isnan(values).any(axis=1)] = None
    return labels


def _cells(truth: Values, given: Predictions, names: Sequence[str]) -> Source:
    """Return one row per item and class, where the truth is a matrix of 0 and 1."""
    ordered: dict[str, Values] = {}
    for name, values in given.arrays.items():
        ordered[name] = _ordered(name, values, given.columns[name], names)
    if CLASS in ordered:
        raise InputError(
            f"no system can be called {CLASS!r} where items have several labels; give it another name"
        )
    _ordered(TRUTH, truth, None, names)
    columns: dict[str, Any] = {CLASS: np.tile(np.array(names, object), len(truth))}
    for name, values in ordered.items():
        columns[name] = values.ravel()
    source = _source(truth.ravel(), columns, given.systems)
    return replace(source, roles={**source.roles, "group": CLASS})
