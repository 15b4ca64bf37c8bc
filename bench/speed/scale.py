"""What questions cost as data grow: items, systems, classes, and different rows; each in a process of its own.

    python bench/speed/scale.py [--write] [MOST_ITEMS]

Up to 1e8 items unless told otherwise; `--write` makes docs/scale.md of all that was measured.
"""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does
import duckdb
from case import Measured, Way, in_own_process, measure_here
from common import made

import karat

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
MOST = 100_000_000
MOST_ROWS = 10**12
"""Places of rows lie below it."""
CORES_EACH, MACHINES, ROWS = 16, 100, 10**11
"""Of the cluster that the arithmetic is for."""


@dataclass(frozen=True)
class Table:
    """How many items, systems and classes, and how many different rows; 0: as many as chance gives."""

    items: int
    systems: int = 4
    classes: int = 2
    rows: int = 0
    named: bool = False
    """Whether the items have names, so that karat checks that none occurs twice."""

    def path(self) -> Path:
        """Return the file, made if it is not there yet."""
        named = "-named" if self.named else ""
        name = f"grown-{self.items}-{self.systems}-{self.classes}-{self.rows}{named}.parquet"
        return made(name, self._write)

    def _write(self, path: Path) -> None:
        """Write a truth and systems that agree with it four times in five, by a hash of the place of the row."""
        place = f"(i * 7919) % {self.rows}" if self.rows else "i"

        def label(which: int) -> str:
            return f"cast({_hash(place, which)} % {self.classes} as integer)"

        def answer(k: int) -> str:
            is_right = f"{_hash(place, 2 * k + 1)} % 10 < 8"
            return f"case when {is_right} then {label(0)} else {label(2 * k + 2)} end"

        answers = ", ".join(f"{answer(k)} as s{k}" for k in range(self.systems))
        names = "'item' || i as item, " if self.named else ""
        columns = f"{names}{label(0)} as truth, {answers}"
        rows = f"select {columns} from range({self.items}) as r(i)"
        duckdb.connect().execute(f"copy ({rows}) to '{path}' (format parquet)")


def _hash(place: str, which: int) -> str:
    """Return SQL for one of many numbers of a row: hashes of two values at once would depend on each other."""
    return f"hash({place} + {which * MOST_ROWS})"


def scores(items: int) -> Path:
    """Return a table of numbered items: a truth, yes for one in twenty, and two systems' scores."""
    return made(f"grown-scores-{items}.parquet", partial(_write_scores, items=items))


def _write_scores(path: Path, *, items: int) -> None:
    truth = f"cast({_hash('i', 0)} % 20 = 0 as tinyint)"
    score = "cast(({0} % 1000003) / 1000003.0 * (1 + truth) as real)"
    first, second = (score.format(_hash("i", which)) for which in (1, 2))
    yes = f"select {truth} as truth, i from range({items}) as r(i)"
    rows = f"select i as item, truth, {first} as a, {second} as b from ({yes})"
    duckdb.connect().execute(f"copy ({rows}) to '{path}' (format parquet)")


def scan(path: Path) -> Any:
    """Sum every column, of names their lengths."""
    columns = duckdb.connect().execute(f"describe select * from '{path}'").fetchall()
    sums = ", ".join(
        f"sum(length({name}))" if kind == "VARCHAR" else f"sum({name})"
        for name, kind, *_ in columns
    )
    return duckdb.connect().execute(f"select {sums} from '{path}'").fetchall()


LABELS: dict[str, Callable[[Path], Any]] = {
    "scan": scan,
    "score": lambda path: karat.read(path).score(),
    "compare": lambda path: karat.read(path).compare(),
    "stability": lambda path: karat.read(path).stability(label_error=0.05),
    "consensus": lambda path: karat.read(path).consensus(),
}
SCORES: dict[str, Callable[[Path], Any]] = {
    "scan": scan,
    "skew": lambda path: karat.read(path, kinds="score").skew(to=0.01),
}
FEW = ("score", "compare", "stability")


@dataclass(frozen=True)
class Growth:
    """One quantity that grows: its sizes, the table of each, and what is asked of it."""

    title: str
    what: str
    tables: dict[int, Callable[[], Path]]
    questions: dict[str, Callable[[Path], Any]]


def _tables(sizes: tuple[int, ...], table: Callable[[int], Table]) -> dict[int, Callable[[], Path]]:
    return {size: table(size).path for size in sizes}


def _only(*names: str) -> dict[str, Callable[[Path], Any]]:
    return {name: LABELS[name] for name in names}


ITEMS = (100_000, 1_000_000, 10_000_000, 100_000_000)
BY_ITEMS = ("items", "named", "scores")
GROWTHS = {
    "items": Growth(
        "Items", "4 systems of yes and no, so that rows repeat; Parquet",
        _tables(ITEMS, Table), LABELS,
    ),
    "named": Growth(
        "Items with names", "The same, each item with a name, so that a check looks for one that occurs twice",
        _tables(ITEMS, lambda size: Table(size, named=True)), _only("scan", "score"),
    ),
    "scores": Growth(
        "Items with scores", "2 systems, 5 % positives, numbered items; `skew --to 0.01` with its intervals",
        {size: partial(scores, size) for size in ITEMS}, SCORES,
    ),
    "systems": Growth(
        "Systems", "100,000 items of 4 classes",
        _tables((2, 10, 50, 250), lambda size: Table(100_000, size, 4)), _only("scan", "score", "compare"),
    ),
    "classes": Growth(
        "Classes", "1,000,000 items, 4 systems",
        _tables((2, 10, 100, 1_000, 10_000), lambda size: Table(1_000_000, 4, size)), _only("scan", "score", "compare"),
    ),
    "rows": Growth(
        "Different rows", "1,000,000 items, 10 systems, 10 classes; equal rows are kept once, with their number",
        _tables((100, 10_000, 1_000_000), lambda size: Table(1_000_000, 10, 10, size)), _only("scan", *FEW),
    ),
}  # fmt: skip


