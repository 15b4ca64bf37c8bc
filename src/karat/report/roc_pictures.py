"""ROC curves as lines, at most so many points each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from karat.measure.prevalence.pr_curve import RocCurve
from karat.numeric.arrays import FloatArray

MOST_POINTS = 1000
"""A curve of more points is drawn at so many places, evenly along its length."""
CHANCE = {"color": "black", "lw": 0.8, "ls": (0, (1, 2))}
"""How the line of random scores is drawn."""


def roc_panel(
    axes: Any,
    curves: Mapping[str, RocCurve],
    areas: Mapping[str, float],
    lines: Mapping[str, Any],
    *,
    by_area: bool = True,
) -> None:
    """Draw ROC curves; in the legend the one of the largest area comes first, or they stand as they are given."""
    names = list(curves)
    if by_area:
        names.sort(key=lambda name: -areas[name])
    for name in names:
        fpr, tpr = points(curves[name])
        axes.plot(fpr, tpr, label=f"{areas[name]:.4f}  {name}", **lines[name])
    axes.plot([0, 1], [0, 1], **CHANCE)
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="false positive rate", ylabel="recall")


def points(curve: RocCurve) -> tuple[FloatArray, FloatArray]:
    """Return the false and true positive rates that are drawn.

    >>> fpr, tpr = points(RocCurve(np.array([0.0, 0.8, 1.0]), np.array([0.0, 0.1, 1.0])))
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.1, 1.0], [0.0, 0.8, 1.0])
    """
    if len(curve.tpr) <= MOST_POINTS:
        return curve.fpr, curve.tpr
    length = curve.fpr + curve.tpr
    place = np.linspace(0, 2, MOST_POINTS)
    return np.interp(place, length, curve.fpr), np.interp(place, length, curve.tpr)
