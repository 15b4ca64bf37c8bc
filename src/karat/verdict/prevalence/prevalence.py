"""What happens where positives are rarer or more frequent than in the data?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.goal import goal_of
from karat.ask.prevalence import Field, at_prevalence, distinct, over_range, percent
from karat.doubt.prevalence.curve_band import Band, curve_band
from karat.doubt.prevalence.deployment import (
    Bounded,
    deployed,
    deployed_in_field,
    likeliest_balance,
)
from karat.doubt.prevalence.inversions import Rankings, rankings
from karat.errors import OptionError
from karat.measure.prevalence.binning_limits import mean_area_bounds
from karat.measure.prevalence.integrated import integrated
from karat.measure.prevalence.operating_point import choose
from karat.measure.prevalence.pr_curve import Roc, roc
from karat.measure.prevalence.step_areas import average_precision_at, gain_area, trapezoid_area
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.verdict.prevalence.resampled_areas import FEW, Resampled, Scored, resampled
from karat.verdict.prevalence.result import (
    IN_FIELD,
    Area,
    Checked,
    Chosen,
    Gap,
    Placed,
    Skewed,
    Stretch,
    Turn,
)
from karat.verdict.ranking import ranking
from karat.words import counted

BAND_DRAWS = 400
"""Resamples of a band where nobody says how many."""
RARE = 0.1
"""If one negative of the data stands for so many positives of the field, the highest negatives decide."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asking:
    """What is to be said of the curves, and how surely."""

    fields: tuple[Field, ...] = ()
    scores: Mapping[str, npt.NDArray[np.float64]] | None = None
    """Scores from the field, without labels."""
    threshold: float | None = None
    check: tuple[float, float] | None = None
    choose: str | None = None
    """What the best threshold is to serve, as `karat.ask.goal` names it."""
    level: float = 0.95
    draws: int | None = None
    """None: as many as are quickly made."""
    seed: int = 0
    bands: bool = False
    """Whether the curves have confidence bands."""
    label_error: tuple[float, float] = (0.0, 0.0)
    """P(truly positive | given negative) and P(truly negative | given positive)."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense, before anything is computed."""
        for rate in self.label_error:
            if not 0 <= rate < 0.5:
                raise OptionError(
                    f"--label-error is {rate:g}; it is a share of wrong labels, below one half"
                )
        if self.draws == 0 and (any(self.label_error) or self.bands):
            what = "--label-error" if any(self.label_error) else "--bands"
            raise OptionError(f"{what} needs resamples; leave --draws 0 out")
        if self.threshold is not None and not np.isfinite(self.threshold):
            raise OptionError(f"--threshold is {self.threshold}; it must be a score")
        if not 0 < self.level < 1:
            raise OptionError(
                f"--level is {self.level:g}; a confidence level lies between 0 and 1, as 0.95 does"
            )
        if self.seed < 0:
            raise OptionError(f"--seed is {self.seed}; it is a whole number from 0 up")
        if self.check is not None and len(self.check) != 2:
            raise OptionError("a point to check is a precision and a recall, as (0.2, 0.9)")

    def told(self) -> dict[str, str]:
        """Return what the signature says of it."""
        said: dict[str, Any] = {
            "threshold": self.threshold,
            "check": self.check,
            "choose": self.choose,
        }
        said |= {"level": self.level, "seed": self.seed}
        said |= {"label_error": self.label_error if any(self.label_error) else None}
        return {name: str(value) for name, value in said.items() if value is not None}


def skew(tables: Mapping[str, Scored], asking: Asking) -> Skewed:
    """Return the areas, their doubt, the changes of order and what a threshold does, in each field.

    Several tables are of different items: each is drawn anew by itself, and a system is named with its table.
    """
    named = _named(tables)
    curves = {name: curve for each in named.values() for name, curve in each.curves.items()}
    rocs = {name: roc(curve) for name, curve in curves.items()}
    if asking.scores is not None and len(tables) > 1:
        raise OptionError(
            "scores from the field go with one table; leave --beside out, or name a class balance"
        )
    balances = _balances(curves, asking)
    fields = fields_asked(asking, balances, tables)
    orders = rankings(rocs) if len(rocs) > 1 else Rankings((), (), {})
    drawn: Resampled | str | None = None
    if asking.draws != 0:
        how = {
            "draws": asking.draws,
            "seed": asking.seed,
            "level": asking.level,
            "error": asking.label_error,
        }
        drawn = resampled(named, fields, orders, **how)  # type: ignore[arg-type]
    if isinstance(drawn, str) and any(asking.label_error):
        raise OptionError(f"--label-error needs resamples. {drawn}")
    doubt = drawn if isinstance(drawn, Resampled) else None
    enough = min(min(each.sides) for each in tables.values()) >= FEW
    return Skewed(
        sides={name: each.sides for name, each in tables.items()},
        fields=fields,
        curves=rocs,
        areas=_areas(rocs, fields, doubt, asking),
        gaps=_gaps(rocs, fields, doubt, asking.level) if doubt and enough else (),
        turns=_turns(orders, doubt if enough else None, asking.level),
        stretches=_stretches(orders),
        level=asking.level,
        threshold=asking.threshold,
        placed=_placed(curves, fields, asking),
        checks=tuple(
            Checked(where.name, where.achievable(*asking.check)) for where in fields if asking.check
        ),
        chosen=_chosen(curves, fields, asking),
        balances=balances,
        label_error=asking.label_error,
        bands=_bands(curves, fields, asking),
        draws=len(doubt.joint.drawn) if doubt else 0,
        remarks=(
            *_scarce(tables, fields),
            *cost(tables, fields),
            *_moved(named, asking.threshold),
            *([drawn] if isinstance(drawn, str) else []),
        ),
    )


