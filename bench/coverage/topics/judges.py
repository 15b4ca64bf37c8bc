"""A few labels or people's grades, and a judge of all items: accuracies, gains, tests, at 30, 100 and 300 labels."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.consensus.random_sample import Feature, sample_check
from karat.doubt.consensus.rogan_gladen import rogan_gladen
from karat.doubt.consensus.stratified_difference import (
    Strata,
    lower_end,
    p_not_above,
    pooled,
    stratified_difference,
)
from karat.doubt.consensus.stratified_share import stratified_share
from karat.doubt.interval import Interval
from karat.doubt.tests.holm import holm
from karat.verdict.judged.judge_bias import kindness

from .few_labels import SHARED, _cifar, _digits
from .row import LEVEL, Row, covered, rejected

LABELS = (30, 100, 300)
ITEMS = 10_000

SHARES = {
    "a strong judge": (0.90, 0.98, 0.30),
    "a weak judge": (0.60, 0.80, 0.60),
    "a judge that says nothing": (0.50, 0.70, 0.70),
    "rare errors": (0.98, 0.995, 0.50),
    "a judge that is mostly wrong": (0.40, 0.55, 0.90),
}
"""How often the system agrees with the judge (or passes it), and how often it is right then, and else."""

ALIKE = {
    "different on 40 %, a judge right in 75 %": [(0.15, 0.05, 0.0), (0.05, 0.15, 0.0)],
    "different on 10 %, a judge right in 90 %": [(0.045, 0.005, 0.0), (0.005, 0.045, 0.0)],
    "different on 10 %, nobody else to ask": [(0.05, 0.05, 0.0)],
    "near-copies, different on 2 %": [(0.009, 0.001, 0.0), (0.001, 0.009, 0.0)],
    "many classes, often both wrong": [(0.08, 0.02, 0.05), (0.02, 0.08, 0.05), (0.02, 0.02, 0.06)],
    "a judge always with the first": [(0.05, 0.05, 0.0), (0.0005, 0.0005, 0.0)],
}
"""Two systems that are right equally often: shares of items that only the first, only the second, or neither has right,
where they differ and the judge is with the first, with the second, or with neither."""

BETTER = {
    "better by 0.09, a judge right in 93 %": [(0.14, 0.01, 0.0), (0.005, 0.045, 0.0)],
    "better by 0.05, a judge right in 98 %": [(0.098, 0.002, 0.0), (0.001, 0.05, 0.0)],
    "better by 0.07, a judge right in 72 %": [(0.15, 0.05, 0.0), (0.03, 0.06, 0.0)],
    "better by 0.30, rare errors": [(0.30, 0.002, 0.0), (0.0005, 0.0025, 0.0)],
}

JUDGES = {
    "a strong judge, the same for both": ((0.95, 0.05), (0.95, 0.05)),
    "a weak judge, the same for both": ((0.80, 0.35), (0.80, 0.35)),
    "a judge kinder to the first": ((0.97, 0.45), (0.90, 0.10)),
    "a judge that says nothing": ((0.60, 0.60), (0.60, 0.60)),
}
"""How often the judge passes a right and a wrong output, of the first and of the second system."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(21)
    yield from _shares(runs, random)
    yield from _gains(runs, random)
    yield from _only_differing(runs, random)
    yield from _real_gains(runs, random)
    yield from _outputs(runs, random)
    yield from _several(runs, random)
    yield from _borrowed(runs, random)
    yield from _alarms(runs, random)


