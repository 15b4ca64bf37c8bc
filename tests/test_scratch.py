"""Temporary files: those of killed runs are swept by the next run, those of living runs and of others never."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import karat
from karat import scratch
from karat.report.writing import write

SPILLED = """
import sys
from karat.source.spill import SpilledRows
import karat
rows = SpilledRows(["item", "truth"])
rows.write([["1", "x"]])
bench = karat.read({"truth": [1, 0], "a": [1, 1]})
bench.score()
print("ready", flush=True)
sys.stdin.read()
"""
HALF_WRITTEN = """
import sys, time
from pathlib import Path
from karat.report import writing
def half(path, contents):
    with path.open("wb") as file:
        file.write(next(iter(contents))[:3])
    print("ready", flush=True)
    sys.stdin.read()
writing._fill = half
writing.write("page.html", "whole")
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Let temporary files of this test be in a folder of its own, here and in what it starts."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", str(place))
    scratch._folder_of_run.cache_clear()
    scratch._sweep_files.cache_clear()
    yield place / f"karat-{os.getuid()}"
    scratch._folder_of_run.cache_clear()


def started(code, folder):
    running = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        text=True,
    )
    assert running.stdout.readline() == "ready\n"
    return running


def killed(running):
    running.send_signal(signal.SIGKILL)
    running.communicate()


def runs_in(home):
    return {path for path in home.iterdir() if path.name.startswith((scratch.RUN, scratch.DEAD))}


def test_a_killed_run_is_swept_by_the_next_and_a_living_one_is_not(home, tmp_path):
    dead = started(SPILLED, tmp_path)
    (folder_of_dead,) = runs_in(home)
    assert any(path.is_file() for path in folder_of_dead.rglob("*"))
    killed(dead)
    assert folder_of_dead.exists()
    alive = started(SPILLED, tmp_path)
    (folder_of_alive,) = runs_in(home)
    assert folder_of_alive != folder_of_dead
    before = {path: path.read_bytes() for path in folder_of_alive.rglob("*") if path.is_file()}
    assert before
    karat.read({"truth": [1, 0], "a": [1, 1]}).score()
    assert {path: path.read_bytes() for path in before} == before
    alive.communicate("")
    assert not folder_of_alive.exists()


def test_a_run_that_ends_leaves_nothing(home, tmp_path):
    started(SPILLED, tmp_path).communicate("")
    assert runs_in(home) == set()


def test_an_unfinished_file_of_a_killed_run_is_swept_by_the_next_that_writes_there(home, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / ".notes.karat-part.txt").write_text("the user's")
    (folder / "page.html").write_text("before")
    running = started(HALF_WRITTEN, folder)
    (unfinished,) = folder.glob(f".*{scratch.PART}")
    write(folder / "other.txt", "x")
    assert unfinished.read_bytes() == b"who"  # its writer lives
    killed(running)
    scratch._sweep_files.cache_clear()
    write(folder / "page.html", "whole")
    names = {path.name for path in folder.iterdir()}
    assert names == {".notes.karat-part.txt", "other.txt", "page.html"}
    assert (folder / "page.html").read_text() == "whole"
    assert home.parent.is_dir()


@pytest.mark.parametrize("kind", ["link", "open", "file"])
def test_a_folder_that_is_not_the_users_alone_is_not_used(home, tmp_path, kind):
    if kind == "link":
        (tmp_path / "theirs").mkdir()
        home.symlink_to(tmp_path / "theirs")
    elif kind == "open":
        home.mkdir()
        home.chmod(0o777)
    else:
        home.write_text("")
    folder = scratch.scratch_folder()
    assert folder.parent.parent == home.parent
    assert folder.parent.stat().st_mode & 0o077 == 0
    shutil.rmtree(folder.parent)


def test_a_link_among_the_runs_is_not_followed(home, tmp_path):
    scratch.scratch_folder()
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("kept")
    (home / f"{scratch.RUN}link").symlink_to(precious)
    (home / f"{scratch.DEAD}link").symlink_to(precious)
    scratch._sweep_folders(home)
    assert (precious / "file").read_text() == "kept"


def test_what_is_swept_while_it_is_made_is_made_again(home, monkeypatch):
    scratch.scratch_folder()
    real = scratch._lock
    swept = []

    def lock(handle, *, wait):
        if wait and not swept:
            swept.append(True)
            scratch._sweep_folders(home)
        return real(handle, wait=wait)

    monkeypatch.setattr(scratch, "_lock", lock)
    folder = scratch._new_folder(home)
    assert swept
    assert folder.is_dir()


def test_runs_that_begin_together_do_not_sweep_each_other(home):
    home.mkdir(mode=0o700)
    stop = threading.Event()

    def sweep():
        while not stop.is_set():
            scratch._sweep_folders(home)

    def make(_):
        return [scratch._new_folder(home) for _ in range(40)]

    with ThreadPoolExecutor(4) as pool:
        sweeping = [pool.submit(sweep) for _ in range(2)]
        made = [folder for some in pool.map(make, range(2)) for folder in some]
        stop.set()
        for done in sweeping:
            done.result()
    assert len(made) == 80
    assert all(folder.is_dir() for folder in made)


# Files


def test_a_link_stays_a_link(tmp_path):
    target = tmp_path / "real.txt"
    target.write_text("before")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    write(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_what_is_no_file_stays_what_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write(pipe, "through")
    reader.join()
    assert got == ["through"]
    assert pipe.is_fifo()
