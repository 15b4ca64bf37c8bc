"""Every measure in every setting: groups, clusters and weights, each scored and compared; the numbers are kept."""

from collections.abc import Callable
from typing import Any

import karat
from karat.errors import KaratError
from support.kept_questions import labels, scores, votes

OF_LABELS = (
    "accuracy",
    "macro-precision",
    "macro-recall",
    "macro-f1",
    "micro-f1",
    "f1[cat]",
    "precision[dog]",
    "balanced-accuracy",
    "macro-iou",
    "kappa",
    "matthews",
)
OF_VOTES = ("specificity", "npv", "false-discovery-rate", "f1", "iou", "recall", "error-rate")
OF_SCORES = ("roc-area", "average-precision", "pr-area@0.2")
SETTINGS: tuple[dict[str, bool], ...] = (
    {},
    {"group": True},
    {"cluster": True},
    {"weight": True},
    {"group": True, "cluster": True},
    {"group": True, "weight": True},
)
UNDEFINED = -9.0
LEAST = 100
"""So many resamples are enough here."""


def _numbers(ask: Callable[[], Any]) -> Any:
    """Return the columns of a result that hold numbers, or why there are none."""
    try:
        rows = ask().rows()
    except KaratError as error:
        return str(error)
    columns = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        if any(isinstance(value, float) for value in values):
            columns[name] = [UNDEFINED if value is None else value for value in values]
    return columns


def _of(measure: str, read: Callable[..., karat.Bench]) -> Any:
    """Return what is said of a measure in each setting."""
    found = {}
    for setting in SETTINGS:
        bench = read(**setting)
        name = " and ".join(setting) or "items"
        asked = {"measure": measure, "draws": LEAST}
        if "group" not in setting:
            found[f"{name}, compared"] = _numbers(
                lambda bench=bench, asked=asked: bench.compare(**asked)
            )
            found[name] = _numbers(lambda bench=bench, asked=asked: bench.score(**asked))
            continue
        for mean in ("these", "like-these"):
            found[f"{name}, {mean}"] = _numbers(
                lambda bench=bench, asked=asked, mean=mean: bench.score(
                    **asked, per="group", mean_over=mean
                )
            )
    return found


MATRIX = {
    f"every setting, {measure}": (lambda measure=measure, read=read: _of(measure, read))
    for measures, read in ((OF_LABELS, labels), (OF_VOTES, votes), (OF_SCORES, scores))
    for measure in measures
}
"""By name, as `QUESTIONS`."""
