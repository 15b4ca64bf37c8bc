"""Pictures of class balances: curves in several fields, areas and ranks against the balance, and moved precisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.ask.prevalence import Field, percent
from karat.measure.prevalence.pr_curve import WORST, areas, joined, rises
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row
from karat.verdict.prevalence.groups_result import ALL, MEAN, GroupedSkew
from karat.verdict.prevalence.published import Moved
from karat.verdict.prevalence.result import Skewed
from karat.verdict.prevalence.slider import ends

SHADE = "#dddddd"
ACROSS = 3
"""So many curves' pictures stand in a row."""
STYLES = ("-", "--", ":", "-.")
TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
STEPS = 201
MOST_GROUPS = 30
"""So many groups, the largest, are drawn."""


@dataclass(frozen=True, slots=True)
class AgainstSkew(Result):
    """Areas and ranks as functions of the class balance: what is drawn of a `Skewed`."""

    skewed: Skewed

    def rows(self) -> Sequence[Row]:
        """Return the order in each stretch of class balances."""
        return [
            {"low": one.low, "high": one.high, "order": list(one.order)}
            for one in self.skewed.stretches
        ]


def lines_of(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a colour and a style for each name, no two alike for up to 40.

    >>> lines_of(["a"])
    {'a': {'color': 'C0', 'ls': '-', 'lw': 1.3}}
    """
    return {
        name: {"color": f"C{k % 10}", "ls": STYLES[k // 10 % 4], "lw": 1.3}
        for k, name in enumerate(names)
    }


def fields(result: Skewed, canvas: Any) -> None:
    """Draw every system's curve in every field, and the region that no system can reach there."""
    number = len(result.fields)
    across = min(ACROSS, number)
    down = -(-number // across)
    size = len(result.curves)
    canvas.set_size_inches(4.6 * across, (3.6 + 0.2 * size) * down)
    found = canvas.subplots(down, across, squeeze=False).ravel()
    lines = lines_of(list(result.curves))
    for axes, where in zip(found, result.fields, strict=False):
        _field(axes, result, where, lines)
    for axes in found[number:]:
        axes.set_visible(False)


def _field(axes: Any, result: Skewed, where: Field, lines: Mapping[str, dict[str, Any]]) -> None:
    recall = np.linspace(1 / 500, 1, 500)
    _bounds(axes, where, recall)
    for one in sorted(
        (one for one in result.areas if one.field == where.name), key=lambda one: one.rank
    ):
        label = f"{one.found.area:.4f}  {one.system}"
        axes.plot(
            recall, result.precision(one.system, where, recall), label=label, **lines[one.system]
        )
        if band := result.bands.get((one.system, where.name)):
            axes.fill_between(
                band.recall, band.low, band.high, color=lines[one.system]["color"], alpha=0.18, lw=0
            )
    mean = "mean precision" if where.low < where.high else "precision"
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall", ylabel=mean)
    axes.set_title(where.name, fontsize=9)
    axes.legend(
        frameon=False,
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(0, -0.16),
        title="area",
        alignment="left",
    )


def groups(result: GroupedSkew, canvas: Any) -> None:
    """Draw every system's area in the largest groups, with its interval; the mean and all items above them."""
    names = [MEAN, ALL, *result.largest(MOST_GROUPS)]
    systems = sorted({one.system for one in result.areas})
    number, room = len(result.fields), 0.7 / len(systems)
    canvas.set_size_inches(1.6 + 4.2 * number, 1.2 + (0.2 + 0.11 * len(systems)) * len(names))
    found = canvas.subplots(1, number, squeeze=False, sharey=True)[0]
    lines = lines_of(systems)
    for axes, where in zip(found, result.fields, strict=True):
        for place, system in enumerate(systems):
            same = [one for one in result.areas if (one.field, one.system) == (where.name, system)]
            own = [one for one in same if one.group in names]
            heights = [names.index(one.group) + room * (place + 0.5) - 0.35 for one in own]
            style = {"color": lines[system]["color"]}
            for one, height in zip(own, heights, strict=True):
                if one.low is not None:
                    axes.plot([one.low, one.high], [height, height], lw=1.1, **style)
            values = [one.found.area for one in own if one.found]
            axes.plot(values, heights, ls="", marker="o", ms=4, label=system, **style)
        axes.axhline(1.5, color="black", lw=0.6)
        axes.set_yticks(range(len(names)), names)
        axes.set(ylim=(len(names) - 0.4, -0.6), xlabel="area under the precision-recall curve")
        axes.set_title(where.name, fontsize=9)
        axes.grid(axis="x", alpha=0.3)
    found[0].figure.legend(
        *found[0].get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=8
    )


def _bounds(axes: Any, where: Field, recall: FloatArray) -> None:
    """Shade what no system can reach, and draw what scores at random have."""
    axes.fill_between(recall, 0, where.minimum(recall), color=SHADE, lw=0)
    axes.axhline(_mean(where), color="black", lw=0.8, ls=(0, (1, 2)))


def _mean(where: Field) -> float:
    return float((where.spread.weight * where.spread.pi).sum())


def against(result: Skewed, canvas: Any) -> None:
    """Draw the areas, and the ranks, against the class balance."""
    size = len(result.curves)
    # The names stand beside the ranks, so that no legend is needed.
    canvas.set_size_inches(11, max(4.2, 1.4 + 0.2 * size))
    left, right = canvas.subplots(1, 2)
    lines = lines_of(list(result.curves))
    low, high = ends(result.own)
    places = np.linspace(_logit(low), _logit(high), STEPS)
    _areas(left, result, places, lines)
    _ranks(right, result, places, lines)
    for axes in (left, right):
        shown = [pi for pi in TICKS if low <= pi <= high]
        axes.set_xticks([_logit(pi) for pi in shown], [percent(pi) for pi in shown])
        axes.axvline(_logit(result.own), color="black", lw=0.6)
        axes.set_xlabel("share of positives; the line is that of the data")


def _areas(
    axes: Any, result: Skewed, places: FloatArray, lines: Mapping[str, dict[str, Any]]
) -> None:
    pi = 1 / (1 + np.exp(-places))
    parts = {name: joined(rises(curve)) for name, curve in result.curves.items()}
    axes.fill_between(places, 0, areas(WORST, pi), color=SHADE, lw=0)
    axes.plot(places, pi, color="black", lw=0.8, ls=(0, (1, 2)))
    for name, one in parts.items():
        axes.plot(places, areas(one, pi), **lines[name])
    turns = [
        (skew, turn.first)
        for turn in result.turns
        for skew in turn.skews
        if pi[0] <= skew <= pi[-1]
    ]
    heights = [float(areas(parts[name], skew)) for skew, name in turns]
    axes.plot(
        [_logit(skew) for skew, _ in turns],
        heights,
        ls="",
        marker="o",
        ms=5,
        mfc="white",
        mec="black",
        zorder=3,
    )
    axes.set(xlim=(places[0], places[-1]), ylim=(0, 1.02))
    axes.set_title(
        "area under the precision-recall curve; circles: two systems change places", fontsize=9
    )


def _ranks(
    axes: Any, result: Skewed, places: FloatArray, lines: Mapping[str, dict[str, Any]]
) -> None:
    """Draw each system's rank as a line that moves where the order changes."""
    names, pi = list(result.curves), 1 / (1 + np.exp(-places))
    values = np.array([areas(joined(rises(curve)), pi) for curve in result.curves.values()])
    orders = np.argsort(-values, axis=0, kind="stable")  # equals keep a lane each
    ranks = 1 + np.argsort(orders, axis=0)
    for name, own in zip(names, ranks, strict=True):
        axes.plot(places, own, **lines[name] | {"lw": 2})
    for side, off, anchor in ((0, -0.15, "right"), (-1, 0.15, "left")):
        for rank, place in enumerate(orders[:, side], 1):
            colour = lines[names[place]].get("color")
            axes.text(
                places[side] + off,
                rank,
                names[place],
                ha=anchor,
                va="center",
                fontsize=8,
                color=colour,
            )
    axes.set(xlim=(places[0], places[-1]), ylim=(len(names) + 0.5, 0.5))
    axes.set_title("rank by area", fontsize=9)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)


def moved(result: Moved, canvas: Any) -> None:
    """Draw what every precision becomes in each field, and the least that any system can have there."""
    canvas.set_size_inches(9.6, 4.4)
    left, right = canvas.subplots(1, 2)
    first = result.found[0]
    precision, recall = np.linspace(0, 1, STEPS), np.linspace(1 / 500, 1, 500)
    ratio = first["from"] * (1 - precision), precision * (1 - first["from"])
    most = np.maximum(*ratio)
    for place, (where, row) in enumerate(zip(result.fields, result.found, strict=True)):
        colour = f"C{place % 10}"
        left.plot(
            precision,
            where.mean(ratio[1] / most, ratio[0] / most),
            color=colour,
            lw=1.3,
            label=where.name,
        )
        left.plot([row["precision"]], [row["value"]], marker="o", ms=5, color=colour)
        least = f"least area {float((where.spread.weight * areas(WORST, where.spread.pi)).sum()):.4f}, {where.name}"
        right.plot(recall, where.minimum(recall), color=colour, lw=1.3, label=least)
        right.axhline(_mean(where), color=colour, lw=1, ls="--")
    left.plot([0, 1], [0, 1], color="black", lw=0.6)
    left.set(
        xlabel=f"precision where {percent(first['from'])} are positive",
        ylabel="precision in the field",
    )
    left.set_title("what a precision becomes", fontsize=9)
    right.set(xlabel="recall", ylabel="precision")
    right.set_title("the least possible; dashed: scores at random", fontsize=9)
    for axes in (left, right):
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.14))


def _logit(pi: float) -> float:
    return float(np.log(pi) - np.log1p(-pi))
