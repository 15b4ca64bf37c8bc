"""How far systems are from each other and from the truth, for clustering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.graphs.compare.distance import Distance, distances
from karat.graphs.compare.result import whole
from karat.graphs.compare.rules import Rules
from karat.graphs.formats.folder import GraphSet
from karat.result import Result
from karat.result.base import Row
from karat.words import counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
        return [
            {
                "first": first,
                "second": second,
                "measure": self.measure,
                "distance": float(self.matrix[a, b]),
            }
            for a, first in enumerate(self.names)
            for b, second in enumerate(self.names)
            if a < b
        ]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the matrix."""
        rows = [
            {"": name, **dict(zip(self.names, map(whole, self.matrix[place]), strict=True))}
            for place, name in enumerate(self.names)
        ]
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
        said = f"{counted(self.files, 'expression')}, over the primitives that all graphs of an expression have"
        return (f"{said}; {counted(self.left_out, 'expression')} without such left out.",)


def set_distances(sets: Sequence[GraphSet], measure: Distance, rules: Rules) -> Distances:
    """Return how far sets of graphs are from each other, over the expressions that all of them have."""
    names = tuple(one.name for one in sets)
    every = dict.fromkeys(name for one in sets for name in one.graphs)
    total, files = np.zeros((len(sets), len(sets))), 0
    for file in every:
        if all(file in one.graphs for one in sets):
            try:
                _, found = distances(
                    {one.name: one.graphs[file] for one in sets}, measure=measure, rules=rules
                )
            except InputError:
                continue
            total += found
            files += 1
    return Distances(
        measure=measure, names=names, matrix=total, files=files, left_out=len(every) - files
    )
