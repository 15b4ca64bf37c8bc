"""Rarer questions whose answers are kept: uncertain truths, few items, rounded counts, limits of intervals."""

import numpy as np

import karat
from karat.doubt.label_noise.divergence_order import divergence_under_label_noise
from karat.doubt.label_noise.published_scores import kept_from_scores
from karat.doubt.label_noise.ranking_order import binomial, ranking_under_label_noise
from karat.doubt.prevalence.inversions import inversions
from karat.doubt.tests.noninferiority import noninferior_samples
from karat.measure.lead import lead_rule
from karat.measure.prevalence.pr_curve import (
    areas,
    minimum_area,
    normalised_area,
    random_area,
    rises,
    roc_of,
)
from karat.measure.quantity import Quantity
from support.kept_questions import (
    ITEMS,
    LABELS,
    NAMES,
    SCORES,
    VOTES,
    labels,
    votes,
)
from support.kept_rarer_methods import (
    DOUBT,
    ODD,
    STEPS,
    audited,
    counts,
    crowd,
    learnt,
    led,
    marks,
    odd,
    of_curves,
    of_factors,
    of_graphs,
    of_item_means,
    of_ratios,
    regressions,
    sampled,
    saved_and_read,
    slid,
    sparse,
)
from support.kept_tables import runs, texts

