"""The program multiplies matrices in one thread, unless the user says otherwise."""

import os

import pytest

from karat.cli import main


@pytest.mark.parametrize(("given", "wanted"), [(None, "1"), ("3", "3")])
def test_one_thread_unless_a_number_is_set(monkeypatch, capsys, given, wanted):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")  # so that the old value comes back afterwards
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    if given is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
    monkeypatch.setattr("sys.argv", ["karat", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert os.environ["OPENBLAS_NUM_THREADS"] == wanted
    assert "karat" in capsys.readouterr().out
