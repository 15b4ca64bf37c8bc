"""Methods on counts whose numbers are kept: what no question of a small table reaches, with the options they take."""

import json
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import karat
from karat.doubt.audit.new_items import worst_p_value
from karat.doubt.bounds.areas import delong, resampled_average_precision
from karat.doubt.bounds.item_mean import item_mean
from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.consensus.correlated_systems import correlated_systems
from karat.doubt.consensus.one_factor import one_factor, without_difficulty
from karat.doubt.consensus.prediction_powered import (
    powered_accuracy,
    powered_mean,
    powered_precision,
    powered_recall,
)
from karat.doubt.consensus.rogan_gladen import rogan_gladen
from karat.doubt.consensus.vote_blocks import consensus_blocks
from karat.doubt.label_noise.correlated_errors import (
    clusters_tolerated,
    every_label,
    kept_clusters,
    ranking_of_clusters,
    shared_label,
    simulated_clusters,
)
from karat.doubt.label_noise.divergence_order import divergence_under_label_noise
from karat.doubt.label_noise.error_model import ErrorModel
from karat.doubt.label_noise.pair_order import kept_at_most, kept_exactly, kept_items
from karat.doubt.label_noise.precision_recall_order import precision_recall_under_label_noise
from karat.doubt.label_noise.published_scores import (
    divergence_bounds,
    kept_from_scores,
    pair_counts,
    true_wrong_bounds,
)
from karat.doubt.prevalence.area_bootstrap import unpaired_areas
from karat.doubt.prevalence.area_influences import area_influences
from karat.doubt.prevalence.area_under_label_noise import area_under_label_noise, expected_area
from karat.doubt.prevalence.inversion_interval import around, inversion_interval
from karat.doubt.prevalence.unlabelled_scores import (
    adjusted_count,
    deployed_by_unlabelled_scores,
    likeliest_prevalence,
)
from karat.doubt.resampling.delong_test import delong_test
from karat.doubt.resampling.difference_over_groups import difference_over_groups
from karat.doubt.tests.over_queries import no_worse_over_queries, paired_t, randomisation
from karat.doubt.tests.two_samples import limits, two_samples
from karat.measure.consensus.summed_votes import blocked_consensus, summed_consensus
from karat.measure.consensus.votes import Consensus, consensus
from karat.measure.item_mean import ItemMean
from karat.measure.prevalence.binning_limits import (
    area_bounds,
    average_precision_bounds,
    bin_costs,
    mean_area_bounds,
    roc_area_bounds,
)
from karat.measure.prevalence.domain_limits import prevalence_limits
from karat.measure.prevalence.packed_area import rises_of, weighted_rises
from karat.measure.prevalence.pr_curve import areas, rises, roc_of
from karat.measure.prevalence.precision_at import flach_precision, transformed_precision
from karat.measure.prevalence.priors.landgrebe import landgrebe_integral, landgrebe_precision
from karat.measure.prevalence.priors.uniform import uniform
from karat.measure.prevalence.thinned_curve import largest_area_difference, thinned
from karat.tally import TALLIES
from karat.tally.scores.curve import Curve
from support.kept_questions import VOTES, confidences, labels, scores, votes
from support.kept_tables import MANY, runs, spans, texts

RANDOM = np.random.default_rng(2028)
CELLS = [[[30, 4], [6, 5]], [[3, 9], [4, 25]]]
"""Items by the answers of two systems and the truth."""
CHECKED = [[[20, 1], [3, 4]], [[4, 3], [5, 60]]]
JUDGED = [[250, 60], [70, 620]]
CURVE = Curve(
    np.array([0.9, 0.7, 0.5, 0.3, 0.1]), np.array([6, 4, 3, 1, 1]), np.array([1, 2, 5, 9, 12])
)
FLAT = Curve(
    np.array([0.9, 0.7, 0.5, 0.3, 0.1]), np.array([3, 3, 3, 3, 3]), np.array([4, 5, 6, 7, 7])
)
NEW_SCORES = np.round(RANDOM.uniform(0, 1, 200), 1)
TRUTHS = RANDOM.integers(0, 2, 60)
RATED = np.round(TRUTHS + RANDOM.normal(size=60), 1)
LEADS = np.round(RANDOM.normal(0.1, 0.2, (12, 3)), 3)
MANY_LEADS = np.round(RANDOM.normal(0.05, 0.2, (25, 2)), 3)