def measured(most: int) -> Iterator[tuple[str, int, str, Measured]]:
    """Yield what each question took at each size."""
    for name, growth in GROWTHS.items():
        for size in growth.tables:
            for question in growth.questions:
                if name not in BY_ITEMS or size <= most:
                    yield (
                        name,
                        size,
                        question,
                        in_own_process("scale.py", "--one", name, str(size), question),
                    )


def one(name: str, size: int, question: str) -> Measured:
    growth = GROWTHS[name]
    way = Way(question, growth.questions[question])
    return measure_here(way, growth.tables[size](), times=1)[1]


def section(growth: Growth, found: dict[tuple[int, str], Measured]) -> str:
    """Return a table of the page: a row a size, a column a question."""
    sizes = [size for size in growth.tables if any(size == key for key, _ in found)]
    head = f"| {growth.title.lower()} | {' | '.join(growth.questions)} |"
    lines = [
        f"## {growth.title}",
        "",
        f"{growth.what}. CPU seconds, and how far memory rose.",
        "",
        head,
    ]
    lines.append(f"|--:|{'--:|' * len(growth.questions)}")
    for size in sizes:
        cells = [_cell(found[size, question]) for question in growth.questions]
        lines.append(f"| {size:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(one: Measured) -> str:
    return f"{one.cpu:.3g} s, {one.memory:,.0f} MiB"


def page(found: dict[str, dict[tuple[int, str], Measured]]) -> str:
    """Return the page of the documentation."""
    sections = [section(GROWTHS[name], points) for name, points in found.items()]
    versions = (
        f"karat {version('karat')}, DuckDB {version('duckdb')}, Python {platform.python_version()}"
    )
    parts = [
        INTRODUCTION.format(cores=os.cpu_count(), versions=versions),
        *sections,
        arithmetic(found["items"]),
    ]
    return "\n\n".join(parts) + "\n"


INTRODUCTION = """\
# What it costs as data grow

Every question is answered from counts: the rows are read once, where they lie, and what comes after depends on how many
different rows there are, not on how many items. `python bench/speed/scale.py --write` makes this page, each question in
a process of its own, reading included, on {cores} cores with {versions}. Beside each stands a
plain scan of the same file: every column summed by DuckDB."""


def arithmetic(found: dict[tuple[int, str], Measured]) -> str:
    """Return what the largest table tells about one that is a thousand times as large."""
    size = max(size for size, _ in found)
    a_row = {question: one.cpu / size for (at, question), one in found.items() if at == size}
    cores = MACHINES * CORES_EACH
    each = a_row.values()
    lines = [
        f"|  | {' | '.join(a_row)} |",
        f"|---|{'--:|' * len(a_row)}",
        f"| CPU a row | {' | '.join(f'{value * 1e9:.0f} ns' for value in each)} |",
        f"| all rows on one core | {' | '.join(f'{value * ROWS / 3600:,.1f} h' for value in each)} |",
        f"| on {cores:,} cores | {' | '.join(f'{value * ROWS / cores:,.1f} s' for value in each)} |",
    ]
    text = ARITHMETIC.format(
        size=size,
        rows=ROWS,
        machines=MACHINES,
        cores=CORES_EACH,
        a_core=ROWS // cores,
        bytes=Table(size).path().stat().st_size / size,
        table="\n".join(lines),
    )
    return text.strip()


ARITHMETIC = """
## A hundred billion rows on a hundred machines

Arithmetic, not a measurement. What a question costs a row is taken from {size:,} items above; {rows:.0e} rows on
{machines} machines of {cores} cores are {a_core:,} rows a core.

{table}

That holds where three things do.

- Reading keeps up. Here a row has {bytes:.1f} bytes in Parquet; with names of items and long labels it has more.
- The different rows fit the driver. A worker sends each of its different rows once: a code a system, and their number.
  karat counts them before it fetches them, and says what to leave out where they are too many.
- Spark does the work of DuckDB. On a cluster of two workers a question about 100 million rows took
  [1.3 to 4.2 times as long as a plain aggregate](questions/large-data-and-spark.md).

The check that no item occurs twice is not in it, as these items have no names. It sorts a key of eight bytes an item,
or sends it to another worker; "Items with names" above has what it costs here, and `--no-duplicate-check` leaves it
out."""


def main(words: list[str]) -> None:
    """Measure all, print, and write the page if asked to."""
    sizes = [int(word) for word in words if word.isdigit()]
    found: dict[str, dict[tuple[int, str], Measured]] = {}
    for name, size, question, what in measured(*sizes or [MOST]):
        print(f"{name:8} {size:>11,} {question:10} {_cell(what)}", flush=True)
        found.setdefault(name, {})[size, question] = what
    if "--write" in words:
        PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(asdict(one(sys.argv[2], int(sys.argv[3]), sys.argv[4]))))
    else:
        main(sys.argv[1:])
