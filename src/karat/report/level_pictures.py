"""Pictures of agreement levels: every system's curves, a line a level, darker the more annotators agree."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, at_prevalence
from karat.measure.prevalence.pr_curve import fall_out_along, rises
from karat.numeric.arrays import FloatArray
from karat.report.roc_pictures import roc_panel
from karat.verdict.prevalence.agreement_result import OWN, AgreementLevels, LevelArea

MOST_SYSTEMS = 8
"""So many systems, the first, are drawn."""
RECALLS = np.linspace(1 / 500, 1, 500)
FIRST_SHADE, LAST_SHADE = 0.3, 1.0
"""The part of the colour map that is used: its lightest colours are hard to see."""


def agreement(result: AgreementLevels, canvas: Any) -> None:
    """Draw a row a system: precision-recall at the levels' own and at each common prevalence, and the ROC curves."""
    systems = list(dict.fromkeys(one.system for one in result.levels))[:MOST_SYSTEMS]
    at_levels = sorted({one.at_least for one in result.levels})
    across = 2 + len(result.deployments)
    canvas.set_size_inches(4.2 * across, 3.9 * len(systems))
    panels = canvas.subplots(len(systems), across, squeeze=False)
    shades = _shades(at_levels)
    for row, system in enumerate(systems):
        own = [one for one in result.levels if one.system == system]
        _precision_panel(panels[row, 0], result, own, None, shades)
        for place, deployment in enumerate(result.deployments, 1):
            _precision_panel(panels[row, place], result, own, deployment, shades)
        _roc(panels[row, -1], result, own, shades)


def _shades(at_levels: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the colour of each level."""
    from matplotlib import colormaps  # noqa: PLC0415 (optional)

    colours = colormaps["viridis_r"](np.linspace(FIRST_SHADE, LAST_SHADE, len(at_levels)))
    pairs = zip(at_levels, colours, strict=True)
    return {at_least: {"color": colour, "lw": 1.3} for at_least, colour in pairs}


def _precision_panel(
    axes: Any,
    result: AgreementLevels,
    own: Sequence[LevelArea],
    deployment: DeploymentPrevalence | None,
    shades: dict[int, dict[str, Any]],
) -> None:
    """Draw the precision-recall curves of one system at a common prevalence, or each at that of its level."""
    for one in own:
        where = deployment or at_prevalence(one.skew)
        area = one.own.area
        if deployment is not None:
            area = next(each.area for each in one.areas if each.field == deployment.name)
        precision = _precision(result, one, where)
        axes.plot(RECALLS, precision, label=_label(area, one.at_least), **shades[one.at_least])
    is_mean = deployment is not None and deployment.low < deployment.high
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="recall")
    axes.set_ylabel("mean precision" if is_mean else "precision")
    name = f"prevalence {OWN}" if deployment is None else deployment.name
    _finish(axes, f"{own[0].system}: {name}")


def _precision(result: AgreementLevels, one: LevelArea, where: DeploymentPrevalence) -> FloatArray:
    curve = result.curves[one.system, one.at_least]
    return where.mean(RECALLS, fall_out_along(rises(curve), RECALLS))


def _roc(
    axes: Any,
    result: AgreementLevels,
    own: Sequence[LevelArea],
    shades: dict[int, dict[str, Any]],
) -> None:
    curves = {}
    areas = {}
    lines = {}
    for one in own:
        name = _name(one.at_least)
        curves[name] = result.curves[one.system, one.at_least]
        areas[name] = one.roc.area
        lines[name] = shades[one.at_least]
    roc_panel(axes, curves, areas, lines, by_area=False)
    _finish(axes, f"{own[0].system}: ROC curves")


def _name(at_least: int) -> str:
    return f"{at_least} or more"


def _label(area: float, at_least: int) -> str:
    return f"{area:.4f}  {_name(at_least)}"


def _finish(axes: Any, title: str) -> None:
    axes.set_title(title, fontsize=9)
    axes.legend(
        title="area, marked by", alignment="left", framealpha=0.8, edgecolor="none", fontsize=7
    )
