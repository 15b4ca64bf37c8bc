"""The journal of a checker: every label as it was given, on disk before the next item is shown.

A line is written at once and synchronised before anything else happens; a line without its end was never confirmed to
anybody and is cut off by the next run. Labels are never changed in it: a correction is one more line.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError

try:
    import fcntl
except ImportError:  # Windows has no such locks; there nobody keeps a second run away
    fcntl = None  # type: ignore[assignment]

ENDING = ".journal"
BEGIN, LABEL, ANSWERS = "begin", "label", "answers"
"""What a line is: the audit it belongs to, a label, or that the answers to an item were shown."""


BROKEN = (ValueError, OverflowError, RecursionError, KeyError, TypeError, AttributeError)
"""What a line raises that is not as it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLabel:
    """One label as it was given."""

    sequence: int
    """1 for the first label of this journal, and so on; a correction has a number of its own."""
    draw: int
    item: str
    right: str
    note: str
    q: float
    answers_seen: bool
    """Whether the checker had looked at the systems' answers."""
    time: str


class Journal:
    """A file that only grows; one run holds it at a time."""

    def __init__(self, path: Path, list_hash: str) -> None:
        """Open the journal of an audit, or begin it; refuse one of another audit, or one that is held."""
        self.path = path
        self.labels: list[SavedLabel] = []
        self.answers_seen: set[int] = set()
        self._list_hash = list_hash
        self._handle = _opened(path)
        try:
            self._lock()
            self._read()
        except BaseException:
            self.close()
            raise

    def add_label(self, label: SavedLabel) -> None:
        """Write a label; when this returns, it is on disk."""
        self._append({"kind": LABEL, **asdict(label)})
        self.labels.append(label)

    def add_answers(self, draw: int) -> None:
        """Write that the answers to an item were shown; when this returns, it is on disk."""
        if draw in self.answers_seen:
            return
        self._append({"kind": ANSWERS, "draw": draw})
        self.answers_seen.add(draw)

    def close(self) -> None:
        """Let the file go."""
        os.close(self._handle)

    def _append(self, event: Mapping[str, Any]) -> None:
        line = (json.dumps(event, ensure_ascii=True) + "\n").encode()
        before = os.fstat(self._handle).st_size
        try:
            written = os.write(self._handle, line)
            if written < len(line):  # the disk is full: a second try says so
                os.write(self._handle, line[written:])
            os.fsync(self._handle)
        except OSError:
            os.ftruncate(self._handle, before)
            raise

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OptionError(
                f"{self.path} is held by another karat audit --serve; end that one, or name another file with -o"
            ) from None
        except OSError:  # a file system without locks
            return

    def _read(self) -> None:
        content = self._content()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.ftruncate(self._handle, len(whole))
        if not whole:
            self._append({"kind": BEGIN, "list": self._list_hash})
            _sync_folder(self.path.parent)
            return
        for number, line in enumerate(whole.splitlines(), 1):
            self._take(line, f"{self.path}, line {number}", is_first=number == 1)

    def _content(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read()

    def _take(self, line: bytes, where: str, *, is_first: bool) -> None:
        try:
            event = json.loads(line)
            kind = event.pop("kind")
            if is_first:
                self._check_audit(event["list"], where)
            elif kind == LABEL:
                self.labels.append(SavedLabel(**event))
            else:
                self.answers_seen.add(int(event["draw"]))
        except BROKEN:
            raise InputError(
                f"{where} is no line of a journal; restore the file, or move it away and go on from the list alone"
            ) from None

    def _check_audit(self, list_hash: str, where: str) -> None:
        if list_hash != self._list_hash:
            raise InputError(
                f"{where}: the journal is of the list {list_hash!r}, that of this audit is {self._list_hash!r}: it "
                "was made for another table, claim, risk, measure or seed. Give the options with which it was made, "
                "or name another file with -o"
            )


def journal_of(path: str | Path) -> Path:
    """Return the name of a list's journal.

    >>> journal_of("list.csv").name
    'list.csv.journal'
    """
    return Path(f"{path}{ENDING}")


def _opened(path: Path) -> int:
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        return os.open(path, flags, 0o666)
    except OSError as error:
        raise OptionError(
            f"{path} cannot be written: {error.strerror}; name another file with -o"
        ) from None


def _sync_folder(folder: Path) -> None:
    """See to it that a new file's name is on disk, too."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(handle)
    except OSError:  # a file system that does not synchronise folders
        return
    finally:
        os.close(handle)