def _bands(
    curves: Mapping[str, Curve], fields: Sequence[Field], asking: Asking
) -> dict[tuple[str, str], Band]:
    """Return where the curve of each system lies in each field."""
    if not asking.bands:
        return {}
    how: dict[str, Any] = {
        "level": asking.level,
        "draws": asking.draws or BAND_DRAWS,
        "seed": asking.seed,
    }
    return {
        (name, where.name): curve_band(curve, where.spread, **how)
        for where in fields
        for name, curve in curves.items()
    }


def _scarce(tables: Mapping[str, Scored], fields: Sequence[Field]) -> list[str]:
    """Return a warning where the data hardly say anything."""
    positives, negatives = (min(each.sides[side] for each in tables.values()) for side in (0, 1))
    said = []
    if min(positives, negatives) < FEW:
        few = (
            counted(positives, "positive")
            if positives < negatives
            else counted(negatives, "negative")
        )
        said.append(f"warning: {few}; of fewer than {FEW} no order is told.")
    rarest = rarest_of(fields)
    if decided_by_few(rarest, negatives):
        said.append(
            f"warning: where {percent(rarest)} are positive, the few highest of {negatives:,} negatives decide on the "
            "precision; the intervals allow for one that was not seen, the orders do not."
        )
    return said


def rarest_of(fields: Sequence[Field]) -> float:
    """Return the rarest that positives are in any of the fields."""
    return min(where.low if where.low > 0 else float(where.spread.pi.min()) for where in fields)


def decided_by_few(rarest: float, negatives: int) -> bool:
    """Return whether the few highest of so many negatives decide on the precision where positives are so rare."""
    return rarest > 0 and (1 - rarest) / rarest > RARE * negatives


def cost(tables: Mapping[str, Scored], fields: Sequence[Field]) -> tuple[str, ...]:
    """Return in words what binning cost, at most."""
    curves = [curve for each in tables.values() if each.binned for curve in each.curves.values()]
    if not curves:
        return ()
    widest = max(
        float(mean_area_bounds(curve, where.spread).width) for curve in curves for where in fields
    )
    bins = max(len(curve.score) for curve in curves)
    said = f"Scores were counted in up to {bins:,} bins; no order inside them moves an area by more than {widest:.1g}."
    return (said, "Intervals are from the scores as they are, or from blocks of items.")


def _moved(tables: Mapping[str, Scored], threshold: float | None) -> tuple[str, ...]:
    """Return in words from which scores on an answer is yes, where scores were counted in bins."""
    if threshold is None or not any(each.binned for each in tables.values()):
        return ()
    curves = {
        name: curve
        for each in tables.values()
        if each.binned
        for name, curve in each.curves.items()
    }
    begin = {
        name: float(curve.score[curve.score >= threshold].min(initial=np.inf))
        for name, curve in curves.items()
    }
    said = ", ".join(f"{score:.6g} of {name}" for name, score in begin.items())
    return (f"A threshold counts from the next bin on: from a score of {said}.",)


def _named(tables: Mapping[str, Scored]) -> Mapping[str, Scored]:
    """Return the tables with their systems' names, which say the table where there are several."""
    if len(tables) == 1:
        return tables
    return {
        table: replace(
            each, curves={f"{name} in {table}": curve for name, curve in each.curves.items()}
        )
        for table, each in tables.items()
    }


def _balances(curves: Mapping[str, Curve], asking: Asking) -> dict[str, Bounded]:
    """Return the field's balance as the scores of each system tell it."""
    given = asking.scores or {}
    return {
        name: likeliest_balance(curves[name], scores, level=asking.level, seed=asking.seed)
        for name, scores in given.items()
    }


def fields_asked(
    asking: Asking, balances: Mapping[str, Bounded], tables: Mapping[str, Scored]
) -> tuple[Field, ...]:
    """Return the fields asked about: those named, that of the field's scores, or the data's own balance."""
    found = list(asking.fields)
    known = {name: each for name, each in balances.items() if each.value is not None}
    if known:
        # Whose interval is narrowest knows most.
        name = min(known, key=lambda each: known[each].high - known[each].low)
        best = known[name]
        found += [
            at_prevalence(
                float(best.value or 0),
                f"{IN_FIELD}: {percent(best.value or 0, digits=2)} positive by {name}",
            )
        ]
        found += [over_range(best.low, best.high)] if best.low < best.high else []
    elif balances:
        raise OptionError(
            "the scores of the field do not tell its balance: no system tells positives from negatives"
        )
    if len(tables) > 1 and not found:
        raise OptionError(
            "tables are compared at a common class balance; say --to P, or --low P --high P"
        )
    sides = next(iter(tables.values())).sides
    own = sides[0] / sum(sides)
    return distinct(found) or (at_prevalence(own, f"{percent(own)} positive, as in the data"),)


