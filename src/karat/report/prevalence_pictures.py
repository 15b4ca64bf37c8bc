"""Pictures of prevalences: curves at several, areas and ranks against the prevalence, and converted precisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.measure.prevalence.pr_curve import WORST, areas
from karat.numeric.arrays import FloatArray
from karat.report.roc_pictures import roc_panel
from karat.result import Result
from karat.result.base import Row
from karat.verdict.prevalence.groups_result import ALL, MEAN, GroupedPrevalenceResult
from karat.verdict.prevalence.published import PublishedPrecision
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider import PrevalenceSlider

SHADE = "#dddddd"
DOTTED = (0, (1, 2))
ACROSS = 3
"""So many pictures of curves stand in a row."""
STYLES = ("-", "--", ":", "-.")
TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
STEPS = 201
RECALLS = np.linspace(1 / 500, 1, 500)
MOST_GROUPS = 30
"""So many groups, the largest, are drawn."""
Lines = Mapping[str, dict[str, Any]]
"""The colour and style of each system's line."""


@dataclass(frozen=True, slots=True, repr=False)
class AgainstPrevalence(Result):
    """Areas and ranks as functions of the prevalence: what is drawn of a `PrevalenceResult`."""

    result: PrevalenceResult
    slider: PrevalenceSlider
    """The areas at each prevalence that is drawn."""

    def rows(self) -> Sequence[Row]:
        """Return the order in each stretch of prevalences."""
        return [
            {"low": one.low, "high": one.high, "order": list(one.order)}
            for one in self.result.orders
        ]


