"""Data in memory: a data frame, or a mapping of names to columns."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from karat.errors import InputError
from karat.source.origin import Source
from karat.words import listing


def frame(data: Any, *, origin: str | None = None) -> Source:
    """Take a pandas, Polars, Arrow, DuckDB or PySpark table as it is, without a copy."""
    return Source(
        origin=origin or f"the {type(data).__module__.split('.')[0]} frame",
        reader="frame",
        data=data,
    )


def dataset(data: Any) -> Source:
    """A Hugging Face `Dataset`: its columns as an Arrow table, in the order of its rows."""
    if not hasattr(data, "__len__"):
        raise InputError(
            f"{type(data).__name__}: karat counts all rows, and these are read as they stream; load them whole, "
            "without streaming=True"
        )
    return frame(data.with_format("arrow")[:], origin="the dataset")


def is_dataset(data: Any) -> bool:
    """Return whether this is a data set of the package `datasets`, which need not be installed."""
    return type(data).__module__.partition(".")[0] == "datasets" and hasattr(data, "with_format")


def arrays(data: Mapping[str, Sequence[Any]]) -> Source:
    """Columns of equal length by name: NumPy arrays or lists.

    >>> arrays({"truth": [1, 0], "a": [1]})
    Traceback (most recent call last):
    karat.errors.InputError: the columns have different lengths: {'truth': 2, 'a': 1}; every item needs a row
    """
    splits = [str(name) for name, values in data.items() if is_dataset(values)]
    if splits:
        raise InputError(
            f"these are the splits {listing(splits)}; give one, as data[{splits[0]!r}]"
        )
    columns = {str(name): column(values, str(name)) for name, values in data.items()}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the columns have different lengths: {lengths}; every item needs a row")
    if not columns or not next(iter(lengths.values())):
        raise InputError("there are no rows; karat needs at least one item")
    return Source(origin="the data", reader="frame", data=columns)


def column(values: Sequence[Any] | np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """Return values as a one-dimensional array, with None where there is none.

    What is neither a number nor a truth value becomes text, so that a column has one type.
    """
    if isinstance(values, str) or not np.iterable(values):
        raise InputError(
            f"column {name!r} is the single value {values!r}; karat needs one value an item"
        )
    if isinstance(values, list | tuple) and set(map(type, values)) == {str}:
        return np.array(values, dtype=object)  # a list of texts, often long, needs no look at each
    values = of_tensor(values)
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()
    array = np.asarray(values) if isinstance(values, np.ndarray) else _from_list(values)
    if array.ndim != 1:
        raise InputError(
            f"column {name!r} has {array.ndim} dimensions; karat needs one value an item"
        )
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind in "UO":
        return np.array([None if absent(value) else str(value) for value in array], dtype=object)
    raise InputError(
        f"column {name!r} holds {array.dtype}; karat reads numbers, truth values and text"
    )


def of_tensor(values: Any) -> Any:
    """Return a tensor of PyTorch as an array, wherever it is and whether or not it has gradients; others as they are.

    A list of tensors, one number each, is a list of numbers.
    """
    if isinstance(values, list | tuple):
        return [value.item() if _is_tensor(value) else value for value in values]
    if not _is_tensor(values):
        return values
    here = values.detach().cpu()
    if str(here.dtype) == "torch.bfloat16":  # NumPy has no such numbers
        here = here.float()
    return here.numpy()


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach")


def _from_list(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Return a list as an array of truth values or numbers, if these are all that it holds; else of objects."""
    is_absent = [absent(value) for value in values]
    types = {type(value) for value, gone in zip(values, is_absent, strict=True) if not gone}
    _check_no_containers(types)
    are_numbers = types <= {int, float}
    if not any(is_absent) and (are_numbers or types == {bool}):
        return np.array(values)
    # Whole numbers with gaps stay whole numbers, which NumPy can only hold as objects.
    if are_numbers and float in types:
        return _with_gaps(values, is_absent, np.nan, dtype=np.float64)
    return _with_gaps(values, is_absent, None, dtype=object)


def _with_gaps(
    values: Sequence[Any], is_absent: Sequence[bool], gap: float | None, *, dtype: Any
) -> np.ndarray[Any, Any]:
    filled = [gap if gone else value for value, gone in zip(values, is_absent, strict=True)]
    return np.array(filled, dtype=dtype)


def _check_no_containers(types: Collection[type]) -> None:
    nested = [one.__name__ for one in types if issubclass(one, list | tuple | dict | set)]
    if nested:
        raise InputError(f"a column holds {listing(sorted(nested))}; karat needs one value an item")


def absent(value: Any) -> bool:
    """Return whether a value means that there is none: None, NaN, or pandas' own."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}
