"""How far systems are from each other and from the truth, for clustering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.graphs.compare.distance import Distance, distances
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.summary import whole
from karat.graphs.formats.folder import GraphSet
from karat.result import Result
from karat.result.base import Row
from karat.words import counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Distances(Result):
    """The distance of every set of graphs from every other, summed over expressions."""

    measure: str
    names: tuple[str, ...]
    matrix: npt.NDArray[np.float64]
    files: int
    left_out: int
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> Sequence[Row]:
        """Return a row per pair."""
        rows = []
        for a, b in combinations(range(len(self.names)), 2):
            row: Row = {
                "first": self.names[a],
                "second": self.names[b],
                "measure": self.measure,
                "distance": float(self.matrix[a, b]),
            }
            rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the matrix."""
        rows = []
        for name, distances_of in zip(self.names, self.matrix, strict=True):
            row: dict[str, Any] = {"": name}
            for other, value in zip(self.names, distances_of, strict=True):
                row[other] = whole(value)
            rows.append(row)
        return {f"{self.measure}, summed over expressions": rows}

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the matrix."""
        return {
            **self.about,
            "names": list(self.names),
            "matrix": self.matrix.tolist(),
            "files": self.files,
        }

    def notes(self) -> Sequence[str]:
        """Return over what the sum goes."""
        summed = counted(self.files, "expression")
        left_out = counted(self.left_out, "expression")
        over = "over the primitives that all graphs of an expression have"
        return (f"{summed}, {over}; {left_out} without such left out.",)


def set_distances(sets: Sequence[GraphSet], measure: Distance, rules: Rules) -> Distances:
    """Return how far sets of graphs are from each other, over the expressions that all of them have."""
    every = dict.fromkeys(name for one in sets for name in one.graphs)
    total = np.zeros((len(sets), len(sets)))
    files = 0
    for file in every:
        if not all(file in one.graphs for one in sets):
            continue
        of_file = {one.name: one.graphs[file] for one in sets}
        try:
            _, matrix = distances(of_file, measure=measure, rules=rules)
        except InputError:
            continue
        total += matrix
        files += 1
    return Distances(
        measure=measure,
        names=tuple(one.name for one in sets),
        matrix=total,
        files=files,
        left_out=len(every) - files,
    )
