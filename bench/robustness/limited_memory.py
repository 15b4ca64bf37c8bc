"""Does karat answer within little memory, or say that it cannot? 1e7 rows under limits of 1 and 2 GiB.

    python bench/robustness/limited_memory.py [ROWS] [SYSTEMS]

The limit is on the data of a process (RLIMIT_DATA: what it allocates, without the code of libraries). Tables of few
different rows and of mostly different ones, of labels and of scores. An ending is an answer, a word (exit code 2), or
broken: a traceback, a signal, or another reason than memory.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import duckdb
from common import header, made

GIB = 1 << 30
LIMITS = (1 * GIB, 2 * GIB)
QUESTIONS = {
    "score": ["score", "labels"],
    "score, per class": ["score", "labels", "--per", "class"],
    "compare": ["compare", "labels"],
    "stability": ["stability", "labels", "--label-error", "0.03"],
    "consensus": ["consensus", "labels"],
    "audit": ["audit", "labels", "--claim", "best", "--seed", "1"],
    "score, mostly different rows": ["score", "different"],
    "compare, mostly different rows": ["compare", "different"],
    "stability, mostly different rows": ["stability", "different"],
    "consensus, mostly different rows": ["consensus", "different"],
    "score of scores": ["score", "scores", "--kind", "score"],
    "skew": ["skew", "scores", "--to", "0.01"],
}


def tables(rows: int, systems: int) -> dict[str, Path]:
    """Return the files, made if they are not there yet."""
    cells = {
        "labels": "case when hash(i, {k}) % 100 < 80 + {k} then hash(i) % 3 else hash(i, {k}) % 3 end",
        "different": "hash(i, {k}) % 9",
        "scores": "cast(hash(i, {k}) % 1000000 as double) / 1000000 + hash(i) % 2 * 0.2",
    }
    found = {}
    for name, cell in cells.items():
        truth = "hash(i) % 2" if name == "scores" else "hash(i) % 3"
        columns = ", ".join(f"{cell.format(k=k)} as s{k}" for k in range(systems))
        query = f"select i as item, {truth} as truth, {columns} from range({rows}) t(i)"
        found[name] = made(
            f"memory-{name}-{rows}x{systems}.parquet", lambda path, query=query: copied(query, path)
        )
    return found


def copied(query: str, path: Path) -> None:
    """Write the rows of a query."""
    with duckdb.connect() as connection:
        connection.execute(f"copy ({query}) to '{path}' (format parquet)")


def limited(limit: int) -> None:
    """Limit a process before it begins."""
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ended(words: list[str], limit: int) -> tuple[str, str, float]:
    """Return how a command ended, its last words, and after how many seconds of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "karat", *words],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: limited(limit),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode == 0:
        return "answer", f"{time.perf_counter() - start:.0f} s wall", cpu
    if done.returncode == 2 and "not enough memory" in done.stderr:
        return "a word", last[:90], cpu
    if done.returncode == 2 and "over 10,000,000" in done.stderr:
        return "a word", last[:90], cpu
    return "BROKEN", last[:90], cpu


def main() -> None:
    """Ask every question under each limit."""
    given = [int(float(word)) for word in sys.argv[1:]]
    rows = given[0] if given else 10_000_000
    systems = given[1] if len(given) > 1 else 6
    header(f"{rows:,} rows, {systems} systems: an answer or a word")
    files = tables(rows, systems)
    broken = 0
    for limit in LIMITS:
        print(f"  limit {limit / GIB:.0f} GiB")
        for name, (command, table, *options) in QUESTIONS.items():
            ending, words, cpu = ended([command, str(files[table]), *options], limit)
            broken += ending == "BROKEN"
            print(f"    {name:<34} {ending:<7} {cpu:6.1f} s CPU  {words}", flush=True)
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
