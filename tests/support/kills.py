"""Every command that writes, killed at some moment: each file is the old one or the new one, whole."""

import contextlib
import csv
import importlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from karat.cli import main
from karat.cli.demo import write_files
from karat.scratch import PART, _sweep_files, remove_all

OLD = b"what was here before\n"
CLAIM = "audit digits.csv --claim best --seed 1"
LIST = f"{CLAIM} --budget 20"
WRITERS = {
    "read": ("read digits.csv -o out.txt", "out.txt"),
    "score": ("score digits.csv -o out.json", "out.json"),
    "compare": ("compare digits.csv --draws 200 -o out.md", "out.md"),
    "plan": ("plan --baseline 0.9 --increase 0.02 -o out.csv", "out.csv"),
    "stability": ("stability digits.csv --label-error 0.03 --draws 200 -o out.csv", "out.csv"),
    "stability truths": ("stability truths digits.csv --truths truth,svm -o out.md", "out.md"),
    "consensus": ("consensus digits.csv --per item -o out.csv", "out.csv"),
    "skew": ("skew is_eight.csv --draws 50 -o out.json", "out.json"),
    "skew published": ("skew published --precision 0.7 --from 0.5 --to 0.01 -o out.csv", "out.csv"),
    "skew agreement": (
        "skew agreement marks.csv --annotators ann,bob,eve --systems detector -o out.json",
        "out.json",
    ),
    "retrieval": ("retrieval qrels.txt bm25.run dense.run -o out.json", "out.json"),
    "audit": (f"{LIST} -o out.csv", "out.csv"),
    "audit --corrected": (f"{CLAIM} --apply list.csv --corrected new.csv", "new.csv"),
    "tally": ("tally digits.csv -o out.tally", "out.tally"),
    "plot": ("plot scores digits.csv -o out.svg", "out.svg"),
    "report": (
        "report digits.csv --systems svm,knn --draws 100 --date 2020-01-01 -o out.html",
        "out.html",
    ),
    "repeat": ("repeat published.json digits.csv -o out.json", "out.json"),
    "boxes": ("boxes layout_a.json --truth layout.json -o out.json", "out.json"),
    "boxes --draw": ("boxes layout_a.json --truth layout.json --draw drawn", "drawn"),
    "graph": ("graph truth parser-a --per file -o out.csv", "out.csv"),
    "graph --draw": ("graph truth parser-a --draw drawn", "drawn"),
    "graph --metrics": ("graph truth parser-a --metrics metrics", "metrics"),
    "graph find": ("graph find truth/00001.lg parser-b -o out.csv", "out.csv"),
    "graph merge": ("graph merge parser-a parser-b -o merged", "merged"),
    "check": ("check parser-a -o out.csv", "out.csv"),
    "show": ("show parser-b/00001.lg truth/00001.lg -o out.svg", "out.svg"),
    "convert": ("convert truth/00001.lg --to dot -o out.dot", "out.dot"),
    "convert --output": ("convert truth --to dot -o drawn", "drawn"),
    "demo": ("demo --page out.html", "out.html"),
    "demo --files": ("demo --files files", "files"),
}
"""What each command that writes is asked, and what it writes: a file, or files in a folder."""


@dataclass(frozen=True)
class Killed:
    """What a killed run left."""

    whole: bool
    """Whether each file is as before, or the new one."""
    is_new: bool
    left_over: frozenset[Path]
    """What the next run leaves beside its own files."""
    finished: bool
    """Whether the run had ended before it could be killed."""
    in_writing: bool
    """Whether a file was there that was not finished."""


