"""What happens where positives are rarer or more frequent than in the data?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from karat.doubt.field_balance import Deployed, deployed, deployed_in_field, likeliest_balance
from karat.doubt.field_balance import Reading as Bounded
from karat.doubt.interval import FloatArray, tails
from karat.doubt.inversion_interval import InversionInterval, inversion_interval
from karat.doubt.inversions import HIGH, LOW, Rankings, rankings
from karat.doubt.joint_areas import FEWEST, JointAreas, affordable, joint_areas, joint_blocks
from karat.doubt.skew_bootstrap import unseen
from karat.errors import OptionError
from karat.measure.binned_curve import mean_area_bounds
from karat.measure.choosing import choose
from karat.measure.integrated import integrated
from karat.measure.pr_curve import Roc, roc
from karat.measure.spread import uniform
from karat.measure.step_areas import average_precision_at, gain_area, trapezoid_area
from karat.tally.curve import Curve
from karat.tally.paired_scores import BLOCK_BINS, MOST, PairedBlocks, PairedScores
from karat.verdict.fields import Field, between, one, percent
from karat.verdict.goals import goal_of
from karat.verdict.ranking import ranking
from karat.verdict.skewed import Area, Checked, Chosen, Gap, Placed, Skewed, Stretch, Turn

STEP, REACH = 0.25, 4.0
"""Of the skews at which resamples are looked at, in logit, and how far beyond the outermost inversions."""
NODES = 16
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asking:
    """What is to be said of the curves, and how surely."""

    fields: tuple[Field, ...] = ()
    scores: Mapping[str, npt.NDArray[np.float64]] | None = None
    """Scores from the field, without labels."""
    threshold: float | None = None
    check: tuple[float, float] | None = None
    choose: str | None = None
    """What the best threshold is to serve, as `karat.verdict.goals` names it."""
    level: float = 0.95
    draws: int | None = None
    """None: as many as are quickly made."""
    seed: int = 0
    label_error: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse what is no doubt."""
        for rate in self.label_error:
            if not 0 <= rate < 1:
                raise OptionError(f"--label-error is {rate:g}; a share of wrong labels lies between 0 and 1")
        if self.threshold is not None and not np.isfinite(self.threshold):
            raise OptionError(f"--threshold is {self.threshold}; it must be a score")

    def told(self) -> dict[str, str]:
        """Return what the signature says of it."""
        said = {
            "threshold": self.threshold,
            "check": self.check,
            "choose": self.choose,
            "draws": self.draws,
            "level": self.level,
        }
        said |= {"seed": self.seed, "label_error": self.label_error if any(self.label_error) else None}
        return {name: str(value) for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One table of scores: each system's curve, and the scores of each item, or by block where they are too many."""

    curves: Mapping[str, Curve]
    paired: PairedScores | PairedBlocks | None
    binned: bool = False
    """Whether the curves are of bins, not of single scores."""

    @property
    def sides(self) -> tuple[int, int]:
        """How many items are positive, and how many negative."""
        first = next(iter(self.curves.values()))
        return int(first.positive.sum()), int(first.negative.sum())


def skew(tables: Mapping[str, Scored], asking: Asking) -> Skewed:
    """Return the areas, their doubt, the changes of order and what a threshold does, in each field.

    Several tables are of different items: each is drawn anew by itself, and a system is named with its table.
    """
    curves = {name: curve for each in _named(tables).values() for name, curve in each.curves.items()}
    rocs = {name: roc(curve) for name, curve in curves.items()}
    balances = _balances(curves, asking)
    fields = _fields(asking, balances, tables)
    orders = rankings(rocs) if len(rocs) > 1 else Rankings((), (), {})
    drawn, grid, said = _drawn(_named(tables), fields, orders, asking)
    return Skewed(
        sides={name: each.sides for name, each in tables.items()},
        fields=fields,
        curves=rocs,
        areas=_areas(curves, fields, drawn, asking.level),
        gaps=_gaps(rocs, fields, drawn, asking.level),
        turns=_turns(rocs, orders, drawn, grid, asking.level),
        stretches=_stretches(orders),
        level=asking.level,
        threshold=asking.threshold,
        placed=_placed(curves, fields, asking),
        checks=tuple(Checked(where.name, where.achievable(*asking.check)) for where in fields if asking.check),
        chosen=_chosen(curves, fields, asking),
        balances=balances,
        label_error=asking.label_error,
        remarks=(*_cost(tables, fields), *said),
    )


def _cost(tables: Mapping[str, Scored], fields: Sequence[Field]) -> tuple[str, ...]:
    """Return in words what binning cost, at most."""
    curves = [curve for each in tables.values() if each.binned for curve in each.curves.values()]
    if not curves:
        return ()
    widest = max(float(mean_area_bounds(curve, where.spread).width) for curve in curves for where in fields)
    bins = max(len(curve.score) for curve in curves)
    said = f"Scores were counted in up to {bins:,} bins; no order inside them moves an area by more than {widest:.1g}."
    return (said,)


def _named(tables: Mapping[str, Scored]) -> Mapping[str, Scored]:
    """Return the tables with their systems' names, which say the table where there are several."""
    if len(tables) == 1:
        return tables
    return {
        table: replace(each, curves={f"{name} in {table}": curve for name, curve in each.curves.items()})
        for table, each in tables.items()
    }


def _balances(curves: Mapping[str, Curve], asking: Asking) -> dict[str, Bounded]:
    """Return the field's balance as the scores of each system tell it."""
    given = asking.scores or {}
    return {
        name: likeliest_balance(curves[name], scores, level=asking.level, seed=asking.seed)
        for name, scores in given.items()
    }


def _fields(asking: Asking, balances: Mapping[str, Bounded], tables: Mapping[str, Scored]) -> tuple[Field, ...]:
    """Return the fields asked about: those named, that of the field's scores, or the data's own balance."""
    found = list(asking.fields)
    known = {name: each for name, each in balances.items() if each.value is not None}
    if known:
        # Whose interval is narrowest knows most.
        name = min(known, key=lambda each: known[each].high - known[each].low)
        best = known[name]
        value = float(best.value or 0)
        found += [one(value, f"{percent(value)} positive, by the field's scores of {name}")]
        found += [between(best.low, best.high)] if best.low < best.high else []
    elif balances:
        raise OptionError("the scores of the field do not tell its balance: no system tells positives from negatives")
    if len(tables) > 1 and not found:
        raise OptionError("tables are compared at a common class balance; say --to P, or --low P --high P")
    sides = next(iter(tables.values())).sides
    own = sides[0] / sum(sides)
    return tuple(found) or (one(own, f"{percent(own)} positive, as in the data"),)


def _drawn(
    tables: Mapping[str, Scored], fields: Sequence[Field], orders: Rankings, asking: Asking
) -> tuple[JointAreas | None, FloatArray, tuple[str, ...]]:
    """Return resamples of all systems at the skews of all fields, then of the grid for inversions."""
    grid = _grid(orders)
    if asking.draws == 0:
        return None, grid, ()
    skews = np.concatenate([*(_nodes(where)[0] for where in fields), grid])
    items, systems = max(sum(each.sides) for each in tables.values()), sum(len(each.curves) for each in tables.values())
    in_blocks = any(isinstance(each.paired, PairedBlocks) for each in tables.values())
    rows = BLOCK_BINS if in_blocks else items
    draws = affordable(rows, systems, len(skews)) if asking.draws is None else asking.draws
    if not draws or any(each.paired is None for each in tables.values()):
        many = f"{items:,} items, {systems} systems"
        return None, grid, (f"No intervals: {many} take more than a moment; ask for them with --draws {FEWEST}.",)
    parts = [_redrawn(each, skews, draws, place, asking) for place, each in enumerate(tables.values())]
    rocs = {name: curve for part in parts for name, curve in part.rocs.items()}
    drawn = np.concatenate([part.drawn[: min(len(each.drawn) for each in parts)] for part in parts], axis=1)
    return JointAreas(parts[0].pi, rocs, drawn, parts[0].method), grid, ()


def _redrawn(table: Scored, skews: FloatArray, draws: int, place: int, asking: Asking) -> JointAreas:
    """Return resamples of one table: of its items, or of blocks of them where they are too many."""
    seed = asking.seed + place
    if isinstance(table.paired, PairedBlocks):
        if any(asking.label_error):
            raise OptionError(f"labels are drawn for up to {MOST:,} items; leave --label-error out")
        blocks = PairedBlocks(table.paired.number, dict(zip(table.curves, table.paired.systems.values(), strict=True)))
        return joint_blocks(blocks, skews, draws=draws, seed=seed)
    assert table.paired is not None  # noqa: S101 (the caller looked)
    truth, scores = table.paired.items()
    columns = dict(zip(table.curves, scores.T, strict=True))
    return joint_areas(truth, columns, skews, error=asking.label_error, draws=draws, seed=seed)


def _grid(orders: Rankings) -> FloatArray:
    """Return skews around all inversions, evenly in logit; none where there are no inversions."""
    if not orders.changes:
        return np.empty(0)
    places = [float(np.log(each.skew) - np.log1p(-each.skew)) for each in orders.changes]
    ends = [np.log(end) - np.log1p(-end) for end in (LOW, HIGH)]
    first, last = max(ends[0], min(places) - REACH), min(ends[1], max(places) + REACH)
    steps = np.linspace(first, last, int(np.ceil((last - first) / STEP)) + 1)
    return np.asarray(1 / (1 + np.exp(-steps)))


def _nodes(where: Field) -> tuple[FloatArray, FloatArray]:
    """Return a field's skews and weights, fewer where a resample needs no more."""
    spread = where.spread
    if spread.name.startswith("uniform"):
        spread = uniform(spread.low, spread.high, nodes=NODES)
    return spread.pi, spread.weight


def _means(drawn: JointAreas, fields: Sequence[Field]) -> dict[str, FloatArray]:
    """Return each field's mean area: draws x systems."""
    found, start = {}, 0
    for where in fields:
        pi, weight = _nodes(where)
        found[where.name] = drawn.drawn[:, :, start : start + len(pi)] @ weight
        start += len(pi)
    return found


def _areas(
    curves: Mapping[str, Curve], fields: Sequence[Field], drawn: JointAreas | None, level: float
) -> tuple[Area, ...]:
    means = _means(drawn, fields) if drawn else {}
    rocs = {name: roc(curve) for name, curve in curves.items()}
    found = []
    for where in fields:
        values = {name: integrated(curve, where.spread) for name, curve in rocs.items()}
        ends = _ends(curves, where, means[where.name], level) if drawn else None
        for name, rank in ranking({name: value.area for name, value in values.items()}).items():
            place = list(rocs).index(name)
            found.append(
                Area(
                    rank=rank,
                    system=name,
                    field=where.name,
                    found=values[name],
                    low=None if ends is None else float(ends[0, place]),
                    high=None if ends is None else float(ends[1, place]),
                    average_precision=_over(where, average_precision_at(rocs[name], pi=where.spread.pi)),
                    trapezoid=_over(where, trapezoid_area(rocs[name], pi=where.spread.pi)),
                    gain=_defined(_over(where, gain_area(rocs[name], pi=where.spread.pi))),
                    method=drawn.method if drawn else "closed form",
                )
            )
    return tuple(found)


def _ends(curves: Mapping[str, Curve], where: Field, means: FloatArray, level: float) -> FloatArray:
    """Return the ends of each system's interval; one that no resample doubts is doubted for what went unseen."""
    below, above = tails(level, "both")
    ends = np.asarray(np.quantile(means, [below, 1 - above], axis=0))
    for place, curve in enumerate(curves.values()):
        if means[:, place].min() > 1 - _CLOSE:
            ends[0, place] = _over(where, unseen(int(curve.negative.sum()), where.spread.pi, below))
    return ends


def _over(where: Field, values: FloatArray) -> float:
    return float((where.spread.weight * values).sum())


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _gaps(rocs: Mapping[str, Roc], fields: Sequence[Field], drawn: JointAreas | None, level: float) -> tuple[Gap, ...]:
    """Return every pair in every field, by how much and how surely the first is ahead."""
    if drawn is None:
        return ()
    below, above = tails(level, "both")
    names, found = list(rocs), []
    for where, means in _means(drawn, fields).items():
        field = next(each for each in fields if each.name == where)
        values = [integrated(curve, field.spread).area for curve in rocs.values()]
        for i, j in combinations(range(len(names)), 2):
            gap = means[:, i] - means[:, j]
            low, high = np.quantile(gap, [below, 1 - above])
            better = float(((gap > 0) + 0.5 * (gap == 0)).mean())
            found.append(
                Gap(
                    first=names[i],
                    second=names[j],
                    field=where,
                    difference=values[i] - values[j],
                    low=float(low),
                    high=float(high),
                    better=better,
                )
            )
    return tuple(found)


def _turns(
    rocs: Mapping[str, Roc], orders: Rankings, drawn: JointAreas | None, grid: FloatArray, level: float
) -> tuple[Turn, ...]:
    found = []
    for (first, second), seen in orders.pairs.items():
        skews = tuple(seen.skews.tolist())
        intervals: tuple[InversionInterval, ...] = ()
        if drawn and skews:
            around = JointAreas(grid, rocs, drawn.drawn[:, :, -len(grid) :], drawn.method)
            pair = around.pair(first, second)
            intervals = tuple(inversion_interval(pair, skew, level=level) for skew in skews)
        found.append(
            Turn(
                first=first,
                second=second,
                skews=skews,
                leads=seen.leads,
                crossings=seen.crossings,
                most=seen.most,
                intervals=intervals,
            )
        )
    return tuple(found)


def _stretches(orders: Rankings) -> tuple[Stretch, ...]:
    edges = [0.0, *(change.skew for change in orders.changes), 1.0]
    return tuple(Stretch(low, high, order) for (low, high), order in zip(pairwise(edges), orders.orders, strict=False))


def _placed(curves: Mapping[str, Curve], fields: Sequence[Field], asking: Asking) -> tuple[Placed, ...]:
    """Return what the threshold does: at a field's balance, or at both ends of its range."""
    if asking.threshold is None:
        return ()
    found = []
    for where in fields:
        for pi in dict.fromkeys((where.low, where.high)):
            name = where.name if where.low == where.high else f"{percent(pi)} positive"
            found += [Placed(system, name, _deployed(curve, system, pi, asking)) for system, curve in curves.items()]
    return tuple(found)


def _deployed(curve: Curve, system: str, pi: float, asking: Asking) -> Deployed:
    assert asking.threshold is not None  # noqa: S101 (the caller asked)
    if asking.scores and system in asking.scores:
        scores = asking.scores[system]
        return deployed_in_field(curve, scores, threshold=asking.threshold, level=asking.level, seed=asking.seed)
    return deployed(curve, threshold=asking.threshold, pi=pi, level=asking.level, seed=asking.seed)


def _chosen(curves: Mapping[str, Curve], fields: Sequence[Field], asking: Asking) -> tuple[Chosen, ...]:
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
