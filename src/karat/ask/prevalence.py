"""Where will the systems be used? Prevalences, ranges and trajectories as users write them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.ask.prevalence_forms import parsed
from karat.errors import OptionError
from karat.measure.prevalence import DEFAULT_PRIOR, PRIORS, TRAJECTORIES
from karat.measure.prevalence.distribution import (
    PrevalenceDistribution,
    precision_over,
    single,
    weighted,
)
from karat.measure.prevalence.integrated import achievable_over
from karat.measure.prevalence.precision_at import Achievable, check_prevalence, precision_at
from karat.measure.prevalence.trajectory import (
    Trajectory,
    TrajectoryShape,
    along,
    precision_on,
    sampled,
)
from karat.numeric.arrays import FloatArray

if TYPE_CHECKING:
    from karat.measure.prevalence.prior import Prior

Columns = Mapping[str, npt.NDArray[np.float64]]
OfTime = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class DeploymentPrevalence:
    """Prevalences that are to be expected where the systems will be used, and what they are called."""

    name: str
    spread: PrevalenceDistribution
    mean: Callable[[Any, Any], FloatArray]
    """The mean precision of true and false positive rates."""

    made: "Callable[[], DeploymentPrevalence] | None" = None
    """What makes it again from what the user wrote; the mean may hold functions that cannot be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Be pickled as what it is made of."""
        return _made_again, (self.made, self.name)

    @property
    def low(self) -> float:
        """The lowest of the prevalences."""
        return self.spread.low

    @property
    def high(self) -> float:
        """The highest of the prevalences."""
        return self.spread.high

    def minimum(self, recall: Any) -> FloatArray:
        """Return the least mean precision any system can have at a recall."""
        every_negative = np.ones_like(np.asarray(recall, np.float64))
        return self.mean(recall, every_negative)

    def achievable(self, precision: float, recall: float) -> Achievable:
        """Return whether any system can have this precision at this recall."""
        if not recall > 0:
            raise OptionError(
                f"the recall to check is {recall:g}; at recall 0 nothing is answered, so look above it"
            )
        return achievable_over(precision, recall, self.spread)


def at_prevalence(pi: float, name: str | None = None) -> DeploymentPrevalence:
    """Return a deployment whose prevalence is known.

    >>> at_prevalence(0.01).name
    '1 % positive'
    """

    def mean(tpr: Any, fpr: Any) -> FloatArray:
        return precision_at(tpr, fpr, pi=pi)

    made = partial(at_prevalence, pi)
    return DeploymentPrevalence(name or f"{percent(pi)} positive", single(pi), mean, made)


def _made_again(made: Callable[[], DeploymentPrevalence], name: str) -> DeploymentPrevalence:
    return replace(made(), name=name)


def over_range(
    low: float, high: float, *, prior: str | Columns = DEFAULT_PRIOR
) -> DeploymentPrevalence:
    """Return a deployment whose prevalence lies in a range, each with the weight the prior gives it.

    The prior is written as `prior_forms` shows, or is a series of prevalences and weights.
    >>> over_range(0.01, 0.5).name
    '1 to 50 % positive'
    """
    is_default = isinstance(prior, str) and prior == DEFAULT_PRIOR
    if low == high:
        if not is_default:
            raise OptionError(
                f"from {percent(low)} to {percent(high)} there is nothing to weigh; leave --prior out"
            )
        return at_prevalence(low)
    span = f"{percent(low).removesuffix(' %')} to {percent(high)} positive"
    if not isinstance(prior, str):
        prevalences = _weighted_by_table(prior, low, high)
        found = _weighted_sum(f"{span}, {len(prior['skew'])} weights", prevalences)
    else:
        found = _named_prior(span if is_default else f"{span}, {prior}", prior, low, high)
    return replace(found, made=partial(over_range, low, high, prior=prior))


def _named_prior(name: str, text: str, low: float, high: float) -> DeploymentPrevalence:
    written = parsed(text)
    prior: Prior = PRIORS[written.name]
    numbers = written.checked(prior.parameters)
    prevalences = prior.distribution(*numbers, low=low, high=high)
    closed_form = prior.mean_precision
    if closed_form is None:
        return _weighted_sum(name, prevalences)

    def mean(tpr: Any, fpr: Any) -> FloatArray:
        return closed_form(tpr, fpr, *numbers, low=low, high=high)

    return DeploymentPrevalence(name, prevalences, mean)


def _weighted_sum(name: str, prevalences: PrevalenceDistribution) -> DeploymentPrevalence:
    def mean(tpr: Any, fpr: Any) -> FloatArray:
        return precision_over(tpr, fpr, prevalences)

    return DeploymentPrevalence(name, prevalences, mean)


def _weighted_by_table(prior: Columns, low: float, high: float) -> PrevalenceDistribution:
    """Return the prevalences between the limits, with weights on straight lines between those given."""
    places = np.asarray(_column(prior, "skew"), np.float64)
    weights = np.asarray(_column(prior, "weight"), np.float64)
    check_prevalence("a prevalence of the prior", places)
    if len(places) < 2 or not np.all(np.diff(places) > 0):
        raise OptionError("a prior needs two prevalences or more, rising, and a weight for each")

    def density(pi: FloatArray) -> FloatArray:
        return np.interp(pi, places, weights, left=0.0, right=0.0)

    return weighted(density, low=low, high=high, breaks=places.tolist())


def on_trajectory(
    trajectory: str | Columns | Trajectory | OfTime, *, time: float | None = None
) -> DeploymentPrevalence:
    """Return a deployment whose prevalence changes with time in a known way.

    The trajectory is written as `trajectory_forms` shows, or is a series of times and prevalences, or a function of
    time; `time` is how long it lasts.
    >>> on_trajectory("linear:0.1,0.4").name
    'linear:0.1,0.4'
    """
    found = _on_trajectory(trajectory, time)
    return replace(found, made=partial(on_trajectory, trajectory, time=time))


def _on_trajectory(
    trajectory: str | Columns | Trajectory | OfTime, time: float | None
) -> DeploymentPrevalence:
    if isinstance(trajectory, Trajectory):
        return _on(f"a trajectory over {trajectory.time:g}", trajectory)
    if callable(trajectory):
        if time is None:
            raise OptionError("a function of time goes on for ever; say how long with time=T")
        return _on(f"a function over {time:g}", along(trajectory, time=time))
    if isinstance(trajectory, str):
        return _named_trajectory(trajectory, time)
    return _series(trajectory, time)


def _named_trajectory(text: str, time: float | None) -> DeploymentPrevalence:
    written = parsed(text)
    shape: TrajectoryShape = TRAJECTORIES[written.name]
    if shape.needs_time and time is None:
        raise OptionError(f"--trajectory {text} goes on for ever; say how long with --time T")
    if time is not None and not shape.needs_time:
        raise OptionError(f"--trajectory {text} is given over its whole course; leave --time out")
    numbers = written.checked(shape.parameters)
    if time is None:
        return _on(text, shape.trajectory(*numbers))
    return _on(f"{text} over {time:g}", shape.trajectory(*numbers, time=time))


def _series(columns: Columns, time: float | None) -> DeploymentPrevalence:
    """Return the deployment of prevalences known at some times, up to a moment."""
    moments = np.asarray(_column(columns, "time"), np.float64)
    values = np.asarray(_column(columns, "skew"), np.float64)
    whole = sampled(moments, values)  # which refuses what is no series
    if time is not None and not 0 < time <= whole.time:
        raise OptionError(f"--time is {time:g}; the series lasts {whole.time:g}")
    until = moments[-1] if time is None else moments[0] + time
    before = moments < until
    kept_moments = [*moments[before], until]
    kept_values = [*values[before], np.interp(until, moments, values)]
    name = f"series of {len(values)} skews over {until - moments[0]:g}"
    return _on(name, sampled(kept_moments, kept_values))


def _on(name: str, trajectory: Trajectory) -> DeploymentPrevalence:
    def mean(tpr: Any, fpr: Any) -> FloatArray:
        return precision_on(tpr, fpr, trajectory)

    return DeploymentPrevalence(name, trajectory.prevalences, mean)


def _column(columns: Columns, name: str) -> npt.NDArray[np.float64]:
    if name not in columns:
        raise OptionError(f"there is no {name!r} among {', '.join(map(repr, columns))}")
    return columns[name]


def prevalence_of(text: str | float) -> float:
    """Return the prevalence from a share, a percentage, or a ratio of positives to negatives.

    >>> [prevalence_of(text) for text in ("0.01", "1%", "1:99")]
    [0.01, 0.01, 0.01]
    """
    words = str(text).strip()
    try:
        prevalence = _share(words)
    except ValueError:
        raise OptionError(
            f"{words!r} is not a prevalence; write the share of positives as 0.01, 1% or 1:99"
        ) from None
    return float(check_prevalence("the prevalence", prevalence))


def _share(words: str) -> float:
    """Return the number that the words stand for; a ValueError if they are no numbers."""
    first, colon, second = words.partition(":")
    if not colon:
        percentage = words.endswith("%")
        return float(words.removesuffix("%")) / (100 if percentage else 1)
    positives = float(first)
    negatives = float(second)
    if not (positives >= 0 and negatives >= 0 and 0 < positives + negatives < np.inf):
        raise OptionError(f"{words!r} is not a ratio of counts; write POSITIVES:NEGATIVES, as 1:99")
    return positives / (positives + negatives)


def distinct(deployments: Sequence[DeploymentPrevalence]) -> tuple[DeploymentPrevalence, ...]:
    """Return deployments without those named twice; names that only rounding makes equal get all their digits.

    >>> [field.name for field in distinct([at_prevalence(0.1), at_prevalence(0.1), at_prevalence(0.10001)])]
    ['10 % positive', '10.001 % positive']
    """
    by_name: dict[str, DeploymentPrevalence] = {}
    for deployment in deployments:
        same_name = by_name.get(deployment.name)
        if same_name is None:
            by_name[deployment.name] = deployment
        elif (same_name.low, same_name.high) != (deployment.low, deployment.high):
            name = _name_in_full(deployment)
            by_name[name] = replace(deployment, name=name)
    return tuple(by_name.values())


def _name_in_full(deployment: DeploymentPrevalence) -> str:
    ends = [percent(deployment.low, digits=12)]
    if deployment.high != deployment.low:
        ends.append(percent(deployment.high, digits=12))
    numbers = [end.removesuffix(" %") for end in ends]
    return f"{' to '.join(numbers)} % positive"


def percent(pi: float, *, digits: int = 3) -> str:
    """Return a share as people read it; only what is all reads as 100 %.

    >>> percent(0.0125), percent(1 / 3), percent(0.9999978), percent(0.996, digits=2), percent(1.0)
    ('1.25 %', '33.3 %', '99.9998 %', '99.6 %', '100 %')
    """
    text = f"{100 * pi:.{digits}g}"
    if pi < 1 and float(text) == 100:
        decimals = -floor(log10(100 * (1 - pi)))
        return f"{100 * pi:.{decimals}f} %"
    if "e+" in text:
        return f"{float(text):.0f} %"
    return f"{text} %"
