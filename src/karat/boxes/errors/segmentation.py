"""What went wrong: which boxes were found, whatever they are called, and which of these are called right?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.boxes.doubt.ratio_over_images import ratio_over_images
from karat.boxes.matching.box_rows import BoxTable
from karat.boxes.measures.counts_by_image import CountsByImage, counts_by_image
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row

SHARES = {
    "segmentation_recall": ("found", "true"),
    "segmentation_precision": ("found", "boxes"),
    "labelling_accuracy": ("right", "found"),
    "recall": ("right", "true"),
    "precision": ("right", "boxes"),
}
"""Each a sum over images by another."""
TABLES = {
    "found, whatever they are called, with intervals over images": (
        "segmentation_recall",
        "segmentation_precision",
        "labelling_accuracy",
    ),
    "found and named right, with intervals over images": ("recall", "precision", "f1"),
}


@dataclass(frozen=True, slots=True, repr=False)
class BoxResult(Result):
    """Found, named right, spurious and missed boxes of every system."""

    counts: Mapping[tuple[str, str], CountsByImage]
    """By matching and system."""
    level: float
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each matching and system."""
        return [_row(matching, one, self.level) for (matching, _), one in self.counts.items()]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return counts, and shares with their intervals."""
        tables: dict[str, list[Row]] = {}
        for row in self.rows():
            heading = f"{row['matching']} matching"
            counts = {name: row[name] for name in ("system", "true", "boxes", "found", "right")}
            errors = {name: row[name] for name in ("wrong_class", "spurious", "missed")}
            tables.setdefault(f"{heading}: boxes", []).append({**counts, **errors})
            for words, names in TABLES.items():
                shares: dict[str, Any] = {"system": row["system"]}
                for name in names:
                    shares[name.replace("_", " ")] = _shown(row, name)
                tables.setdefault(f"{heading}: {words}", []).append(shares)
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the words mean."""
        return self.remarks


def boxes_of(tables: Mapping[str, BoxTable]) -> dict[tuple[str, str], CountsByImage]:
    """Return the counts of every system by each matching."""
    counts = {}
    for matching, table in tables.items():
        for system in table.systems:
            counts[matching, system] = counts_by_image(table, system)
    return counts


def _row(matching: str, counts: CountsByImage, level: float) -> dict[str, Any]:
    row: dict[str, Any] = {"matching": matching, "system": counts.system}
    for name in ("true", "boxes", "found", "right"):
        row[name] = int(getattr(counts, name).sum())
    row["wrong_class"] = row["found"] - row["right"]
    row["spurious"] = row["boxes"] - row["found"]
    row["missed"] = row["true"] - row["found"]
    for name, (above, below) in SHARES.items():
        row |= _share(name, getattr(counts, above), getattr(counts, below), level)
    row |= _share("f1", 2 * counts.right, counts.true + counts.boxes, level)
    row["level"] = level
    return row


def _share(name: str, above: FloatArray, below: FloatArray, level: float) -> dict[str, Any]:
    found = ratio_over_images(above, below, level=level)
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def _shown(row: Row, name: str) -> str:
    if row[name] is None:
        return "undefined"
    return f"{row[name]:.3f} [{row[f'{name}_low']:.3f}, {row[f'{name}_high']:.3f}]"
