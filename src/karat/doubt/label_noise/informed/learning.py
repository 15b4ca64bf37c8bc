"""Learn the constants of the model `informed` from benchmarks whose labels were all looked up again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from scipy import optimize, special

from karat.doubt.label_noise.informed.checked_items import right_label_effects
from karat.doubt.label_noise.informed.constants import LEARNT, Constants
from karat.doubt.label_noise.informed.items import UNCHECKED, DisputedLabels
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray, IntArray

ROUNDS = 30
"""How often the deviations and the effects are estimated in turn."""
WIDE = 10.0
"""The standard deviation of constants about which other benchmarks show nothing."""
LEAST_WRONG = 5
"""Fewer wrong labels than this teach nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The estimate of each constant from one re-annotated version of a benchmark."""

    intercept: float
    slope: float
    unanimity: float
    answered: float
    exponent: float
    by_label: float
    by_right_label: float
    by_system: float
    wrong: int
    items: int


def learn(disputes: DisputedLabels) -> Lesson:
    """Return the estimates from a benchmark whose labels were checked again; items without a right label are left out.

    A logistic regression with effects of labels and systems, whose deviations are estimated by expectation and
    maximisation around its mode; then the right label among the answered ones by a conditional logit.
    """
    items = disputes.items
    rows = np.flatnonzero(items.right != UNCHECKED)
    number = items.number[rows].astype(float)
    wrong = (items.right[rows] != items.given[rows]).astype(float)
    if number @ wrong < LEAST_WRONG:
        raise OptionError(
            f"{int(number @ wrong)} wrong labels were found; {LEAST_WRONG} or more teach something"
        )
    fit = _Regression.of(disputes, rows)
    by_label, by_system = 1.0, 1.0
    for _ in range(ROUNDS):
        effects = fit.mode(by_label, by_system)
        by_label = effects.label_deviation
        by_system = effects.system_deviation
    disputed = rows[(wrong > 0) & (disputes.contradicted[rows] > 0)]
    right = items.right[disputed]
    among = (disputes.alternatives[disputed] == right[:, None]).any(axis=1) & (right >= 0)
    times = items.number[disputed]
    answered = float(times[among].sum())
    elsewhere = float(times[~among].sum())
    exponent = _exponent(disputes, disputed[among])
    return Lesson(
        intercept=float(effects.common[0]),
        slope=float(effects.common[1]),
        unanimity=float(effects.common[2]),
        answered=float(np.log((answered + 0.5) / (elsewhere + 0.5))),
        exponent=exponent,
        by_label=by_label,
        by_right_label=_right_label_deviation(disputes, disputed[among], exponent),
        by_system=by_system,
        wrong=int(number @ wrong),
        items=int(number.sum()),
    )


def combined(
    lessons: Mapping[str, Sequence[Lesson]], *, source: str, like: Constants = LEARNT
) -> Constants:
    """Return constants from benchmarks, one vote each: the means over their versions, and the spread between them.

    Of fewer than two benchmarks there is no spread, and of no number of them that of alternatives and groups: these
    are taken from `like`.
    """
    means = []
    for versions in lessons.values():
        table = [list(asdict(version).values()) for version in versions]
        means.append(np.mean(table, axis=0))
    names = list(asdict(next(iter(lessons.values()))[0]))
    center = dict(zip(names, np.mean(means, axis=0).tolist(), strict=True))
    found = {name: center[name] for name in names if name not in {"wrong", "items"}}
    if len(means) > 1:
        spread = dict(zip(names, np.std(means, axis=0, ddof=1).tolist(), strict=True))
        for name in ("intercept", "slope", "unanimity", "answered", "exponent"):
            found[f"{name}_sd"] = spread[name]
    return replace(like, **found, source=source)


@dataclass(frozen=True, slots=True, eq=False)
class _Effects:
    """The mode of the regression, and the deviations that its effects show."""

    common: FloatArray
    label_deviation: float
    system_deviation: float


@dataclass(frozen=True, slots=True, eq=False)
class _Regression:
    """A logistic regression on common columns, with an effect for every given label."""

    columns: FloatArray
    number: FloatArray
    wrong: FloatArray
    label: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, disputes: DisputedLabels, rows: IntArray) -> "_Regression":
        items = disputes.items
        columns = [np.ones(len(rows)), disputes.log_odds[rows], disputes.unanimity[rows]]
        columns += list(disputes.against[rows].T.astype(float))
        _, label = np.unique(items.given[rows], return_inverse=True)
        return cls(
            columns=np.stack(columns, axis=1),
            number=items.number[rows].astype(float),
            wrong=(items.right[rows] != items.given[rows]).astype(float),
            label=label.ravel(),
            weights=disputes.weights,
        )

    def mode(self, by_label: float, by_system: float) -> _Effects:
        """Return the mode under these deviations; labels have a column each, no two in a row, so that they cost little.

        With D the diagonal of the labels' curvature, the common columns have the curvature A - B D^-1 B'.
        """
        systems = len(self.weights)
        deviation = np.concatenate([np.full(3, WIDE), by_system * np.sqrt(self.weights)])
        precision = deviation**-2
        labels = int(self.label.max()) + 1
        at = np.zeros(len(deviation))
        of_label = np.zeros(labels)
        label_precision = by_label**-2
        for _ in range(50):
            linear = self.columns @ at + of_label[self.label]
            chance = special.expit(linear)
            weight = self.number * chance * (1 - chance)
            rest = self.number * (self.wrong - chance)
            slope = self.columns.T @ rest - precision * at
            label_slope = np.bincount(self.label, rest, labels) - label_precision * of_label
            curve = (self.columns.T * weight) @ self.columns + np.diag(precision)
            label_curve = np.bincount(self.label, weight, labels) + label_precision
            cross = np.stack(
                [np.bincount(self.label, weight * column, labels) for column in self.columns.T]
            )
            schur = curve - (cross / label_curve) @ cross.T
            step = np.linalg.solve(schur, slope - cross @ (label_slope / label_curve))
            label_step = (label_slope - cross.T @ step) / label_curve
            largest = max(float(np.abs(step).max()), float(np.abs(label_step).max()))
            at = at + step / max(1.0, largest)
            of_label = of_label + label_step / max(1.0, largest)
            if largest < 1e-8:
                break
        covariance = np.linalg.inv(schur)
        spread = np.diag(covariance)[-systems:]
        scaled = cross / label_curve
        label_spread = 1 / label_curve + np.einsum("kl,kj,jl->l", scaled, covariance, scaled)
        return _Effects(
            common=at[:3],
            label_deviation=float(np.sqrt(np.mean(of_label**2 + label_spread))),
            system_deviation=float(np.sqrt(np.mean((at[3:] ** 2 + spread) / self.weights))),
        )


def _exponent(disputes: DisputedLabels, rows: IntArray) -> float:
    """Return how closely the right label follows the votes, from those that are some system's answer."""
    if not len(rows):
        return LEARNT.exponent
    shares = disputes.shares[rows]
    with np.errstate(divide="ignore"):
        logs = np.log(shares)
    chosen = disputes.alternatives[rows] == disputes.items.right[rows][:, None]
    number = disputes.items.number[rows].astype(float)
    own = np.where(chosen, logs, 0.0).sum(axis=1)

    def surprise(exponent: float) -> float:
        return float(-number @ (exponent * own - special.logsumexp(exponent * logs, axis=1)))

    return float(optimize.minimize_scalar(surprise, bounds=(0.01, 5), method="bounded").x)


def _right_label_deviation(disputes: DisputedLabels, rows: IntArray, exponent: float) -> float:
    """Return how much likelier some right labels are than their votes suggest, as a deviation."""
    constants = replace(LEARNT, exponent=exponent, by_right_label=1.0)
    if not len(rows):
        return LEARNT.by_right_label
    for _ in range(ROUNDS):
        _, mode, root = right_label_effects(disputes, rows, constants)
        spread = (root**2).sum(axis=1)
        constants = replace(constants, by_right_label=float(np.sqrt(np.mean(mode**2 + spread))))
    return constants.by_right_label
