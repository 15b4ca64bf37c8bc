"""Sources: characters aligned against jiwer, memory for 1e5 pages, a TREC run of 1e6 lines against a plain read."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import ir_measures
import jiwer
from ir_measures import AP, P, read_trec_qrels, read_trec_run

import karat

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

LENGTH = 2_000
CHARACTERS = "etaoinshrdlucmfwyp,. " * 3 + "ETAOIN"
PEAK = """
import resource, sys, time, karat
start = time.perf_counter()
bench = karat.read([sys.argv[1], "a=" + sys.argv[2]], format="text", using={"page": "line"})
rows = bench.score(measure="accuracy").rows()
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MiB, {time.perf_counter() - start:.0f} s, "
      f"{rows[0]['trials']:,} characters, {rows[0]['value']:.4f} right")
"""


def page(draw: random.Random) -> str:
    return "".join(draw.choices(CHARACTERS, k=LENGTH)).strip().replace("  ", " x")


def misread(text: str, draw: random.Random) -> str:
    """Return a text with 5 % of its characters changed, lost or doubled."""
    places = {
        place: draw.choice(["", "x", "xy"])
        for place in draw.sample(range(len(text)), len(text) // 20)
    }
    return "".join(places.get(place, character) for place, character in enumerate(text)).replace(
        "  ", " "
    )


def write_pages(number: int, *, read: bool) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(1)  # noqa: S311 (the same pages each time)
        pages = [page(draw) for _ in range(500)]
        if read:
            pages = [misread(text, draw) for text in pages]
        with path.open("w") as file:
            file.writelines(pages[place % 500] + "\n" for place in range(number))

    return write


def lines_of(number: int) -> tuple[Path, Path]:
    names = (f"pages{number}-{side}.txt" for side in ("truth", "read"))
    truth, read = (
        made(name, write_pages(number, read=side))
        for name, side in zip(names, (False, True), strict=True)
    )
    return truth, read


def write_run(path: Path) -> None:
    draw = random.Random(2)  # noqa: S311
    with path.open("w") as file:
        for query in range(1_000):
            for place, document in enumerate(draw.sample(range(5_000_000), 1_000), 1):
                file.write(
                    f"{query} Q0 doc{document} {place} {1000 - place + draw.random():.6f} run\n"
                )


def write_qrels(path: Path) -> None:
    with made("run1e6.run", write_run).open() as run, path.open("w") as file:
        for number, text in enumerate(run):
            query, _, document, *_ = text.split()
            if number % 50 == 0:
                file.write(f"{query} 0 {document} {number % 3}\n")


def scan_run(path: Path) -> None:
    """Let DuckDB read the cells of a run and check nothing but their number."""
    columns = dict.fromkeys(("query", "q0", "document", "rank", "score", "run"), "VARCHAR")
    columns["score"] = "DOUBLE"
    rows = duckdb.connect().read_csv(
        str(path), columns=columns, header=False, sep=" ", quotechar="", escapechar="",
        comment="", auto_detect=False,
    )  # fmt: skip
    rows.aggregate("sum(length(query)), sum(length(document)), sum(score)").fetchall()


header("characters aligned (claim: no slower than jiwer)", "rapidfuzz", "jiwer", "ir_measures")
truth, read = lines_of(2_000)


def ours() -> None:
    karat.read([str(truth), f"a={read}"], format="text", using={"page": "line"}).score(
        measure="accuracy"
    )


def theirs() -> None:
    texts = [path.read_text().splitlines() for path in (truth, read)]
    jiwer.process_characters(*texts)


characters = sum(len(text) for text in truth.read_text().splitlines())
mine, peer = clock(ours), clock(theirs)
line(
    "karat.read and score, one system",
    mine,
    f"{characters / mine[1] / 1e6:.1f} million characters a CPU second",
)
line(
    "jiwer.process_characters",
    peer,
    f"{characters / peer[1] / 1e6:.1f} million; {peer[1] / mine[1]:.2f} times ours",
)

print(f"memory for pages of {LENGTH:,} characters (claim: it does not grow with their number)")
for number in (1_000, 10_000, 100_000):
    paths = [str(path) for path in lines_of(number)]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PEAK, *paths], check=True, capture_output=True, text=True
    )
    print(f"  {number:>7,} pages: {done.stdout.strip()}")

print("a TREC run of 1e6 lines (claim: quicker than ir_measures)")
run, qrels = made("run1e6.run", write_run), made("run1e6.qrels", write_qrels)
whole = clock(lambda: karat.read([str(qrels), str(run)]).retrieval(measure="AP,P@10"))
opened = clock(lambda: karat.read([str(qrels), str(run)]))
plain = clock(lambda: sum(len(text) for text in run.open("rb")))
cells = clock(lambda: [text.split() for text in run.open("rb")])
line("a plain read of the lines", plain, f"{run.stat().st_size / 2**20:.0f} MiB")
line("a plain read that splits each line", cells)
line("DuckDB's scan of its cells, nothing checked or joined", clock(lambda: scan_run(run)))
line(
    "karat.read",
    opened,
    f"{opened[1] / plain[1]:.1f} times the plain read, {opened[1] / cells[1]:.1f} the split one",
)
peer = clock(
    lambda: ir_measures.calc_aggregate(
        [AP, P @ 10], read_trec_qrels(str(qrels)), read_trec_run(str(run))
    )
)
line("karat.read and retrieval", whole, f"{whole[1] / plain[1]:.1f} times the plain read")
line("ir_measures, AP and P@10", peer, f"{peer[1] / whole[1]:.2f} times ours")
