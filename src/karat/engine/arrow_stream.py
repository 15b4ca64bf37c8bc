"""Whole numbers that a query brings, batch after batch, over Arrow's C interface: the rows are never in memory at once.

It needs no PyArrow: the two structures of the interface are written down here.
Reference: https://arrow.apache.org/docs/format/CStreamInterface.html
"""

import ctypes
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

_NAME = b"arrow_array_stream"
_GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_GetError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class _Array(ctypes.Structure):
    """A batch, whose children are its columns; or a column, whose second buffer holds its values."""


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    _fields_: ClassVar = [
        ("get_schema", _GetNext),
        ("get_next", _GetNext),
        ("get_last_error", _GetError),
        ("release", _Release),
        ("private_data", ctypes.c_void_p),
    ]


class StreamError(RuntimeError):
    """What the engine reported while it made the next batch."""


def whole_numbers(rows: Any) -> Iterator[npt.NDArray[np.int32]]:
    """Yield the only column of some rows in batches, each of which is gone when the next one comes.

    `rows` offers `__arrow_c_stream__`, and its column holds numbers of 32 bits, none of them missing.
    """
    capsule = rows.__arrow_c_stream__()  # releases the stream when it goes
    stream = _Stream.from_address(_pointer_of(capsule, _NAME))
    while True:
        batch = _Array()
        if stream.get_next(ctypes.addressof(stream), ctypes.addressof(batch)):
            raise StreamError(stream.get_last_error(ctypes.addressof(stream)).decode())
        if not batch.release:
            return
        try:
            column = batch.children[0].contents
            if column.length:
                values = ctypes.cast(column.buffers[1], ctypes.POINTER(ctypes.c_int32))
                end = column.offset + column.length
                yield np.ctypeslib.as_array(values, (end,))[column.offset :]
        finally:
            batch.release(ctypes.addressof(batch))
