"""The command line: one file per command, which parses, calls the bench and prints."""

import os
import sys

from karat.index import Index

COMMANDS = Index(
    "cli",
    "command",
    "commands",
    read="read",
    score="score",
    compare="compare",
    plan="plan",
    stability="stability",
    stability_truths="stability_truths",
    audit="audit",
    consensus="consensus",
    skew="skew",
    skew_published="skew_published",
    skew_agreement="skew_agreement",
    retrieval="retrieval",
    boxes="boxes",
    graph="graph",
    graph_merge="graph_merge",
    graph_find="graph_find",
    check="check",
    show="show",
    report="report",
    plot="plot",
    tally="tally",
    convert="convert",
    repeat="repeat",
    demo="demo",
    sources="sources",
    schema="schema",
    cite="cite",
)

NOT_WRITTEN = 3
"""The exit code where standard output is closed or full."""


def main() -> None:
    """Run karat; what the user can correct is one message on standard error and exit code 2."""
    # Products of matrices are many and small here. Threads that wait for each other's part of one took half the CPU
    # seconds of a page; a number that the user has set stays.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from karat.cli.app import app  # noqa: PLC0415 (keeps `import karat.cli` light)
    from karat.cli.streams import use_any_encoding  # noqa: PLC0415
    from karat.errors import KaratError  # noqa: PLC0415
    from karat.words import printable  # noqa: PLC0415

    use_any_encoding()
    if sys.stdout is None:
        sys.stderr.write("karat: standard output is closed; leave it open, or write with -o FILE\n")
        raise SystemExit(NOT_WRITTEN)
    try:
        try:
            app()(standalone_mode=True)
        finally:
            sys.stdout.flush()
    except KaratError as error:
        message = "\n  ".join(printable(line) for line in error.lines)
        sys.stderr.write(f"karat: {message}\n")
        raise SystemExit(2) from None
    except (MemoryError, ImportError, RuntimeError) as error:
        if not _lacks_memory(error):
            raise
        from karat.errors import NotEnoughMemoryError  # noqa: PLC0415

        sys.stderr.write(f"karat: {NotEnoughMemoryError('answer this').message}\n")
        raise SystemExit(2) from None
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(0) from None
    except OSError as error:
        reason = error.strerror or str(error)
        if error.filename is not None:  # that of standard output has none
            name = printable(os.fsdecode(error.filename))
            sys.stderr.write(f"karat: {name}: {printable(reason)}\n")
            raise SystemExit(2) from None
        _drop_output()
        sys.stderr.write(f"karat: the output cannot be written: {printable(reason)}\n")
        raise SystemExit(NOT_WRITTEN) from None


def _lacks_memory(error: Exception) -> bool:
    """Return whether memory was lacking for data, for a library that was to be loaded, or for a thread."""
    if isinstance(error, MemoryError):
        return True
    words = str(error)
    return any(
        part in words
        for part in ("failed to map segment", "cannot allocate memory", "start new thread")
    )


def _drop_output() -> None:
    """Let what is still in the buffer go nowhere, so that Python's own flush at the end does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
