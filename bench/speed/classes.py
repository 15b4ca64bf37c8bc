"""Per-class precision, recall and F with intervals, against scikit-learn's report, which has none."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line
from sklearn.metrics import classification_report

import karat
from karat.tally.votes.confusion import confusions

ITEMS, CLASSES = 10_000_000, 1_000

header(
    f"precision, recall and F of {CLASSES:,} classes on {ITEMS:.0e} items in memory", "scikit-learn"
)
random = np.random.default_rng(0)
truth = random.integers(0, CLASSES, ITEMS)
answer = np.where(random.random(ITEMS) < 0.7, truth, random.integers(0, CLASSES, ITEMS))

ours = clock(lambda: karat.read({"truth": truth, "system": answer}).score(per="class"))
bench = karat.read({"truth": truth, "system": answer})
counted = clock(lambda: bench.counter.count(confusions)["system"])
theirs = clock(lambda: classification_report(truth, answer, output_dict=True), times=1)
line("scikit-learn classification_report, no intervals", theirs)
line(
    "karat read and score --per class, with exact intervals",
    ours,
    f"{theirs[0] / ours[0]:.1f}x faster (claim: 10x)",
)
line("  of which the confusion", counted)

report = classification_report(truth, answer, output_dict=True)
rows = {(row["measure"], row["label"]): row["value"] for row in bench.score(per="class").rows()}
worst = max(
    abs(rows[measure, label] - report[label][name])
    for label in map(str, range(CLASSES))
    for measure, name in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score"))
)
print(f"  largest difference of a value: {worst:.1e}")
