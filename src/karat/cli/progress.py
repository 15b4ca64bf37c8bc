"""A bar on standard error while a query lasts, for people who look at a terminal."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def watch(progress: Callable[[], float | None]) -> Iterator[None]:
    """Show how far a query is, once it has lasted a second."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    painter = threading.Thread(target=_paint, args=(progress, done), daemon=True)
    painter.start()
    try:
        yield
    finally:
        done.set()
        painter.join()


def _paint(progress: Callable[[], float | None], done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console  # noqa: PLC0415 (only where a bar is shown)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("counting"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("counting", total=None)
        while not done.wait(0.2):
            share = progress()
            bar.update(task, total=None if share is None else 1.0, completed=share or 0.0)


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """Show which step is running, for people who look at a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 (only where it is shown)

    with Console(stderr=True).status("reading") as status:
        yield status.update
