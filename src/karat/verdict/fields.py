"""Where will the systems be used? Class balances in the words people have for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure import PRIORS, TRAJECTORIES
from karat.measure.integrated import achievable_over, integrated_precision, precision_over
from karat.measure.skew import Achievable, check_skew, precision_at
from karat.measure.spread import Spread, single, uniform, weighted
from karat.measure.totals import FloatArray
from karat.measure.trajectory import Trajectory, precision_on, sampled

Columns = Mapping[str, npt.NDArray[np.float64]]


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
        return achievable_over(precision, recall, self.spread)


def one(pi: float, name: str | None = None) -> Field:
    """Return a field whose balance is known.

    >>> one(0.01).name
    '1 % positive'
    """
    return Field(name or f"{percent(pi)} positive", single(pi), lambda tpr, fpr: precision_at(tpr, fpr, pi=pi))


def between(low: float, high: float, *, prior: str | Columns = "uniform") -> Field:
    """Return a field whose balance lies in a range, each with the weight the prior gives it.

    The prior is uniform, landgrebe, normal:MEAN,SD, or a series of skews and weights.
    >>> between(0.01, 0.5).name
    '1 to 50 % positive'
    """
    span = f"{percent(low).removesuffix(' %')} to {percent(high)} positive"
    if prior == "uniform":
        return Field(span, uniform(low, high), lambda a, b: integrated_precision(a, b, low=low, high=high))
    if isinstance(prior, str):
        name, numbers = _shape(prior)
        spread = PRIORS[name](*_fit(prior, numbers, 2 if name == "normal" else 0, "normal:MEAN,SD"), low=low, high=high)
    else:
        spread = _table(prior, low, high)
    words = prior if isinstance(prior, str) else f"{len(prior['skew'])} weights"
    return Field(f"{span}, {words}", spread, lambda a, b: precision_over(a, b, spread))


def _table(prior: Columns, low: float, high: float) -> Spread:
    """Return the skews between the limits with weights read off straight lines between those given."""
    skews, weights = (np.asarray(prior[name], np.float64) for name in ("skew", "weight"))
    check_skew("a skew of the prior", skews)
    if len(skews) < 2 or not np.all(np.diff(skews) > 0):
        raise OptionError("a prior needs two skews or more, rising, and a weight for each")
    return weighted(
        lambda pi: np.interp(pi, skews, weights, left=0.0, right=0.0), low=low, high=high, breaks=skews.tolist()
    )


def on(trajectory: str | Columns | Trajectory, *, time: float | None = None) -> Field:
    """Return a field whose balance changes with time in a known way.

    The trajectory is constant:P, linear:A,B, exponential:P0,BASE, sine:MEAN,AMPLITUDE, logistic:K,RATE,T0, or a series
    of times and skews; `time` is how long it lasts.
    >>> on("linear:0.1,0.4").name
    'linear:0.1,0.4'
    """
    if isinstance(trajectory, Trajectory):
        return _along(f"a trajectory over {trajectory.time:g}", trajectory)
    if not isinstance(trajectory, str):
        moments, skews = (np.asarray(trajectory[name], np.float64) for name in ("time", "skew"))
        until = moments[-1] if time is None else moments[0] + time
        if not moments[0] < until <= moments[-1]:
            raise OptionError(f"--time is {time:g}; the series lasts {moments[-1] - moments[0]:g}")
        kept = moments < until
        cut = [*moments[kept], until], [*skews[kept], np.interp(until, moments, skews)]
        return _along(f"series of {len(skews)} skews over {until - moments[0]:g}", sampled(*cut))
    name, numbers = _shape(trajectory)
    wanted, form, timed = _FORMS.get(name, (0, "", False))
    make = TRAJECTORIES[name]
    if timed and time is None:
        raise OptionError(f"--trajectory {trajectory} goes on for ever; say how long with --time T")
    found = make(*_fit(trajectory, numbers, wanted, form), **({} if time is None else {"time": time}))
    return _along(f"{trajectory}" + (f" over {time:g}" if timed else ""), found)


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
        return name, [float(part) for part in rest.split(",")] if rest else []
    except ValueError:
        raise OptionError(f"{text!r} has {rest!r} where numbers should stand; write them as 0.1,0.4") from None


def _fit(text: str, numbers: list[float], wanted: int, form: str) -> list[float]:
    if len(numbers) != wanted:
        raise OptionError(f"{text!r} has {len(numbers)} numbers where {form or 'none'} is meant")
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
            if not (positives >= 0 and negatives >= 0 and positives + negatives > 0):
                raise OptionError(f"{words!r} is no ratio of counts; write POSITIVES:NEGATIVES, as 1:99")
            found = positives / (positives + negatives)
        else:
            found = float(words.removesuffix("%")) / (100 if words.endswith("%") else 1)
    except ValueError:
        raise OptionError(f"{words!r} is no class balance; write the share of positives as 0.01, 1% or 1:99") from None
    return float(check_skew("the skew", found))


def percent(pi: float, *, digits: int = 3) -> str:
    """Return a share as people read it.

    >>> percent(0.0125), percent(1 / 3)
    ('1.25 %', '33.3 %')
    """
    return f"{100 * pi:.{digits}g} %"