def _shares(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """A system's accuracy, by agreement with a judge or by its grades."""
    for what, (agree, right, right_else) in SHARES.items():
        kinds = [agree * right, agree * (1 - right)]
        kinds += [(1 - agree) * right_else, (1 - agree) * (1 - right_else)]
        truth = kinds[0] + kinds[2]
        for labels in LABELS:
            few = random.multinomial(labels, kinds, size=runs).reshape(runs, 2, 2)
            many = random.multinomial(ITEMS - labels, kinds, size=runs).reshape(runs, 2, 2)
            checked = few.sum(axis=2)
            _, interval = stratified_share(few[:, :, 0], checked, checked + many.sum(axis=2))
            setting = f"{what}, {labels} labels, right on {truth:.3f}"
            yield covered("accuracy, --judge", setting, truth, [interval], runs=runs)


def drawn_strata(
    shares: list[tuple[float, ...]], labels: int, runs: int, random: np.random.Generator
) -> Strata:
    """Draw labelled and other items of two systems."""
    cells = np.array(shares)
    flat = np.append(cells.ravel(), 1 - cells.sum())
    few = random.multinomial(labels, flat, size=runs)[:, :-1].reshape(runs, *cells.shape)
    many = random.multinomial(ITEMS - labels, flat, size=runs)[:, :-1].reshape(few.shape)
    checked = few.sum(axis=2).astype(float)
    items = checked + many.sum(axis=2)
    total = np.full(runs, float(ITEMS))
    return pooled(
        Strata(few[:, :, 0].astype(float), few[:, :, 1].astype(float), checked, items, total)
    )


def _interval(strata: Strata) -> Interval:
    """Return the intervals of `stratified_difference`, without its p-values, which take longer."""
    error = np.full(strata.total.shape, (1 - LEVEL) / 2)
    return Interval(lower_end(strata, error), -lower_end(strata.turned(), error), LEVEL, "")


def _p_values(strata: Strata) -> np.ndarray:
    return stratified_difference(strata).p_value


def _gains(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """The difference of two accuracies, and the test of none."""
    for worlds, null in ((ALIKE, True), (BETTER, False)):
        for what, shares in worlds.items():
            truth = sum(cell[0] - cell[1] for cell in shares)
            for labels in LABELS:
                strata = drawn_strata(shares, labels, runs, random)
                setting = f"{what}, {labels} labels"
                yield covered("gain, --judge", setting, truth, [_interval(strata)], runs=runs)
                if null:
                    yield rejected("compare --judge", setting, _p_values(strata), None)
    for labels in LABELS:
        shares = [(0.03, 0.01, 0.0), (0.01, 0.08, 0.0)]
        strata = drawn_strata(shares, labels, runs, random)
        p_values = p_not_above(strata, -0.05)
        setting = f"{labels} labels, worse by the margin of 0.05"
        yield rejected("compare --judge --margin", setting, p_values, None)


def _only_differing(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Labels that were drawn only from items on which the two differ, as karat proposes."""
    for what, shares in list(ALIKE.items())[:3]:
        cells = np.array(shares)
        within = cells.ravel() / cells.sum()
        for labels in (10, 30, 100):
            few = random.multinomial(labels, within, size=runs).reshape(runs, *cells.shape)
            checked = few.sum(axis=2).astype(float)
            items = (
                checked
                + random.multinomial(
                    ITEMS, np.append(cells.sum(axis=1), 1 - cells.sum()), size=runs
                )[:, :-1]
            )
            strata = Strata(
                few[:, :, 0].astype(float),
                few[:, :, 1].astype(float),
                checked,
                items,
                np.full(runs, ITEMS + float(labels)),
            )
            setting = f"{what}, {labels} labels of items on which they differ"
            yield rejected("compare --judge", setting, _p_values(pooled(strata)), None)


def _real_gains(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """All pairs of real systems, the labelled items drawn from those of the set."""
    sets = {"demo digits": _digits()}
    if SHARED.exists():
        sets["cifar10_test_13"] = _cifar()
    for what, columns in sets.items():
        names = [name for name in columns if name != "truth"]
        votes = np.array([columns[name] for name in names])
        judge = _majority(votes)
        for labels in (30, 100):
            coverage = []
            for one in range(len(names)):
                for other in range(one):
                    held = _held(
                        votes[one], votes[other], judge, columns["truth"], labels, runs, random
                    )
                    coverage.append(held)
            for which, value in (("mean", np.mean(coverage)), ("worst", min(coverage))):
                yield Row(
                    number="gain, --judge",
                    setting=f"{what}, {labels} labels, {which} of {len(coverage)} pairs",
                    said=0.95,
                    measured=float(value),
                    runs=runs // 4,
                )


def _majority(votes: np.ndarray) -> np.ndarray:
    labels = np.unique(votes)
    counts = np.array([(votes == label).sum(axis=0) for label in labels])
    return labels[counts.argmax(axis=0)]


def _held(
    first: np.ndarray,
    second: np.ndarray,
    judge: np.ndarray,
    truth: np.ndarray,
    labels: int,
    runs: int,
    random: np.random.Generator,
) -> float:
    """How often the interval holds the difference over all items of a set."""
    differ = first != second
    side = np.where(judge == first, 0, np.where(judge == second, 1, 2))
    outcome = np.where(first == truth, 0, np.where(second == truth, 1, 2))
    kind = np.where(differ, 3 * side + outcome, 9)
    whole = np.bincount(kind, minlength=10)
    few = random.multivariate_hypergeometric(whole, labels, size=runs // 4)[:, :9]
    few = few.reshape(-1, 3, 3).astype(float)
    items = np.broadcast_to(whole[:9].reshape(3, 3).sum(axis=1), few.shape[:2]).astype(float)
    strata = Strata(
        few[:, :, 0], few[:, :, 1], few.sum(axis=2), items, np.full(len(few), float(len(truth)))
    )
    found = _interval(pooled(strata))
    gain = ((first == truth).sum() - (second == truth).sum()) / len(truth)
    return float(((found.low <= gain) & (gain <= found.high)).mean())


def _graded(accuracy: tuple[float, float], passes: tuple[tuple[float, float], ...]) -> np.ndarray:
    """The shares of (grade of first, of second, people of first, of second), over easy and hard items."""
    shares = np.zeros((2, 2, 2, 2))
    for easy in (0.15, -0.15):
        for one in (0, 1):
            for other in (0, 1):
                right = [share + easy for share in accuracy]
                people = (one * right[0] + (1 - one) * (1 - right[0])) * (
                    other * right[1] + (1 - other) * (1 - right[1])
                )
                pass_one = passes[0][1 - one]
                pass_other = passes[1][1 - other]
                for grade in (0, 1):
                    for grade_other in (0, 1):
                        by_judge = pass_one if grade else 1 - pass_one
                        by_judge *= pass_other if grade_other else 1 - pass_other
                        shares[grade, grade_other, one, other] += people * by_judge / 2
    return shares


def _outputs(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Outputs of two systems that a judge graded all and people some, both outputs of the same items."""
    for what, passes in JUDGES.items():
        for accuracy in ((0.7, 0.7), (0.8, 0.6)):
            shares = _graded(accuracy, passes)
            gain = accuracy[0] - accuracy[1]
            for labels in LABELS:
                strata = _graded_strata(shares, labels, runs, random)
                setting = (
                    f"{what}, right on {accuracy[0]:g} and {accuracy[1]:g}, {labels} items graded"
                )
                found = [_interval(strata)]
                yield covered("gain by a judge's grades", setting, gain, found, runs=runs)
                if not gain:
                    yield rejected("compare by a judge's grades", setting, _p_values(strata), None)


def _graded_strata(
    shares: np.ndarray, labels: int, runs: int, random: np.random.Generator
) -> Strata:
    """Draw items of which people graded both outputs, and others."""
    few = random.multinomial(labels, shares.ravel(), size=runs).reshape(runs, 4, 4).astype(float)
    many = random.multinomial(ITEMS - labels, shares.sum(axis=(2, 3)).ravel(), size=runs)
    checked = few.sum(axis=2)
    total = np.full(runs, float(ITEMS))
    return pooled(Strata(few[:, :, 2], few[:, :, 1], checked, checked + many, total))


def _several(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Any of 10 pairs of 5 equally good systems, with Holm's correction, on the same labels."""
    for labels in LABELS:
        smallest = np.ones(runs // 4)
        for run in range(len(smallest)):
            smallest[run] = _any_pair(labels, random)
        setting = f"5 equally good systems, any of 10 pairs, {labels} labels"
        yield rejected("compare --judge, Holm", setting, smallest, None)


def _any_pair(labels: int, random: np.random.Generator) -> float:
    items = 2000
    hard = random.random(items) < 0.2
    right = random.random((5, items)) < np.where(hard, 0.5, 0.85)
    judge = right.sum(axis=0) >= 3
    known = np.arange(items) < labels
    first, second = np.triu_indices(5, 1)
    counts = np.zeros((4, len(first), 2))
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        differ = right[one] != right[other]
        for side in (0, 1):
            rows_of = differ & ((judge == right[one]) if side == 0 else (judge == right[other]))
            counts[0, place, side] = (rows_of & known & right[one]).sum()
            counts[1, place, side] = (rows_of & known & right[other]).sum()
            counts[2, place, side] = (rows_of & known).sum()
            counts[3, place, side] = rows_of.sum()
    strata = pooled(Strata(*counts, np.full(len(first), float(items))))
    return float(holm(stratified_difference(strata).p_value).min())


def _borrowed(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """A system that people never graded, by the judge's errors on others."""
    number = "accuracy by the judge's errors on other systems (Rogan-Gladen)"
    for what, own, others in (
        ("a strong judge", (0.95, 0.05), (0.95, 0.05)),
        ("a weak judge", (0.80, 0.35), (0.80, 0.35)),
        ("a judge kinder to it", (0.97, 0.45), (0.90, 0.10)),
    ):
        for labels in LABELS:
            share = 0.6
            passing = share * own[0] + (1 - share) * own[1]
            found = []
            for _ in range(runs):
                right = random.binomial(labels, 0.65)
                wrong = labels - right
                _, interval = rogan_gladen(
                    (random.binomial(1000, passing), 1000),
                    (random.binomial(right, others[0]), right),
                    (random.binomial(wrong, 1 - others[1]), wrong),
                )
                found.append(interval)
            setting = f"{what}, right on {share:g}, {labels} outputs of others graded"
            yield covered(number, setting, share, found, runs=runs)


def _alarms(runs: int, random: np.random.Generator) -> Iterator[Row]:
    """How often random samples are said to be none, and a fair judge to be kinder to somebody."""
    for labels in LABELS:
        p_sample = np.ones(runs)
        p_kind = np.ones(runs)
        for run in range(runs):
            shares = random.multivariate_hypergeometric([700, 900, 400], labels)
            features = [
                Feature(str(place), int(k), labels, whole - int(k), 2000 - labels)
                for place, (k, whole) in enumerate(zip(shares, (700, 900, 400), strict=True))
            ]
            check = sample_check(features)
            p_sample[run] = 1.0 if check is None else check.p_value
            right = random.binomial(labels, (0.7, 0.6, 0.5))
            wrong = labels - right
            errors = np.stack(
                [wrong, random.binomial(wrong, 0.3), right, random.binomial(right, 0.1)], axis=1
            )
            of_systems = kindness("abc", errors.astype(float))
            p_kind[run] = min(min(one.p_passed, one.p_failed) for one in of_systems)
        yield rejected("the labels look like no random sample", f"{labels} labels", p_sample, None)
        setting = f"3 systems, {labels} outputs of each graded, the same errors"
        yield rejected("the judge is kinder to some system", setting, p_kind, None)
