"""Confusions of labels, and the errors that systems share: results as rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from karat.errors import OptionError
from karat.graphs.errors.error_counts import KINDS, GraphErrors
from karat.result import Result
from karat.result.base import Row
from karat.words import counted

SHOWN = 15
"""So many confusions a reader is shown of each system and kind."""
WORDS = {"primitive": "primitives", "pair": "pairs", "object": "objects"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Confusions(Result):
    """How often each label is read as each other one."""

    errors: GraphErrors
    kinds: tuple[str, ...] = KINDS
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an unknown kind."""
        for kind in self.kinds:
            if kind not in KINDS:
                raise OptionError(f"--confusion is {kind!r}; it takes {', '.join(KINDS)} or all")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system, kind and pair of labels, the most frequent first."""
        frequent = Counter(self.errors.confusions)
        ordered = sorted(frequent, key=lambda key: (-frequent[key], key))
        by_system: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for system, kind, truth, output in ordered:
            number = frequent[system, kind, truth, output]
            row = {
                "unit": kind,
                "system": system,
                "truth": truth,
                "output": output,
                "number": number,
            }
            by_system.setdefault((kind, system), []).append(row)
        rows = []
        for kind in self.kinds:
            for system in self.errors.systems:
                rows += by_system.get((kind, system), [])
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the most frequent confusions of each system and kind."""
        tables: dict[str, list[Row]] = {}
        for row in self.rows():
            table = tables.setdefault(f"{row['system']}: {WORDS[row['unit']]}", [])
            if len(table) < SHOWN:
                shown = {"given": row["truth"], "read": row["output"], "number": row["number"]}
                table.append(shown)
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the labels mean."""
        return (
            f"The {SHOWN} most frequent confusions of each; --csv and --json have all.",
            "ABSENT: a primitive that is not in the graph; _: no label; *: in one object; ∅: no such object.",
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CommonErrors(Result):
    """What two systems both have wrong, and what only one of them has wrong."""

    errors: GraphErrors
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a single system."""
        if len(self.errors.systems) < 2:
            raise OptionError(f"{self.errors.systems[0]!r} is one system; common errors need two")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per kind and pair of systems."""
        rows = []
        for kind in KINDS:
            for first, second in combinations(self.errors.systems, 2):
                rows.append(self._row(kind, first, second))
        return rows

    def _row(self, kind: str, first: str, second: str) -> dict[str, Any]:
        same, other, only_first, only_second = self.errors.pairs[kind, first, second]
        both = same + other
        either = both + only_first + only_second
        return {
            "unit": kind,
            "first": first,
            "second": second,
            "same_error": same,
            "other_error": other,
            "only_first": only_first,
            "only_second": only_second,
            "common": both / either if either else None,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the pairs of systems by kind, and how many systems share an error."""
        tables: dict[str, list[Row]] = {}
        for row in self.rows():
            shown = {
                "first": row["first"],
                "second": row["second"],
                "same wrong label": row["same_error"],
                "different wrong labels": row["other_error"],
                "only first": row["only_first"],
                "only second": row["only_second"],
            }
            tables.setdefault(f"wrong {WORDS[row['unit']]}", []).append(shown)
        tables["how many systems share an error"] = self._by_number_of_systems()
        return tables

    def _by_number_of_systems(self) -> list[Row]:
        """Return for each kind how many errors 1, 2, ... systems have."""
        most = len(self.errors.systems)
        sizes: Counter[tuple[str, int]] = Counter()
        for (kind, systems), number in self.errors.shared.items():
            sizes[kind, len(systems)] += number
        rows: list[Row] = []
        for kind in KINDS:
            numbers = {f"{size} of {most}": sizes[kind, size] for size in range(1, most + 1)}
            rows.append({"unit": kind, **numbers})
        return rows

    def beside(self) -> Mapping[str, Any]:
        """Return the input, and which systems share which errors."""
        by_frequency = sorted(self.errors.shared.items(), key=lambda pair: (pair[0][0], -pair[1]))
        shared = [
            {"unit": kind, "systems": list(systems), "number": number}
            for (kind, systems), number in by_frequency
        ]
        files = [
            {"systems": list(systems), "number": number}
            for systems, number in sorted(self.errors.files.items())
        ]
        return {**self.about, "shared": shared, "expressions": files}

    def notes(self) -> Sequence[str]:
        """Return in how many expressions all, and none, of the systems are wrong."""
        files = self.errors.files
        without = counted(files.get((), 0), "expression")
        all_wrong = files.get(self.errors.systems, 0)
        some_right = sum(files.values()) - all_wrong
        by_system = f"{without} without an error of any system, {all_wrong:,} with errors of all"
        by_choice = "that many a perfect choice among the systems would get right"
        return (f"{by_system}; in {some_right:,} at least one system is right: {by_choice}.",)
