"""Benchmarks whose labels were looked up again: the given label, the right one and every system's answer.

Run alone it learns the constants of the model informed from them, and prints what each version says as JSON; of a
table of one's own with `TABLE GIVEN RIGHT [SYSTEM,SYSTEM,...]`; all other columns are systems unless named. Needs the
shared data.
"""

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from karat.doubt.label_noise.informed.constants import Constants
from karat.doubt.label_noise.informed.items import UNCHECKED, LabelledItems, disputes_of
from karat.doubt.label_noise.informed.learning import Lesson, combined, learn
from karat.tally.codes import gather

DATA = Path(__file__).parents[3] / "shared" / "data"
IMAGENET = ("imagenet_val_34/items.csv.gz", "imagenet_val_34/systems_label.csv.gz")
CIFAR = ("cifar10_test_13/items.csv.gz", "cifar10_test_13/systems_label.csv.gz")
MMLU = ("mmlu_redux_14/items.csv", "mmlu_redux_14/systems.csv")
TACRED = ("tacred_test_52/items.csv.gz", "tacred_test_52/items.csv.gz")
SETS: dict[str, tuple[tuple[str, str], str, str]] = {
    "imagenet re-reviewed": (IMAGENET, "truth_original", "truth_mturk3"),
    "imagenet ReaL": (IMAGENET, "truth_original", "truth_real"),
    "cifar10 re-reviewed": (CIFAR, "truth_original", "truth_mturk3"),
    "cifar10 by people": (CIFAR, "truth_original", "truth_human_majority"),
    "mmlu": (MMLU, "truth_original", "truth_corrected"),
    "tacred revised": (TACRED, "truth", "truth_revised"),
    "tacred re-annotated": (TACRED, "truth", "truth_reannotated"),
}
"""Files, the column of the given labels and that of the right ones."""
SETS_OF_LABELS = "imagenet ReaL"
"""Its right labels are sets: of these only whether the given label is one of them counts."""
NO_SYSTEMS = {"cleanlab_cv", "cleanlab.resnet50_cv", "item", "subject"}
NO_TRUTH = {"", "-1"}


@dataclass
class Case:
    """A re-annotated benchmark in codes; -1 is a missing answer."""

    name: str
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    given: np.ndarray
    right: np.ndarray
    answers: np.ndarray
    subject: np.ndarray

    @property
    def benchmark(self) -> str:
        """The benchmark whose version it is."""
        return self.name.split()[0]

    @property
    def share(self) -> float:
        """The share of wrong labels."""
        return float((self.given != self.right).mean())

    def part(self, rows: np.ndarray, name: str) -> "Case":
        """Return some of the items."""
        return Case(
            name,
            self.systems,
            self.labels,
            self.given[rows],
            self.right[rows],
            self.answers[rows],
            self.subject[rows],
        )

    def items(self, checked: np.ndarray | None = None) -> LabelledItems:
        """The items with the right labels of those that were looked up."""
        right = np.full(len(self.given), UNCHECKED)
        if checked is not None:
            right[checked] = self.right[checked]
        return self._gathered(right, np.zeros(len(self.given), np.int64), 0)

    def items_by_subject(self, checked: np.ndarray) -> LabelledItems:
        """The same with the subjects as groups, in the order of their names."""
        right = np.full(len(self.given), UNCHECKED)
        right[checked] = self.right[checked]
        names, group = np.unique(self.subject, return_inverse=True)
        return self._gathered(right, group, len(names))

    def _gathered(self, right: np.ndarray, group: np.ndarray, groups: int) -> LabelledItems:
        ones = np.ones(len(self.given), np.int64)
        columns, number = gather([self.given, *self.answers.T, group, right], ones)
        answers = np.stack(columns[1:-2], axis=1).astype(np.int32)
        return LabelledItems(
            self.systems,
            self.labels,
            columns[0],
            answers,
            number,
            columns[-1],
            columns[-2],
            groups,
        )


def rows_of(path: Path) -> list[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(name: str) -> Case:
    """Read the items that have both labels, each right label a single one."""
    (items_file, systems_file), given, right = SETS[name]
    items = rows_of(DATA / items_file)
    by_item = {row["item"]: row for row in rows_of(DATA / systems_file)}
    first = next(iter(by_item.values()))
    systems = [one for one in first if one not in NO_SYSTEMS and not one.startswith("truth")]
    kept = []
    for row in items:
        label = row[right]
        if name == SETS_OF_LABELS and label:
            label = row[given] if row[given] in label.split() else label.split()[0]
        several = name == "mmlu" and len(label) > 1
        if label not in NO_TRUTH and not several:
            kept.append({**row, right: label})
    return coded(name, kept, by_item, given, right, systems)


def coded(
    name: str, kept: list[dict[str, str]], by_item: Any, given: str, right: str, systems: list[str]
) -> Case:
    """Return rows of text as codes."""
    texts = [
        [row[given], row[right], *(by_item[row["item"]][one] for one in systems)] for row in kept
    ]
    labels = tuple(sorted({text for row in texts for text in row} - {""}))
    code = {text: place for place, text in enumerate(labels)} | {"": -1}
    codes = np.array([[code[text] for text in row] for row in texts])
    subject = np.array([row.get("subject", "") for row in kept])
    return Case(name, tuple(systems), labels, codes[:, 0], codes[:, 1], codes[:, 2:], subject)


def lessons() -> Iterator[tuple[str, Lesson]]:
    """Yield what each version says; sets of right labels are left out."""
    for name in SETS:
        if name != SETS_OF_LABELS:
            case = read(name)
            every = np.arange(len(case.given))
            yield name, learn(disputes_of(case.items(every)))


def without(benchmark: str, found: dict[str, Lesson]) -> Constants:
    """Return the constants of all other benchmarks."""
    by_benchmark: dict[str, list[Lesson]] = {}
    for name, lesson in found.items():
        own = name.split()[0]
        if own != benchmark:
            by_benchmark.setdefault(own, []).append(lesson)
    return combined(by_benchmark, source=f"all benchmarks but {benchmark}")


def of_table(path: str, given: str, right: str, systems: str = "") -> Lesson:
    """Return what a table of one's own says; its systems are named, or all other columns."""
    rows = [
        {**row, "item": str(place)}
        for place, row in enumerate(rows_of(Path(path)))
        if row[given] and row[right]
    ]
    others = [name for name in rows[0] if name not in {given, right, "item", "id"}]
    chosen = systems.split(",") if systems else others
    print(f"systems: {', '.join(chosen)}", file=sys.stderr)
    case = coded(path, rows, {row["item"]: row for row in rows}, given, right, chosen)
    return learn(disputes_of(case.items(np.arange(len(rows)))))


def main() -> None:
    if len(sys.argv) in {4, 5}:
        constants = combined({sys.argv[1]: [of_table(*sys.argv[1:])]}, source=sys.argv[1])
        print(json.dumps(asdict(constants), indent=1))
        return
    if not DATA.is_dir():
        print("the shared data is not here")
        return
    found = {}
    for name, lesson in lessons():
        found[name] = lesson
        print(name, {key: round(value, 2) for key, value in asdict(lesson).items()})
    print(json.dumps(asdict(without("", found)), indent=1))


if __name__ == "__main__":
    main()
