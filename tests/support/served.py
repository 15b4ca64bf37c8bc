"""An audit that is served in this process, for requests and for a browser."""

import csv
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from karat.ask.checked_lists import read_lists
from karat.serve.item_view import Items
from karat.serve.pictures import PictureFolder
from karat.serve.server import PageServer
from karat.serve.session import Session
from karat.serve.tasks import AuditTask, SecondTask


def opened(audit, path, *, blind=False, images=None, ahead=60):
    """A session of the first checker."""
    pictures = None if images is None else PictureFolder(images)
    items = Items(audit, blind=blind, pictures=pictures, ahead=ahead)
    return Session(AuditTask(audit), path, items)


def opened_second(audit, first, path, *, number=60):
    """A session of a second checker, for the labels in the first one's list."""
    rows = read_lists([first])
    audited = audit.apply(rows)
    return Session(SecondTask(audited, rows, number), path, Items(audited))


@contextmanager
def running(session):
    """A server of a session, as long as the block lasts."""
    server = PageServer(session)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        session.close()
        thread.join()


def rows_of(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
