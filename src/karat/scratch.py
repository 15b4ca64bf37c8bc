"""Files that are needed only while karat runs; what a killed run left behind is swept by the next.

A run holds a lock on what it makes. The system takes the lock away when the process ends, however it ends, so that
whatever can be locked belongs to nobody any more. Who makes something locks it, and then looks whether it is still
there: it may have been swept just before. The folders of all runs lie in one that only the user can enter.
"""

import atexit
import os
import re
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks; there the folders of killed runs stay
    fcntl = None  # type: ignore[assignment]

PART = ".karat-part"
"""How the name of a file ends that is not whole yet."""
RUN, DEAD = "run-", "dead-"
"""How the names of folders begin: of a run, and of one that is being deleted."""
_UNFINISHED: set[Path] = set()


def scratch_folder() -> Path:
    """Return a new folder, which is deleted at the end of the run at the latest."""
    return Path(tempfile.mkdtemp(dir=_folder_of_run(os.getpid())))


def remove_with(owner: object, folder: Path) -> None:
    """Delete a folder when its owner goes, in the process that made it: one forked from it has a copy of the owner."""
    weakref.finalize(owner, _remove, folder, os.getpid())


def without_scratch(text: str) -> str:
    """Return a text that names temporary files by what the user knows of them: without the folders they lie in."""
    if not _folder_of_run.cache_info().currsize:
        return text
    folder = re.escape(str(_folder_of_run(os.getpid())))
    return re.sub(rf"{folder}[\\/][^\\/]+[\\/]", "", text)


@contextmanager
def unfinished_file(folder: Path) -> Iterator[Path]:
    """Give the name of a new file in a folder, to be renamed when it is whole; one that is not is deleted."""
    _sweep_files(folder)
    handle, path = _new_file(folder)
    _UNFINISHED.add(path)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        _UNFINISHED.discard(path)
        os.close(handle)


def remove_all() -> None:
    """Delete what this run has made and not finished, when it is interrupted."""
    for path in list(_UNFINISHED):
        path.unlink(missing_ok=True)
    if _folder_of_run.cache_info().currsize:
        shutil.rmtree(_folder_of_run(os.getpid()), ignore_errors=True)


@cache
def _folder_of_run(process: int) -> Path:
    """Return the folder of this run; a process that was forked has its own."""
    home = _home()
    if home is None:
        folder = Path(tempfile.mkdtemp(prefix="karat-"))
    else:
        _sweep_folders(home)
        folder = _new_folder(home)
    atexit.register(_remove, folder, process)
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _home() -> Path | None:
    """Return the user's folder of runs; None where it is a link, another user's, or open to others."""
    if fcntl is None:
        return None
    home = Path(tempfile.gettempdir()) / f"karat-{os.getuid()}"
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        found = home.lstat()
    except OSError:
        return None
    is_open_to_others = found.st_mode & 0o077
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or is_open_to_others:
        return None
    return home


def _new_folder(home: Path) -> Path:
    """Return a new folder that is locked as long as this process lives: its handle is never closed."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=RUN, dir=home))
        try:
            handle = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # swept before it could be locked
            continue
        if not _lock(handle, wait=True) or _is_at(folder, handle):
            return folder
        os.close(handle)


def _new_file(folder: Path) -> tuple[int, Path]:
    """Return a new file, locked where the file system can."""
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=PART)
        path = Path(name)
        if not _lock(handle, wait=True) or _is_at(path, handle):
            return handle, path
        os.close(handle)


def _sweep_folders(home: Path) -> None:
    """Delete the folders of runs that have ended."""
    for folder in home.iterdir():
        if folder.name.startswith(RUN):
            with _abandoned(folder) as is_abandoned:
                dead = home / f"{DEAD}{folder.name}"
                if is_abandoned:
                    folder.rename(dead)
    for folder in home.glob(f"{DEAD}*"):
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _sweep_files(folder: Path) -> None:
    """Delete the unfinished files of runs that have ended; once a run, since a folder may hold many files."""
    for path in folder.glob(f".*{PART}"):
        with _abandoned(path) as is_abandoned:
            if is_abandoned:
                path.unlink(missing_ok=True)


@contextmanager
def _abandoned(path: Path) -> Iterator[bool]:
    """Say whether a file or folder is the user's and nobody holds it; it is held meanwhile."""
    if fcntl is None:
        yield False
        return
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # gone, a link, or somebody else's
        yield False
        return
    try:
        is_own = os.fstat(handle).st_uid == os.getuid()
        yield is_own and _lock(handle, wait=False) and _is_at(path, handle)
    finally:
        os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock a file or folder until its handle is closed; return whether that could be done."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another run, or a file system without locks
        return False
    return True


def _is_at(path: Path, handle: int) -> bool:
    """Return whether a path still leads to what was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
