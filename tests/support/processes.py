"""What other processes are given to do: they find it by the name of this module."""

import karat


def scored(path):
    """Read a table in this process, and hand the result back."""
    return karat.read(path).score(draws=20)


def answered(bench, answers):
    """Ask a bench that another process has made."""
    answers.put(bench.compare().to_json())