def _areas(
    rocs: Mapping[str, Roc], fields: Sequence[Field], doubt: Resampled | None, asking: Asking
) -> tuple[Area, ...]:
    found, names = [], list(rocs)
    for k, where in enumerate(fields):
        values = {name: integrated(curve, where.spread) for name, curve in rocs.items()}
        ends = doubt.ends(k, asking.level) if doubt else None
        expected = doubt.expected(k) if doubt and any(asking.label_error) else None
        for name, rank in ranking({name: value.area for name, value in values.items()}).items():
            curve, place, pi = rocs[name], names.index(name), where.spread.pi
            found.append(
                Area(
                    rank=rank,
                    system=name,
                    field=where.name,
                    found=values[name],
                    low=None if ends is None else float(ends[0][place]),
                    high=None if ends is None else float(ends[1][place]),
                    expected=None if expected is None else float(expected[place]),
                    average_precision=_over(where, average_precision_at(curve, pi=pi)),
                    trapezoid=_over(where, trapezoid_area(curve, pi=pi)),
                    gain=_defined(_over(where, gain_area(curve, pi=pi))),
                    roc_area=float(
                        (np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1])).sum() / 2
                    ),
                    method=doubt.joint.method if doubt else "closed form",
                )
            )
    return tuple(found)


def _over(where: Field, values: FloatArray) -> float:
    return float((where.spread.weight * values).sum())


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _gaps(
    rocs: Mapping[str, Roc], fields: Sequence[Field], doubt: Resampled, level: float
) -> tuple[Gap, ...]:
    """Return every pair in every field, by how much and how surely the first is ahead."""
    found = []
    for k, where in enumerate(fields):
        values = {name: integrated(curve, where.spread).area for name, curve in rocs.items()}
        for first, second, low, high, better in doubt.gaps(k, level):
            found.append(
                Gap(
                    first=first,
                    second=second,
                    field=where.name,
                    difference=values[first] - values[second],
                    low=low,
                    high=high,
                    better=better,
                )
            )
    return tuple(found)


def _turns(orders: Rankings, doubt: Resampled | None, level: float) -> tuple[Turn, ...]:
    found = []
    for (first, second), seen in orders.pairs.items():
        skews = tuple(seen.skews.tolist())
        found.append(
            Turn(
                first=first,
                second=second,
                skews=skews,
                leads=seen.leads,
                crossings=seen.crossings,
                most=seen.most,
                intervals=doubt.around(first, second, skews, level) if doubt and skews else (),
            )
        )
    return tuple(found)


def _stretches(orders: Rankings) -> tuple[Stretch, ...]:
    edges = [0.0, *(change.skew for change in orders.changes), 1.0]
    return tuple(
        Stretch(low, high, order)
        for (low, high), order in zip(pairwise(edges), orders.orders, strict=False)
    )


def _placed(
    curves: Mapping[str, Curve], fields: Sequence[Field], asking: Asking
) -> tuple[Placed, ...]:
    """Return what the threshold does: at a field's balance, at both ends of its range, or by the field's scores."""
    if asking.threshold is None:
        return ()
    how: dict[str, Any] = {
        "threshold": asking.threshold,
        "level": asking.level,
        "seed": asking.seed,
    }
    own = f"{IN_FIELD}, each by its own scores"
    found = [
        Placed(system, own, deployed_in_field(curves[system], scores, **how))
        for system, scores in (asking.scores or {}).items()
    ]
    for where in fields[: len(fields) if asking.scores is None else len(asking.fields)]:
        for pi in dict.fromkeys((where.low, where.high)):
            name = where.name if where.low == where.high else f"{percent(pi)} positive"
            found += [
                Placed(system, name, deployed(curve, pi=pi, **how))
                for system, curve in curves.items()
            ]
    return tuple(found)


def _chosen(
    curves: Mapping[str, Curve], fields: Sequence[Field], asking: Asking
) -> tuple[Chosen, ...]:
    """Return each system's best threshold in each field."""
    if asking.choose is None:
        return ()
    goal, found = goal_of(asking.choose), []
    for where in fields:
        best = {choice.system: choice for choice in choose(curves, where.spread, goal)}
        ranks = ranking({name: choice.value for name, choice in best.items()})
        found += [
            Chosen(
                rank=ranks[name],
                system=name,
                field=where.name,
                aim=asking.choose,
                threshold=choice.threshold if np.isfinite(choice.threshold) else None,
                value=choice.value,
                precision=choice.precision,
                recall=choice.tpr,
            )
            for name, choice in best.items()
        ]
    return tuple(found)
