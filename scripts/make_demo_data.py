"""What do nine real recognisers answer to 1,497 handwritten digits, having learnt from only 300?

Writes the two tables of karat's demo, `digits.csv` (which digit is it?) and `is_eight.csv` (is it an eight?).
An answer is the digit with the highest probability (of equals the lowest digit); its confidence is that
probability as the recogniser states it, well calibrated or not. All seeds are fixed and arithmetic runs in
one thread, so that a second run with the same versions gives the same bytes.

    python scripts/make_demo_data.py
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

SEED = 7
TRAINING_IMAGES = 300
DEMO = Path(__file__).resolve().parents[1] / "src" / "karat" / "demo"

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Scores = dict[str, Floats]  # recogniser -> the probability of each digit, one row per test image


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Which images teach, which are asked, and where the latter stand in the data set."""

    train_images: Floats
    train_truth: Integers
    test_images: Floats
    test_truth: Integers
    test_index: Integers

    def items(self) -> list[str]:
        """Name each test image by its place in the data set."""
        return [f"digit-{index:04d}" for index in self.test_index]


def split() -> Split:
    """Which 300 images, with every digit in its due share, teach the recognisers?"""
    images, truth = load_digits(return_X_y=True)
    images = images / 16  # pixels run from 0 to 16
    train, test = train_test_split(
        np.arange(len(truth)), train_size=TRAINING_IMAGES, stratify=truth, random_state=SEED
    )
    train, test = np.sort(train), np.sort(test)
    return Split(
        train_images=images[train],
        train_truth=truth[train],
        test_images=images[test],
        test_truth=truth[test],
        test_index=test,
    )


def recognisers() -> dict[str, Any]:
    """Who is asked? Different families, mostly as scikit-learn sets them, none tuned on the test images."""
    return {
        "tree": DecisionTreeClassifier(min_samples_leaf=2, random_state=SEED),
        "bayes": GaussianNB(),
        "boosting": GradientBoostingClassifier(random_state=SEED),
        "lda": LinearDiscriminantAnalysis(),
        "logistic": LogisticRegression(max_iter=1000),
        "mlp": MLPClassifier(hidden_layer_sizes=(32,), max_iter=2000, random_state=SEED),
        "forest": RandomForestClassifier(random_state=SEED),
        "knn": KNeighborsClassifier(),
        "svm": CalibratedClassifierCV(SVC(), ensemble=False),  # it has no probabilities of its own
    }


def ask(data: Split) -> Scores:
    """How probable does each recogniser find each digit, image by image?"""
    return {
        name: model.fit(data.train_images, data.train_truth).predict_proba(data.test_images)
        for name, model in recognisers().items()
    }


def digit_rows(data: Split, scores: Scores) -> Iterable[list[str]]:
    """Which digit does each recogniser see, and how sure is it?"""
    yield ["item", "truth", *(column for name in scores for column in (name, f"{name}.score"))]
    for row, (item, truth) in enumerate(zip(data.items(), data.test_truth, strict=True)):
        cells = ((f"{table[row].argmax()}", f"{table[row].max():.3f}") for table in scores.values())
        yield [item, f"{truth}", *(cell for pair in cells for cell in pair)]


def eight_rows(data: Split, scores: Scores) -> Iterable[list[str]]:
    """How probable does each recogniser find it that this is an eight?"""
    yield ["item", "truth", *scores]
    for row, (item, truth) in enumerate(zip(data.items(), data.test_truth, strict=True)):
        yield [item, f"{truth == 8:d}", *(f"{table[row, 8]:.4f}" for table in scores.values())]


def write(path: Path, rows: Iterable[list[str]]) -> None:
    """Write the whole file or none of it: under a temporary name first, then renamed."""
    draft = path.with_suffix(".part")
    with draft.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    draft.replace(path)


def main() -> None:
    """Ask everyone, write both tables, and say how often each recogniser was right."""
    data = split()
    with threadpool_limits(limits=1):
        scores = ask(data)
    DEMO.mkdir(parents=True, exist_ok=True)
    write(DEMO / "digits.csv", digit_rows(data, scores))
    write(DEMO / "is_eight.csv", eight_rows(data, scores))
    for name, table in scores.items():
        hits = int((table.argmax(axis=1) == data.test_truth).sum())
        print(f"{name:9}{hits:5} of {len(table)}  {hits / len(table):.3f}")


if __name__ == "__main__":
    main()
