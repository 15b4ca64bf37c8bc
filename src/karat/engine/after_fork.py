"""A process that is forked gets a copy of what an engine holds, but none of its threads.

The copy still answers; closing it would wait for the threads, and end the process with a crash. So it is never closed:
the system takes it back with the process.
"""

import ctypes
import os
import weakref

_HELD: "weakref.WeakKeyDictionary[object, object]" = weakref.WeakKeyDictionary()
"""What must not be closed in a fork, by its owner."""


def keep_in_forks(owner: object, held: object) -> None:
    """Never close what an owner holds, in processes that are forked while the owner lives."""
    _HELD[owner] = held


def _keep() -> None:
    for held in list(_HELD.values()):
        # One reference more than there are, so that not even the end of the process counts down to none.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))


if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_keep)
