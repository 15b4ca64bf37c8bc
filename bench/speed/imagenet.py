"""`karat score` on 34 ImageNet classifiers, end to end, and where its CPU seconds go; needs the shared data."""

import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

SET = Path(__file__).parents[3] / "shared" / "data" / "imagenet_val_34"


def command(*words: str) -> tuple[float, float]:
    """Return the wall-clock and CPU seconds of a command."""
    before, start = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "karat", *words], check=True, capture_output=True)  # noqa: S603
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu


def main() -> None:
    import karat
    from karat.tally.votes.confusion import confusions

    header("karat score on imagenet_val_34: 50,000 items x 35 systems, 1,000 classes, gzipped CSV")
    if not SET.exists():
        print("  the shared data is not there; nothing measured")
        return
    table, truth = str(SET / "systems_label.csv.gz"), f"{SET / 'items.csv.gz'}:truth_original"
    line("karat --version (start-up alone)", command("--version"))
    line(
        "karat score TABLE --truth FILE:COL --json",
        command("score", table, "--truth", truth, "--json"),
    )
    line(
        "  reading: parse, join, roles, kinds, checks",
        clock(lambda: karat.read(table, truth=truth)),
    )
    bench = karat.read(table, truth=truth)
    line(
        "  35 confusions",
        clock(lambda: bench.counter.count(confusions)),
    )
    line("  score without reading", clock(bench.score))
    tally = clock(bench.counter.patterns)
    line("  patterns", tally)
    pairs = clock(lambda: bench.compare(ranks=False))
    count = len(bench.compare(ranks=False).rows())
    line(
        f"  patterns and all {count} pairs compared",
        pairs,
        f"{pairs[0] / tally[0]:.1f}x the patterns (claim: 5x)",
    )


main()
