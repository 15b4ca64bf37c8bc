"""The interval of a number of boxes over images, from what each image adds to it."""

from dataclasses import replace

import numpy as np

from karat.boxes.measures.influenced import Influenced
from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.interval import Interval, Side
from karat.words import counted

CAUTION = (
    "Intervals over images are approximate: in simulated worlds drawn at random, of 20 to 500 images, they covered "
    "0.92 to 0.99 instead of 0.95, in the worst of these 0.85, and less where most classes lie in one or two images."
)
AT_PREVALENCE = (
    "Intervals at another prevalence are approximate: in simulated worlds drawn at random, of 50 and 200 images, they "
    "covered 0.98 to 0.99 instead of 0.95 at 5 %, and 0.91 to 0.97 at 1 %, where few images stand for many and mAP is "
    "too high, in the worst of these 0.80; those of differences 0.94 to 0.98, in the worst 0.88."
)
ROUGHLY = 0.5
"""The largest error of a bias that is taken from other classes, as a part of it."""
LEAST_PART = 0.25
"""However large the bias seems, so much of the distance to 0 or 1 is left."""


def mean_interval(value: Influenced, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Interval of a mean over classes by the infinitesimal jackknife over images, on the scale of the log odds.

    logit(v - b) ± t √V / (v (1-v)), b the bias of few images, V the sum of squares of what each image adds to v, with
    what rare classes add (`Influenced.spread`), and with the square of half the bias that these take from other
    classes; t Student's quantile. The interval is not centred at v: the average
    precision of few images is too high. Approximate; independent images.
    Reference: Efron, The Jackknife, the Bootstrap and Other Resampling Plans, SIAM 1982, chapter 6.
    doi:10.1137/1.9781611970319
    """
    images = len(value.by_image)
    method = f"infinitesimal jackknife over {counted(images, 'image')}"
    mean = value.mean()
    if np.isnan(mean) or images < 2:
        return Interval(np.array([0.0]), np.array([1.0]), level, method)
    spread = value.spread()
    bias = value.mean_bias()
    low, high = log_odds_ends(
        _without_bias(mean, bias.value),
        spread.variance + (ROUGHLY * bias.borrowed) ** 2,
        freedom=spread.freedom,
        units=images,
        level=level,
        side=side,
    )
    return Interval(np.array([low]), np.array([high]), level, method, CAUTION)


def interval_at_prevalence(value: Influenced, *, level: float = 0.95) -> Interval:
    """Interval of a mean over classes at another prevalence: `mean_interval` for every bias from none to twice its own.

    Where few images represent many the bias is large, and known too roughly to move an interval by it.
    """
    with_all = mean_interval(replace(value, bias=2 * value.bias), level=level)
    without = mean_interval(replace(value, bias=np.zeros(len(value.bias))), level=level)
    low = np.minimum(with_all.low, without.low)
    high = np.maximum(with_all.high, without.high)
    return Interval(low, high, level, with_all.method, AT_PREVALENCE)


def class_intervals(value: Influenced, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Interval of each class by the infinitesimal jackknife over images, as `mean_interval`.

    Student's quantile has as many degrees of freedom as images hold the class, less one; one image gives [0, 1].
    """
    images = len(value.by_image)
    low = np.zeros(len(value.value))
    high = np.ones(len(value.value))
    variances = value.variances()
    for place, mean in enumerate(value.value):
        holding = int(value.holding[place])
        if holding < 2:
            continue
        low[place], high[place] = log_odds_ends(
            _without_bias(float(mean), float(value.bias[place])),
            float(variances[place]),
            freedom=holding - 1,
            units=holding,
            level=level,
            side=side,
        )
    method = f"infinitesimal jackknife over {counted(images, 'image')}"
    return Interval(low, high, level, method, CAUTION)


def _without_bias(value: float, bias: float) -> float:
    """Return a value without its bias, between 0 and 1 if it was."""
    lowest = LEAST_PART * value
    highest = 1 - LEAST_PART * (1 - value)
    return min(max(value - bias, lowest), highest)
