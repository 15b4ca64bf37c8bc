"""The command line: one file per command, which parses, calls the bench and prints."""

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
    consensus="consensus",
    skew="skew",
    retrieval="retrieval",
    graph="graph",
    graph_merge="graph_merge",
    graph_find="graph_find",
    check="check",
    show="show",
    report="report",
    plot="plot",
    tally="tally",
    convert="convert",
    demo="demo",
    sources="sources",
    cite="cite",
)


def main() -> None:
    """Run karat; what the user can correct is one message on standard error and exit code 2."""
    from karat.cli.app import app  # noqa: PLC0415 (keeps `import karat.cli` light)
    from karat.errors import KaratError  # noqa: PLC0415
    from karat.words import printable  # noqa: PLC0415

    try:
        app()(standalone_mode=True)
    except KaratError as error:
        sys.stderr.write(f"karat: {printable(str(error))}\n")
        raise SystemExit(2) from None
    except BrokenPipeError:
        raise SystemExit(0) from None
