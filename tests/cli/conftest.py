from typing import NamedTuple

import pytest

from karat.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command as a shell would; return its exit code, standard output and standard error."""
    monkeypatch.setenv("COLUMNS", "400")

    def command(*arguments):
        monkeypatch.setattr("sys.argv", ["karat", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return Done(end.value.code or 0, out, err)

    return command


@pytest.fixture
def file(tmp_path):
    """Write a file of this content, and return its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
