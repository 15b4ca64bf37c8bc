"""A checker's session: which item is next, what was said of each, and that nothing is lost or counted twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from karat.ask.checked_lists import CheckedRow
from karat.errors import InputError, KaratError
from karat.serve.item_view import Items
from karat.serve.journal import Journal, SavedLabel, journal_of
from karat.serve.label_keys import label_keys
from karat.serve.list_file import ListFile
from karat.serve.pictures import ServedPicture
from karat.serve.tasks import LabelTask, Listed
from karat.words import counted

LONGEST_NOTE = 10_000


class RefusedError(Exception):
    """A request that changes nothing, and why: the status of HTTP, and a sentence for the checker."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRequest:
    """What a page sends when a label is given."""

    sequence: int
    """The number that this label is to have: a repeated or late request is recognised by it."""
    draw: int
    right: str
    note: str


class Session:
    """The labels of one list: in the journal first, then in the list, and only then in the audit."""

    def __init__(self, task: LabelTask, path: str | Path, items: Items) -> None:
        """Go on from the journal and the list, where there are any."""
        self._task = task
        self._setup = task.audit.setup
        self._list = ListFile(Path(path), self._setup)
        self._items = items
        self._place_of = {name: place for place, name in enumerate(self._setup.items.names)}
        self._mutex = Lock()
        self._standing: tuple[int, dict[str, Any]] | None = None
        self._counting = Lock()
        self._warning = ""
        self._saved: dict[int, SavedLabel] = {}
        self._history: dict[int, list[str]] = {}
        rows = self._list.rows()
        self._journal = Journal(journal_of(path), self._setup.list_hash)
        self._go_on()
        self._take_over(rows)
        self._write_list()

    @property
    def checked(self) -> int:
        """How many items have a label."""
        return len(self._saved)

    def close(self) -> None:
        """Let the journal go."""
        self._journal.close()

    def beginning(self) -> dict[str, Any]:
        """Return what a page needs once: the labels with their keys, what is claimed, and where the labels go."""
        meaning = self._setup.items.meaning
        labels = [label for label in self._setup.items.labels if label != meaning.nothing]
        return {
            "labels": labels,
            "keys": None if meaning.truth_sep is not None else label_keys(labels),
            "several": meaning.truth_sep,
            "claims": [claim.statement() for claim in self._setup.claims],
            "measure": str(self._setup.quantity),
            "risk": self._setup.risk,
            "seed": self._setup.seed,
            "blind": self._items.blind,
            "second": self._task.is_second,
            "list": self._list.path.name,
        }

    def state(self, draw: int | None = None) -> dict[str, Any]:
        """Return the item of a draw, or the one that is next, and what lies before and behind it."""
        with self._mutex:
            return self._state(draw)

    def label(self, request: LabelRequest) -> dict[str, Any]:
        """Save a label, and return the item that follows; a request that was served before changes nothing."""
        with self._mutex:
            right = self._read(request)
            if not self._is_repeated(request, right):
                listed = self._known(request.draw)
                self._save(listed, right, request.note)
            return self._state(None)

    def answers(self, draw: int) -> list[dict[str, str]]:
        """Return what each system answered; that it was looked at is written down first."""
        with self._mutex:
            listed = self._known(draw)
            try:
                self._journal.add_answers(draw)
            except OSError as error:
                raise self._not_saved(error) from None
        items = self._setup.items
        row = items.answers[self._place_of[listed.item]].tolist()
        found = []
        for system, code in zip(items.systems, row, strict=True):
            found.append({"system": system, "answer": "" if code < 0 else items.labels[code]})
        return found

    def standing(self) -> dict[str, Any]:
        """Return where the audit stands by the labels so far; labels may come in meanwhile."""
        with self._counting:
            with self._mutex:
                sequence = len(self._journal.labels)
                labels = self._task.labels()
            if self._standing is None or self._standing[0] != sequence:
                found = {"sequence": sequence, **self._task.standing(labels)}
                self._standing = sequence, found
            return self._standing[1]

    def picture(self, draw: int, field: int) -> ServedPicture:
        """Return a picture of an item, by the number of its field; raises NoPictureError."""
        with self._mutex:
            listed = self._known(draw)
            name = self._items.text(listed.item, field)
        return self._items.picture(name)

    def _state(self, draw: int | None) -> dict[str, Any]:
        following = self._next()
        listed = following if draw is None else self._known(draw)
        labelled = list(self._saved)  # in the order in which they were labelled first
        state: dict[str, Any] = {
            "sequence": len(self._journal.labels),
            "checked": len(self._saved),
            "entry": None,
            "next": None if following is None else following.draw,
            "back": labelled[-1] if labelled else None,
            "forward": None,
            "warning": self._warning,
        }
        if listed is None:
            return state
        state["entry"] = self._entry(listed)
        if listed.draw in self._saved:
            place = labelled.index(listed.draw)
            state["back"] = labelled[place - 1] if place else None
            state["forward"] = [*labelled, state["next"]][place + 1]
        return state

    def _entry(self, listed: Listed) -> dict[str, Any]:
        saved = self._saved.get(listed.draw)
        upcoming = self._task.upcoming(self._items.ahead)
        self._items.fetch(listed.item, [one.item for one in upcoming])
        return {
            "draw": listed.draw,
            "item": listed.item,
            "given": self._items.given(self._place_of[listed.item]),
            "fields": self._items.fields(listed.item),
            "right": None if saved is None else saved.right,
            "note": "" if saved is None else saved.note,
            "answersSeen": listed.draw in self._journal.answers_seen,
        }

    def _next(self) -> Listed | None:
        found = self._task.upcoming(1)
        return found[0] if found else None

    def _known(self, draw: int) -> Listed:
        """Return the item of a draw, if it is the next or has a label; others are not shown, nor labelled."""
        saved = self._saved.get(draw)
        if saved is not None:
            return Listed(saved.draw, saved.item, saved.q)
        following = self._next()
        if following is None or following.draw != draw:
            raise RefusedError(409, f"draw {draw} is not the next one; another window has gone on")
        return following

    def _is_repeated(self, request: LabelRequest, right: str) -> bool:
        """Return whether a request was served before; refuse one that comes too late, from a window left behind."""
        labels = self._journal.labels
        if request.sequence == len(labels) + 1:
            return False
        if 1 <= request.sequence <= len(labels):
            before = labels[request.sequence - 1]
            if (before.draw, before.right, before.note) == (request.draw, right, request.note):
                return True
        raise RefusedError(
            409,
            "another window has gone on meanwhile; nothing was changed. This is where it stands",
        )

    def _read(self, request: LabelRequest) -> str:
        """Return a label as the table writes it, or refuse one that it does not have."""
        if not request.right.strip():
            raise RefusedError(422, "no label was given")
        if len(request.note) > LONGEST_NOTE:
            raise RefusedError(422, f"a note has at most {LONGEST_NOTE:,} characters")
        try:
            return self._setup.reader.read(request.right, f"draw {request.draw}").text
        except KaratError as error:
            raise RefusedError(422, error.message) from None

    def _save(self, listed: Listed, right: str, note: str) -> None:
        before = self._saved.get(listed.draw)
        if before is not None and (before.right, before.note) == (right, note):
            return
        label = SavedLabel(
            sequence=len(self._journal.labels) + 1,
            draw=listed.draw,
            item=listed.item,
            right=right,
            note=note,
            q=listed.q,
            answers_seen=listed.draw in self._journal.answers_seen,
            time=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            self._journal.add_label(label)
        except OSError as error:
            raise self._not_saved(error) from None
        self._record(label)
        self._count(label)
        self._write_list()

    def _not_saved(self, error: OSError) -> RefusedError:
        reason = error.strerror or str(error)
        return RefusedError(
            507, f"{self._journal.path.name} cannot be written: {reason}. Not saved"
        )

    def _go_on(self) -> None:
        """Take the labels of the journal: of each draw the last one."""
        for label in self._journal.labels:
            self._record(label)
        for draw in sorted(self._saved):
            self._count(self._saved[draw])

    def _record(self, label: SavedLabel) -> None:
        self._saved[label.draw] = label
        self._history.setdefault(label.draw, []).append(label.right)

    def _count(self, label: SavedLabel) -> None:
        where = f"{self._journal.path}, label {label.sequence}"
        self._task.take(self._place_of[label.item], self._setup.reader.read(label.right, where))

    def _take_over(self, rows: Sequence[CheckedRow]) -> None:
        """Take labels over that somebody wrote into the list; the journal knows better what was changed since."""
        for row in rows:
            if not row.right:
                continue
            right = self._setup.reader.read(row.right, row.where).text
            history = self._history.get(row.draw)
            if history is None:
                self._save_imported(Listed(row.draw, row.item, row.chance), right)
            elif right not in history:
                raise InputError(
                    f"{row.where}: the item {row.item!r} is {right!r} here and {history[-1]!r} in "
                    f"{self._journal.path.name}; settle on one, in the list"
                )

    def _save_imported(self, listed: Listed, right: str) -> None:
        try:
            self._save(listed, right, "")
        except RefusedError as error:
            raise InputError(error.message) from None

    def _write_list(self) -> None:
        """Write the list; the journal has what it may lack."""
        labels = [self._saved[draw] for draw in sorted(self._saved)]
        try:
            self._list.write(labels, blind=self._items.blind)
            self._warning = ""
        except OSError as error:
            self._warning = (
                f"{self._list.path.name} cannot be written: {error.strerror}. "
                f"{counted(len(labels), 'label')} in {self._journal.path.name} for now"
            )
