"""The program: `karat`, or `python -m karat`."""

# What signal is made of: signal itself would take a while to load, and could be interrupted meanwhile.
import _signal  # type: ignore[import-not-found]

# An interrupt while karat is being loaded ends it at once: there is nothing yet to tidy up. Where interrupts are
# ignored, as behind nohup, they stay so.
if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from karat.cli import main
from karat.cli.interrupts import tidy_up_when_interrupted


def start() -> None:
    """Run karat as a program of its own."""
    tidy_up_when_interrupted()
    main()


if __name__ == "__main__":
    start()
