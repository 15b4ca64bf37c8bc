"""Whole questions about 34 classifiers of 50,000 images and 1,000 classes, drawn alike to those of ImageNet."""

import gzip
import tempfile
from pathlib import Path

import duckdb
import numpy as np
from case import Case, Way
from common import made

import karat

SYSTEMS, ITEMS, CLASSES = 34, 50_000, 1_000


def classifiers() -> Path:
    return made("classifiers.csv.gz", _write)


def _write(path: Path) -> None:
    """Write answers that are wrong on the same hard images, and wrong alike; every twentieth label is wrong."""
    random = np.random.default_rng(0)
    right = random.integers(0, CLASSES, ITEMS)
    confused = random.integers(0, CLASSES, (CLASSES, 5))
    truth = np.where(random.random(ITEMS) < 0.05, _similar(right, confused, random), right)
    hard = random.normal(size=ITEMS)
    columns = [truth]
    for skill in np.linspace(0.3, 1.3, SYSTEMS):
        fails = hard + random.normal(size=ITEMS) > 1.4 * skill
        columns.append(np.where(fails, _similar(right, confused, random), right))
    names = ",".join(["item", "truth", *(f"net{place:02}" for place in range(SYSTEMS))])
    rows = np.column_stack([np.arange(ITEMS), *columns])
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        np.savetxt(file, rows, fmt="%d", delimiter=",", header=names, comments="")


def _similar(right: np.ndarray, confused: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return a class that each is often taken for, some more than others."""
    return confused[right, np.minimum(random.geometric(0.5, len(right)), 5) - 1]


def parsed(path: Path) -> object:
    return duckdb.connect().execute(f"create table answers as from read_csv('{path}')").fetchall()


def scored(path: Path) -> int:
    return len(karat.read(path).score(measure="accuracy").rows())


def compared(path: Path) -> int:
    return len(karat.read(path).compare().rows())


def stability(path: Path) -> int:
    return len(karat.read(path).stability(label_error=0.05).rows())


def informed(path: Path) -> int:
    found = karat.read(path).stability(label_error=0.05, model="informed", all_pairs=True)
    return len(found.rows())


def reported(path: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        karat.read(path).report(page)
        return page.stat().st_size


PARSE = Way("DuckDB, the file parsed", parsed)
DRAWS = "ranks are simulated over labels and items"
LABELS = "10,000 draws of 2,500 wrong labels each are simulated, and 1,000 by the model informed"
CRITICAL = "the critical share of wrong labels of each of 561 pairs is searched for, and 1,000 draws are simulated"
CASES = (
    Case("accuracy of 34 classifiers, 50,000 images, 1,000 classes", classifiers, scored, PARSE),
    Case("all 561 pairs and ranks of the same", classifiers, compared, PARSE, reason=DRAWS),
    Case("their order under 5 % wrong labels", classifiers, stability, PARSE, reason=LABELS, times=1),
    Case("the same, all pairs, by the model informed", classifiers, informed, PARSE, reason=CRITICAL, times=1),
    Case("the whole page about them", classifiers, reported, PARSE, times=1,
         reason="twelve questions; labels, the model informed and audits are simulated, and what-if tables computed"),
)  # fmt: skip
