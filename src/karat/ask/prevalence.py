"""Where will the systems be used? Class balances in the words people have for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence import PRIORS, TRAJECTORIES
from karat.measure.prevalence.integrated import (
    achievable_over,
    integrated_precision,
    precision_over,
)
from karat.measure.prevalence.precision_at import Achievable, check_skew, precision_at
from karat.measure.prevalence.priors import Spread, single, uniform, weighted
from karat.measure.prevalence.trajectory import Trajectory, along, precision_on, sampled
from karat.numeric.arrays import FloatArray
from karat.words import counted

Columns = Mapping[str, npt.NDArray[np.float64]]
Course = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Class balances that are to be expected somewhere, and what they are called."""

    name: str
    spread: Spread
    mean: Callable[[Any, Any], FloatArray]
    """The mean precision of true and false positive rates."""

    @property
    def low(self) -> float:
        """The rarest positives are here."""
        return self.spread.low

    @property
    def high(self) -> float:
        """The most frequent positives are here."""
        return self.spread.high

    def minimum(self, recall: Any) -> FloatArray:
        """Return the least mean precision any system can have at a recall."""
        return self.mean(recall, np.ones_like(np.asarray(recall, np.float64)))

    def achievable(self, precision: float, recall: float) -> Achievable:
        """Return whether any system can have this precision at this recall."""
        if not recall > 0:
            raise OptionError(
                f"the recall to check is {recall:g}; at recall 0 nothing is answered, so look above it"
            )
        return achievable_over(precision, recall, self.spread)


def one(pi: float, name: str | None = None) -> Field:
    """Return a field whose balance is known.

    >>> one(0.01).name
    '1 % positive'
    """
    return Field(
        name or f"{percent(pi)} positive",
        single(pi),
        lambda tpr, fpr: precision_at(tpr, fpr, pi=pi),
    )


def between(low: float, high: float, *, prior: str | Columns = "uniform") -> Field:
    """Return a field whose balance lies in a range, each with the weight the prior gives it.

    The prior is uniform, landgrebe, normal:MEAN,SD, or a series of skews and weights.
    >>> between(0.01, 0.5).name
    '1 to 50 % positive'
    """
    if low == high:
        if prior != "uniform":
            raise OptionError(
                f"from {percent(low)} to {percent(high)} there is nothing to weigh; leave --prior out"
            )
        return one(low)
    span = f"{percent(low).removesuffix(' %')} to {percent(high)} positive"
    if prior == "uniform":
        return Field(
            span, uniform(low, high), lambda a, b: integrated_precision(a, b, low=low, high=high)
        )
    if isinstance(prior, str):
        name, numbers = _shape(prior)
        if name == "normal":
            check_skew("the mean of the prior", numbers[:1])
        spread = PRIORS[name](
            *_fit(prior, numbers, 2 if name == "normal" else 0, "normal:MEAN,SD"),
            low=low,
            high=high,
        )
    else:
        spread = _table(prior, low, high)
    words = prior if isinstance(prior, str) else f"{len(prior['skew'])} weights"
    return Field(f"{span}, {words}", spread, lambda a, b: precision_over(a, b, spread))


def _table(prior: Columns, low: float, high: float) -> Spread:
    """Return the skews between the limits with weights read off straight lines between those given."""
    skews, weights = (np.asarray(_column(prior, name), np.float64) for name in ("skew", "weight"))
    check_skew("a skew of the prior", skews)
    if len(skews) < 2 or not np.all(np.diff(skews) > 0):
        raise OptionError("a prior needs two skews or more, rising, and a weight for each")
    return weighted(
        lambda pi: np.interp(pi, skews, weights, left=0.0, right=0.0),
        low=low,
        high=high,
        breaks=skews.tolist(),
    )


def on(trajectory: str | Columns | Trajectory | Course, *, time: float | None = None) -> Field:
    """Return a field whose balance changes with time in a known way.

    The trajectory is constant:P, linear:A,B, exponential:P0,BASE, sine:MEAN,AMPLITUDE, logistic:K,RATE,T0, or a series
    of times and skews; `time` is how long it lasts.
    >>> on("linear:0.1,0.4").name
    'linear:0.1,0.4'
    """
    if isinstance(trajectory, Trajectory):
        return _along(f"a trajectory over {trajectory.time:g}", trajectory)
    if callable(trajectory):
        if time is None:
            raise OptionError("a function of time goes on for ever; say how long with time=T")
        return _along(f"a function over {time:g}", along(trajectory, time=time))
    if not isinstance(trajectory, str):
        return _series(trajectory, time)
    name, numbers = _shape(trajectory)
    wanted, form, timed = _FORMS.get(name, (0, "", False))
    make = TRAJECTORIES[name]
    if timed and time is None:
        raise OptionError(f"--trajectory {trajectory} goes on for ever; say how long with --time T")
    if time is not None and not timed:
        raise OptionError(
            f"--trajectory {trajectory} is given over its whole course; leave --time out"
        )
    found = make(
        *_fit(trajectory, numbers, wanted, form), **({} if time is None else {"time": time})
    )
    return _along(f"{trajectory}" + (f" over {time:g}" if time is not None else ""), found)


