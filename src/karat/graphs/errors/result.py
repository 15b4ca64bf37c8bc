"""Which labels stand for which, and which errors systems share: results as rows."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusions(Result):
    """How often which label stands for which, errors only."""

    errors: GraphErrors
    kinds: tuple[str, ...] = KINDS
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no kind."""
        for kind in self.kinds:
            if kind not in KINDS:
                raise OptionError(f"--confusion is {kind!r}; it takes {', '.join(KINDS)} or all")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system, kind and pair of labels, the most frequent first."""
        keys = sorted(self.errors.confusions, key=lambda key: (-self.errors.confusions[key], key))
        ordered = [(kind, name) for kind in self.kinds for name in self.errors.systems]
        return [
            {
                "unit": kind,
                "system": name,
                "truth": key[2],
                "output": key[3],
                "number": self.errors.confusions[key],
            }
            for kind, name in ordered
            for key in keys
            if key[:2] == (name, kind)
        ]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the most frequent confusions of each system and kind."""
        found: dict[str, list[Row]] = {}
        for row in self.rows():
            head = f"{row['system']}: {WORDS[row['unit']]}"
            found.setdefault(head, []).append(
                {"given": row["truth"], "read": row["output"], "number": row["number"]}
            )
        return {head: rows[:SHOWN] for head, rows in found.items()}

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the labels mean."""
        return (
            f"The {SHOWN} most frequent confusions of each; --csv and --json have all.",
            "ABSENT: a primitive that is not in the graph; _: no label; *: in one object; ∅: no such object.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonErrors(Result):
    """What two systems have wrong together, and what each has wrong alone."""

    errors: GraphErrors
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a single system."""
        if len(self.errors.systems) < 2:
            raise OptionError(f"{self.errors.systems[0]!r} is one system; common errors need two")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per kind and pair of systems."""
        return [
            self._row(kind, *pair)
            for kind in KINDS
            for pair in combinations(self.errors.systems, 2)
        ]

    def _row(self, kind: str, first: str, second: str) -> dict[str, Any]:
        alike, otherwise, one, two = self.errors.pairs[kind, first, second]
        union = alike + otherwise + one + two
        return {
            "unit": kind,
            "first": first,
            "second": second,
            "same_error": alike,
            "other_error": otherwise,
            "only_first": one,
            "only_second": two,
            "common": (alike + otherwise) / union if union else None,
        }

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the pairs of systems by kind, and how many systems share an error."""
        found: dict[str, list[Row]] = {}
        for row in self.rows():
            shown = {
                "first": row["first"],
                "second": row["second"],
                "wrong alike": row["same_error"],
                "both, otherwise": row["other_error"],
                "only first": row["only_first"],
                "only second": row["only_second"],
            }
            found.setdefault(f"wrong {WORDS[row['unit']]}", []).append(shown)
        return {**found, "how many systems share an error": self._numbers()}

    def _numbers(self) -> list[Row]:
        most = len(self.errors.systems)
        rows: list[Row] = []
        for kind in KINDS:
            sizes = [0] * (most + 1)
            for (what, systems), number in self.errors.shared.items():
                sizes[len(systems)] += number if what == kind else 0
            rows.append({"unit": kind, **{f"{k} of {most}": sizes[k] for k in range(1, most + 1)}})
        return rows

    def beside(self) -> Mapping[str, Any]:
        """Return the input, and who has what wrong together."""
        shared = [
            {"unit": kind, "systems": list(systems), "number": number}
            for (kind, systems), number in sorted(
                self.errors.shared.items(), key=lambda pair: (pair[0][0], -pair[1])
            )
        ]
        files = [
            {"systems": list(names), "number": number}
            for names, number in sorted(self.errors.files.items())
        ]
        return {**self.about, "shared": shared, "expressions": files}

    def notes(self) -> Sequence[str]:
        """Return in how many expressions all, and none, of the systems err."""
        every, none = self.errors.files.get(self.errors.systems, 0), self.errors.files.get((), 0)
        alone = sum(
            number
            for names, number in self.errors.files.items()
            if len(names) < len(self.errors.systems)
        )
        said = f"{counted(none, 'expression')} without an error of anybody, {every:,} with errors of everybody"
        return (
            f"{said}; in {alone:,} at least one system is right: so far a choice among them could reach.",
        )
