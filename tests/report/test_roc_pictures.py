"""ROC curves as pictures: the points of scikit-learn's curve, thinned along the curve, and areas in the legend."""

import numpy as np
import pytest

import karat
from karat.measure.prevalence.pr_curve import RocCurve, roc
from karat.report.prevalence_pictures import fields
from karat.report.roc_pictures import MOST_POINTS, points
from karat.tally.scores.packed_curve import curve_of

RANDOM = np.random.default_rng(4)
TRUTH = (RANDOM.random(300) < 0.3).astype(int)
SCORES = {"good": RANDOM.normal(2.0 * TRUTH), "poor": np.round(RANDOM.normal(0.5 * TRUTH), 1)}


def drawn(**options):
    """The panels of what `skew` draws."""
    figure = pytest.importorskip("matplotlib.figure").Figure()
    result = karat.read({"truth": TRUTH, **SCORES}).skew(draws=0, **options)
    fields(result, figure)
    return [axes for axes in figure.axes if axes.get_visible()]


def test_the_last_panel_holds_scikit_learns_curves_and_areas():
    metrics = pytest.importorskip("sklearn.metrics")
    panel = drawn(to=[0.01, 0.5])[-1]
    lines = {line.get_label().split()[-1]: line for line in panel.get_lines()}
    for name, scores in SCORES.items():
        fpr, tpr, _ = metrics.roc_curve(TRUTH, scores, drop_intermediate=False)
        assert lines[name].get_xdata() == pytest.approx(fpr)
        assert lines[name].get_ydata() == pytest.approx(tpr)
        area = metrics.roc_auc_score(TRUTH, scores)
        assert lines[name].get_label().startswith(f"{area:.4f} ")


def test_there_is_a_panel_a_prevalence_and_one_more():
    assert len(drawn()) == 2
    assert len(drawn(to=[0.01, 0.1, 0.5])) == 4


def test_a_long_curve_is_drawn_at_points_that_lie_on_it():
    truth = np.arange(20_000) % 3 == 0
    curve = roc(curve_of(truth, RANDOM.normal(1.0 * truth)))
    fpr, tpr = points(curve)
    assert len(fpr) == MOST_POINTS
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    # A step of the curve is at most one item of either kind, so between the neighbours no point is far away.
    beside = np.interp(fpr + tpr, curve.fpr + curve.tpr, curve.tpr)
    assert tpr == pytest.approx(beside)
    short = RocCurve(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert points(short)[0] is short.fpr


def test_a_picture_of_roc_curves_has_a_name(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "roc.svg"
    karat.read({"truth": TRUTH, **SCORES}).plot("roc").save(path)
    text = path.read_text(encoding="utf-8")
    assert "false positive rate" in text
    assert "as in the data" in text
