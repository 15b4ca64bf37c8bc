"""Every command that writes, killed at some moment: what is there is the old file or the new one, whole."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

OLD = b"what was here before\n"
WRITERS = {
    "score": ("score digits.csv", "out.json"),
    "compare": ("compare digits.csv --draws 200", "out.md"),
    "stability": ("stability digits.csv --label-error 0.03 --draws 200", "out.csv"),
    "consensus": ("consensus digits.csv --per item", "out.csv"),
    "skew": ("skew is_eight.csv --draws 50", "out.json"),
    "audit": ("audit digits.csv --claim best --seed 1 --budget 20", "out.csv"),
    "tally": ("tally digits.csv", "out.tally"),
    "plot": ("plot scores digits.csv", "out.svg"),
    "report": ("report digits.csv --systems svm,knn --draws 100 --date 2020-01-01", "out.html"),
    "graph": ("graph truth parser-a --per file", "out.csv"),
    "convert": ("convert truth/00001.lg --to dot", "out.dot"),
    "boxes": ("boxes layout_a.json --truth layout.json", "out.json"),
}
"""Each command that writes a file: what is asked, and the file."""


@dataclass(frozen=True)
class Killed:
    """What a killed run left."""

    whole: bool
    """Whether the file is as before, or the new one."""
    is_new: bool
    swept: bool
    """Whether the next run leaves nothing but its own file."""
    finished: bool
    """Whether the run had ended before it could be killed."""


class Writer:
    """A command that writes into a folder, and what it writes when nobody kills it."""

    def __init__(self, name: str, folder: Path) -> None:
        command, self.output = WRITERS[name]
        self.folder = folder
        self.words = [*command.split(), "-o", self.output]
        self.scratch = folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        start = time.perf_counter()
        self.run()
        self.seconds = time.perf_counter() - start
        self.new = self.path.read_bytes()
        self.files = self.listed()

    @property
    def path(self) -> Path:
        """The file that is written."""
        return self.folder / self.output

    def start(self) -> "subprocess.Popen[bytes]":
        """Begin a run."""
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "karat", *self.words],
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.scratch)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def run(self) -> None:
        """Run to the end."""
        process = self.start()
        _, words = process.communicate()
        if process.returncode:
            raise RuntimeError(words.decode())

    def listed(self) -> set[Path]:
        """Return what lies in the folder, but for the folders of runs, which hold nothing in the end."""
        found = set(self.folder.rglob("*"))
        return {path for path in found if path.is_file() or self.scratch not in path.parents}

    def killed_after(self, seconds: float) -> Killed:
        """Kill a run after so many seconds; then look at what is there, and run once more."""
        self.path.write_bytes(OLD)
        process = self.start()
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        left = self.path.read_bytes()
        self.run()
        whole = left in {OLD, self.new} and self.path.read_bytes() == self.new
        return Killed(
            whole=whole,
            is_new=left == self.new,
            swept=self.listed() == self.files,
            finished=process.returncode == 0,
        )
