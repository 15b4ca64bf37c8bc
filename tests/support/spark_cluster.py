"""A standalone Spark cluster on the loopback address: a master and workers, each a process of its own."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import urlopen

import pyspark

CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
DEPLOY = "org.apache.spark.deploy"
HOST = "127.0.0.1"
PATIENCE = 60.0
"""Seconds until a process is taken not to start."""
STARTED_AT = re.compile(r"Starting Spark master at (spark://\S+)")
PAGES_AT = re.compile(r"Bound MasterWebUI to \S+, and started at http://\S+:(\d+)")
Found = TypeVar("Found")


@dataclass
class Cluster:
    """A master and its workers; everything they write goes to one folder."""

    folder: Path
    cores: int
    memory: str
    environment: dict[str, str]
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    url: str = ""
    _port: int = 0

    def start(self, workers: int) -> None:
        """Start the master, then the workers, and wait until it has heard of all of them."""
        master = ["master.Master", "--host", HOST, "--port", "0", "--webui-port", "0"]
        log = self._log(self._run(master))
        self.url = _awaited(lambda: _first(STARTED_AT, log), "the master", log)
        self._port = int(_awaited(lambda: _first(PAGES_AT, log), "the master's page", log))
        for _ in range(workers):
            self.add_worker()
        _awaited(lambda: len(self.alive()) >= workers, "the workers", log)

    def add_worker(self) -> "subprocess.Popen[bytes]":
        """Start one more worker."""
        command = ["worker.Worker", "--host", HOST, "--webui-port", "0", "--work-dir"]
        command += [str(self.folder / "work"), "--cores", str(self.cores)]
        return self._run([*command, "--memory", self.memory, self.url])

    def kill_target(self) -> int:
        """Return the process group of a worker that runs."""
        _, *workers = self.processes
        return next(worker.pid for worker in workers if worker.poll() is None)

    def alive(self) -> list[str]:
        """Return the names of the workers that the master knows and hears."""
        with urlopen(f"http://{HOST}:{self._port}/json/", timeout=PATIENCE) as page:
            workers: list[dict[str, Any]] = json.load(page)["workers"]
        return [worker["id"] for worker in workers if worker["state"] == "ALIVE"]

    def _run(self, words: list[str]) -> "subprocess.Popen[bytes]":
        log = self.folder / f"{len(self.processes)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(  # noqa: S603
                [CLASS, f"{DEPLOY}.{words[0]}", *words[1:]],
                stdout=file,
                stderr=subprocess.STDOUT,
                env=self.environment,
                # A worker and its executors are a group, which is killed as one.
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def _log(self, process: "subprocess.Popen[bytes]") -> Path:
        return self.folder / f"{self.processes.index(process)}.log"

    def stop(self) -> None:
        """Kill all that was started, the workers first."""
        for process in reversed(self.processes):
            kill(process.pid)
            process.wait()


def kill(group: int) -> None:
    """Kill a worker and its executors, or a master, without a word; nothing if it is gone already."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _first(pattern: re.Pattern[str], log: Path) -> str | None:
    found = pattern.search(log.read_text(errors="replace"))
    return found[1] if found else None


def _awaited(look: Callable[[], Found | None], what: str, log: Path) -> Found:
    """Look again and again until something is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not start within {PATIENCE:.0f} s:\n{log.read_text()[-2000:]}")


@contextmanager
def cluster(
    folder: Path, *, workers: int = 2, cores: int = 1, memory: str = "1g", java: str = ""
) -> Iterator[Cluster]:
    """Run a master and its workers for a while, at ports that are free; `java` are options of each process."""
    environment = {
        **os.environ,
        "SPARK_LOCAL_IP": HOST,
        # The master's other service, which nobody uses here, has a fixed port.
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
        "JDK_JAVA_OPTIONS": java,
    }
    started = Cluster(folder, cores, memory, environment)
    try:
        started.start(workers)
        yield started
    finally:
        started.stop()
