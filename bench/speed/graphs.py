"""Label graphs from files to the table of results, pairs a CPU second, against a plain reading of the same bytes.

The real set is perturbed_2012 (488 expressions, O/R files) where it lies beside the project; else one that is made.
"""

import csv
import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1]))
from common import DATA, clock, header, line

from karat.graphs.compare.counts import graphs
from karat.graphs.compare.rules import Rules, compare, prepare
from karat.graphs.compare.summary import summary
from karat.graphs.formats.folder import read_set
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.structure import LabelGraph, Object, Relation

REAL = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs" / "perturbed_2012"
CLAIM, LIMIT, LARGE = 1_500, 0.2, 2_000


def chain(size: int, chance: Random) -> LabelGraph:
    """Return symbols of two strokes in a row, with some relations that lead up."""
    objects = tuple(
        Object(f"o{k}", chance.choice("xyz12+-"), 1.0, (f"s{2 * k}", f"s{2 * k + 1}"))
        for k in range(size // 2)
    )
    links = tuple(
        Relation(f"o{k}", f"o{k + 1}", "Sup" if chance.random() < 0.1 else "Right", 1.0)
        for k in range(size // 2 - 1)
    )
    return LabelGraph(objects=objects, relations=links)


def made() -> tuple[Path, Path]:
    """Write 488 truths and outputs of about as many strokes as the real ones have."""
    folders = DATA / "graphs" / "truth", DATA / "graphs" / "output"
    for seed, folder in enumerate(folders):
        folder.mkdir(parents=True, exist_ok=True)
        chance = Random(seed)  # noqa: S311 (no secret)
        for number in range(488):
            (folder / f"e{number}.lg").write_text(to_lg(chain(18, chance)))
    return folders


def plain(*folders: Path) -> int:
    """Read every field of every file, and do nothing with it."""
    number = 0
    for folder in folders:
        for path in sorted(folder.iterdir()):
            with path.open(encoding="utf-8") as file:
                number += sum(len(fields) for fields in csv.reader(file))
    return number


def table(truth: Path, output: Path, rules: Rules) -> dict[str, object]:
    return summary(graphs(read_set(truth), [read_set(output)], rules))


truth, outputs = (
    (REAL / "gt", [REAL / name / "out" for name in ("light", "heavy")]) if REAL.is_dir() else made()
)
outputs = outputs if isinstance(outputs, list) else [outputs]
header(f"{'perturbed_2012' if REAL.is_dir() else 'graphs made for this'}: files to table, one core")
for output in outputs:
    scan = clock(lambda one=output: plain(truth, one))
    line(f"csv.reader over the same files ({output.parent.name}/{output.name})", scan)
    for semantics in ("paper", "lgeval"):
        rules = Rules(semantics=semantics)  # type: ignore[arg-type]
        found = clock(lambda one=output, by=rules: table(truth, one, by), times=5)
        pairs = len(list(truth.iterdir())) / found[1]
        line(
            f"karat, {semantics}, all metrics",
            found,
            f"{pairs:,.0f} pairs a CPU second (claim: {CLAIM:,})",
        )

print(" growth: one expression, sparse edges, compared")
for size in (LARGE // 4, LARGE // 2, LARGE):
    pair = chain(size, Random(0)), chain(size, Random(1))  # noqa: S311
    for semantics in ("paper", "lgeval"):
        rules = Rules(semantics=semantics)  # type: ignore[arg-type]
        found = clock(lambda two=pair, by=rules: compare(*(prepare(one, by) for one in two), by))
        line(f"{size:,} primitives, {semantics}", found, f"(claim: {LIMIT} s for {LARGE:,})")
