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


def test_weights_are_as_many_items():
    # An item of weight k is k items: numpy's repeat is the oracle.
    scores, truth = items()
    names = np.where(truth, "yes", "no")
    weights = np.random.default_rng(3).integers(0, 4, len(truth))
    scoring = karat.scorer("area", pi=0.05)
    whole = scoring(Given(), np.repeat(scores, weights, axis=0), np.repeat(names, weights))
    assert scoring(Given(), scores, names, sample_weight=weights) == pytest.approx(whole, rel=1e-12)
    assert scoring(Given(), scores, names, sample_weight=weights / 7) == pytest.approx(whole)
    ones = scoring(Given(), scores, names, sample_weight=np.ones(len(truth)))
    assert ones == pytest.approx(scoring(Given(), scores, names), rel=1e-12)
    assert ones != pytest.approx(whole, rel=1e-3)


def test_weights_that_cannot_be_meant_are_refused():
    scores, truth = items()
    names = np.where(truth, "yes", "no")
    scoring = karat.scorer("area", pi=0.05)
    for weights, message in [
        (np.ones(3), "one weight an item"),
        (-np.ones(300), "not a finite number from 0 up"),
        (np.where(truth, 0, 1), "no positives of a weight above 0"),
    ]:
        with pytest.raises(InputError, match=message):
            scoring(Given(), scores, names, sample_weight=weights)


def test_every_prior_of_skew_is_one_of_the_scorer():
    scores, truth = items()
    names = np.where(truth, "yes", "no")
    bench = karat.read({"truth": truth.astype(int), "a": scores[:, 0]})
    table = {"skew": np.array([0.01, 0.05, 0.2]), "weight": np.array([1.0, 3.0, 0.0])}
    for prior in ("uniform", "normal:0.05,0.02", "landgrebe", table):
        found = karat.scorer(low=0.01, high=0.2, prior=prior)(Given(), scores, names)
        row = bench.skew(low=0.01, high=0.2, prior=prior, draws=0).rows()[-1]
        assert found == pytest.approx(row["area"], rel=1e-9)
    landgrebe_area = karat.scorer("landgrebe_area", low=0.01, high=0.2)(Given(), scores, names)
    by_prior = karat.scorer(low=0.01, high=0.2, prior="landgrebe")(Given(), scores, names)
    assert landgrebe_area == by_prior
    with pytest.raises(OptionError, match="at pi leave it out"):
        karat.scorer("area", pi=0.1, prior="landgrebe")
    with pytest.raises(OptionError, match="has its own prior"):
        karat.scorer("landgrebe_area", low=0.01, high=0.1, prior="normal:0.05,0.01")


def test_a_search_routes_weights_to_it():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_validate

    scores, truth = items()
    weights = np.random.default_rng(5).random(len(truth))
    plain = karat.scorer("area", pi=0.05)
    folds = [(np.arange(200), np.arange(200, 300))]
    with sklearn.config_context(enable_metadata_routing=True):
        asked = cross_validate(
            LogisticRegression().set_fit_request(sample_weight=False),
            scores,
            truth,
            cv=folds,
            scoring=plain.set_score_request(sample_weight=True),
            params={"sample_weight": weights},
        )
    fitted = LogisticRegression().fit(scores[:200], truth[:200])
    expected = plain(fitted, scores[200:], truth[200:], sample_weight=weights[200:])
    assert asked["test_score"].tolist() == [expected]


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


def test_a_misspelt_option_offers_the_nearest_and_the_name_may_be_a_keyword():
    with pytest.raises(
        UnknownNameError, match="no option of scorer is called 'hihg'; did you mean"
    ):
        karat.scorer("area", low=0, hihg=0.1)
    assert repr(karat.scorer(name="area", pi=0.01)) == repr(karat.scorer("area", pi=0.01))