def _series(course: Columns, time: float | None) -> Field:
    """Return the field of skews known at some times, up to a moment."""
    moments, skews = (np.asarray(_column(course, name), np.float64) for name in ("time", "skew"))
    whole = sampled(moments, skews)  # which refuses what is no series
    if time is not None and not 0 < time <= whole.time:
        raise OptionError(f"--time is {time:g}; the series lasts {whole.time:g}")
    until = moments[-1] if time is None else moments[0] + time
    kept = moments < until
    cut = [*moments[kept], until], [*skews[kept], np.interp(until, moments, skews)]
    return _along(f"series of {len(skews)} skews over {until - moments[0]:g}", sampled(*cut))


def _column(columns: Columns, name: str) -> npt.NDArray[np.float64]:
    if name not in columns:
        raise OptionError(f"there is no {name!r} among {', '.join(map(repr, columns))}")
    return columns[name]


_FORMS = {
    "constant": (1, "constant:P", False),
    "linear": (2, "linear:A,B", False),
    "exponential": (2, "exponential:P0,BASE", True),
    "sine": (2, "sine:MEAN,AMPLITUDE", False),
    "logistic": (3, "logistic:K,RATE,T0", True),
}


def _along(name: str, trajectory: Trajectory) -> Field:
    return Field(name, trajectory.spread, lambda a, b: precision_on(a, b, trajectory))


def _shape(text: str) -> tuple[str, list[float]]:
    name, _, rest = text.partition(":")
    try:
        numbers = [float(part) for part in rest.split(",")] if rest else []
    except ValueError:
        raise OptionError(
            f"{text!r} has {rest!r} where numbers should stand; write them as 0.1,0.4"
        ) from None
    if not np.isfinite(numbers).all():
        raise OptionError(f"{text!r} has a number that is not finite; write them as 0.1,0.4")
    return name, numbers


def _fit(text: str, numbers: list[float], wanted: int, form: str) -> list[float]:
    if len(numbers) != wanted:
        raise OptionError(
            f"{text!r} has {counted(len(numbers), 'number')} where {form or 'none'} is meant"
        )
    return numbers


def skew_of(text: str | float) -> float:
    """Return the share of positives from a share, a percentage, or a ratio of positives to negatives.

    >>> [skew_of(text) for text in ("0.01", "1%", "1:99")]
    [0.01, 0.01, 0.01]
    """
    words = str(text).strip()
    share, colon, rest = words.partition(":")
    try:
        if colon:
            positives, negatives = float(share), float(rest)
            if not (positives >= 0 and negatives >= 0 and 0 < positives + negatives < np.inf):
                raise OptionError(
                    f"{words!r} is no ratio of counts; write POSITIVES:NEGATIVES, as 1:99"
                )
            found = positives / (positives + negatives)
        else:
            found = float(words.removesuffix("%")) / (100 if words.endswith("%") else 1)
    except ValueError:
        raise OptionError(
            f"{words!r} is no class balance; write the share of positives as 0.01, 1% or 1:99"
        ) from None
    return float(check_skew("the skew", found))


def distinct(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Return fields without those named twice; names that are alike by rounding get all their digits.

    >>> [field.name for field in distinct([one(0.1), one(0.1), one(0.10001)])]
    ['10 % positive', '10.001 % positive']
    """
    found: dict[str, Field] = {}
    for field in fields:
        same = found.get(field.name)
        if same is None:
            found[field.name] = field
        elif (same.low, same.high) != (field.low, field.high):
            ends = dict.fromkeys((field.low, field.high))
            name = f"{' to '.join(percent(end, digits=12).removesuffix(' %') for end in ends)} % positive"
            found[name] = replace(field, name=name)
    return tuple(found.values())


def percent(pi: float, *, digits: int = 3) -> str:
    """Return a share as people read it.

    >>> percent(0.0125), percent(1 / 3)
    ('1.25 %', '33.3 %')
    """
    text = f"{100 * pi:.{digits}g}"
    return f"{float(text):.0f} %" if "e+" in text else f"{text} %"
