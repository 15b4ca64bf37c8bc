"""Does the form of the data change a result? Every command by every form of its table: the same bytes, or not.

    python bench/robustness/same_bytes.py [COMMAND...]

A table as CSV is the first form; the others are its rows shuffled, other formats, a long table, one thread and six, and
a Spark cluster of two workers, where PySpark and Java are installed. Only the names of files may differ.
"""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from common import header

from karat.cli import main as karat
from karat.engine import duckdb as engine
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


def main() -> None:
    """Print a row a command, a column a form."""
    os.environ["COLUMNS"] = "400"
    wanted = sys.argv[1:] or list(COMMANDS)
    header("The same data give the same bytes")
    differ = 0
    with spark() as on_spark:
        columns = [*FORMS, *([SPARK] if on_spark else [])]
        print(f"  {'':18}" + "".join(f"{name:>13}" for name in columns))
        for command in wanted:
            found = dict(verdicts(command, on_spark))
            differ += sum(one == "DIFFERS" for one in found.values())
            print(f"  {command:18}" + "".join(f"{found[name]:>13}" for name in columns), flush=True)
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
