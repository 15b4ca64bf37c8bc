"""What published numbers let say, with nothing known of who is right where."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from karat.ask.prevalence import Field, percent
from karat.doubt.label_noise.published_scores import divergence_bounds, kept_from_scores
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import Achievable, achievable, check_rate, precision_at
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row


def published(counts: list[tuple[int, int]], error: float) -> tuple[dict[str, Any], str]:
    """Return the least and the greatest probability that the order is kept, over every overlap the scores allow."""
    if len(counts) != 2 or counts[0][1] != counts[1][1]:
        raise OptionError("two scores of the same items are needed, such as 85/100 95/100")
    (one, items), (other, _) = sorted(counts)
    found, disputed = (
        kept_from_scores(one, other, items, error),
        divergence_bounds(one, other, items),
    )
    row = {
        "worse": f"{one}/{items}",
        "better": f"{other}/{items}",
        "label_error": error,
        "kept_low": found.low.kept,
        "kept_high": found.high.kept,
        "disputed_low": disputed.low,
        "disputed_high": disputed.high,
        "method": found.low.method,
    }
    said = f"the order is kept with a probability between {found.low.kept:.4f} and {found.high.kept:.4f}"
    overlap = f"just one of them is right on {disputed.low:,} to {disputed.high:,} items"
    return (
        row,
        f"If {100 * error:.3g} % of the labels are wrong, {said}: {overlap}, two classes taken for granted.",
    )


def reach(where: str, found: Achievable) -> str:
    """Return in words whether a point can be reached."""
    verb = "can be reached" if found.possible else "cannot be reached by any system"
    point = f"Precision {found.precision:g} at recall {found.recall:g}, {where}"
    return f"{point}: {verb}; the least there is {found.minimum:.4g}."


@dataclass(frozen=True, slots=True)
class Moved(Result):
    """A published precision at other class balances."""

    found: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()

    def rows(self) -> Sequence[Row]:
        """Return one row per field."""
        return self.found

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the precision in each field, and at both ends of a range."""
        hidden = {"low", "high", "precision", "from", "at_low", "at_high"}
        same = all(row["low"] == row["high"] for row in self.found)
        hidden |= {"recall", "f1"} if all(row["recall"] is None for row in self.found) else set()
        rows = [
            {name: value for name, value in row.items() if name not in hidden} for row in self.found
        ]
        if not same:
            ends = [
                {"at rarest": f"{row['at_low']:.4f}", "at most": f"{row['at_high']:.4f}"}
                for row in self.found
            ]
            rows = [row | end for row, end in zip(rows, ends, strict=True)]
        return {"precision": rows} if rows else {}

    def beside(self) -> Mapping[str, Any]:
        """Return the signature, and what is possible."""
        return {**self.about, **({"checks": list(self.checks)} if self.checks else {})}

    def notes(self) -> Sequence[str]:
        """Return what was asked, and what is possible."""
        return self.sentences


def _mean_f(precision: FloatArray, recall: float, where: Field) -> float:
    """Return the mean of F1 over a field's skews."""
    both = precision + recall
    each = np.where(both > 0, 2 * precision * recall / np.where(both > 0, both, 1.0), 0.0)
    return float((where.spread.weight * each).sum())


def published_precision(
    precision: float,
    old: float,
    fields: Sequence[Field],
    *,
    recall: float | None = None,
    check: tuple[float, float] | None = None,
) -> Moved:
    """What would a precision measured at one class balance be in other fields? With recall, F1 too.

    Only the ratio of both rates matters: FPR / TPR = pi / (1 - pi) (1/P - 1).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 1. doi:10.1007/s10994-013-5432-x
    """
    check_rate("the precision", precision)
    if recall == 0 and precision > 0:
        raise OptionError(
            f"at recall 0 no positive is found, so the precision is not {precision:g}; mend --recall"
        )
    if not 0 < old < 1:
        raise OptionError(
            f"--from is {old:g}; a precision is measured where there are both positives and negatives"
        )
    right, wrong = precision * (1 - old), (1 - precision) * old
    tpr, fpr = right / max(right, wrong), wrong / max(right, wrong)
    rows = []
    for where in fields:
        value, each = float(where.mean(tpr, fpr)), precision_at(tpr, fpr, pi=where.spread.pi)
        row = {
            "field": where.name,
            "precision": precision,
            "from": old,
            "low": where.low,
            "high": where.high,
        }
        row |= {"value": value, "at_low": float(precision_at(tpr, fpr, pi=where.low))}
        row |= {"at_high": float(precision_at(tpr, fpr, pi=where.high)), "recall": recall}
        row["f1"] = None if recall is None else _mean_f(each, recall, where)
        rows.append(row)
    said = [f"A precision of {precision:g}, measured where {percent(old)} are positive."]
    if recall is not None and not (found := achievable(precision, recall, pi=old)).possible:
        said.append(f"warning: {reach(f'{percent(old)} positive', found)}")
    reached = [(where.name, where.achievable(*check)) for where in fields if check]
    said += [reach(name, found) for name, found in reached]
    checks = tuple({"field": name, **asdict(found)} for name, found in reached)
    return Moved(tuple(rows), tuple(said), fields=tuple(fields), checks=checks)
