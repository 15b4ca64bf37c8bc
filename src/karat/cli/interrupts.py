"""An interrupted run deletes what it made, and ends without a word."""

import os
import signal
import sys
from types import FrameType

SHOW_CURSOR = "\x1b[?25h"
"""What makes a terminal show its cursor again, which a bar hides."""


def tidy_up_when_interrupted() -> None:
    """Let Ctrl-C, and a request to end, delete temporary files and end the process; what is ignored stays so.

    An exception would do the same, but not everywhere: raised while a library is loaded or an object deleted, it is
    printed, or lost.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    """End as a process ends that does not handle the signal: a shell then stops too, and sees 128 + its number."""
    del frame
    signal.signal(number, signal.SIG_DFL)
    scratch = sys.modules.get("karat.scratch")
    if scratch is not None:
        scratch.remove_all()
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(sys.stderr.fileno(), SHOW_CURSOR.encode())
    os.kill(os.getpid(), number)
