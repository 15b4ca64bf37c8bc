"""Lampert and Gancarski (2014): precision under skew, the paper's numbers and the exact values beside them."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erf

from karat.doubt.prevalence.inversions import inversions
from karat.measure.prevalence.distribution import precision_over, weighted
from karat.measure.prevalence.domain_limits import prevalence_limits
from karat.measure.prevalence.integrated import area_over, integrated, minimum_over
from karat.measure.prevalence.pr_curve import minimum_area, normalised_area, pr_area, roc_of
from karat.measure.prevalence.precision_at import (
    from_negatives_per_positive,
    precision_at,
    transformed_precision,
)
from karat.measure.prevalence.priors.landgrebe import (
    landgrebe,
    landgrebe_integral,
    landgrebe_precision,
)
from karat.measure.prevalence.priors.normal import gaussian
from karat.measure.prevalence.priors.uniform import integrated_precision, uniform
from karat.measure.prevalence.step_areas import trapezoid_area
from karat.measure.prevalence.trajectories.exponential import exponential
from karat.measure.prevalence.trajectories.logistic import logistic
from karat.measure.prevalence.trajectories.sine import sine
from karat.measure.prevalence.trajectory import precision_on

ENTRIES = [
    entry
    for entry in json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    if entry["paper"] == "001"
]
BY_NAME = {entry["id"]: entry for entry in ENTRIES}


def curve(points):
    return roc_of(*np.array(points).T)


def area(points, pi):
    found, at = curve(points), {"pi": pi}
    values = (
        pr_area(found, **at),
        trapezoid_area(found, **at),
        minimum_area(pi),
        normalised_area(found, **at),
    )
    return dict(zip(("auc", "trapezoid", "min", "normalised"), map(float, values), strict=True))


def area_of_range(points, p1, p2):
    found = integrated(curve(points), uniform(p1, p2))
    return {"auc": found.area, "min": found.minimum, "normalised": found.normalised}


def ratios(tpr, fpr, lam1, lam2):
    limits = {"low": lam1, "high": lam2}
    skews = {"low": from_negatives_per_positive(lam2), "high": from_negatives_per_positive(lam1)}
    return {
        "printed": float(landgrebe_integral(tpr, fpr, **limits)),
        "normalised": float(landgrebe_precision(tpr, fpr, **limits)),
        "weight_integral": lam2 - lam1,
        "uniform_pi_Pbar": float(integrated_precision(tpr, fpr, **skews)),
    }


def weights(tpr, fpr, p1, p2, w, mu=None, sd=None):
    spread = (
        gaussian(mu, sd, low=p1, high=p2)
        if w == "normal"
        else weighted(lambda pi: 2 * (1 - pi), low=p1, high=p2)
    )
    return precision_over(tpr, fpr, spread)


def limits(values, n_sigma, ddof):
    found = prevalence_limits(values, deviations=n_sigma, ddof=ddof)
    return {"mean": found.mean, "sd": found.deviation, "pi1": found.low, "pi2": found.high}


def changes(**curves):
    found = inversions(*(curve(curves[f"curve{k}_TPR_FPR"]) for k in (1, 2)))
    return {"crossings": found.crossings, "inversion_skews": found.skews.tolist()}


FUNCTIONS = {
    "precision_at": lambda tpr, fpr, pi: precision_at(tpr, fpr, pi=pi),
    "transform_precision": lambda P, pi, pi2: transformed_precision(P, old=pi, new=pi2),  # noqa: N803
    "pbar": lambda tpr, fpr, p1, p2: integrated_precision(tpr, fpr, low=p1, high=p2),
    "pbar_weighted": weights,
    "landgrebe": ratios,
    "temporal_exponential": lambda tpr, fpr, pi0, rate_base, T: precision_on(  # noqa: N803
        tpr, fpr, exponential(pi0, rate_base, time=T)
    ),
    "temporal_sine": lambda tpr, fpr, m, A: precision_on(tpr, fpr, sine(m, A)),  # noqa: N803
    "temporal_logistic": lambda tpr, fpr, K, r, t0, T: precision_on(  # noqa: N803
        tpr, fpr, logistic(K, r, t0, time=T)
    ),
    "auc_pr": area,
    "auc_pbar_closed": area_of_range,
    "auc_min": minimum_area,
    "auc_min_int": lambda p1, p2: minimum_over(uniform(p1, p2)),
    "skew_limits": limits,
    "inversions": changes,
}
COMPUTED = [entry for entry in ENTRIES if entry["fn"] and entry["id"] != "LG-E17"]
TABLE_2 = [entry for entry in ENTRIES if entry["id"].startswith("LG-T2")]
TABLE_3 = [BY_NAME[f"LG-T3-{level}"] for level in range(1, 14)]


def identify(entry):
    return entry["id"]


def test_every_entry_of_the_paper_is_tested_here():
    others = {"LG-E17", "LG-T3-spread", "LG-T4-arith", "LG-lambda100", "LG-9973"}
    tested = {entry["id"] for entry in [*COMPUTED, *TABLE_2, *TABLE_3]} | others
    assert tested == set(BY_NAME)
    assert (len(COMPUTED), len(ENTRIES)) == (43, 65)


@pytest.mark.parametrize("entry", COMPUTED, ids=identify)
def test_the_exact_value(entry):
    found, exact, close = (
        FUNCTIONS[entry["fn"]](**entry["inputs"]),
        entry["exact"],
        entry["tolerance"],
    )
    if isinstance(exact, dict):
        for name in exact.keys() - {"auc1_minus_auc2_at"}:
            assert found[name] == pytest.approx(exact[name], abs=close), name
    elif exact is None:
        assert np.isnan(found)
    else:
        assert float(found) == pytest.approx(exact, abs=close)


@pytest.mark.parametrize(
    "entry", [entry for entry in COMPUTED if isinstance(entry["published"], float)], ids=identify
)
def test_the_published_value_is_the_exact_one_rounded(entry):
    assert entry["agrees"] is True
    assert float(FUNCTIONS[entry["fn"]](**entry["inputs"])) == pytest.approx(
        entry["published"], abs=5e-5
    )


@pytest.mark.parametrize("entry", TABLE_2, ids=identify)
def test_table_2(entry):
    """The precision of each matrix is that of its rates at its skew; (d) is .96, where .97 is printed."""
    counts, exact = entry["inputs"], entry["exact"]
    positives, negatives = counts["TP"] + counts["FN"], counts["FP"] + counts["TN"]
    assert positives + negatives == 1010
    assert [counts["TP"] / positives, counts["FP"] / negatives] == pytest.approx(
        [exact["TPR"], exact["FPR"]]
    )
    pi = positives / 1010
    assert pi == pytest.approx(exact["pi"])
    assert float(precision_at(exact["TPR"], exact["FPR"], pi=pi)) == pytest.approx(
        exact["P"], abs=1e-12
    )
    assert (round(exact["P"], 2) == entry["published"]["P"]) == (entry["id"] != "LG-T2d")
    assert (round(pi, 2) == entry["published"]["pi"]) == (entry["id"] != "LG-T2c")


@pytest.mark.parametrize("entry", TABLE_3, ids=identify)
def test_table_3(entry):
    given, exact = entry["inputs"], entry["exact"]
    low = given["AUCPR"] - given["AUCPR_minus_min"]
    least = minimum_over(uniform(given["p1"], given["p2"]))
    found = {
        "AUCPR_MIN_implied": low,
        "norm_PR": given["AUCPR_minus_min"] / (1 - low),
        "pbar_minus_min": given["AUCPbarR"] - least,
        "norm_pbar": (given["AUCPbarR"] - least) / (1 - least),
    }
    assert found == pytest.approx(exact, abs=1e-9)
    for name, value in entry["published"].items():
        assert found[name] == pytest.approx(value, abs=1.5e-4), name


def test_the_spread_of_figure_6a():
    areas = [entry["inputs"]["AUCPbarR"] for entry in TABLE_3]
    assert max(areas) - min(areas) == pytest.approx(BY_NAME["LG-T3-spread"]["exact"])


def test_the_limits_of_table_4_follow_from_its_mean_and_a_deviation_of_0353_only():
    given, exact = BY_NAME["LG-T4-arith"]["inputs"], BY_NAME["LG-T4-arith"]["exact"]
    found = [given["mean"] - 3 * given["sd"], given["mean"] + 3 * given["sd"]]
    assert found == pytest.approx([exact["pi1"], exact["pi2"]])
    published = BY_NAME["LG-T4-ddof1"]["published"]
    for ddof in (0, 1):
        ours = limits(BY_NAME["LG-T4-ddof1"]["inputs"]["values"], 3, ddof)
        assert abs(ours["mean"] - published["mean"]) > 0.003


def test_a_ratio_of_a_hundred():
    entry = BY_NAME["LG-lambda100"]
    assert from_negatives_per_positive(entry["inputs"]["lam"]) == pytest.approx(entry["exact"])


def test_the_share_within_three_deviations():
    assert erf(3 / np.sqrt(2)) == pytest.approx(BY_NAME["LG-9973"]["exact"], abs=1e-12)


def test_equation_17_with_its_parentheses():
    """Interpolated counts, put into eq 16; as printed, B i stands outside the factor (1 - pi') phi."""
    entry = BY_NAME["LG-E17"]
    given, exact = entry["inputs"], entry["exact"]
    slope = (given["FPb"] - given["FPa"]) / (given["TPb"] - given["TPa"])
    hits, false = given["TPa"] + given["i"], given["FPa"] + slope * given["i"]
    rates = hits / given["Np"], false / given["Nn"]
    found = float(integrated_precision(*rates, low=given["p1"], high=given["p2"]))
    assert found == pytest.approx(exact["right"], abs=1e-12) == pytest.approx(exact["check_pbar"])
    nodes, phi = uniform(given["p1"], given["p2"]), given["Np"] / given["Nn"]
    below = nodes.pi * hits + (1 - nodes.pi) * phi * given["FPa"] + slope * given["i"]
    assert float(nodes.weight @ (nodes.pi * hits / below)) == pytest.approx(
        exact["as_printed"], abs=1e-9
    )


def test_more_inversions_than_crossings():
    """The claim of section 4.1.1 fails for curves that are not concave (METHODS 2.1.5)."""
    entry = BY_NAME["LG-inv-counterexample"]
    first, second = (curve(entry["inputs"][f"curve{k}_TPR_FPR"]) for k in (1, 2))
    found = inversions(first, second)
    assert len(found.skews) == 2 > found.crossings
    assert found.most == 2
    for pi, right in entry["exact"]["auc1_minus_auc2_at"].items():
        assert float(pr_area(first, pi=float(pi)) - pr_area(second, pi=float(pi))) == pytest.approx(
            right, abs=1e-13
        )


def test_landgrebe_is_a_weight_of_one_over_the_square():
    given, exact = BY_NAME["LG-Landgrebe"]["inputs"], BY_NAME["LG-Landgrebe"]["exact"]
    low, high = (float(from_negatives_per_positive(given[name])) for name in ("lam2", "lam1"))
    found = precision_over(given["tpr"], given["fpr"], landgrebe(low, high))
    assert float(found) == pytest.approx(exact["normalised"], abs=1e-12)
    assert area_over(roc_of([], []), landgrebe(low, high)) == pytest.approx(np.log(101 / 2) / 99)
