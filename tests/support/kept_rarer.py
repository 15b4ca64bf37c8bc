"""Rarer questions and methods whose answers are kept: limits, few items, saved tallies, graphs, many items at once."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import karat
from karat.ask.counts import parse_count
from karat.doubt.bounds.areas import delong, resampled
from karat.doubt.bounds.item_mean import item_mean
from karat.doubt.bounds.ratio_of_sums import difference_of_ratios, ratio_of_sums, variance_of_ratio
from karat.doubt.consensus.one_factor import one_factor, without_difficulty
from karat.doubt.label_noise.divergence_order import divergence_under_label_noise
from karat.doubt.label_noise.informed.items import LabelledItems, disputes_of
from karat.doubt.label_noise.informed.learning import combined, learn
from karat.doubt.label_noise.informed.logistic_posterior import logistic_posterior, nearest_normal
from karat.doubt.label_noise.published_scores import kept_from_scores
from karat.doubt.label_noise.ranking_order import binomial, ranking_under_label_noise
from karat.doubt.prevalence.inversions import inversions
from karat.doubt.prevalence.sampled_areas import joint_sample, sampled_areas
from karat.doubt.tests.noninferiority import noninferior_samples
from karat.measure.consensus.dawid_skene import dawid_skene, dawid_skene_long
from karat.measure.item_mean import ItemMean
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
from karat.measure.ratios import Ratios
from karat.tally import TALLIES
from karat.tally.scores.annotator_marks import Marks, marks_of
from karat.tally.scores.curve import Curve
from karat.tally.scores.sampled_scores import SampledScores
from karat.verdict.oddities import odd_warnings, of_confusion, of_patterns
from karat.verdict.prevalence.leaders import (
    is_surely_first,
    lead_of,
    leading_stretches,
    settled_neighbours,
    settled_pairs,
    stretch_of,
)
from karat.verdict.prevalence.slider import prevalence_slider
from support.kept_further_questions import MANY, runs, texts
from support.kept_methods import CURVE
from support.kept_questions import (
    CLASS,
    CLASSES,
    ITEMS,
    LABELS,
    NAMES,
    SCORES,
    VOTES,
    labels,
    scores,
    votes,
)

RANDOM = np.random.default_rng(2029)
RATES = Ratios(np.array([[1.0, 2.0], [0.0, 3.0], [4.0, 9.0], [2.0, 1.0]]), np.full((4, 2), 50.0))
MANY_RATES = Ratios(
    RANDOM.poisson(3, (30, 2)).astype(float), 40.0 + RANDOM.integers(0, 20, (30, 1)) + [[0, 0]]
)
EVEN_RATES = Ratios(np.full((5, 2), 2.0), np.full((5, 2), 40.0))
STEPS = roc_of([0.5, 0.95], [0.2, 0.45])
DOUBT = {"doubt": [0.02 * (place % 4) for place in range(ITEMS)]}
PERFECT = Curve(np.array([2.0, 1.0]), np.array([9, 0]), np.array([0, 20]))
ALONE = Curve(np.array([2.0, 1.0]), np.array([1, 0]), np.array([2, 7]))
AGAIN = CLASSES[np.where(RANDOM.random(ITEMS) < 0.15, RANDOM.integers(0, 4, ITEMS), CLASS)].tolist()
ODD = {
    "truth": ["Cat", "cat", "none", "dog", "dog ", "dog"] * 5,
    "a": ["cat", "cat", "N/A", "dog", "dog", "unknown"] * 5,
    "b": ["Cat", "CAT", "none", "Dog", "dog ", "dog"] * 5,
}


def _of_item_means() -> Any:
    few = ItemMean(np.array([0.5]), np.array([1]))
    equal = ItemMean(np.array([0.5]), np.array([12]))
    return [
        item_mean(few),
        item_mean(equal),
        item_mean(equal, level=0.9, side="lower"),
        item_mean(equal, level=0.9, side="upper"),
    ]


def _of_curves() -> Any:
    """Return intervals of curves without spread, or with one positive only."""

    def half(curve: Curve) -> float:
        return 0.5 if curve.positive.sum() else float("nan")

    def share(curve: Curve) -> float:
        positives = curve.positive.sum()
        return float(curve.positive[0] / positives) if positives else float("nan")

    found = [
        delong(PERFECT),
        delong(ALONE),
        delong(PERFECT, side="upper"),
        delong(PERFECT, level=0.8),
    ]
    for side in ("both", "lower", "upper"):
        found += [
            resampled(half, CURVE, draws=50, side=side, level=0.9),
            resampled(share, CURVE, draws=50, side=side, low=-1.0, high=2.0),
            resampled(share, ALONE, draws=50, side=side),
        ]
    return found


def _of_ratios() -> Any:
    found = []
    for ratios in (RATES, MANY_RATES, EVEN_RATES):
        first = ratios.of(0) if hasattr(ratios, "of") else ratios
        found += [
            ratio_of_sums(first, high=np.inf),
            ratio_of_sums(first, level=0.8, side="lower"),
            ratio_of_sums(first, level=0.8, side="upper"),
            difference_of_ratios(ratios, high=np.inf),
            difference_of_ratios(ratios, level=0.8),
            variance_of_ratio(first),
        ]
    return found


def _of_factors() -> Any:
    """Return a factor of twelve systems with items of varying difficulty."""
    loadings = np.linspace(0.3, 0.9, 12)
    apart = loadings - np.median(loadings)
    value = np.outer(loadings, loadings) + 0.4 * np.outer(apart, apart)
    value[0, 1] = value[1, 0] = 0.8
    precision = 40.0 * (1 - np.eye(12))
    return [one_factor(value, precision), without_difficulty(value, precision)]


def _learnt() -> Any:
    """Return what a table teaches all of whose labels were looked up."""
    lessons = []
    for seed in (1, 2):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 3, 300)
        given = np.where(random.random(300) < 0.12, random.integers(0, 3, 300), truth)
        answers = np.where(
            random.random((300, 4)) < 0.75, truth[:, None], random.integers(0, 3, (300, 4))
        )
        items = LabelledItems(
            systems=tuple("abcd"),
            labels=tuple("xyz"),
            given=given,
            answers=answers.astype(np.int32),
            number=np.ones(300, np.int64),
            right=truth,
            group=np.zeros(300, np.int64),
            groups=1,
        )
        lessons.append([learn(disputes_of(items))])
    return [lessons, combined(dict(enumerate(lessons)), source="two tables")]


def _regressions() -> Any:
    random = np.random.default_rng(4)
    columns = np.column_stack([np.ones(40), random.normal(size=40)])
    happened = (random.random(40) < 0.4).astype(float)
    number = 1.0 + np.arange(40) % 3
    mean = np.array([-0.5, 1.0])
    deviation = np.array([1.0, 0.5])
    return [
        logistic_posterior(columns, number, happened, mean, deviation),
        nearest_normal(columns, number, happened, mean, deviation),
    ]


def _sampled() -> Any:
    """Return areas by a sample that stands for three times as many items."""
    paired = scores().counter.count(TALLIES["paired-scores"], ["a", "b", "c"])
    curves = scores().counter.count(TALLIES["curves"])
    drawn = SampledScores(paired, np.full(len(paired.number), 3.0))
    found = sampled_areas(drawn, curves, [0.1, 0.4], seed=2)
    one = found.difference(0, 1, np.array([0.3, 0.7]))
    joint = joint_sample(found, curves, ends=1, draws=100, seed=3)
    return [
        found.whole,
        found.moved.sum(axis=0),
        one,
        one.reach(0.9),
        one.above(0.01),
        one.above(0.0),
        joint,
    ]


def _slid() -> Any:
    result = scores().skew(to=(0.05, 0.4), draws=100)
    slider = prevalence_slider(result, to=0.02)
    own = prevalence_slider(result)
    return [
        [slider.at(place) for place in (0, 5, -2, -1)],
        [slider.position, slider.own_position, slider.own, slider.begins_elsewhere],
        [own.position, own.own_position, own.begins_elsewhere],
        slider.turns,
    ]


def _led() -> Any:
    result = scores().skew(to=0.3, draws=100)
    order = [area.system for area in sorted(result.areas, key=lambda area: area.rank)]
    return [
        [lead_of(result, *pair) for pair in (("a", "b"), ("c", "a"), ("b", "c"))],
        settled_neighbours(result),
        settled_pairs(result),
        is_surely_first(result, order),
        is_surely_first(result, order[::-1]),
        leading_stretches(result.stretches),
        [stretch_of(result.stretches, share) for share in (0.001, 0.2, 1.0)],
    ]


def _odd() -> Any:
    bench = karat.read(ODD, kinds="label")
    by_confusion = [
        of_confusion(one) for one in bench.counter.count(TALLIES["confusions"]).values()
    ]
    by_patterns = of_patterns(bench.counter.count(TALLIES["patterns"]))
    return [odd_warnings(bench.facts, by_confusion), odd_warnings(bench.facts, [by_patterns])]


def _saved_and_read() -> Any:
    """Return what two saved tallies say together, and one by itself."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("one.tally", "two.tally")]
        for path in paths:
            labels().save(path)
        whole = karat.read([str(path) for path in paths])
        one = karat.read(str(paths[0]))
        return [
            whole.score().rows(),
            one.compare(test="mcnemar").rows(),
            one.stability(label_error=0.05, draws=200).rows(),
            whole.consensus(draws=20).rows(),
        ]


