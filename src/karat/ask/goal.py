"""What a threshold is to serve, in words."""

import re

from karat.errors import OptionError
from karat.measure.prevalence.operating_point import Goal, f_score, precision_at_recall, utility

FORMS = "recall>=R, f1 (or f2, f0.5), or utility:HIT,MISS,ALARM,REST"


def goal_of(text: str) -> Goal:
    """Return the goal that a word names.

    >>> import numpy as np
    >>> from karat.measure.prevalence.distribution import single
    >>> goal_of("f1")(np.array([0.8]), np.array([0.2]), single(0.5)).round(6).tolist()
    [0.8]
    """
    try:
        if found := re.fullmatch(r"recall\s*>=\s*(\S+)", text):
            return precision_at_recall(float(found[1]))
        if found := re.fullmatch(r"f([0-9.]+)", text):
            return f_score(float(found[1]))
        if text.startswith("utility:"):
            hit, miss, alarm, rest = (
                float(part) for part in text.removeprefix("utility:").split(",")
            )
            return utility(hit=hit, miss=miss, alarm=alarm, rest=rest)
    except ValueError:
        pass
    raise OptionError(f"{text!r} is no goal; it takes {FORMS}")
