"""Pictures of a consensus beside the truth: ranks, precision and recall, agreement, cut-offs."""

from collections.abc import Mapping, Sequence
from typing import Any

from karat.errors import OptionError
from karat.report.colours import BLUE, GREY, ORANGE
from karat.result.base import Row
from karat.verdict.consensus.cutoffs import Cutoffs
from karat.verdict.consensus.parts import OTHERS
from karat.verdict.consensus.result import ConsensusResult

LINES = 22
"""How many names have room below each other."""
STYLES = ("-", "--", ":", "-.")
SIDES = {"truth_": "by the truth", "": "by consensus, without the truth"}
"""How columns of rows begin, and by what they judge."""


def consensus(result: ConsensusResult, canvas: Any) -> None:
    """Draw the ranks by consensus and by the truth, if there is one, and how often systems agree, if that is known."""
    drawings = []
    if result.truth_comparison is not None:
        drawings.append(_ranks)
    if result.true_rates:
        drawings.append(_precision_and_recall)
    if result.agreement.observed is not None:
        drawings.append(_agreement)
    if not drawings:
        raise OptionError(
            "without a truth, and with so many classes or systems, there is nothing to draw"
        )
    size = len(result.ranks)
    canvas.set_size_inches(2 + 0.3 * size * len(drawings), 1.6 + 0.24 * size)
    panels = canvas.subplots(1, len(drawings), squeeze=False)[0]
    for draw, axes in zip(drawings, panels, strict=True):
        draw(axes, result)


def _ranks(axes: Any, result: ConsensusResult) -> None:
    """Draw a line from each system's rank without the truth to its rank with it."""
    by_truth: Mapping[str, int] = result.truth_comparison.ranks if result.truth_comparison else {}
    for name, rank in result.ranks.items():
        other = by_truth[name]
        colour = BLUE if rank == other else ORANGE
        axes.plot([0, 1], [rank, other], color=colour, lw=1.4, marker="o", ms=3)
        axes.text(-0.05, rank, name, ha="right", va="center", fontsize=8)
        axes.text(1.05, other, name, ha="left", va="center", fontsize=8)
    axes.set(xlim=(-1.2, 2.2), ylim=(len(result.ranks) + 0.5, 0.5))
    axes.set_title("rank by consensus, and by the truth", fontsize=9)
    axes.axis("off")


def _agreement(axes: Any, result: ConsensusResult) -> None:
    """Draw how often every two systems agree."""
    observed = result.agreement.observed
    order = result.by_family()
    names = [result.agreement.names[place] for place in order]
    if observed is not None:
        axes.imshow(observed[order][:, order], cmap="Blues", vmax=1, aspect="auto")
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(range(len(names)), range(1, len(names) + 1))
    axes.set_title("how often two systems agree\n(correlated systems together)", fontsize=9)


def _precision_and_recall(axes: Any, result: ConsensusResult) -> None:
    """Draw precision against recall: a ring by consensus, a dot by the truth."""
    dots: dict[str, tuple[float, float]] = {}
    for one in result.systems:
        true = result.true_rates.get(one.system)
        if true is None or true.precision is None or true.recall is None:
            continue
        if one.precision is None or one.recall is None:
            continue
        recalls = [one.recall, true.recall]
        precisions = [one.precision, true.precision]
        axes.plot(recalls, precisions, color=GREY, lw=1, zorder=1)
        axes.plot([one.recall], [one.precision], marker="o", mfc="white", color=BLUE, ms=5)
        axes.plot([true.recall], [true.precision], marker="o", color=ORANGE, ms=5)
        dots[one.system] = (true.recall, true.precision)
    axes.margins(x=0.2)
    _names(axes, dots)
    axes.set(xlabel="recall", ylabel="precision")
    axes.set_title(f"ring: by consensus; dot: by {result.truth_source}", fontsize=9)
    axes.grid(alpha=0.3)


def _names(axes: Any, dots: Mapping[str, tuple[float, float]]) -> None:
    """Write a name beside each dot, none over another."""
    low, high = axes.get_ylim()
    names = sorted(dots, key=lambda name: -dots[name][1])
    heights = spread([dots[name][1] for name in names], (high - low) / LINES)
    for name, height in zip(names, heights, strict=True):
        place = (dots[name][0], height)
        axes.annotate(name, place, (6, 0), textcoords="offset points", va="center", fontsize=7)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Return falling heights, each at least a gap below the one before.

    >>> spread([0.9, 0.88, 0.5], 0.1)
    [0.9, 0.8, 0.5]
    """
    lowered: list[float] = []
    for height in heights:
        highest = lowered[-1] - gap if lowered else height
        lowered.append(min(height, highest))
    return lowered


def cutoffs(result: Cutoffs, canvas: Any) -> None:
    """Draw precision against recall at each cut-off, by the truth and by consensus, as the paper's Figures 1 and 2."""
    rows = [row for row in result.rows() if row["system"] not in OTHERS]
    prefixes = [prefix for prefix in SIDES if f"{prefix}precision" in rows[0]]
    canvas.set_size_inches(5.2 * len(prefixes), 4.4)
    panels = canvas.subplots(1, len(prefixes), squeeze=False)[0]
    for axes, prefix in zip(panels, prefixes, strict=True):
        _curves(axes, rows, prefix)
        axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
        axes.set_title(f"{SIDES[prefix]}; each dot is a cut-off", fontsize=9)
        axes.grid(alpha=0.3)
    panels[-1].legend(frameon=False, fontsize=7)


def _curves(axes: Any, rows: Sequence[Row], prefix: str) -> None:
    """Draw a line for each system through the cut-offs at which both values are defined."""
    systems = sorted({row["system"] for row in rows})
    for place, name in enumerate(systems):
        recalls = []
        precisions = []
        for row in rows:
            recall = row[f"{prefix}recall"]
            precision = row[f"{prefix}precision"]
            if row["system"] == name and recall is not None and precision is not None:
                recalls.append(recall)
                precisions.append(precision)
        if recalls:
            style = STYLES[place // 10 % len(STYLES)]
            axes.plot(recalls, precisions, marker=".", lw=1.2, ls=style, label=name)
