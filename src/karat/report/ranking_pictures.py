"""Pictures of a ranking for papers: groups on a line, leads as a forest, ranks and groups as heat maps, confusions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.errors import OptionError
from karat.report.colours import BLUE
from karat.report.value_line import on_a_line
from karat.result import Result
from karat.result.base import Row
from karat.verdict.class_errors import ClassErrors
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.score.result import MEAN, ScoreResult

GREYS = "Greys"
"""Shades that print as they are seen."""
SMALLEST = 0.005
"""What is smaller is written as an empty cell."""
MOST_NUMBERS = 16
"""Up to so many columns have numbers in their cells."""


@dataclass(frozen=True, slots=True)
class RankingPicture(Result):
    """Comparisons drawn as one of several pictures of their ranking."""

    compared: ComparisonResult
    form: str

    def rows(self) -> list[Row]:
        """Return the comparisons."""
        return self.compared.rows()

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the comparisons under their headings."""
        return self.compared.parts()

    def paint(self, canvas: Any) -> None:
        """Draw it."""
        paint = {"ranking": _on_a_line, "forest": _forest, "ranks": _rank_chances}[self.form]
        paint(self.compared, canvas)


@dataclass(frozen=True, slots=True)
class GroupsPicture(Result):
    """The value of each system in each group."""

    scores: ScoreResult

    def rows(self) -> list[dict[str, Any]]:
        """Return the scores."""
        return self.scores.rows()

    def paint(self, canvas: Any) -> None:
        """Draw a cell for each system and group; darker is the larger value."""
        rows = [row for row in self.scores.rows() if row["group"] != MEAN]
        groups = list(dict.fromkeys(str(row["group"]) for row in rows))
        systems = list(dict.fromkeys(str(row["system"]) for row in rows))
        values = {(str(row["group"]), str(row["system"])): row["value"] for row in rows}
        grid = [[values.get((group, system)) for system in systems] for group in groups]
        axes = _cells(canvas, grid, groups, systems)
        axes.set_title(f"{rows[0]['measure']} by group", fontsize=9)


@dataclass(frozen=True, slots=True)
class ConfusionPicture(Result):
    """Which label the best system takes for which."""

    errors: ClassErrors

    def rows(self) -> list[dict[str, Any]]:
        """Return the most frequent confusions."""
        return [
            {"truth": one.truth, "answer": one.answer, "number": one.number, "of": one.of}
            for one in self.errors.confusions
        ]

    def paint(self, canvas: Any) -> None:
        """Draw a cell for each two labels, as a share of the true label's items."""
        grid: list[list[float | None]] = []
        for row in self.errors.matrix:
            total = sum(row) or 1
            grid.append([number / total for number in row])
        axes = _cells(canvas, grid, self.errors.rows, self.errors.columns)
        axes.set_ylabel("label that counts as true")
        axes.set_title(f"{self.errors.system}: share of each label by answer", fontsize=9)


MOST_UPRIGHT = 2
"""Letters of names that are not turned below a table."""


def _ranking_of(result: ComparisonResult) -> MeasureRanking:
    if len(result.rankings) != 1:
        raise OptionError("a picture shows one measure; name one with --measure")
    return result.rankings[0]


def _on_a_line(result: ComparisonResult, canvas: Any) -> None:
    on_a_line(_ranking_of(result), canvas)


def _forest(result: ComparisonResult, canvas: Any) -> None:
    """Draw by how much each system is behind the first, with the interval."""
    ranking = _ranking_of(result)
    first = ranking.order[0]
    others = [
        one for one in result.comparisons if one.first == first and one.difference is not None
    ]
    if not others:
        raise OptionError("there is nothing to compare the first system with")
    canvas.set_size_inches(6.5, 0.24 * len(others) + 1.2)
    axes = canvas.add_subplot()
    for place, one in enumerate(others):
        filled = BLUE if one.is_significant else "white"
        axes.plot([one.low, one.high], [place, place], color="black", lw=1.4)
        axes.plot([one.difference], [place], marker="s", color="black", mfc=filled, ms=5)
    axes.axvline(0, color="black", lw=0.7, ls=":")
    axes.set_yticks(range(len(others)), [one.second for one in others])
    axes.set_ylim(len(others) - 0.5, -0.5)
    axes.set_xlabel(f"difference in {ranking.quantity}, level {ranking.level:g}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_title(
        f"{first} minus each other system\nfilled: significantly different (Holm)", fontsize=9
    )


def _rank_chances(result: ComparisonResult, canvas: Any) -> None:
    """Draw in which share of the resamples each system has each rank."""
    ranking = _ranking_of(result)
    if ranking.ranks is None:
        raise OptionError("ranks of so many items were not simulated")
    by_system = dict(zip(ranking.ranks.systems, ranking.ranks.chance.tolist(), strict=True))
    grid = [by_system[name] for name in ranking.order]
    places = [str(place) for place in range(1, len(ranking.order) + 1)]
    axes = _cells(canvas, grid, ranking.order, places)
    axes.set_title(f"{ranking.quantity}: share of the resamples with each rank", fontsize=9)


def _cells(
    canvas: Any,
    grid: Sequence[Sequence[float | None]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> Any:
    """Draw a grid with names, numbers and a scale, in shades of grey."""
    width = min(0.42, 9 / max(1, len(columns)))
    canvas.set_size_inches(2.6 + width * len(columns), 1.4 + 0.2 * len(rows))
    axes = canvas.add_subplot()
    numbers = np.array(grid, float)  # None becomes NaN
    shown = axes.imshow(numbers, cmap=GREYS, aspect="auto")
    if len(columns) <= MOST_NUMBERS:
        low, high = shown.get_clim()
        _write_numbers(axes, grid, white_above=(low + high) / 2)
    axes.set_yticks(range(len(rows)), rows)
    upright = all(len(name) <= MOST_UPRIGHT for name in columns)
    axes.set_xticks(range(len(columns)), columns, rotation=0 if upright else 90)
    axes.tick_params(length=0)
    canvas.colorbar(shown, ax=axes, shrink=0.7, aspect=30)
    return axes


def _write_numbers(
    axes: Any, grid: Sequence[Sequence[float | None]], *, white_above: float
) -> None:
    """Write each number into its cell: white on dark cells, which have the large values."""
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if value is None or value < SMALLEST:
                continue
            colour = "white" if value > white_above else "black"
            text = f"{value:.2f}".removeprefix("0") if value < 1 else "1"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=6)