def _page(bench: karat.Bench, **options: Any) -> Any:
    """Return the report of a table, as JSON."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.json"
        bench.report(path, draws=100, date="2026-01-01", **options)
        return json.loads(path.read_text(encoding="utf-8"))


def _changed() -> Any:
    """Return what changed from one report to the next."""
    with TemporaryDirectory() as folder:
        old = Path(folder) / "old.json"
        new = Path(folder) / "new.json"
        votes().report(old, draws=100)
        votes(weight=True).report(new, draws=100, against=old)
        return json.loads(new.read_text(encoding="utf-8"))["change"]


def _errors_of_clusters(how: Any) -> Any:
    """Return what errors that are shared by clusters do to an order."""
    clusters = how(labels(cluster=True).counter.count(TALLIES["patterns"], keys="c"), "")
    matrix = ErrorModel(0.05, 4).matrix(clusters.labels)[:, : len(clusters.labels)]
    return {
        "total": clusters.total,
        "kept": _orders_of_clusters(clusters, matrix),
        "tolerated": [clusters_tolerated(clusters, *pair) for pair in (("a", "b"), ("b", "a"))],
        "ranking": ranking_of_clusters(clusters, matrix, draws=200, seed=1),
        "simulated": simulated_clusters(clusters, matrix, draws=20, seed=2),
    }


def _orders_of_clusters(clusters: Any, matrix: Any) -> Any:
    """Return how likely the order of each two systems is kept, the better one first."""
    orders = []
    for one, other in (("a", "b"), ("b", "c"), ("a", "c")):
        places = [clusters.systems.index(name) for name in (one, other)]
        first, second = clusters.total[places]
        pair = (one, other) if first >= second else (other, one)
        orders.append([*pair, kept_clusters(clusters, *pair, matrix)])
    return orders


def _summed(name: str, bench: karat.Bench) -> Any:
    tally = bench.counter.count(TALLIES[name])
    vote = blocked_consensus if name == "covotes_by_block" else summed_consensus
    return [
        vote(tally),
        vote(tally, leave_out="itself"),
        vote(tally, families=[0, 1, *range(1, len(tally.systems) - 1)], leave_out="family"),
    ]


def _inversion() -> Any:
    drawn = unpaired_areas(CURVE, FLAT, around(0.2), draws=60, seed=3)
    return [inversion_interval(drawn, 0.2), inversion_interval(drawn, 0.2, level=0.8)]


def _tallied(name: str, bench: karat.Bench, **options: Any) -> Any:
    """Return a tally, and that of the table twice."""
    tally = bench.counter.count(TALLIES[name], **options)
    return [tally, tally + tally] if hasattr(tally, "__add__") else [tally]


def _yes_and_no(**extra: Any) -> karat.Bench:
    return karat.read(VOTES | extra, kinds="yesno")


RANDOM_NOISE = RANDOM.normal(size=60)


def _thinned() -> Any:
    steps = np.linspace(0.002, 1, 400)
    whole = rises(roc_of(steps, steps**2))
    few = thinned(whole, low=1e-3, high=0.9, within=1e-4)
    off = largest_area_difference(whole, few, low=1e-3, high=0.9)
    return [few, off, areas(few, [0.01, 0.5])]


def _distributions() -> Any:
    sure = [[0.9, 0.06, 0.04], [0.8, 0.1, 0.1], [0.2, 0.7, 0.1]]
    unsure = [[0.6, 0.2, 0.2], [0.5, 0.3, 0.2], [0.3, 0.3, 0.4]]
    return [sure, unsure], [0, 0, 1]


def _factor() -> Any:
    loadings = np.array([0.9, 0.7, 0.6, 0.8, 0.5])
    value = np.outer(loadings, loadings) + 0.01 * np.outer([1, -1, 2, 0, 1], [1, 1, -1, 0, 2])
    value = (value + value.T) / 2
    precision = 50.0 * (1 - np.eye(5))
    return [one_factor(value, precision), without_difficulty(value, precision)]


def _blocks() -> Any:
    table = np.column_stack([MANY[name] for name in "abc"])
    parts = [consensus(table[place::4]) for place in range(4)]
    blocks = Consensus(
        *(
            np.array([getattr(part, one.name) for part in parts])
            if isinstance(getattr(parts[0], one.name), np.ndarray)
            else getattr(parts[0], one.name)
            for one in fields(Consensus)
        )
    )
    return [consensus_blocks(blocks), consensus_blocks(blocks, beta=2.0, level=0.8)]


def _binned() -> Any:
    return scores().counter.count(TALLIES["binned"], bins=6)


METHODS = {
    **{
        f"precision and recall under wrong labels, {measure}": (
            lambda measure=measure: [
                precision_recall_under_label_noise(CELLS, 0.08, measure=measure, beta=2.0),
                precision_recall_under_label_noise(CELLS, (0.02, 0.1), measure=measure),
            ]
        )
        for measure in ("f", "precision", "recall", "accuracy")
    },
    "precision under wrong labels, simulated": lambda: precision_recall_under_label_noise(
        np.array(CELLS) * 400, 0.05, measure="f", draws=500, seed=1
    ),
    "curve with fewer points": _thinned,
    "influences on an area": lambda: [
        area_influences(CURVE, [0.01, 0.3, 0.9]),
        area_influences(FLAT, [0.0, 0.5, 1.0]),
    ],
    "judge of a mean": lambda: [
        powered_mean([0, 0, 1, 1], [0, 1, 0, 1], [24, 7, 13, 56], [0, 1], [361, 639]),
        powered_mean([0, 0.5, 1], [0, 1, 1], [4, 7, 9], [0.2, 1], [31, 39], level=0.9, weight=1.0),
    ],
    "judge of accuracy": lambda: [
        powered_accuracy(CHECKED, JUDGED),
        powered_accuracy(CHECKED, JUDGED, weight=1.0, level=0.8),
    ],
    "judge of precision": lambda: [
        powered_precision(CHECKED, JUDGED),
        powered_precision(CHECKED, JUDGED, label=0, weight=0.5, level=0.9),
    ],
    "judge of recall": lambda: [
        powered_recall(CHECKED, JUDGED),
        powered_recall(CHECKED, JUDGED, label=0, weight=0.5, level=0.9),
    ],
    "judge with known errors": lambda: [
        rogan_gladen((600, 1000), (90, 100), (80, 100)),
        rogan_gladen((30, 200), (40, 50), (35, 60), level=0.8),
        rogan_gladen((5, 200), (10, 20), (10, 20)),
        rogan_gladen((10, 200), (45, 50), (40, 60)),
    ],
    "areas under wrong labels": lambda: [
        area_under_label_noise(CURVE, [0.1, 0.5], error=0.05, draws=80, seed=2),
        area_under_label_noise(CURVE, [0.5], error=(0.02, 0.2), level=0.8, draws=80),
        area_under_label_noise(
            Curve(np.array([3.0, 2.0, 1.0]), np.array([1, 0, 2]), np.array([0, 2, 1])),
            [0.3],
            error=0.1,
        ),
        expected_area(CURVE, [0.1, 0.5], error=(0.05, 0.1)),
    ],
    "areas of bins": lambda: [
        area_bounds(CURVE, pi=[0.05, 0.5]),
        average_precision_bounds(CURVE, pi=[0.05, 0.5]),
        mean_area_bounds(CURVE, uniform(0.02, 0.4)),
        roc_area_bounds(CURVE),
        bin_costs(CURVE, pi=0.2),
    ],
    "areas of one curve": lambda: [
        delong(CURVE),
        delong(CURVE, level=0.9, side="lower"),
        delong(Curve(np.array([2.0, 1.0]), np.array([9, 0]), np.array([0, 20]))),
        resampled_average_precision(CURVE, draws=200, seed=1),
        resampled_average_precision(FLAT, draws=200, side="upper", level=0.8),
    ],
    "area of scores": lambda: [
        areas(rises_of(TRUTHS, RATED), [0.1, 0.5]),
        areas(weighted_rises(TRUTHS, RATED, 1 + np.arange(60) % 3), [0.1, 0.5]),
    ],
    "mean of items": lambda: [
        item_mean(ItemMean(np.array([0.0, 0.25, 0.5]), np.array([30, 10, 2]))),
        item_mean(ItemMean(np.array([0.0, 0.25]), np.array([3, 1])), level=0.8, side="upper"),
    ],
    "ends by log odds": lambda: [
        log_odds_ends(0.5, 0.01, freedom=10, units=20),
        log_odds_ends(1.0, 0.0, freedom=10, units=20),
        log_odds_ends(0.0, 0.0, freedom=4, units=9, level=0.8),
        log_odds_ends(0.9, 0.002, freedom=7, units=12, level=0.9),
    ],
    "wrong labels in clusters": lambda: _errors_of_clusters(shared_label),
    "wrong labels all over clusters": lambda: _errors_of_clusters(every_label),
    "divergence under wrong labels": lambda: [
        divergence_under_label_noise(*_distributions(), 0.1, direction=direction, floor=0.01)
        for direction in ("forward", "reverse")
    ],
    "published scores": lambda: [
        pair_counts([1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 1, 0]),
        divergence_bounds(40, 60, 100),
        true_wrong_bounds(14, 9, 100, 8),
        kept_from_scores(80, 90, 100, 0.1),
        kept_from_scores(70, 71, 90, 0.02),
    ],
    "kept orders": lambda: [
        kept_items([0.1, 0.05], [0.02, 0.3, 0.2]),
        kept_exactly(6, 12, 40, 5),
        kept_at_most(6, 12, 40, 5),
    ],
    "correlated systems": lambda: correlated_systems(
        np.column_stack([MANY[name] for name in "abcdef"]), classes=2, level=0.9
    ),
    "one factor": _factor,
    "consensus of sums": lambda: _summed("covotes", _yes_and_no()),
    "consensus of confidences": lambda: _summed("covotes", confidences()),
    "consensus of blocks": _blocks,
    "unlabelled scores": lambda: [
        adjusted_count(CURVE, NEW_SCORES, threshold=0.5),
        likeliest_prevalence(CURVE, NEW_SCORES),
        deployed_by_unlabelled_scores(CURVE, NEW_SCORES, threshold=0.5, level=0.9),
    ],
    "inversion": _inversion,
    "binned scores": _binned,
    "two samples": lambda: [
        two_samples([40, 5, 0], [50, 9, 3], [92, 4, 3], [100, 12, 3]),
        limits(40, 50, 50, 50),
        limits(4, 9, 12, 20, level=0.9),
    ],
    "differences over groups": lambda: [
        difference_over_groups(np.array([2.0, 1.0, 3.0, -1.0]), np.array([10.0, 10.0, 30.0, 8.0])),
        difference_over_groups(np.array([2.0, 1.0]), np.array([10.0, 20.0]), level=0.8),
    ],
    "differences over queries": lambda: [
        paired_t(LEADS),
        randomisation(LEADS),
        randomisation(MANY_LEADS, draws=500, seed=4),
        no_worse_over_queries(LEADS, margin=0.05),
    ],
    "leads on new items": lambda: [worst_p_value(10, 40), worst_p_value(3, 9), worst_p_value(0, 7)],
    "prevalence": lambda: [
        flach_precision([0.8, 0.2], [0.2, 0.1], ratio=1.5),
        transformed_precision([0.73, 0.4], old=0.5, new=0.01),
        landgrebe_integral(0.8, 0.3, low=1, high=100),
        landgrebe_precision(0.8, 0.3, low=1, high=50),
        prevalence_limits([0.109, 0.076, 0.184, 0.168]),
    ],
    "test of areas": lambda: delong_test(TRUTHS == 1, RATED, np.round(RATED + RANDOM_NOISE, 1)),
    **{
        f"tally, {name}": (
            lambda name=name, bench=bench, options=options: _tallied(name, bench(), **options)
        )
        for name, bench, options in (
            ("confusions", labels, {}),
            ("patterns", labels, {}),
            ("curves", scores, {}),
            ("rankings", runs, {}),
            ("query-units", runs, {}),
            ("edits", texts, {"unit": "words"}),
            ("span-matches", spans, {}),
            ("covotes", _yes_and_no, {}),
        )
    },
    "report of labels": lambda: _page(labels(group=True)),
    "report of scores": lambda: _page(scores(group=True), to=0.1),
    "report of yes and no": lambda: _page(votes(cluster=True)),
    "report of rankings": lambda: _page(runs()),
    "report without truth": lambda: _page(karat.read(MANY)),
    "report, changed": _changed,
}
"""By name, as `QUESTIONS`."""
