"""Logs, spans and runs of 1e5 and 1e6 lines: peak memory beside that of a start alone, and CPU seconds."""

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from common import header, made

BULK = (
    "What is the capital of the country whose name begins with the letter that comes after this one? "
    * 8
)
PEAK = """
import resource, sys, time
import karat
from karat.source.recognise import recognise
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
start = peak()
source = recognise(sys.argv[1].split(","), format=sys.argv[2] or None)
read, seconds = peak(), time.process_time()
bench = karat.read(sys.argv[1].split(","), format=sys.argv[2] or None)
bench.retrieval(measure="AP") if sys.argv[2] == "trec" else bench.score(measure="accuracy")
print(f"source {read - start:5.0f} MiB, all {peak() - start:5.0f} MiB, "
      f"{time.process_time() - seconds:5.1f} s CPU")
"""


def lm_eval(number: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(1)  # noqa: S311 (the same log each time)
        with path.open("w") as file:
            for place in range(number):
                sample = {
                    "doc_id": place,
                    "doc": {"question": BULK},
                    "target": "A",
                    "resps": [["A"]],
                }
                sample |= {"filtered_resps": ["A"], "filter": "none", "metrics": ["acc"]}
                file.write(json.dumps(sample | {"acc": float(draw.random() < 0.7)}) + "\n")

    return write


def short(place: int, draw: random.Random) -> dict[str, object]:
    scores = {"match": {"value": draw.choice("CI"), "answer": "A", "explanation": BULK[:200]}}
    return {"id": place, "epoch": 1, "input": BULK[:200], "target": "A", "scores": scores}


def packed(number: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(2)  # noqa: S311
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            head = {"version": 2, "status": "success", "eval": {"model": "m", "task": "sums"}}
            file.writestr("header.json", json.dumps(head))
            with file.open("summaries.json", "w", force_zip64=True) as member:
                for place in range(number):
                    member.write(
                        (b"," if place else b"[") + json.dumps(short(place, draw)).encode()
                    )
                member.write(b"]")

    return write


def spans(number: int, seed: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(seed)  # noqa: S311
        with path.open("w") as file:
            for place in range(number):
                found = [
                    [at, at + draw.randint(3, 9), draw.choice(["PER", "LOC"])]
                    for at in range(0, 100, 10)
                ]
                file.write(json.dumps({"id": f"d{place}", "spans": found}) + "\n")

    return write


def run(number: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(3)  # noqa: S311
        with path.open("w") as file:
            for query in range(number // 1_000):
                for place, document in enumerate(draw.sample(range(5_000_000), 1_000), 1):
                    file.write(
                        f"{query} Q0 doc{document} {place} {1000 - place + draw.random():.6f} run\n"
                    )

    return write


def qrels(number: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(
            "".join(f"{query} 0 doc1 1\n{query} 0 doc2 0\n" for query in range(number // 1_000))
        )

    return write


def measured(what: str, number: int, form: str, paths: list[Path]) -> None:
    words = [sys.executable, "-c", PEAK, ",".join(map(str, paths)), form]
    done = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603
    size = sum(path.stat().st_size for path in paths) / 2**20
    print(f"  {what:<24} {number:>9,} lines, {size:6.0f} MiB: {done.stdout.strip()}")


header(
    "memory beyond that of an empty start, for the source alone and with the engine's table and one question"
)
for number in (100_000, 1_000_000):
    log = made(f"samples_sums{number}.jsonl", lm_eval(number))
    measured("lm-eval", number, "lm-eval", [log])
    measured("Inspect, packed", number, "inspect", [made(f"log{number}.eval", packed(number))])
    sides = [
        made(f"{side}{number}.jsonl", spans(number, seed))
        for seed, side in enumerate(("gold", "finder"))
    ]
    measured("spans, truth and a system", number, "spans", sides)
    files = [made(f"lines{number}.qrels", qrels(number)), made(f"lines{number}.run", run(number))]
    measured("TREC", number, "trec", files)
