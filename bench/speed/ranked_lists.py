"""nDCG of TREC runs with its intervals, beside ir_measures without; both from the files to the mean."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import ir_measures
import numpy as np
from common import clock, header, line, made

import karat

QUERIES, CANDIDATES, RETRIEVED, JUDGED = 200, 3000, 1000, 150
RUNS = ("one", "two", "three")


def make(folder: Path) -> None:
    """Runs that retrieve the first thousand of the same candidates, with noise, and judgements of some of them."""
    random = np.random.default_rng(1)
    folder.mkdir()
    qrels = []
    runs: dict[str, list[str]] = {name: [] for name in RUNS}
    for query in range(QUERIES):
        worth = random.normal(size=CANDIDATES)
        for place in np.argsort(-worth)[: 2 * JUDGED : 2]:
            qrels.append(f"{query} 0 doc-{place:06} {max(0, int(worth[place]))}")  # noqa: PERF401
        for name in RUNS:
            score = worth + random.normal(size=CANDIDATES)
            for rank, place in enumerate(np.argsort(-score)[:RETRIEVED], 1):
                runs[name].append(f"{query} Q0 doc-{place:06} {rank} {score[place]:.6f} {name}")
    (folder / "topics.qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    for name, lines in runs.items():
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")


folder = made("ranked-lists", make)
qrels = str(folder / "topics.qrels")
paths = {name: str(folder / f"{name}.run") for name in RUNS}
measure = ir_measures.nDCG @ 10


def theirs() -> dict[str, float]:
    judged = list(ir_measures.read_trec_qrels(qrels))
    evaluator = ir_measures.evaluator([measure], judged)
    found = {}
    for name, path in paths.items():
        found[name] = evaluator.calc_aggregate(ir_measures.read_trec_run(path))[measure]
    return found


def ours() -> dict[str, float]:
    bench = karat.read([qrels, *paths.values()])
    return {row["system"]: row["value"] for row in bench.score(measure="nDCG@10").rows()}


header("nDCG@10 of TREC runs, with intervals (aim: no slower than ir_measures)", "ir_measures")
lines = QUERIES * (RETRIEVED * len(RUNS) + JUDGED)
print(f"  {len(RUNS)} runs of {QUERIES} queries, {lines:,} lines")
expected = theirs()
for name, value in ours().items():
    assert abs(value - expected[name]) < 1e-9
peer = clock(theirs)
own = clock(ours)
line("ir_measures", peer)
line("karat", own, f"{peer[1] / own[1]:.2f} times as fast")
