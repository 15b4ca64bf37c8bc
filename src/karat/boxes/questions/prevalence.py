"""What is a detector's average precision where its classes are rarer, or more frequent?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from karat.boxes.doubt.image_difference import ImageDifference
from karat.boxes.doubt.image_interval import (
    interval_at_prevalence,
    mean_interval,
)
from karat.boxes.matching.detections import Detections
from karat.boxes.measures.at_prevalence import average_precisions_at
from karat.errors import OptionError
from karat.result import Result
from karat.verdict.score.result import number_or_none

MEANING = (
    "Prevalence: the share of images that hold a class. Images with it, and without, are taken as they are here, and "
    "weighted; a class that fewer than 5 images hold, or fewer than 5 do not, is left out there. behind: by how much "
    "it is behind the best."
)


@dataclass(frozen=True, slots=True, repr=False)
class BoxPrevalenceResult(Result):
    """The mean average precision of every system at each prevalence."""

    section: ClassVar[str | None] = None
    found: tuple[Mapping[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each prevalence and system."""
        return [dict(row) for row in self.found]

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def prevalence_of_boxes(
    tallies: Mapping[str, Detections],
    prevalences: Sequence[float],
    *,
    overlap: float | None,
    level: float,
) -> tuple[Mapping[str, Any], ...]:
    """Return each system's mean average precision as the classes are here, and at each prevalence."""
    for one in prevalences:
        if not 0 < one < 1:
            raise OptionError(f"--to is {one:g}; a prevalence is between 0 and 1")
    measure = "mAP" if overlap is None else f"mAP@{overlap:g}"
    rows: list[Mapping[str, Any]] = []
    for prevalence in (None, *prevalences):
        found = {
            name: average_precisions_at(tally, prevalence, overlap=overlap)
            for name, tally in tallies.items()
        }
        best = max(found, key=lambda name: found[name].mean())
        for name, value in found.items():
            bounded = mean_interval if prevalence is None else interval_at_prevalence
            interval = bounded(value, level=level)
            gap = ImageDifference.of(found[best], value)
            ends = gap.interval(level=level)
            row = {
                "prevalence": prevalence,
                "system": name,
                "measure": measure,
                "value": number_or_none(value.mean()),
                "low": float(interval.low[0]),
                "high": float(interval.high[0]),
                "behind": None if name == best else number_or_none(gap.gap),
                "behind_low": None if name == best else ends.low,
                "behind_high": None if name == best else ends.high,
                "level": level,
                "method": interval.method,
            }
            rows.append(row)
    return tuple(rows)
