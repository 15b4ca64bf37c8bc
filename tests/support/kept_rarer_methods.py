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
from karat.doubt.label_noise.informed.items import LabelledItems, disputes_of
from karat.doubt.label_noise.informed.learning import combined, learn
from karat.doubt.label_noise.informed.logistic_posterior import logistic_posterior, nearest_normal
from karat.doubt.prevalence.sampled_areas import joint_sample, sampled_areas
from karat.measure.consensus.dawid_skene import dawid_skene, dawid_skene_long
from karat.measure.item_mean import ItemMean
from karat.measure.prevalence.pr_curve import (
    roc_of,
)
from karat.measure.ratios import Ratios
from karat.tally import TALLIES
from karat.tally.scores.annotator_marks import Marks, marks_of
from karat.tally.scores.curve import Curve
from karat.tally.scores.sampled_scores import SampledScores
from karat.verdict.prevalence.leaders import (
    is_surely_first,
    lead_of,
    leading_stretches,
    settled_neighbours,
    settled_pairs,
    stretch_of,
)
from karat.verdict.prevalence.slider import prevalence_slider
from karat.verdict.unusual_labels import of_confusion, of_patterns, unusual_label_warnings
from support.kept_methods import CURVE
from support.kept_questions import (
    ITEMS,
    LABELS,
    SCORES,
    labels,
    scores,
)
from support.kept_tables import MANY

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
ODD = {
    "truth": ["Cat", "cat", "none", "dog", "dog ", "dog"] * 5,
    "a": ["cat", "cat", "N/A", "dog", "dog", "unknown"] * 5,
    "b": ["Cat", "CAT", "none", "Dog", "dog ", "dog"] * 5,
}


def of_item_means() -> Any:
    few = ItemMean(np.array([0.5]), np.array([1]))
    equal = ItemMean(np.array([0.5]), np.array([12]))
    return [
        item_mean(few),
        item_mean(equal),
        item_mean(equal, level=0.9, side="lower"),
        item_mean(equal, level=0.9, side="upper"),
    ]


def of_curves() -> Any:
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


def of_ratios() -> Any:
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


def of_factors() -> Any:
    """Return a factor of twelve systems with items of varying difficulty."""
    loadings = np.linspace(0.3, 0.9, 12)
    apart = loadings - np.median(loadings)
    value = np.outer(loadings, loadings) + 0.4 * np.outer(apart, apart)
    value[0, 1] = value[1, 0] = 0.8
    precision = 40.0 * (1 - np.eye(12))
    return [one_factor(value, precision), without_difficulty(value, precision)]


def learnt() -> Any:
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


def regressions() -> Any:
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


def sampled() -> Any:
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


def slid() -> Any:
    result = scores().skew(to=(0.05, 0.4), draws=100)
    slider = prevalence_slider(result, to=0.02)
    own = prevalence_slider(result)
    return [
        [slider.at(place) for place in (0, 5, -2, -1)],
        [slider.position, slider.own_position, slider.own, slider.begins_elsewhere],
        [own.position, own.own_position, own.begins_elsewhere],
        slider.turns,
    ]


def led() -> Any:
    result = scores().skew(to=0.3, draws=100)
    order = [area.system for area in sorted(result.areas, key=lambda area: area.rank)]
    return [
        [lead_of(result, *pair) for pair in (("a", "b"), ("c", "a"), ("b", "c"))],
        settled_neighbours(result),
        settled_pairs(result),
        is_surely_first(result, order),
        is_surely_first(result, order[::-1]),
        leading_stretches(result.orders),
        [stretch_of(result.orders, share) for share in (0.001, 0.2, 1.0)],
    ]


def odd() -> Any:
    bench = karat.read(ODD, kinds="label")
    by_confusion = [
        of_confusion(one) for one in bench.counter.count(TALLIES["confusions"]).values()
    ]
    by_patterns = of_patterns(bench.counter.count(TALLIES["patterns"]))
    return [
        unusual_label_warnings(bench.facts, by_confusion),
        unusual_label_warnings(bench.facts, [by_patterns]),
    ]


def saved_and_read() -> Any:
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


def graphs(seed: int) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return label graphs of four formulas, and two systems' misreadings of them."""
    random = np.random.default_rng(seed)
    truth: dict[str, str] = {}
    systems: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    for file in range(4):
        names = random.choice(["x", "y", "2", "+"], 3).tolist()
        truth[f"f{file}"] = graph(names, ["Right", "Sup"])
        for outputs, share in zip(systems.values(), (0.2, 0.4), strict=True):
            read = [
                str(random.choice(["x", "y"])) if random.random() < share else name
                for name in names
            ]
            links = ["Right", "Right" if random.random() < share else "Sup"]
            outputs[f"f{file}"] = graph(read, links)
    return truth, systems


def graph(names: list[str], links: list[str]) -> str:
    lines = [f"O, o{place}, {name}, 1.0, s{place}" for place, name in enumerate(names)]
    lines += [f"R, o{place}, o{place + 1}, {link}, 1.0" for place, link in enumerate(links)]
    return "\n".join(lines) + "\n"


def of_graphs(unit: str, **options: Any) -> Any:
    truth, systems = graphs(3)
    with TemporaryDirectory() as folder:
        for name, files in {"truth": truth, **systems}.items():
            (Path(folder) / name).mkdir()
            for file, text in files.items():
                (Path(folder) / name / f"{file}.lg").write_text(text, encoding="utf-8")
        bench = karat.read_graphs(
            str(Path(folder) / "truth"),
            {name: str(Path(folder) / name) for name in systems},
            unit=unit,
        )
        return bench.stability(label_error=0.05, draws=200, **options)


def counts(*words: str) -> list[Any]:
    return [parse_count(word) for word in words]


def sparse(**options: Any) -> Any:
    """Return the score of a judge of items of which hardly any was checked."""
    truth = [label if place < 6 else None for place, label in enumerate(LABELS["truth"])]
    return karat.read(LABELS | {"truth": truth}, judge="c", **options)


def audited(measure: str, claim: Any, number: int, bench: karat.Bench, **options: Any) -> Any:
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


def marks() -> Any:
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


def crowd() -> Any:
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
