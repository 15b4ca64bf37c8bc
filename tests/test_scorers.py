"""Scorers for model selection: the areas of the curve itself, and scikit-learn's searches that use them."""

import pickle

import numpy as np
import pytest

import karat
from karat.errors import InputError, OptionError, UnknownNameError
from karat.measure.prevalence.integrated import area_over, integrated_area
from karat.measure.prevalence.pr_curve import normalised_area, pr_area, roc
from karat.measure.prevalence.priors.landgrebe import landgrebe
from karat.tally.scores.packed_curve import curve_of


class Given:
    """A model whose score is its input's only column."""

    classes_ = np.array(["no", "yes"])

    def decision_function(self, items):
        return np.asarray(items)[:, 0]


class Likely:
    """A model that knows probabilities only."""

    classes_ = Given.classes_

    def predict_proba(self, items):
        score = np.asarray(items)[:, 0]
        return np.stack([1 - score, score], axis=1)


def items(seed=0, number=300):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.3
    return np.round((random.random(number) + 0.4 * truth) / 1.4, 2)[:, None], truth


@pytest.mark.parametrize("model", [Given(), Likely()])
def test_a_scorer_gives_the_areas_of_the_curve(model):
    scores, truth = items()
    names = np.where(truth, "yes", "no")
    curve = roc(curve_of(truth, scores[:, 0]))
    assert karat.scorer("area", pi=0.02)(model, scores, names) == pytest.approx(
        float(pr_area(curve, pi=0.02))
    )
    over = karat.scorer(low=0.0, high=0.2)(model, scores, names)
    assert over == pytest.approx(integrated_area(curve, low=0.0, high=0.2), rel=1e-12)
    ratios = karat.scorer("landgrebe_area", low=0.01, high=0.5)(model, scores, names)
    assert ratios == pytest.approx(area_over(curve, landgrebe(0.01, 0.5)), rel=1e-12)
    won = karat.scorer("normalised_area", pi=0.1)(model, scores, names)
    assert won == pytest.approx(float(normalised_area(curve, pi=0.1)), rel=1e-9)


def test_the_other_label_turns_the_scores_round():
    scores, truth = items()
    found = karat.scorer("area", pi=0.3, positive="no")(
        Given(), scores, np.where(truth, "yes", "no")
    )
    assert found == pytest.approx(
        float(pr_area(roc(curve_of(~truth, -scores[:, 0])), pi=0.3)), rel=1e-12
    )


def test_grid_search_picks_by_it_and_workers_can_have_it():
    selection = pytest.importorskip("sklearn.model_selection")
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    features, truth = make_classification(400, weights=[0.8], random_state=1)
    scoring = {
        "rare": karat.scorer("integrated_area", low=0.0, high=0.05),
        "even": karat.scorer("area", pi=0.5),
    }
    search = selection.GridSearchCV(
        LogisticRegression(), {"C": [0.001, 0.1, 10]}, scoring=scoring, refit="rare", cv=3
    )
    search.fit(features, truth)
    assert search.best_score_ == max(search.cv_results_["mean_test_rare"])
    assert np.all(search.cv_results_["mean_test_even"] > search.cv_results_["mean_test_rare"])
    values = selection.cross_val_score(DecisionTreeClassifier(max_depth=3, random_state=0), features, truth,
                                       scoring=pickle.loads(pickle.dumps(scoring["rare"])), cv=3)  # fmt: skip # noqa: S301
    assert np.all((values > 0) & (values <= 1))


def test_it_is_there_again_after_its_first_use():
    assert callable(karat.scorer)
    karat.scorer("area", pi=0.1)
    assert repr(karat.scorer("area", pi=0.1)) == "scorer('area', prevalence(0.1))"


def test_bad_options_are_refused_in_words():
    with pytest.raises(UnknownNameError, match="no scorer is called 'arena'; did you mean 'area'"):
        karat.scorer("arena", pi=0.1)
    with pytest.raises(OptionError, match="either the prevalence pi"):
        karat.scorer("normalised_area", pi=0.1, low=0.1, high=0.2)
    with pytest.raises(OptionError, match="needs the prevalence"):
        karat.scorer("integrated_area")
    with pytest.raises(OptionError, match="area takes pi"):
        karat.scorer("area", low=0.1, high=0.2)
    with pytest.raises(OptionError, match="the lower one first"):
        karat.scorer(low=0.5, high=0.2)
    with pytest.raises(OptionError, match="positive is 'maybe'; the classes are 'no', 'yes'"):
        karat.scorer("area", pi=0.1, positive="maybe")(Given(), *items())
    with pytest.raises(InputError, match="object gives no scores"):
        karat.scorer("area", pi=0.1)(object(), *items())
    with pytest.raises(InputError, match="the truth has no positives"):
        karat.scorer("area", pi=0.1)(Given(), items()[0], np.full(300, "no"))
