"""A case of the table of speeds: karat, the best peer where there is one, and the limit, each in a process of its own.

The limit is what nobody can do without: a plain scan, sort or read of the same bytes, by the quickest means at hand.
"""

import json
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

Work = Callable[[Any], Any]


@dataclass(frozen=True)
class Way:
    """One way to do it: what it is called, and what it does with the data."""

    name: str
    work: Work
    share: float = 1.0
    """Which share of the work it does; its time is scaled up, where all of it would take too long."""


@dataclass(frozen=True)
class Case:
    """A question about data of some size."""

    name: str
    data: Callable[[], Any]
    karat: Work
    limit: Way
    peer: Way | None = None
    apart: Callable[[Any, Any], float] | None = None
    """The largest difference of karat's numbers from the peer's."""
    reason: str = ""
    """Why karat is more than three times from the limit, where it is."""
    times: int = 3

    def way(self, side: str) -> Way | None:
        """Return what is measured on this side."""
        return {"karat": Way("karat", self.karat), "peer": self.peer, "limit": self.limit}[side]


@dataclass(frozen=True)
class Measured:
    """The least CPU and wall-clock seconds of several runs, and how far memory rose in the first, in MiB."""

    cpu: float
    wall: float
    memory: float


def measure(case: Case, side: str, answer: Path) -> Measured:
    """Measure one side of a case in a process of its own, which leaves its answer in a file."""
    return in_own_process("table.py", "--side", side, case.name, str(answer))


def in_own_process(script: str, *words: str) -> Measured:
    """Run a script beside this one, whose last line is what it measured."""
    command = [sys.executable, str(Path(__file__).with_name(script)), *words]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def measure_side(case: Case, side: str, answer: Path) -> Measured:
    """Measure one side of a case in this process."""
    way = case.way(side)
    assert way is not None
    found, measured = measure_here(way, case.data(), case.times)
    answer.write_bytes(pickle.dumps(found))
    return measured


def measure_here(way: Way, data: Any, times: int) -> tuple[Any, Measured]:
    """Return an answer, and the least it took in several runs."""
    before = _start_of_peak()
    found, cpu, wall = _timed(way, data)
    memory = _kib("VmHWM") - before
    for _ in range(times - 1):
        _, again, longer = _timed(way, data)
        cpu, wall = min(cpu, again), min(wall, longer)
    return found, Measured(cpu, wall, max(memory, 0) / 1024)


def _timed(way: Way, data: Any) -> tuple[Any, float, float]:
    cpu, wall = _cpu(), time.perf_counter()
    found = way.work(data)
    return found, (_cpu() - cpu) / way.share, (time.perf_counter() - wall) / way.share


def _cpu() -> float:
    used = [getrusage(whose) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _start_of_peak() -> int:
    """Let the kernel forget the peak so far, and return how much memory is in use."""
    Path("/proc/self/clear_refs").write_text("5")
    return _kib("VmRSS")


def _kib(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))
