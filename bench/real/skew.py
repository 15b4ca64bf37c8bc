"""Do rankings turn with the prevalence on real data, and does skew mask agreement? Needs the shared data.

Outlier detectors: every inversion of every pair, each verified with 40 digits on either side. Boundary detectors: the
annotators' agreement levels as truths, as in Section 3 and Table 3 of Lampert and Gancarski. Words as arguments: only
these parts (inversions, levels).
"""

import csv
import gzip
import sys
from itertools import combinations
from pathlib import Path

import mpmath
import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

import karat
from karat.doubt.prevalence.inversions import rankings
from karat.measure.prevalence.agreement_levels import following, level_curves
from karat.measure.prevalence.integrated import integrated
from karat.measure.prevalence.pr_curve import RocCurve, normalised_area, pr_area, roc
from karat.measure.prevalence.priors.uniform import uniform
from karat.tally.scores.annotator_marks import marks_of
from karat.tally.scores.curve import Curve, curves

DATA = Path(__file__).parents[3] / "shared" / "data"
SETS = "annthyroid", "mammography", "pendigits", "satimage-2", "smtp", "Wilt"
DETECTORS = "gpb_owt_ucm", "lab_grad_s1", "gauss_grad_s2", "local_std", "sobel", "log_s2", "canny"
ANNOTATORS = "a1", "a2", "a3", "a4", "a5"
BESIDE = 0.02
"""How far to either side of an inversion to look, in logit pi, where no other one is nearer."""


def precise(curve: Curve, pi: float) -> mpmath.mpf:
    """The area from the counts with 40 digits: the integral of R / (a R + b) over each stretch where recall rises."""
    weight = (1 - mpmath.mpf(pi)) / mpmath.mpf(pi)
    hits, false = (part.cumsum() for part in (curve.positive, curve.negative))
    total = mpmath.mpf(0)
    for place in np.flatnonzero(curve.positive).tolist():
        r1, f1 = (
            mpmath.mpf(int(hits[place])) / int(hits[-1]),
            mpmath.mpf(int(false[place])) / int(false[-1]),
        )
        rise, more = (int(part[place]) for part in (curve.positive, curve.negative))
        wide, slope = (
            mpmath.mpf(rise) / int(hits[-1]),
            mpmath.mpf(more) / int(false[-1]) * int(hits[-1]) / rise,
        )
        a, b = 1 + weight * slope, weight * (f1 - slope * r1)
        total += wide / a - (
            b / a**2 * mpmath.log((a * r1 + b) / (a * (r1 - wide) + b)) if b else 0
        )
    return total


def verified(first: Curve, second: Curve, skews: np.ndarray, leads: tuple[int, ...]) -> int:
    """How many inversions are there still when both areas are computed anew on either side."""
    place = np.log(skews / (1 - skews))
    held = 0
    for number, here in enumerate(place):
        near = np.min(np.abs(np.delete(place, number) - here), initial=2 * BESIDE) / 2
        sides = [1 / (1 + np.exp(-(here + step))) for step in (-near, near)]
        signs = [int(mpmath.sign(precise(first, pi) - precise(second, pi))) for pi in sides]
        held += signs == [leads[number], leads[number + 1]]
    return held


