"""The table of speeds: each case of karat beside its best peer and its limit, measured in one run.

    python bench/speed/table.py [--write] [WORD...]

Cases whose names hold one of the words, or all; `--write` makes docs/benchmarks.md of them, for which all are needed.
CPU seconds, as the machine may do other things meanwhile. Data are made by seeds, once, in the folder for temporary
files.
"""

import importlib
import json
import os
import pickle
import platform
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does
from case import Case, Measured, measure, measure_side

MODULES = ("labels", "scores", "consensus", "doubts", "texts", "boxes", "images", "graphs", "pages")
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
FAR = 3.0
"""Beyond so many times the limit a reason is due."""
PACKAGES = (
    "karat", "duckdb", "numpy", "scipy", "scikit-learn", "pandas", "crowd-kit", "pycocotools", "jiwer", "rapidfuzz",
    "ir_measures", "lxml", "pillow",
)  # fmt: skip


INTRODUCTION = """\
# How fast it is

Each case is measured beside the best peer that we know for it, and beside its limit: a plain scan, sort or read of the
same bytes, which nobody can do without. Most peers give the numbers alone; karat's come with their doubt.
`make bench` makes this page, each side in a process of its own, on {cores} cores with Python {python}. Seconds are of
the processor, the least of three runs (of one, where a run is long); memory is how far it rose above the data.

Of {peers} cases with a peer karat takes no more than the peer in {faster}; {near} of {cases} cases are within three
times their limit. For the others the reason stands below the table."""
HEADINGS = (
    "| case | karat | memory | best peer | peer | peer / karat | limit | limit | karat / limit | numbers differ by |",
    "|---|--:|--:|---|--:|--:|---|--:|--:|--:|",
)


def all_cases() -> list[Case]:
    modules = [importlib.import_module(f"cases.{name}") for name in MODULES]
    return [case for module in modules for case in module.CASES]


@dataclass(frozen=True)
class Row:
    """A case as measured."""

    case: Case
    karat: Measured
    limit: Measured
    peer: Measured | None
    apart: float | None

    @property
    def faster(self) -> float | None:
        """How many times the CPU of karat the peer takes."""
        return self.peer.cpu / self.karat.cpu if self.peer else None

    @property
    def from_limit(self) -> float:
        """How many times the CPU of the limit karat takes."""
        return self.karat.cpu / self.limit.cpu


def measured(case: Case) -> Row:
    """Measure all sides of a case, one after the other, and compare the numbers."""
    found: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory() as folder:
        for side in ("limit", "karat", "peer"):
            if case.way(side):
                found[side] = measure(case, side, Path(folder) / side)
        apart = None
        if case.apart and case.peer:
            ours, theirs = (
                pickle.loads((Path(folder) / side).read_bytes())  # noqa: S301 (written above)
                for side in ("karat", "peer")
            )
            apart = case.apart(ours, theirs)
    return Row(case, found["karat"], found["limit"], found.get("peer"), apart)


def printed(row: Row) -> str:
    """Return a line for the terminal."""
    peer = f"{row.faster:6.1f}x {row.case.peer.name}" if row.case.peer else ""
    same = "" if row.apart is None else f", at most {row.apart:.0e} apart"
    return (
        f"{row.case.name:62} {row.karat.cpu:8.3f} s {row.karat.memory:7.0f} MiB "
        f"{row.from_limit:6.1f}x the limit ({row.limit.cpu:.3f} s) {peer}{same}"
    )


def page(rows: list[Row]) -> str:
    """Return the page of the documentation."""
    with_peer = [row for row in rows if row.faster]
    far = [row for row in rows if row.from_limit > FAR]
    introduction = INTRODUCTION.format(
        cores=os.cpu_count(),
        python=platform.python_version(),
        peers=len(with_peer),
        faster=sum((row.faster or 0) >= 1 for row in with_peer),
        near=len(rows) - len(far),
        cases=len(rows),
    )
    reasons = [f"- **{row.case.name}** ({row.from_limit:.1f}): {row.case.reason}." for row in far]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    parts = (
        introduction,
        "\n".join([*HEADINGS, *map(_cells, rows)]),
        "## Further than three times from the limit",
        "\n".join(reasons),
        "## Versions",
        f"{versions}.",
    )
    return "\n\n".join(parts) + "\n"


def _cells(row: Row) -> str:
    peer = row.case.peer
    cells = [
        row.case.name,
        _seconds(row.karat.cpu),
        f"{row.karat.memory:,.0f} MiB",
        peer.name if peer else "",
        _seconds(row.peer.cpu) if row.peer else "",
        f"{row.faster:,.1f}" if row.faster else "",
        row.case.limit.name,
        _seconds(row.limit.cpu),
        f"{row.from_limit:,.1f}",
        "" if row.apart is None else f"{row.apart:.0e}" if row.apart else "0",
    ]
    return f"| {' | '.join(cells)} |"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f} s" if seconds >= 10 else f"{seconds:.3g} s"


def main(words: list[str]) -> None:
    """Measure, print, and write the page if asked to."""
    write = "--write" in words
    wanted = [word for word in words if word != "--write"]
    cases = all_cases()
    chosen = [case for case in cases if not wanted or any(word in case.name for word in wanted)]
    rows = []
    for case in chosen:
        rows.append(measured(case))
        print(printed(rows[-1]), flush=True)
    without = [row.case.name for row in rows if row.from_limit > FAR and not row.case.reason]
    if without:
        print(
            f"further than {FAR:.0f} times from the limit, and no reason given: {', '.join(without)}"
        )
    if write and not wanted:
        PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--side"]:
        _, side, name, answer = sys.argv[1:]
        (case,) = (one for one in all_cases() if one.name == name)
        print(json.dumps(asdict(measure_side(case, side, Path(answer)))))
    else:
        main(sys.argv[1:])