class Run:
    """A command in a process forked from this one: all of its time is spent on its work, none on loading."""

    def __init__(self, words: list[str], folder: Path, scratch: Path) -> None:
        self.log = scratch / "log"
        self.code: int | None = None
        self._process = os.fork()
        if not self._process:
            self._become(words, folder, scratch)

    def _become(self, words: list[str], folder: Path, scratch: Path) -> NoReturn:
        code = 1
        try:
            with self.log.open("wb") as log:
                for stream in (1, 2):
                    os.dup2(log.fileno(), stream)
            # Those of the tests do not write to the streams.
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            os.chdir(folder)
            _sweep_files.cache_clear()  # what this process has swept, the new one looks at again
            tempfile.tempdir = str(scratch)
            sys.argv = ["karat", *words]
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:  # noqa: BLE001 (nothing of the tests may go on in here)
            traceback.print_exc()
        finally:
            (scratch / "modules").write_text("\n".join(sys.modules))
            remove_all()
            os._exit(code)

    def wait(self) -> None:
        """Wait for the end."""
        _, status = os.waitpid(self._process, 0)
        self.code = os.waitstatus_to_exitcode(status)

    def kill_when(self, is_time: Callable[[], bool]) -> None:
        """Let it run until the time has come, unless it ends before."""
        while not is_time():
            process, status = os.waitpid(self._process, os.WNOHANG)
            if process:
                self.code = os.waitstatus_to_exitcode(status)
                return
            time.sleep(0.0002)
        os.kill(self._process, signal.SIGKILL)
        self.wait()


class Writer:
    """A command that writes into a folder, and what it writes when nobody kills it."""

    def __init__(self, name: str, folder: Path) -> None:
        words, output = WRITERS[name]
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        self._lay_out(name)
        self.words = words.split()
        self.run()
        for module in (self.scratch / "modules").read_text().split():
            with contextlib.suppress(Exception):
                importlib.import_module(module)
        self.seconds = min(self._timed() for _ in range(3))
        """How long a run takes; the latest is the best guess, as the machine has other work, too."""
        self.paths = self._written(folder / output)
        self.new = self.contents()
        self.files = self.listed()

    def _timed(self) -> float:
        start = time.perf_counter()
        self.run()
        return time.perf_counter() - start

    def _lay_out(self, name: str) -> None:
        """Write what the command reads."""
        write_files(self.folder)
        if name == "audit --corrected":
            self.words = [*LIST.split(), "-o", "list.csv"]
            self.run()
            _check_labels(self.folder / "list.csv")

    def _written(self, output: Path) -> list[Path]:
        if output.is_file():
            return [output]
        return sorted(path for path in output.rglob("*") if path.is_file())

    def contents(self) -> list[bytes | None]:
        """Return what stands in each file that is written; None where it is gone."""
        return [path.read_bytes() if path.exists() else None for path in self.paths]

    def start(self) -> "Run":
        """Begin a run."""
        return Run(self.words, self.folder, self.scratch)

    def run(self) -> None:
        """Run to the end."""
        run = self.start()
        run.wait()
        if run.code:
            raise RuntimeError(run.log.read_text())

    def listed(self) -> set[Path]:
        """Return what lies in the folder, but for the folders of runs, which hold nothing in the end."""
        found = set(self.folder.rglob("*"))
        return {path for path in found if path.is_file() or self.scratch not in path.parents}

    def killed_after(self, seconds: float) -> Killed:
        """Kill a run after so many seconds."""
        end = time.perf_counter() + seconds
        return self._killed(lambda: time.perf_counter() >= end)

    def killed_while_writing(self) -> Killed:
        """Kill a run as soon as a file is there that is not finished."""
        return self._killed(self._is_writing)

    def _is_writing(self) -> bool:
        folders = {path.parent for path in self.paths}
        return any(any(folder.glob(f".*{PART}")) for folder in folders)

    def _killed(self, is_time: Callable[[], bool]) -> Killed:
        """Kill a run when the time has come; then look at what is there, and run once more."""
        for path in self.paths:
            path.write_bytes(OLD)
        run = self.start()
        run.kill_when(is_time)
        left = self.contents()
        in_writing = self._is_writing()
        self.seconds = self._timed()
        are_whole = all(found in {OLD, new} for found, new in zip(left, self.new, strict=True))
        return Killed(
            whole=are_whole and self.contents() == self.new,
            is_new=left == self.new,
            left_over=frozenset(self.listed() ^ self.files),
            finished=run.code == 0,
            in_writing=in_writing,
        )


def _check_labels(path: Path) -> None:
    """Fill in a list of labels to be checked: each is right but the first."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["right"] = row["given"]
    rows[0]["right"] = "0" if rows[0]["given"] != "0" else "1"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