def lines_of(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a colour and a style for each name, no two the same for up to 40.

    >>> lines_of(["a"])
    {'a': {'color': 'C0', 'ls': '-', 'lw': 1.3}}
    """
    lines = {}
    for place, name in enumerate(names):
        style = STYLES[place // 10 % len(STYLES)]
        lines[name] = {"color": f"C{place % 10}", "ls": style, "lw": 1.3}
    return lines


def fields(result: PrevalenceResult, canvas: Any) -> None:
    """Draw every system's curve at each prevalence, and the region that no system can reach; last the ROC curves."""
    number = len(result.deployments) + 1
    across = min(ACROSS, number)
    down = -(-number // across)
    size = len(result.curves)
    canvas.set_size_inches(4.6 * across, (3.6 + 0.2 * size) * down)
    panels = canvas.subplots(down, across, squeeze=False).ravel()
    lines = lines_of(list(result.curves))
    for axes, deployment in zip(panels, result.deployments, strict=False):
        _field(axes, result, deployment, lines)
    _roc(panels[number - 1], result, lines)
    for axes in panels[number:]:
        axes.set_visible(False)


def _roc(axes: Any, result: PrevalenceResult, lines: Lines) -> None:
    """Draw every system's ROC curve, which is the same at every prevalence."""
    areas = {area.system: area.roc_area for area in result.areas}
    roc_panel(axes, result.curves, areas, lines)
    axes.set_title("ROC curves, at every prevalence", fontsize=9)
    axes.legend(title="area", alignment="left", **_below(0.16))


def _field(
    axes: Any, result: PrevalenceResult, deployment: DeploymentPrevalence, lines: Lines
) -> None:
    """Draw every system's curve at one prevalence, the best first in the legend."""
    _bounds(axes, deployment)
    own = [area for area in result.areas if area.field == deployment.name]
    for area in sorted(own, key=lambda area: area.rank):
        line = lines[area.system]
        precision = result.precision(area.system, deployment, RECALLS)
        axes.plot(RECALLS, precision, label=f"{area.integrated.area:.4f}  {area.system}", **line)
        band = result.bands.get((area.system, deployment.name))
        if band:
            colour = line["color"]
            axes.fill_between(band.recall, band.low, band.high, color=colour, alpha=0.18, lw=0)
    precision_name = "mean precision" if deployment.low < deployment.high else "precision"
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall", ylabel=precision_name)
    axes.set_title(deployment.name, fontsize=9)
    axes.legend(title="area", alignment="left", **_below(0.16))


def _below(distance: float) -> dict[str, Any]:
    """Return how a legend is placed below its picture."""
    return {
        "frameon": False,
        "fontsize": 8,
        "loc": "upper left",
        "bbox_to_anchor": (0, -distance),
    }


def _bounds(axes: Any, deployment: DeploymentPrevalence) -> None:
    """Shade what no system can reach, and draw what random scores have."""
    axes.fill_between(RECALLS, 0, deployment.minimum(RECALLS), color=SHADE, lw=0)
    axes.axhline(_mean(deployment), color="black", lw=0.8, ls=DOTTED)


def _mean(deployment: DeploymentPrevalence) -> float:
    return float((deployment.spread.weight * deployment.spread.pi).sum())


def groups(result: GroupedPrevalenceResult, canvas: Any) -> None:
    """Draw every system's area in the largest groups, with its interval; the mean and all items above them."""
    names = [MEAN, ALL, *result.largest(MOST_GROUPS)]
    systems = sorted({area.system for area in result.areas})
    number = len(result.deployments)
    canvas.set_size_inches(1.6 + 4.2 * number, 1.2 + (0.2 + 0.11 * len(systems)) * len(names))
    panels = canvas.subplots(1, number, squeeze=False, sharey=True)[0]
    for axes, deployment in zip(panels, result.deployments, strict=True):
        _groups_at(axes, result, deployment, names, systems)
        axes.axhline(1.5, color="black", lw=0.6)
        axes.set_yticks(range(len(names)), names)
        axes.set(ylim=(len(names) - 0.4, -0.6), xlabel="area under the precision-recall curve")
        axes.set_title(deployment.name, fontsize=9)
        axes.grid(axis="x", alpha=0.3)
    handles, labels = panels[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside right upper", frameon=False, fontsize=8)


def _groups_at(
    axes: Any,
    result: GroupedPrevalenceResult,
    deployment: DeploymentPrevalence,
    names: Sequence[str],
    systems: Sequence[str],
) -> None:
    """Draw the areas at one prevalence, the systems of a group below each other."""
    lines = lines_of(systems)
    room = 0.7 / len(systems)
    for place, system in enumerate(systems):
        colour = lines[system]["color"]
        values = []
        heights = []
        for area in result.areas:
            if (area.field, area.system) != (deployment.name, system) or area.group not in names:
                continue
            height = names.index(area.group) + room * (place + 0.5) - 0.35
            if area.low is not None:
                axes.plot([area.low, area.high], [height, height], lw=1.1, color=colour)
            if area.integrated:
                values.append(area.integrated.area)
                heights.append(height)
        axes.plot(values, heights, ls="", marker="o", ms=4, label=system, color=colour)


def against(result: AgainstPrevalence, canvas: Any) -> None:
    """Draw the areas, and the ranks, against the prevalence."""
    slider = result.slider
    places = _logit(slider.prevalences[:-1])
    lines = lines_of(list(result.result.curves))
    # The names stand beside the ranks, so that no legend is needed.
    canvas.set_size_inches(11, max(4.2, 1.4 + 0.2 * len(lines)))
    left, right = canvas.subplots(1, 2)
    _areas(left, slider, places, lines)
    _ranks(right, slider, places, lines)
    low = slider.prevalences[0]
    high = slider.prevalences[-2]
    ticks = np.array([pi for pi in TICKS if low <= pi <= high])
    for axes in (left, right):
        axes.set_xlim(places[0], places[-1])
        axes.set_xticks(_logit(ticks), [percent(pi) for pi in ticks.tolist()])
        axes.axvline(_logit(slider.own), color="black", lw=0.6)
        axes.set_xlabel("share of positives; the line is that of the data")


def _areas(axes: Any, slider: PrevalenceSlider, places: FloatArray, lines: Lines) -> None:
    """Draw each system's area as a line, and a circle where two of them cross."""
    axes.fill_between(places, 0, slider.least[:-1], color=SHADE, lw=0)
    axes.plot(places, slider.prevalences[:-1], color="black", lw=0.8, ls=DOTTED)
    for name, values in zip(slider.systems, slider.areas, strict=True):
        axes.plot(places, values[:-1], **lines[name])
    circle = {"ls": "", "marker": "o", "ms": 5, "mfc": "white", "mec": "black", "zorder": 3}
    for prevalence, area in slider.turns:
        axes.plot([_logit(prevalence)], [area], **circle)
    axes.set_ylim(0, 1.02)
    title = "area under the precision-recall curve; circles: two systems change places"
    axes.set_title(title, fontsize=9)


def _ranks(axes: Any, slider: PrevalenceSlider, places: FloatArray, lines: Lines) -> None:
    """Draw each system's rank as a line that moves where the order changes."""
    values = slider.areas[:, :-1]
    orders = np.argsort(-values, axis=0, kind="stable")  # equal systems keep a lane each
    ranks = 1 + np.argsort(orders, axis=0)
    for name, own in zip(slider.systems, ranks, strict=True):
        axes.plot(places, own, **lines[name] | {"lw": 2})
    for side, off, anchor in ((0, -0.15, "right"), (-1, 0.15, "left")):
        for rank, place in enumerate(orders[:, side], 1):
            name = slider.systems[place]
            text = {"ha": anchor, "va": "center", "fontsize": 8, "color": lines[name]["color"]}
            axes.text(places[side] + off, rank, name, **text)
    axes.set_ylim(len(slider.systems) + 0.5, 0.5)
    axes.set_title("rank by area", fontsize=9)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)


def moved(result: PublishedPrecision, canvas: Any) -> None:
    """Draw what every precision becomes at each prevalence, and the least that any system can have there."""
    canvas.set_size_inches(9.6, 4.4)
    left, right = canvas.subplots(1, 2)
    old = result.found[0]["from"]
    for place, (deployment, row) in enumerate(zip(result.deployments, result.found, strict=True)):
        colour = f"C{place % 10}"
        precision, converted = _converted(deployment, old)
        left.plot(precision, converted, color=colour, lw=1.3, label=deployment.name)
        left.plot([row["precision"]], [row["value"]], marker="o", ms=5, color=colour)
        least = float((deployment.spread.weight * areas(WORST, deployment.spread.pi)).sum())
        label = f"least area {least:.4f}, {deployment.name}"
        right.plot(RECALLS, deployment.minimum(RECALLS), color=colour, lw=1.3, label=label)
        right.axhline(_mean(deployment), color=colour, lw=1, ls="--")
    left.plot([0, 1], [0, 1], color="black", lw=0.6)
    left.set_xlabel(f"precision where {percent(old)} are positive")
    left.set_ylabel("precision at the other prevalence")
    left.set_title("what a precision becomes", fontsize=9)
    right.set(xlabel="recall", ylabel="precision")
    right.set_title("the least possible; dashed: random scores", fontsize=9)
    for axes in (left, right):
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        axes.legend(**_below(0.14))


def _converted(deployment: DeploymentPrevalence, old: float) -> tuple[FloatArray, FloatArray]:
    """Return precisions at an old prevalence, and what they become at another one."""
    precision = np.linspace(0, 1, STEPS)
    # Precision fixes only the ratio of the two rates: scale the larger one to 1.
    false_positive_rate = old * (1 - precision)
    true_positive_rate = precision * (1 - old)
    largest = np.maximum(false_positive_rate, true_positive_rate)
    converted = deployment.mean(true_positive_rate / largest, false_positive_rate / largest)
    return precision, converted


def _logit(pi: Any) -> Any:
    return np.log(pi) - np.log1p(-pi)
