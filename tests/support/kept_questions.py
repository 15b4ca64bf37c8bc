"""Questions with the options that change numbers, on small tables that a seed makes; each gives something with rows."""

import numpy as np

import karat

RANDOM = np.random.default_rng(2026)
ITEMS = 120
NAMES = [f"i{place:03}" for place in range(ITEMS)]
CLASSES = np.array(["cat", "dog", "eel", "fox"])
CLASS = RANDOM.integers(0, 4, ITEMS)
POSITIVE = RANDOM.random(ITEMS) < 0.3
GROUP = [f"g{place % 3}" for place in range(ITEMS)]
CLUSTER = [f"c{place // 4}" for place in range(ITEMS)]
WEIGHT = [1.0 + place % 3 for place in range(ITEMS)]


def _labels(share):
    """Answers of which so many are drawn anew."""
    return CLASSES[np.where(RANDOM.random(ITEMS) < share, RANDOM.integers(0, 4, ITEMS), CLASS)]


def _votes(miss, alarm):
    """Answers of yes and no that miss some positives and give some false alarms."""
    return np.where(POSITIVE, RANDOM.random(ITEMS) >= miss, RANDOM.random(ITEMS) < alarm).astype(
        int
    )


def _scores(apart):
    """Scores with ties, those of positives higher."""
    return np.round(RANDOM.normal(size=ITEMS) + apart * POSITIVE, 1)


TRUTH = {"item": NAMES, "truth": CLASSES[CLASS].tolist()}
LABELS = TRUTH | {
    name: _labels(share).tolist() for name, share in (("a", 0.2), ("b", 0.35), ("c", 0.4))
}
VOTES = {"item": NAMES, "truth": POSITIVE.astype(int).tolist()}
VOTES |= {
    name: _votes(*rates).tolist()
    for name, rates in (("a", (0.1, 0.1)), ("b", (0.3, 0.05)), ("c", (0.2, 0.3)), ("d", (0.4, 0.4)))
}
SCORES = {"item": NAMES, "truth": POSITIVE.astype(int).tolist()}
SCORES |= {name: _scores(apart).tolist() for name, apart in (("a", 2.0), ("b", 1.4), ("c", 0.8))}
CONFIDENCES = {"item": NAMES, "truth": VOTES["truth"]}
CONFIDENCES |= {
    name: np.round(1 / (1 + np.exp(-np.array(SCORES[name]))), 2).tolist() for name in "abc"
}
GRADES = {"item": NAMES, "truth": RANDOM.integers(1, 6, ITEMS).tolist()}
GRADES |= {
    name: np.clip(np.array(GRADES["truth"]) + RANDOM.integers(-1, 2, ITEMS), 1, 5).tolist()
    for name in "ab"
}
SPARSE = LABELS | {
    "truth": [label if place % 3 else None for place, label in enumerate(LABELS["truth"])]
}
GAPS = LABELS | {"b": [label if place % 5 else None for place, label in enumerate(LABELS["b"])]}
SECOND = LABELS | {"second": _labels(0.1).tolist()}
CHECKED = {name: LABELS["truth"][place] for place, name in enumerate(NAMES) if place % 4 == 0}


def _bench(table, **extra):
    more = {"group": GROUP, "cluster": CLUSTER, "weight": WEIGHT}
    columns = {name: more[name] for name in extra if name in more}
    options = {name: value for name, value in extra.items() if name not in more}
    return karat.read(table | columns, **{name: name for name in columns}, **options)


def labels(**extra):
    return _bench(LABELS, kinds="label", **extra)


def votes(**extra):
    return _bench(VOTES, kinds="label", positive="1", **extra)


def scores(**extra):
    return _bench(SCORES, kinds="score", **extra)


def confidences(**extra):
    return _bench(CONFIDENCES, kinds="score", **extra)


def distributions():
    """Two systems that give each class a probability."""
    table = dict(TRUTH)
    for system, certain in (("a", 0.6), ("b", 0.3)):
        for name in CLASSES:
            own = np.array(LABELS[system]) == name
            table[f"{system}.p.{name}"] = np.where(own, certain, (1 - certain) / 3).tolist()
    return karat.read(table)


def grades(**extra):
    return _bench(GRADES, kinds="score", **extra)