RARER = {
    # Uncertain truths, runs, few items.
    **{
        f"score, errors by item, {measure}": (
            lambda measure=measure, side=side: karat.read(LABELS | DOUBT, error="doubt").score(
                measure=measure, side=side, draws=200
            )
        )
        for measure, side in (
            ("accuracy", "both"),
            ("recall,precision", "lower"),
            ("macro-f1", "upper"),
            ("f1[cat],kappa", "both"),
        )
    },
    "score, errors by item, classes": lambda: karat.read(LABELS | DOUBT, error="doubt").score(
        per="class", measure="f1", draws=200
    ),
    "compare, errors by item": lambda: karat.read(LABELS | DOUBT, error="doubt").compare(draws=200),
    "score, runs": lambda: karat.read(
        LABELS | {"run": [f"r{place % 4}" for place in range(ITEMS)]}, run="run"
    ).score(measure="accuracy,recall[cat],macro-f1", draws=100),
    "score, few clusters": lambda: karat.read(
        LABELS | {"page": [f"p{place % 3}" for place in range(ITEMS)]}, cluster="page"
    ).score(measure="accuracy,f1[cat]", draws=100),
    "compare, few clusters": lambda: karat.read(
        LABELS | {"page": [f"p{place % 4}" for place in range(ITEMS)]}, cluster="page"
    ).compare(draws=100),
    "score, mostly missing": lambda: karat.read(
        LABELS | {"b": [one if place % 3 == 0 else None for place, one in enumerate(LABELS["b"])]}
    ).score(measure="accuracy"),
    "score, ten items": lambda: karat.read(
        {name: one[:10] for name, one in LABELS.items()}
    ).score(),
    "compare, ten items": lambda: karat.read(
        {name: one[:10] for name, one in LABELS.items()}
    ).compare(draws=100),
    "score, few queries": lambda: karat.read(
        {"query": ["q"] * 6 + ["r"] * 6, "item": NAMES[:12], "truth": [1, 0, 0, 1, 0, 0] * 2}
        | {name: SCORES[name][:12] for name in "ab"}
    ).retrieval(),
    "compare, all right": lambda: karat.read(
        {"item": NAMES, "truth": LABELS["truth"], "a": LABELS["truth"], "b": LABELS["b"]}
    ).compare(measure="accuracy,macro-f1", draws=100),
    # Rounded shares and counts.
    "counts, rounded": lambda: karat.compare_counts(counts("85%/200", "80.5%/200", "70%/50")),
    "counts, baseline": lambda: karat.compare_counts(
        counts("170/200", "80.5%/200", "35/50"), baseline="80.5%/200", margin=0.02, level=0.9
    ),
    "counts, scored": lambda: karat.score_counts(counts("85%/200", "17/20")),
    "published": lambda: karat.stability_of_scores([(90, 100), (60, 100)], label_error=0.1),
    "published, wide": lambda: [
        kept_from_scores(50, 54, 100, 0.2),
        kept_from_scores(3, 8, 10, 0.05),
        kept_from_scores(11, 12, 40, 0.3),
    ],
    # Orders of two under wrong labels by class.
    **{
        f"stability, two by {measure}": (
            lambda measure=measure: karat.read(
                {name: VOTES[name] for name in ("item", "truth", "a", "b")}
            ).stability(label_error={"1": 0.1, "0": 0.03}, measure=measure)
        )
        for measure in ("f1", "precision", "recall", "accuracy", "specificity")
    },
    "stability, two informed": lambda: karat.read(
        {name: LABELS[name] for name in ("item", "truth", "a", "b")}
    ).stability(label_error="4/80", model="informed", draws=200),
    "stability, level": lambda: votes().stability(label_error=0.08, level=0.8, draws=200),
    "stability, graphs": lambda: of_graphs("expression", all_pairs=True),
    "stability, symbols": lambda: of_graphs("object"),
    "stability, strokes": lambda: of_graphs("primitive", curves=True),
    "ranking, simulated": lambda: ranking_under_label_noise(
        np.eye(6) + np.tri(6) > 0, 3000 + np.arange(6), 0.1, draws=200, seed=2
    ),
    "ranking, by item": lambda: ranking_under_label_noise(
        [[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]], [3, 3, 5, 2], [0.1, 0.2, 0.0, 0.5]
    ),
    "binomial": lambda: [binomial(10, 0.2), binomial(10, 0.0), binomial(10, 1.0)],
    "divergence, three systems": lambda: divergence_under_label_noise(
        [
            [[0.9, 0.1, 0.0], [0.8, 0.2, 0.0], [0.1, 0.9, 0.0]],
            [[0.6, 0.4, 0.0], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]],
            [[0.3, 0.3, 0.4], [0.1, 0.1, 0.8], [0.2, 0.7, 0.1]],
        ],
        [0, 0, 1],
        0.1,
        direction="reverse",
        draws=300,
        seed=1,
    ),
    "constants learnt": learnt,
    "regressions": regressions,
    # Intervals at their limits.
    "means of items": of_item_means,
    "curves without spread": of_curves,
    "ratios": of_ratios,
    "samples no worse": lambda: [
        noninferior_samples(40, 50, 45, 50, margin=0.1),
        noninferior_samples(10, 10, 9, 10, margin=0.2),
    ],
    "factors": of_factors,
    "sampled areas": sampled,
    "areas by name": lambda: [
        areas(rises(STEPS), [0.0, 0.2, 1.0]),
        minimum_area([0.0, 0.2, 1.0]),
        random_area(0.2),
        normalised_area(STEPS, pi=[0.2, 0.7]),
    ],
    "inversions": lambda: inversions(STEPS, roc_of([0.25, 0.6], [0.05, 0.5])),
    "leads of one item": lambda: [
        lead_rule(Quantity(*one))
        for one in (("accuracy",), ("recall", None, "cat"), ("error-rate",))
        if one
    ],
    # Pages, odd labels, saved tallies, annotators, crowds.
    "slider": slid,
    "leaders": led,
    "odd labels": odd,
    "odd labels, scored": lambda: karat.read(ODD, kinds="label").score(),
    "saved tallies": saved_and_read,
    "marks": marks,
    "crowd": crowd,
    "judge of few": lambda: sparse().score(),
    "judge of few, compared": lambda: sparse().compare(),
    "consensus, checked": lambda: karat.read(
        LABELS
        | {"truth": [one if place < 20 else None for place, one in enumerate(LABELS["truth"])]}
    ).consensus(draws=20, level=0.8, seed=5),
    "consensus, trust": lambda: votes().consensus(
        estimator="vote", trust={"a": 3.0, "b": 0.5}, leave_out="itself", beta=0.5, draws=20
    ),
    "skew, few": lambda: karat.read(
        {name: one[:14] for name, one in SCORES.items()}, kinds="score"
    ).skew(to=0.1, threshold=0.8, choose="f1", draws=40),
    "skew, three clusters": lambda: karat.read(
        SCORES | {"page": [f"p{place % 3}" for place in range(ITEMS)]},
        kinds="score",
        cluster="page",
    ).skew(to=0.2, threshold=0.8, draws=40),
    "skew, many": lambda: karat.read(
        SCORES | {f"d{place}": np.roll(SCORES["a"], place).tolist() for place in range(3)},
        kinds="score",
    ).skew(to=(0.001, 0.6), draws=40),
    # Audits by class, with a list that has a gap and labels that cannot be told.
    "audit, recall": lambda: audited("recall[cat]", ("a", "b"), 25, labels()),
    "audit, yes and no": lambda: audited("accuracy", ("a", "d"), 25, votes(), random=0.3),
    "audit, several": lambda: audited(
        "accuracy", ["order", ("a", "b")], 60, labels(), new_items=True, risk=0.1
    ),
    "audit, tied": lambda: karat.read(LABELS | {"d": LABELS["a"]}).audit(
        claim=["order", ("a", "d")], seed=2
    ),
    "audit, corrected": lambda: audited("accuracy", ("a", "b"), 30, labels()).corrected(),
    "audit, planned best": lambda: (
        votes().audit(claim="best", seed=1).plan(0.03, runs=20, most=100)
    ),
    "audit, guided, random": lambda: audited(
        "accuracy", ("a", "c"), 40, labels(), guide="informed"
    ),
    # Texts and rankings with ties and gaps.
    "texts, one side": lambda: texts().score(measure="WER", side="upper", level=0.9),
    "texts, missing": lambda: karat.read(
        {"truth": ["a b c", "d e"] * 10, "a": ["a b", None] * 10, "b": ["a b c", "d f"] * 10}
    ).score(measure="WER,CER"),
    "rankings, one side": lambda: runs().retrieval(measure="P@2,AP", level=0.8),
    "rankings, clusters": lambda: runs().compare(
        measure="AP", test="randomisation", level=0.9, seed=3
    ),
}
"""By name, as `QUESTIONS`."""