def _graphs(seed: int) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return label graphs of four formulas, and two systems' misreadings of them."""
    random = np.random.default_rng(seed)
    truth: dict[str, str] = {}
    systems: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    for file in range(4):
        names = random.choice(["x", "y", "2", "+"], 3).tolist()
        truth[f"f{file}"] = _graph(names, ["Right", "Sup"])
        for outputs, share in zip(systems.values(), (0.2, 0.4), strict=True):
            read = [
                str(random.choice(["x", "y"])) if random.random() < share else name
                for name in names
            ]
            links = ["Right", "Right" if random.random() < share else "Sup"]
            outputs[f"f{file}"] = _graph(read, links)
    return truth, systems


def _graph(names: list[str], links: list[str]) -> str:
    lines = [f"O, o{place}, {name}, 1.0, s{place}" for place, name in enumerate(names)]
    lines += [f"R, o{place}, o{place + 1}, {link}, 1.0" for place, link in enumerate(links)]
    return "\n".join(lines) + "\n"


def _of_graphs(unit: str, **options: Any) -> Any:
    truth, systems = _graphs(3)
    with TemporaryDirectory() as folder:
        for name, graphs in {"truth": truth, **systems}.items():
            (Path(folder) / name).mkdir()
            for file, text in graphs.items():
                (Path(folder) / name / f"{file}.lg").write_text(text, encoding="utf-8")
        bench = karat.read_graphs(
            str(Path(folder) / "truth"),
            {name: str(Path(folder) / name) for name in systems},
            unit=unit,
        )
        return bench.stability(label_error=0.05, draws=200, **options)


