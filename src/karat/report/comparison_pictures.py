"""A picture of comparisons: who is better than whom."""

from typing import Any

from karat.report.colours import BLUE, GREEN, GREY, ORANGE
from karat.verdict.compare.comparison import BETTER, NO_WORSE, UNDECIDED, WORSE
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.compare.result import ComparisonResult

REVERSED = {BETTER: WORSE, WORSE: BETTER}
CELLS = {BETTER: (BLUE, "+"), WORSE: (ORANGE, "-"), NO_WORSE: (GREEN, "o")}
"""The colour and the sign of each verdict."""


def matrix(result: ComparisonResult, canvas: Any) -> None:
    """Draw who is better than whom, in the order of the ranking, and a line for each group of similar systems."""
    ranking = result.rankings[0]
    order = ranking.order
    size = len(order)
    groups = [members for members in ranking.groups if len(members) > 1]
    side = 0.24 * size + 2.2
    canvas.set_size_inches(side + 0.12 * len(groups) + 0.6, side)
    axes = canvas.add_subplot()
    for one in result.comparisons:
        if one.quantity == ranking.quantity:
            row = order.index(one.first)
            column = order.index(one.second)
            _cell(axes, row, column, one.verdict)
            _cell(axes, column, row, REVERSED.get(one.verdict, UNDECIDED))
    for place, members in enumerate(groups):
        across = size - 0.1 + 0.5 * place
        ends = [order.index(members[0]) - 0.3, order.index(members[-1]) + 0.3]
        axes.plot([across, across], ends, color="black", lw=1.5, solid_capstyle="butt")
    right = size - 0.3 + 0.5 * len(groups)
    axes.set(xlim=(-0.5, right), ylim=(size - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(size), order, rotation=90)
    axes.set_yticks(range(size), [_name_and_value(ranking, name) for name in order])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    question = f"{ranking.quantity}: is the row better (+) or worse (-) than the column?"
    reading = "Lines join groups that are not significantly different."
    canvas.suptitle(f"{question}\n{reading}", x=0.01, ha="left", fontsize=9)


def _name_and_value(ranking: MeasureRanking, name: str) -> str:
    value = ranking.values[name]
    return f"{name}  undefined" if value is None else f"{name}  {value:.3f}"


def _cell(axes: Any, row: int, column: int, verdict: str) -> None:
    colour, sign = CELLS.get(verdict, (GREY, ""))
    axes.fill_between([column - 0.46, column + 0.46], row - 0.46, row + 0.46, color=colour, lw=0)
    axes.text(column, row, sign, ha="center", va="center", color="white", fontsize=8)
