"""What published numbers allow to say, without knowing which system is right on which item."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.doubt.label_noise.published_scores import divergence_bounds, kept_from_scores
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import Achievable, achievable, check_rate, precision_at
from karat.result import Result
from karat.result.base import Row


def published(counts: list[tuple[int, int]], error: float) -> tuple[dict[str, Any], str]:
    """Return the least and the greatest probability that the order is kept, over every overlap the scores allow."""
    if len(counts) != 2 or counts[0][1] != counts[1][1]:
        raise OptionError("two scores of the same items are needed, such as 85/100 95/100")
    (worse, items), (better, _) = sorted(counts)
    kept = kept_from_scores(worse, better, items, error)
    disputed = divergence_bounds(worse, better, items)
    row = {
        "worse": f"{worse}/{items}",
        "better": f"{better}/{items}",
        "label_error": error,
        "kept_low": kept.low.kept,
        "kept_high": kept.high.kept,
        "disputed_low": disputed.low,
        "disputed_high": disputed.high,
        "method": kept.low.method,
    }
    sentence = (
        f"If {100 * error:.3g} % of the labels are wrong, the order is kept with a probability between "
        f"{kept.low.kept:.4f} and {kept.high.kept:.4f}: just one of them is right on "
        f"{disputed.low:,} to {disputed.high:,} items, two classes taken for granted."
    )
    return row, sentence


def reach(where: str, point: Achievable) -> str:
    """Return in words whether a point can be reached."""
    verb = "cannot be reached by any system"
    if point.possible:
        verb = "can be reached"
    place = f"Precision {point.precision:g} at recall {point.recall:g}, {where}"
    return f"{place}: {verb}; the least there is {point.minimum:.4g}."


@dataclass(frozen=True, slots=True, repr=False)
class PublishedPrecision(Result):
    """A published precision at other prevalences."""

    found: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    deployments: tuple[DeploymentPrevalence, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()

    def rows(self) -> Sequence[Row]:
        """Return one row per deployment prevalence."""
        return self.found

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the precision at each deployment prevalence, and at both ends of a range."""
        hidden = {"low", "high", "precision", "from", "at_low", "at_high"}
        if all(row["recall"] is None for row in self.found):
            hidden |= {"recall", "f1"}
        has_range = any(row["low"] != row["high"] for row in self.found)
        rows = []
        for row in self.found:
            shown = {name: value for name, value in row.items() if name not in hidden}
            if has_range:
                shown["at rarest"] = f"{row['at_low']:.4f}"
                shown["at most"] = f"{row['at_high']:.4f}"
            rows.append(shown)
        return {"precision": rows} if rows else {}

    def beside(self) -> Mapping[str, Any]:
        """Return the signature, and what is possible."""
        if not self.checks:
            return self.about
        return {**self.about, "checks": list(self.checks)}

    def notes(self) -> Sequence[str]:
        """Return what was given, and what is possible."""
        return self.sentences


def published_precision(
    precision: float,
    old: float,
    deployments: Sequence[DeploymentPrevalence],
    *,
    recall: float | None = None,
    check: tuple[float, float] | None = None,
) -> PublishedPrecision:
    """What would a precision measured at one prevalence be at others? With recall, F1 too.

    Only the ratio of both rates matters: FPR / TPR = pi / (1 - pi) (1/P - 1).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 1. doi:10.1007/s10994-013-5432-x
    """
    check_rate("the precision", precision)
    if recall == 0 and precision > 0:
        raise OptionError(
            f"at recall 0 no positive is found, so the precision is not {precision:g}; correct --recall"
        )
    if not 0 < old < 1:
        raise OptionError(
            f"--from is {old:g}; a precision is measured where there are both positives and negatives"
        )
    rows = [_row(precision, old, where, recall) for where in deployments]
    sentences = [f"A precision of {precision:g}, measured where {percent(old)} are positive."]
    if recall is not None:
        published_point = achievable(precision, recall, pi=old)
        if not published_point.possible:
            sentences.append(f"warning: {reach(f'{percent(old)} positive', published_point)}")
    checks: list[dict[str, Any]] = []
    if check is not None:
        for where in deployments:
            point = where.achievable(*check)
            sentences.append(reach(where.name, point))
            checks.append({"field": where.name, **asdict(point)})
    return PublishedPrecision(
        tuple(rows), tuple(sentences), deployments=tuple(deployments), checks=tuple(checks)
    )


def _row(
    precision: float, old: float, where: DeploymentPrevalence, recall: float | None
) -> dict[str, Any]:
    """Return the precision at a deployment prevalence: both rates are known up to a factor, the larger is set to 1."""
    right = precision * (1 - old)
    wrong = (1 - precision) * old
    tpr = right / max(right, wrong)
    fpr = wrong / max(right, wrong)
    return {
        "field": where.name,
        "precision": precision,
        "from": old,
        "low": where.low,
        "high": where.high,
        "value": float(where.mean(tpr, fpr)),
        "at_low": float(precision_at(tpr, fpr, pi=where.low)),
        "at_high": float(precision_at(tpr, fpr, pi=where.high)),
        "recall": recall,
        "f1": None if recall is None else _mean_f(tpr, fpr, recall, where),
    }


def _mean_f(tpr: float, fpr: float, recall: float, where: DeploymentPrevalence) -> float:
    """Return the mean of F1 over the prevalences; where precision and recall are both 0, so is F1."""
    precision = precision_at(tpr, fpr, pi=where.spread.pi)
    both = precision + recall
    positive = both > 0
    f1 = np.where(positive, 2 * precision * recall / np.where(positive, both, 1.0), 0.0)
    return where.spread.mean(f1)
