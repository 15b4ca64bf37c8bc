"""Does the form of the data change a result? Every command by every form of its table: the same bytes, or not.

    python bench/robustness/same_bytes.py [COMMAND...]

A table as CSV is the first form; the others are its rows shuffled, other formats, a long table, one thread and six, and
a Spark cluster of two workers, where PySpark and Java are installed. Only the names of files may differ. A second
matrix is of a table of 300,000 rows, which threads share: in Parquet, by one thread first.
"""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from karat.cli import main as karat
from karat.engine import duckdb as engine
from support import many_rows
from support.same_bytes import (
    COMMANDS,
    FORMS,
    IN_THE_ORDER_OF_THE_FILE,
    OF_THE_FORM,
    THREADS,
    as_csv,
    compared,
)

SPARK = "spark"
Run = Callable[[list[str], Path], str]


def here(words: list[str], folder: Path) -> str:
    """Run a command in this process, in a folder; return what it printed."""
    printed, said = io.StringIO(), io.StringIO()
    sys.argv = ["karat", *words]
    with chdir(folder), redirect_stdout(printed), redirect_stderr(said):
        try:
            karat()
        except SystemExit as end:
            if end.code:
                raise RuntimeError(said.getvalue()) from None
    return printed.getvalue()


def answer(command: str, form: Callable[..., str], run: Run) -> Any:
    """Return what a command says of its table in some form."""
    data, words = COMMANDS[command]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = form(folder, data)
        printed = run(words.format(file).split(), folder)
        return compared(folder, printed, file)


def verdicts(command: str, on_spark: Run | None) -> Iterator[tuple[str, str]]:
    """Yield for each form whether it gives what the CSV file gives."""
    expected = answer(command, as_csv, here)
    for name, form in FORMS.items():
        in_order = name == "shuffled" and command in IN_THE_ORDER_OF_THE_FILE
        if in_order or command in OF_THE_FORM:
            yield name, "-"
            continue
        with threads(THREADS.get(name)):
            yield name, _verdict(answer(command, form, here), expected)
    if on_spark:
        yield SPARK, _verdict(answer(command, as_csv, on_spark), expected)


def _verdict(found: Any, expected: Any) -> str:
    return "same" if found == expected else "DIFFERS"


@contextmanager
def threads(number: int | None) -> Iterator[None]:
    """Count with so many threads for a while."""
    before = engine.CLOSED.copy()
    if number:
        engine.CLOSED["threads"] = number
    yield
    engine.CLOSED.clear()
    engine.CLOSED.update(before)


@contextmanager
def spark() -> Iterator[Run | None]:
    """Start a cluster of two workers for a while, if that is possible here."""
    if not (find_spec("pyspark") and (os.environ.get("JAVA_HOME") or shutil.which("java"))):
        yield None
        return
    from support.spark_cluster import cluster
    from support.spark_driver import SparkDriver

    with tempfile.TemporaryDirectory() as name, cluster(Path(name)) as started:
        driver = SparkDriver(Path(name), started.url, {"spark.cores.max": "2"})

        def run(words: list[str], folder: Path) -> str:
            ended = driver.run(words, folder)
            if ended.code:
                raise RuntimeError(ended.err)
            return ended.out

        yield run
        driver.stop()


def answer_of_many(command: str, form: Callable[[Path], str], number: int) -> Any:
    """Return what a command says of a table of many rows, counted by so many threads."""
    with tempfile.TemporaryDirectory() as name, threads(number):
        folder = Path(name)
        file = form(folder)
        printed = here(many_rows.COMMANDS[command].format(file).split(), folder)
        return compared(folder, printed, file)


def verdicts_of_many(command: str) -> Iterator[tuple[str, str]]:
    """Yield for each form whether it gives what one thread gives from Parquet."""
    expected = answer_of_many(command, many_rows.as_parquet, 1)
    for name, form in many_rows.FORMS.items():
        found = answer_of_many(command, form, many_rows.THREADS.get(name, 1))
        yield name, _verdict(found, expected)


def shown(command: str, found: Sequence[str]) -> int:
    """Print the row of a command, and return how many forms differ."""
    print(f"  {command:22}" + "".join(f"{one:>13}" for one in found), flush=True)
    return found.count("DIFFERS")


def main() -> None:
    """Print a row a command, a column a form."""
    os.environ["COLUMNS"] = "400"
    wanted = sys.argv[1:] or [*COMMANDS, *many_rows.COMMANDS]
    header("The same data give the same bytes")
    differ = 0
    with spark() as on_spark:
        shown("", [*FORMS, *([SPARK] if on_spark else [])])
        for command in COMMANDS:
            if command in wanted:
                differ += shown(command, [one for _, one in verdicts(command, on_spark)])
    print(f"\n  {many_rows.ROWS:,} rows")
    shown("", list(many_rows.FORMS))
    for command in many_rows.COMMANDS:
        if command in wanted:
            differ += shown(command, [one for _, one in verdicts_of_many(command)])
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