QUESTIONS = {
    # How good is each system?
    "score": lambda: labels().score(),
    "score, by class": lambda: labels().score(per="class"),
    "score, by group": lambda: labels(group=True).score(per="group"),
    "score, mean over groups": lambda: labels(group=True).score(
        measure="accuracy", per="group", mean_over="like-these"
    ),
    "score, clusters": lambda: labels(cluster=True).score(measure=["accuracy", "macro-f1"]),
    "score, weights": lambda: labels(weight=True).score(measure="accuracy"),
    "score, Wilson": lambda: labels().score(measure="accuracy", bound="wilson", level=0.9),
    "score, lower": lambda: labels().score(measure="accuracy", side="lower"),
    "score, missing": lambda: _bench(GAPS, missing="skip").score(measure="accuracy"),
    "score, yes and no": lambda: votes().score(),
    "score, F2": lambda: votes().score(measure=["f1", "mcc"], beta=2.0),
    "score, areas": lambda: scores().score(),
    "score, threshold": lambda: scores().score(threshold=0.5),
    "score, areas of clusters": lambda: scores(cluster=True).score(measure="roc-area"),
    "score, counts": lambda: karat.score_counts([(90, 100), (40, 60), (0, 7)]),
    # Is one better than another?
    "compare": lambda: labels().compare(),
    "compare, ranks": lambda: labels().compare(ranks=True, draws=200, seed=3),
    "compare, baseline": lambda: labels().compare(baseline="b", test="exact-midp"),
    "compare, no worse": lambda: labels().compare(margin=0.05),
    "compare, F1": lambda: votes().compare(measure="f1", draws=200),
    "compare, macro": lambda: labels().compare(measure="macro-f1", draws=200),
    "compare, clusters": lambda: labels(cluster=True).compare(draws=200),
    "compare, weights": lambda: labels(weight=True).compare(draws=200),
    "compare, areas": lambda: scores().compare(measure="roc-area"),
    "compare, average precision": lambda: scores().compare(measure="average-precision"),
    "compare, Brier": lambda: confidences().compare(measure="brier"),
    "compare, counts": lambda: karat.compare_counts([(90, 100), (40, 60), (50, 70)]),
    # How many items?
    "plan, precision": lambda: karat.plan(estimate=0.9, lower=0.85),
    "plan, counts": lambda: karat.plan(estimate=0.9, trials=[50]),
    "plan, two counts": lambda: karat.plan(baseline=0.8, trials=[50, 500]),
    "plan, increase": lambda: karat.plan(baseline=0.8, increase=0.05, power=0.8),
    "plan, pairs": lambda: karat.plan(alone=[0.1, 0.05], power=0.9),
    "plan, no worse": lambda: karat.plan(alone=[0.1, 0.08], margin=0.05, power=0.8),
    "plan, clusters": lambda: karat.plan(estimate=0.9, lower=0.85, cluster_size=5, correlation=0.2),
    "plan, areas": lambda: karat.plan(area=[0.9, 0.85], prevalence=0.2, power=0.8),
    "plan, width": lambda: karat.plan(area=[0.9], prevalence=0.2, width=0.1),
    # What if labels are wrong?
    "stability": lambda: labels().stability(label_error=0.05, draws=500),
    "stability, all pairs": lambda: labels().stability(label_error=0.1, all_pairs=True, draws=500),
    "stability, at most": lambda: votes().stability(wrong=5, at_most=True, measure="accuracy"),
    "stability, few": lambda: labels().stability(label_error=0.02, few=True, draws=500),
    "stability, losses": lambda: distributions().stability(
        label_error=0.05, measure="cross-entropy", floor=0.01
    ),
    "stability, by group": lambda: labels(group=True).stability(
        label_error=0.05, per="group", draws=500
    ),
    "stability, F1": lambda: votes().stability(label_error=0.05, measure="f1", draws=500),
    "stability, threshold": lambda: scores().stability(label_error=0.05, threshold=0.5, draws=500),
    "stability, counts of classes": lambda: labels().stability(
        label_error=0.05, classes=6, pair=("a", "c")
    ),
    "stability, informed": lambda: labels().stability(label_error=0.1, model="informed", draws=500),
    "stability, checked": lambda: labels().stability(model="informed", checked=CHECKED, draws=500),
    "stability, numbers": lambda: grades().stability(
        measure="mean-absolute-error", noise=0.5, draws=200
    ),
    "stability, second truth": lambda: karat.read(
        SECOND, systems=["truth", "second"]
    ).disagreement(),
    "stability, published": lambda: karat.stability_of_scores(
        [(90, 100), (85, 100)], label_error=0.03
    ),
    "mistakes": lambda: karat.read(SECOND, truth="truth", systems=["second"]).mistakes(),
    # Nobody knows the truth.
    "consensus": lambda: labels().consensus(draws=20),
    **{
        f"consensus, {name}": (lambda name=name: votes().consensus(estimator=name, draws=20))
        for name in ("vote", "majority", "likeliest", "one-coin", "pooled", "dawid-skene")
    },
    "consensus, weights": lambda: votes().consensus(
        estimator="vote", trust={"a": 2.0}, oracles={"b": 1.0}, draws=20
    ),
    "consensus, families": lambda: votes().consensus(families={"one": ["c", "d"]}, draws=20),
    "consensus, confidences": lambda: confidences().consensus(estimator="vote", draws=20),
    "consensus, by item": lambda: labels().consensus(per="item"),
    "consensus, spectral": lambda: _bench(VOTES, kinds="yesno").consensus(
        estimator="spectral", draws=20
    ),
    "judge": lambda: _bench(SPARSE, judge="majority").score(measure="accuracy"),
    "judge, compare": lambda: _bench(SPARSE, judge="majority").compare(measure="accuracy"),
    # Other balances of classes.
    "skew": lambda: scores().skew(to=(0.05, 0.5), draws=100),
    "skew, range": lambda: scores().skew(low=0.02, high=0.4, prior="landgrebe", draws=100),
    "skew, bands": lambda: scores().skew(to=0.1, bands=True, draws=100),
    "skew, threshold": lambda: scores().skew(to=0.1, threshold=0.5, draws=100),
    "skew, choose": lambda: scores().skew(to=0.1, choose="precision>=.6", draws=100),
    "skew, labels wrong": lambda: scores().skew(to=0.1, label_error=(0.01, 0.05), draws=100),
    "skew, clusters": lambda: scores(cluster=True).skew(to=0.1, draws=100),
    "skew, groups": lambda: scores(group=True).skew(to=0.1, per="group", draws=100),
    "skew, published": lambda: karat.skew_of_precision(0.9, old=0.5, recall=0.8, to=[0.01, 0.1]),
    # Which labels to check.
    "audit": lambda: labels().audit(claim=("a", "b"), seed=4),
    "audit, best": lambda: labels().audit(claim="best", seed=4),
}
