"""What every benchmark shares: the machine, the clock, and a folder for data that is made once."""

import os
import platform
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

DATA = Path(tempfile.gettempdir()) / "karat-bench"


def header(claim: str, *packages: str) -> None:
    """Print what is claimed, on which machine, with which versions."""
    versions = ", ".join(
        f"{name} {version(name)}" for name in ("karat", "duckdb", "numpy", *packages)
    )
    print(f"{claim}\n  {os.cpu_count()} cores, Python {platform.python_version()}, {versions}")


def clock(work: Callable[[], object], *, times: int = 3) -> tuple[float, float]:
    """Return the least wall-clock and the least CPU seconds of several runs."""
    wall, cpu = [], []
    for _ in range(times):
        start = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start[0])
        cpu.append(time.process_time() - start[1])
    return min(wall), min(cpu)


def line(what: str, seconds: tuple[float, float], note: str = "") -> None:
    """Print one measurement."""
    print(f"  {what:<58} {seconds[0]:8.3f} s  {seconds[1]:8.3f} s CPU  {note}")


def made(name: str, make: Callable[[Path], None]) -> Path:
    """Return a data file, made if it is not there yet."""
    DATA.mkdir(exist_ok=True)
    path = DATA / name
    if not path.exists():
        part = path.with_suffix(".part")
        make(part)
        part.rename(path)
    return path
