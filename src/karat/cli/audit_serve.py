"""`karat audit --serve`: checking labels in the browser, until the command is stopped."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.cli.printing import put, tell
from karat.errors import OptionError
from karat.source.paths import is_folder
from karat.words import counted, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.ask.checked_lists import CheckedRow
    from karat.verdict.audit.audit import Audit


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where labels go, what a checker sees, and where the page is."""

    path: str
    """The list that the page writes."""
    blind: bool
    pictures: str | None
    """The folder of pictures."""
    budget: int
    """How many items are fetched at a time; of a second opinion, how many there are."""
    is_second: bool
    """Whether it is a second opinion on labels that were looked up."""


@dataclass(frozen=True, slots=True)
class ShownFields:
    """What a checker sees of items beside their labels: the file of their fields, and the folder of their pictures."""

    file: str | None = None
    folder: str | None = None


def fields_given(paths: "Sequence[str]") -> ShownFields:
    """Return which path is the file and which the folder; refuse two of a kind."""
    folders = [path for path in paths if is_folder(path)]
    files = [path for path in paths if path not in folders]
    for found, kind in ((files, "files"), (folders, "folders")):
        if len(found) > 1:
            raise OptionError(
                f"--fields names the {kind} {listing(found)}; one file and one folder are taken"
            )
    return ShownFields(files[0] if files else None, folders[0] if folders else None)


def serve(audit: "Audit", checked: "Sequence[CheckedRow]", options: ServeOptions) -> None:
    """Serve the page of an audit, or of a second opinion on what was checked, until the command is stopped."""
    from karat.serve.item_view import Items  # noqa: PLC0415 (loads the stages)
    from karat.serve.pictures import PictureFolder  # noqa: PLC0415
    from karat.serve.server import PageServer  # noqa: PLC0415
    from karat.serve.session import Session  # noqa: PLC0415
    from karat.serve.tasks import AuditTask, LabelTask, SecondTask  # noqa: PLC0415

    task: LabelTask = AuditTask(audit)
    if options.is_second:
        task = SecondTask(audit, checked, options.budget)
    pictures = None if options.pictures is None else PictureFolder(options.pictures)
    items = Items(audit, blind=options.blind, pictures=pictures, ahead=options.budget)
    session = Session(task, options.path, items)
    with PageServer(session) as server:
        labels = counted(session.checked, "label")
        tell(f"{labels} in {options.path} so far; every further one is there before the next item")
        tell("open this address in a browser on this machine; Ctrl-C ends it")
        put(server.address + "\n")
        sys.stdout.flush()
        server.serve_forever()
