"""Areas at another prevalence as scikit-learn's model selection wants them: `scoring=karat.scorer(...)`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.prevalence import Columns, over_range
from karat.errors import InputError, OptionError, UnknownNameError
from karat.keywords import offers_nearest
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.measure.prevalence.distribution import (
    PrevalenceDistribution,
    check_range,
    single,
)
from karat.measure.prevalence.integrated import minimum_over
from karat.measure.prevalence.packed_area import rises_of, weighted_rises
from karat.measure.prevalence.pr_curve import RocStretches, areas

Value = Callable[[RocStretches, PrevalenceDistribution], float]


@offers_nearest
def scorer(
    name: str = "integrated_area",
    *,
    low: float | None = None,
    high: float | None = None,
    pi: float | None = None,
    prior: str | Columns = DEFAULT_PRIOR,
    positive: Any = None,
) -> "Scorer":
    """Which model is best at a prevalence other than that of its training data? A scorer for model selection.

    "area": under the precision-recall curve at the prevalence `pi`; "integrated_area": its mean over prevalences from
    `low` to `high`; "landgrebe_area": each ratio of negatives to positives as likely; "normalised_area": what was won
    of what can be won over the prevalences from `low` to `high`, or at `pi`. `prior` says how likely each prevalence
    is, as in `skew`: "uniform", "normal:0.05,0.02", "landgrebe", or a mapping of the columns skew and weight. Called
    with a fitted model, its input and the truth, and maybe `sample_weight`, as scikit-learn does; a model needs
    `decision_function` or `predict_proba`. With scikit-learn's metadata routing, ask for the weights by
    `.set_score_request(sample_weight=True)`. `positive` is the label that high scores speak for, by default the last
    of two in their order. Nothing of scikit-learn is imported, unless it asks what is routed.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> scorer("integrated_area", low=0.0, high=0.1)
    scorer('integrated_area', uniform(0, 0.1))
    """
    if name not in VALUES:
        raise UnknownNameError("scorer", name, list(VALUES))
    return Scorer(name, _prevalences(name, low, high, pi, prior), positive)


def _prevalences(
    name: str,
    low: float | None,
    high: float | None,
    pi: float | None,
    prior: str | Columns,
) -> PrevalenceDistribution:
    """Return what the area is averaged over, or a sentence about what the scorer cannot take."""
    has_range = low is not None or high is not None
    weighs = not isinstance(prior, str) or prior != DEFAULT_PRIOR
    if pi is not None and has_range:
        raise OptionError("give either the prevalence pi, or the prevalences from low to high")
    if pi is not None and name in {"area", "normalised_area"}:
        if weighs:
            raise OptionError("prior weighs the prevalences from low to high; at pi leave it out")
        return single(pi)
    if name == "area":
        raise OptionError("area takes pi, as in pi=0.01 or low=0, high=0.1")
    if pi is not None:
        raise OptionError(f"{name} takes low and high, as in pi=0.01 or low=0, high=0.1")
    if low is None or high is None:
        also = "pi=0.01, or " if name == "normalised_area" else ""
        raise OptionError(f"{name} needs the prevalence it is for: {also}low=0.001 and high=0.1")
    if name == "landgrebe_area":
        if weighs:
            raise OptionError("landgrebe_area has its own prior; integrated_area takes others")
        prior = "landgrebe"
    check_range(low, high)
    return over_range(low, high, prior=prior).spread


def _area(parts: RocStretches, prevalences: PrevalenceDistribution) -> float:
    return prevalences.mean(areas(parts, prevalences.pi))


def _normalised(parts: RocStretches, prevalences: PrevalenceDistribution) -> float:
    minimum = minimum_over(prevalences)
    if minimum >= 1:
        raise OptionError("at prevalence 1 there is nothing to win; choose one below 1")
    return (_area(parts, prevalences) - minimum) / (1 - minimum)


VALUES: dict[str, Value] = {
    "area": _area,
    "integrated_area": _area,
    "landgrebe_area": _area,
    "normalised_area": _normalised,
}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Scorer:
    """A scorer: call it with a fitted model, its input and the truth. Plain data, so that it can be sent to workers."""

    name: str
    prevalences: PrevalenceDistribution
    positive: Any = None
    wants_weights: bool | str | None = None
    """Whether scikit-learn routes the weights of items: yes, no, or the name of the parameter that it passes."""

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803 (scikit-learn's names)
        """Return the value of a fitted model on these items, which may have weights."""
        truth = np.asarray(y)
        label = self._label(estimator, truth)
        scores = _scores(estimator, X, label)
        if sample_weight is None:
            parts = rises_of(truth == label, scores)
        else:
            parts = weighted_rises(truth == label, scores, sample_weight)
        return VALUES[self.name](parts, self.prevalences)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> "Scorer":
        """Return the scorer that requests weights from scikit-learn's metadata routing, or none."""
        return replace(self, wants_weights=sample_weight)

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn is to route; only scikit-learn calls this, so it is installed."""
        from sklearn.utils.metadata_routing import MetadataRequest  # noqa: PLC0415

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.wants_weights)
        return request

    def __repr__(self) -> str:
        """Return how to make it."""
        return f"scorer({self.name!r}, {self.prevalences.name})"

    def _label(self, estimator: Any, truth: npt.NDArray[Any]) -> Any:
        labels = np.asarray(getattr(estimator, "classes_", np.unique(truth)))
        if self.positive is not None:
            if self.positive not in labels.tolist():
                known = ", ".join(map(repr, labels.tolist()))
                raise OptionError(f"positive is {self.positive!r}; the classes are {known}")
            return self.positive
        if len(labels) != 2:
            raise OptionError(
                f"there are {len(labels)} classes; say which one the scores are for with positive=..."
            )
        return labels[1]


def _scores(estimator: Any, items: Any, label: Any) -> npt.NDArray[np.float64]:
    """Return the model's score of a label for each item."""
    for method in ("decision_function", "predict_proba"):
        if hasattr(estimator, method):
            scores = np.asarray(getattr(estimator, method)(items), np.float64)
            return _scores_for(label, scores, estimator, method)
    raise InputError(
        f"{type(estimator).__name__} gives no scores; it has neither decision_function nor predict_proba"
    )


def _scores_for(
    label: Any, scores: npt.NDArray[np.float64], estimator: Any, method: str
) -> npt.NDArray[np.float64]:
    """Return the scores of one label: one of several columns, or the single one with the sign that suits the label."""
    classes = getattr(estimator, "classes_", None)
    labels = None if classes is None else np.asarray(classes).tolist()
    if scores.ndim != 2:
        speaks_against = labels is not None and label == labels[0]
        return -scores if speaks_against else scores
    if labels is None:
        raise InputError(
            f"{type(estimator).__name__} does not say which columns are of which class"
        )
    columns = scores.shape[1]
    if columns != len(labels):
        raise InputError(
            f"{method} gives {columns} columns for {len(labels)} classes; "
            "a score per class is needed (not one per pair)"
        )
    return scores[:, labels.index(label)]
