"""How good formulas are as sequences of tokens: the result, beside the same rates by the labels of graphs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.tokens.token_counts import TokenCounts
from karat.graphs.compare.tokens.token_rates import (
    AT_MOST,
    TokenRate,
    share_within,
    token_error_rate,
    token_gaps,
)
from karat.result import Result
from karat.result.base import Row
from karat.words import counted, listing

EXP_RATE = "ExpRate"
ERROR_RATE = "token error rate"
MEANING = (
    "A token is wrong if it must be inserted, deleted or substituted, in LaTeX written in one way (karat's normal "
    "form); by graph: at most so many wrong labels of symbols and of pairs of them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScores(Result):
    """ExpRate, the shares of formulas with at most 1, 2 and 3 wrong tokens, and the token error rate."""

    counts: TokenCounts
    by_graph: Mapping[str, Mapping[int, float | None]]
    """The shares of expressions with at most so many wrong labels, by system."""
    level: float = 0.95
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    section = "measure"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per measure and system, the best first."""
        rows: list[dict[str, Any]] = []
        for most in AT_MOST:
            name = f"<= {most}" if most else EXP_RATE
            found = []
            for system in self.counts.systems:
                rate = share_within(self.counts, system, most, level=self.level)
                row = _row(name, system, rate, self.level)
                row["by_graph"] = self.by_graph[system][most]
                found.append(row)
            rows += _ranked(found, sign=-1)
        rates = [
            _row(
                ERROR_RATE,
                system,
                token_error_rate(self.counts, system, level=self.level),
                self.level,
            )
            for system in self.counts.systems
        ]
        return [*rows, *_ranked(rates, sign=1)]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table for each measure, and the differences of the token error rates."""
        tables: dict[str, list[Row]] = {}
        for row in self.rows():
            tables.setdefault(_heading(row["measure"]), []).append(_table_row(row))
        gaps = self.gaps()
        if gaps:
            tables[f"difference of the {ERROR_RATE}, first - second"] = [
                _shown(gap) for gap in gaps
            ]
        return tables

    def gaps(self) -> list[Row]:
        """Return how much the token error rates of each two systems differ."""
        return [
            {
                "first": gap.first,
                "second": gap.second,
                "difference": gap.difference,
                "low": gap.low,
                "high": gap.high,
                "p_value": gap.p_value,
                "p_adjusted": gap.p_adjusted,
                "level": self.level,
                "method": f"jackknife over {len(self.counts.formulas):,} formulas",
            }
            for gap in token_gaps(self.counts, level=self.level)
        ]

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the differences, and what was left out."""
        return {
            **self.about,
            "differences": self.gaps(),
            "absent": {name: list(names) for name, names in self.counts.absent.items()},
            "left_out": list(self.counts.left_out),
            "warnings": list(self.warnings()),
        }

    def warnings(self) -> tuple[str, ...]:
        """Return which formulas are missing, and which cannot be written."""
        warnings = [f"warning: {what}" for what in self.remarks]
        if self.counts.left_out:
            left_out = listing(self.counts.left_out, most=3)
            many = counted(len(self.counts.left_out), "graph")
            warnings.append(
                f"warning: {many} of the truth left out, as they are not formulas of LaTeX: {left_out}."
            )
        for system, names in self.counts.absent.items():
            if names:
                formulas = counted(len(names), "formula")
                warnings.append(
                    f"warning: {system}: {formulas} without an output that is a formula, all tokens wrong: "
                    f"{listing(names, most=3)}."
                )
        return tuple(warnings)

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        formulas = counted(len(self.counts.formulas), "formula")
        tokens = counted(int(self.counts.tokens.sum()), "token")
        compare = "karat compare --graphs ... --unit formula [--within K] compares the systems on the same formulas."
        return (*self.warnings(), f"The truth has {formulas} and {tokens}.", MEANING, compare)


def _row(measure: str, system: str, rate: TokenRate, level: float) -> dict[str, Any]:
    return {
        "measure": measure,
        "system": system,
        "successes": rate.wrong_or_right,
        "trials": rate.of,
        "value": rate.value,
        "low": rate.low,
        "high": rate.high,
        "level": level,
        "method": rate.method,
    }


def _ranked(rows: list[dict[str, Any]], *, sign: int) -> list[dict[str, Any]]:
    """Return rows with their ranks, the best first: the smallest value times `sign`."""
    known = [row for row in rows if row["value"] is not None]
    known.sort(key=lambda row: (sign * row["value"], row["system"]))
    values = [row["value"] for row in known]
    ranked = [{"rank": 1 + values.index(row["value"]), **row} for row in known]
    return [*ranked, *({"rank": None, **row} for row in rows if row["value"] is None)]


def _heading(measure: str) -> str:
    return f"{measure} wrong tokens" if measure.startswith("<=") else measure


def _table_row(row: Row) -> Row:
    """Return a rate as a person reads it."""
    shown = {"rank": row["rank"], "system": row["system"]}
    shown["counts"] = f"{row['successes']:,}/{row['trials']:,}"
    for name in ("value", "low", "high"):
        shown[name] = row[name]
    if "by_graph" in row:
        shown["by graph"] = _rate_text(row["by_graph"])
    return {**shown, "level": row["level"], "method": row["method"]}


def _shown(gap: Row) -> Row:
    """Return a difference as a person reads it."""
    return {
        "first": gap["first"],
        "second": gap["second"],
        "difference": f"{gap['difference']:+.4f}",
        "interval": f"[{gap['low']:+.4f}, {gap['high']:+.4f}]",
        "p (Holm)": gap["p_adjusted"],
    }


def _rate_text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
