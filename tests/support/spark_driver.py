"""A process that runs commands of karat one after another in one Spark session, and tells what came of each.

    python tests/support/spark_driver.py REQUESTS ANSWERS

Requests and answers are lines of JSON in two pipes, so that commands may print what they like.
"""

import io
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.spark_cluster import HOST, kill

DONE_BEFORE, LEFT_AFTER = 5, 15
"""A worker is killed once a stage has done so many tasks, and while so many are left."""
MOMENTS = {
    "gathering": ("karat.engine.spark", "Spark", "keep"),
    "counting": ("karat.tally.counter", "TableCounter", "count"),
}
"""While which method a worker is killed: equal rows are gathered, or a tally is counted."""
PYTHON = "PythonRDD"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    opened: list[str]
    """The files below its folder that the driver itself opened to read."""
    left: int = 0
    """How many tasks of the stage were left when a worker was killed; 0 where none was."""


class SparkDriver:
    """The process, as tests see it."""

    def __init__(self, folder: Path, master: str, settings: dict[str, str]) -> None:
        self.master = master
        self._log = folder / "driver.log"
        self._events = folder / "events"
        self._events.mkdir()
        settings = settings | {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": self._events.as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
        }
        lines = [f"{name} {value}" for name, value in settings.items()]
        (folder / "spark-defaults.conf").write_text("\n".join(lines))
        environment = {
            **os.environ,
            "COLUMNS": "400",
            "SPARK_CONF_DIR": str(folder),
            "SPARK_LOCAL_IP": HOST,
            "PYSPARK_PYTHON": sys.executable,
        }
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        words = [sys.executable, __file__, str(requests), str(answers)]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603
                words, env=environment, pass_fds=(requests, answers), stdout=log, stderr=log
            )
        os.close(requests)
        os.close(answers)
        self._read = os.fdopen(self._answers)
        self._write = os.fdopen(self._requests, "w")

    def run(
        self, words: Sequence[object], folder: Path, *, kill_in: str = "", group: int = 0
    ) -> Ended:
        """Run a command in a folder; in one of MOMENTS, if one is named, kill a group of processes."""
        request = {
            "words": [*map(str, words), "--engine", "spark", "--master", self.master],
            "folder": str(folder),
            "kill_in": kill_in,
            "group": group,
        }
        self._write.write(json.dumps(request) + "\n")
        self._write.flush()
        answer = self._read.readline()
        if not answer:
            raise RuntimeError(f"the driver has ended: {self._log.read_text()[-3000:]}")
        return Ended(**json.loads(answer))

    def events(self) -> list[dict[str, Any]]:
        """Return what Spark wrote down of all that it did so far."""
        lines: list[str] = []
        for log in self._events.iterdir():
            lines += log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.endswith("}")]

    def stop(self) -> None:
        """End the process, and the session with it."""
        self._write.close()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._read.close()


def python_tasks(events: Sequence[dict[str, Any]]) -> Counter[str]:
    """Return how many tasks with Python's functions each executor has done."""
    stages = set()
    for event in events:
        if event["Event"] == "SparkListenerStageSubmitted":
            stage = event["Stage Info"]
            if any(PYTHON in one["Name"] for one in stage["RDD Info"]):
                stages.add(stage["Stage ID"])
    executors: Counter[str] = Counter()
    for event in events:
        if event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stages:
            executors[event["Task Info"]["Executor ID"]] += (
                event["Task End Reason"]["Reason"] == "Success"
            )
    return executors


def serve(requests: int, answers: int) -> None:
    """Run what is requested until nobody requests any more."""
    opened: list[str] = []

    def note(event: str, arguments: Any) -> None:
        if event == "open" and isinstance(arguments[0], str) and arguments[1] in {"r", "rb", None}:
            opened.append(arguments[0])

    sys.addaudithook(note)
    with os.fdopen(requests) as lines, os.fdopen(answers, "w") as replies:
        for line in lines:
            request = json.loads(line)
            opened.clear()
            replies.write(json.dumps(asdict(_ended(request, opened))) + "\n")
            replies.flush()


def _ended(request: dict[str, Any], opened: list[str]) -> Ended:
    from karat.cli import main

    os.chdir(request["folder"])
    sys.argv = ["karat", *request["words"]]
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    left: list[int] = []
    watched = _killing(request["kill_in"], request["group"], left)
    with watched, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    folder = Path(request["folder"])
    paths = {Path(path).absolute() for path in opened}
    inside = [str(path.relative_to(folder)) for path in paths if folder in path.parents]
    return Ended(int(str(code)), out.getvalue(), err.getvalue(), sorted(inside), sum(left))


@contextmanager
def _killing(moment: str, group: int, left: list[int]) -> Iterator[None]:
    """Kill a group of processes when a stage is half done at some moment; note how many of its tasks were left."""
    if not moment:
        yield
        return
    module, kind, method = MOMENTS[moment]
    owner = getattr(import_module(module), kind)
    plain = getattr(owner, method)

    @wraps(plain)
    def watched(*arguments: Any, **options: Any) -> Any:
        ended = threading.Event()
        watch = threading.Thread(target=_watch, args=(group, left, ended))
        watch.start()
        try:
            return plain(*arguments, **options)
        finally:
            ended.set()
            watch.join()

    setattr(owner, method, watched)
    try:
        yield
    finally:
        setattr(owner, method, plain)


def _watch(group: int, left: list[int], ended: threading.Event) -> None:
    from pyspark import SparkContext

    tracker = SparkContext.getOrCreate().statusTracker()
    while not (left or ended.is_set()):
        for number in tracker.getActiveStageIds():
            stage = tracker.getStageInfo(number)
            if stage is None or stage.numCompletedTasks < DONE_BEFORE:
                continue
            remaining = stage.numTasks - stage.numCompletedTasks
            if remaining >= LEFT_AFTER:
                kill(group)
                left.append(remaining)
                return
        time.sleep(0.01)


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