def _counts(*words: str) -> list[Any]:
    return [parse_count(word) for word in words]


def _sparse(**options: Any) -> Any:
    """Return the score of a judge of items of which hardly any was checked."""
    truth = [label if place < 6 else None for place, label in enumerate(LABELS["truth"])]
    return karat.read(LABELS | {"truth": truth}, judge="c", **options)


def _audited(measure: str, claim: Any, number: int, bench: karat.Bench, **options: Any) -> Any:
    audit = bench.audit(claim=claim, seed=4, measure=measure, **options)
    rows = audit.next(number).rows()
    found = {}
    for place, row in enumerate(rows):
        if place == number - 3:
            continue
        found[row["item"]] = (
            row["given"] if place % 4 else "(undecidable)" if place % 8 else "(other)"
        )
    return audit.apply(found)


def _marks() -> Any:
    marks = RANDOM_MARKS
    found = marks_of(marks, SCORES["a"])
    some = Marks(
        8, np.array([1, 2, 5]), np.array([0.1, 0.5, 0.9]), np.ones(3, int), np.array([8, 5, 5])
    )
    return [
        found,
        marks_of(marks.sum(axis=1), SCORES["b"], annotators=4),
        some.level,
        some.agreement,
        some.by_all,
        found.by_all,
        found.rescored(-found.score).score,
    ]