def inversions() -> None:
    mpmath.mp.dps = 40
    header(
        "Inversions between all 28 pairs of 8 outlier detectors, skews from 1e-6 to 1 - 1e-6",
        "mpmath",
    )
    row = "  {:<12} {:>7} {:>9} {:>6} {:>8} {:>10} {:>9} {:>10} {:>6} {:>8}"
    heads = (
        "set",
        "items",
        "positive",
        "pairs",
        "turning",
        "inversions",
        "verified",
        "crossings",
        "orders",
        "missed",
    )
    print(row.format(*heads))
    for name in SETS:
        counter = karat.read(
            DATA / "adbench_scores" / f"{name}.csv.gz", item="item", truth="truth", positive="1"
        ).counter
        tallies = counter.count(curves)
        points = {system: roc(curve) for system, curve in tallies.items()}
        found = rankings(points)
        pairs = list(combinations(points, 2))
        each = [found.pairs[pair] for pair in pairs]
        held = sum(
            verified(tallies[a], tallies[b], found.pairs[a, b].skews, found.pairs[a, b].leads)
            for a, b in pairs
        )
        number = sum(len(one.skews) for one in each)
        missed = sum(overlooked(points[a], points[b], found.pairs[a, b].leads) for a, b in pairs)
        one = next(iter(tallies.values()))
        items, yes = int((one.positive + one.negative).sum()), int(one.positive.sum())
        turning, crossed = (
            sum(bool(len(one.skews)) for one in each),
            sum(one.crossings for one in each),
        )
        print(row.format(name, f"{items:,}", f"{yes / items:.2%}", len(pairs), turning, number, held, f"{crossed:,}",
                         len(found.orders), missed))  # fmt: skip
        inside = [change for change in found.changes if 1e-4 <= change.skew <= 0.5]
        for change in inside[:4]:
            print(f"    at pi = {change.skew:.4g} {change.rising} overtakes {change.falling}")
        print(
            f"    {len(inside)} of the inversions lie between 1e-4 and 0.5"
            + (", the first four above" if len(inside) > 4 else "")
        )


def overlooked(first: RocCurve, second: RocCurve, leads: tuple[int, ...]) -> bool:
    """Whether a scan ten times as fine sees more changes of sign than were found."""
    pi = 1 / (1 + np.exp(-np.linspace(-13.8, 13.8, 1105)))
    gap = pr_area(first, pi=pi) - pr_area(second, pi=pi)
    signs = np.sign(gap[np.abs(gap) > 1e-12])
    return int(np.count_nonzero(signs[1:] != signs[:-1])) > len(leads) - 1


def levels() -> None:
    header("Agreement of five annotators as truths: boundary cells of 50 images, seven detectors")
    with gzip.open(DATA / "bsds500_boundaries" / "cells.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    marks = np.array([[int(row[name]) for name in ANNOTATORS] for row in rows])
    spread = uniform(0.0, 0.5)
    for detector in DETECTORS:
        tally = marks_of(marks, np.array([float(row[detector]) for row in rows]))
        found = following(tally)
        within, whole = found.within, found.over_all
        print(f"  {detector}: correlation of score and agreement")
        for what, three in (("within the marked", within), ("over all", whole)):
            said = ", ".join(
                f"{each.method} {each.value:.4f} (p {each.p_value:.1e})" for each in three
            )
            print(f"    {what:<18} {three[0].items:>8,} items: {said}")
        print("    at least    skew      area  normalised  integrated  normalised")
        table = []
        for level, counted in level_curves(tally).items():
            curve, pi = (
                roc(counted),
                counted.positive.sum() / (counted.positive + counted.negative).sum(),
            )
            over = integrated(curve, spread)
            table.append(
                [
                    float(pr_area(curve, pi=pi)),
                    float(normalised_area(curve, pi=pi)),
                    over.area,
                    over.normalised,
                ]
            )
            print(f"    {level:>8} {pi:>7.4f}    {table[-1][0]:.4f}      {table[-1][1]:.4f}      {over.area:.4f}      "
                  f"{over.normalised:.4f}")  # fmt: skip
        names = "area", "normalised", "integrated", "normalised integrated"
        ways = [way(np.diff([line[k] for line in table])) for k in range(4)]
        print(
            "    with agreement "
            + ", ".join(f"{name} {said}" for name, said in zip(names, ways, strict=True))
        )


def way(steps: np.ndarray) -> str:
    return "rises" if np.all(steps > 0) else "falls" if np.all(steps < 0) else "rises and falls"


PARTS = {"inversions": inversions, "levels": levels}
if not DATA.is_dir():
    sys.exit(f"the real data sets are not at {DATA}; nothing to do without them")
for name in sys.argv[1:] or PARTS:
    PARTS[name]()
