"""The goal that a threshold is chosen for, as a user writes it."""

import re

from karat.errors import OptionError
from karat.measure.prevalence.operating_point import (
    Goal,
    f_score,
    precision_at_recall,
    recall_at_precision,
    utility,
)

FORMS = "recall>=R, precision>=P, f1 (or f2, f0.5), or utility:HIT,MISS,ALARM,REST"


def goal_of(text: str) -> Goal:
    """Return the goal that a text names.

    >>> import numpy as np
    >>> from karat.measure.prevalence.distribution import single
    >>> goal_of("f1")(np.array([0.8]), np.array([0.2]), single(0.5)).round(6).tolist()
    [0.8]
    """
    try:
        goal = _parsed(text)
    except ValueError:  # what should be a number is none
        goal = None
    if goal is None:
        raise OptionError(f"{text!r} is not a goal; it takes {FORMS}")
    return goal


def _parsed(text: str) -> Goal | None:
    least = re.fullmatch(r"(recall|precision)\s*>=\s*(\S+)", text)
    if least and least[1] == "recall":
        return precision_at_recall(_share(least[2]))
    if least:
        return recall_at_precision(_share(least[2]))
    f = re.fullmatch(r"f([0-9.]+)", text)
    if f:
        return f_score(float(f[1]))
    if text.startswith("utility:"):
        gains = text.removeprefix("utility:").split(",")
        hit, miss, alarm, rest = (float(gain) for gain in gains)
        return utility(hit=hit, miss=miss, alarm=alarm, rest=rest)
    return None


def _share(text: str) -> float:
    """Return a share that is written as 0.9 or 90%."""
    if text.endswith("%"):
        return float(text.removesuffix("%")) / 100
    return float(text)