RANDOM_MARKS = RANDOM.integers(0, 2, (ITEMS, 3))


def _crowd() -> Any:
    """Return annotators' errors from single answers, each annotator having seen few items."""
    random = np.random.default_rng(6)
    truth = random.integers(0, 3, 60)
    row = np.repeat(np.arange(60), 4)
    system = random.integers(0, 10, 240)
    label = np.where(random.random(240) < 0.75, truth[row], random.integers(0, 3, 240))
    known = np.where(np.arange(60) < 10, truth, -1)
    return [
        dawid_skene_long(row, system, label, np.ones(60), shape=(10, 3)),
        dawid_skene_long(row, system, label, np.ones(60), shape=(10, 3), truth=known),
        dawid_skene(np.column_stack([MANY[name] for name in "abcde"])),
    ]


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
    "counts, rounded": lambda: karat.compare_counts(_counts("85%/200", "80.5%/200", "70%/50")),
    "counts, baseline": lambda: karat.compare_counts(
        _counts("170/200", "80.5%/200", "35/50"), baseline="80.5%/200", margin=0.02, level=0.9
    ),
    "counts, scored": lambda: karat.score_counts(_counts("85%/200", "17/20")),
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
    "stability, graphs": lambda: _of_graphs("expression", all_pairs=True),
    "stability, symbols": lambda: _of_graphs("object"),
    "stability, strokes": lambda: _of_graphs("primitive", curves=True),
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
    "constants learnt": _learnt,
    "regressions": _regressions,
    # Intervals at their limits.
    "means of items": _of_item_means,
    "curves without spread": _of_curves,
    "ratios": _of_ratios,
    "samples no worse": lambda: [
        noninferior_samples(40, 50, 45, 50, margin=0.1),
        noninferior_samples(10, 10, 9, 10, margin=0.2),
    ],
    "factors": _of_factors,
    "sampled areas": _sampled,
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
    "slider": _slid,
    "leaders": _led,
    "odd labels": _odd,
    "odd labels, scored": lambda: karat.read(ODD, kinds="label").score(),
    "saved tallies": _saved_and_read,
    "marks": _marks,
    "crowd": _crowd,
    "judge of few": lambda: _sparse().score(),
    "judge of few, compared": lambda: _sparse().compare(),
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
    "audit, recall": lambda: _audited("recall[cat]", ("a", "b"), 25, labels()),
    "audit, yes and no": lambda: _audited("accuracy", ("a", "d"), 25, votes(), random=0.3),
    "audit, several": lambda: _audited(
        "accuracy", ["order", ("a", "b")], 60, labels(), new_items=True, risk=0.1
    ),
    "audit, tied": lambda: karat.read(LABELS | {"d": LABELS["a"]}).audit(
        claim=["order", ("a", "d")], seed=2
    ),
    "audit, corrected": lambda: _audited("accuracy", ("a", "b"), 30, labels()).corrected(),
    "audit, planned best": lambda: (
        votes().audit(claim="best", seed=1).plan(0.03, runs=20, most=100)
    ),
    "audit, guided, random": lambda: _audited(
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
