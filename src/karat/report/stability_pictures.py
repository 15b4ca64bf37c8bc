"""A picture of stability: how robust each order is to wrong labels, and how likely each rank is."""

from typing import Any

from karat.report.colours import DIM
from karat.verdict.stability.orders import RankingStability
from karat.verdict.stability.result import StabilityResult

MOST_NUMBERS = 15
"""Up to how many systems the probabilities of ranks are written as numbers."""
MOST_NAMED = 10
"""So many orders, the least robust ones, have a line of their own."""


def robustness(result: StabilityResult, canvas: Any) -> None:
    """Draw P(order kept) against the share of wrong labels, and the ranks at the first share requested."""
    rankings = result.rankings[:1]
    canvas.set_size_inches(6 + 5 * len(rankings), 4.5)
    panels = canvas.subplots(1, 1 + len(rankings), squeeze=False)[0]
    _orders(panels[0], result)
    for ranking in rankings:
        _ranks(panels[1], ranking)


def _orders(axes: Any, result: StabilityResult) -> None:
    """Draw each order as a line that falls as more labels are wrong."""
    weakest = sorted(result.curves, key=lambda curve: sum(curve.kept))
    others = weakest[MOST_NAMED:]
    for curve in others:
        axes.plot(curve.rates, curve.kept, lw=0.8, color=DIM)
    for place, curve in enumerate(weakest[:MOST_NAMED]):
        label = f"{curve.better} before {curve.worse}"
        axes.plot(curve.rates, curve.kept, lw=1.2, color=f"C{place}", label=label)
    if others:
        axes.plot([], [], lw=0.8, color=DIM, label=f"{len(others):,} more robust orders")
    axes.axhline(result.level, color="black", lw=0.6)
    axes.set_xlabel("share of labels that are wrong by chance, the kindest case")
    axes.set_ylabel("probability that the order is kept")
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, fontsize=7, loc="lower left")


def _ranks(axes: Any, ranking: RankingStability) -> None:
    """Draw how likely each rank is: darker is likelier, with the number where it is not near 0."""
    size = len(ranking.order)
    places = [ranking.systems.index(name) for name in ranking.order]
    chances = ranking.under_noise.ranks[places]
    axes.imshow(chances, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    if size <= MOST_NUMBERS:
        for row, values in enumerate(chances.tolist()):
            for column, chance in enumerate(values):
                if chance >= 0.005:
                    _number(axes, row, column, chance)
    axes.set_yticks(range(size), ranking.order)
    fontsize = 9 if size <= MOST_NUMBERS else 6
    axes.set_xticks(range(size), range(1, size + 1), fontsize=fontsize)
    axes.set_title(f"P(rank) {ranking.words}", fontsize=9)


def _number(axes: Any, row: int, column: int, chance: float) -> None:
    colour = "white" if chance > 0.5 else "black"
    text = f"{chance:.2f}"
    axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=7)
