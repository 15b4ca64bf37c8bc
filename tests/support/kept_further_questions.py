"""Further questions whose answers are kept: judges, correlated errors, texts, spans, rankings, annotators, audits."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import karat
from karat.questions.agreement_levels import agreement_levels
from karat.tally import TALLIES
from karat.verdict.whatif import State, sliders, tallies
from support.kept_questions import (
    ITEMS,
    LABELS,
    SECOND,
    SPARSE,
    VOTES,
    confidences,
    distributions,
    grades,
    labels,
    scores,
    votes,
)
from support.kept_tables import (
    GRADED,
    MANY,
    MANY_WITH_TRUTH,
    MARKS,
    UNLABELLED,
    runs,
    samples,
    spans,
    texts,
)


def _written(table: Mapping[str, Sequence[Any]], use: Callable[[Path], Any]) -> Any:
    """Return what is said of a table that is a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        lines = [",".join(table)]
        lines += [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return use(path)


def _by_annotators(**options: Any) -> Any:
    return _written(
        MARKS,
        lambda path: agreement_levels(
            path, annotators=("r1", "r2", "r3"), systems=("a", "b", "c"), to=(0.05,), **options
        ),
    )


def _audited(claim: Any, number: int, **options: Any) -> Any:
    """Return an audit some of whose items were looked up, in the order of their draws."""
    audit = labels().audit(claim=claim, seed=4, **options)
    found = {}
    for place, row in enumerate(audit.next(number).rows()):
        found[row["item"]] = row["given"] if place % 5 else "fox"
    return audit.apply(found)


def _second_opinion() -> Any:
    audit = _audited(("a", "b"), 20)
    names = [audit.setup.items.names[place] for place in audit.labels]
    again = {name: "dog" if place % 6 == 0 else "cat" for place, name in enumerate(names)}
    return audit.second(again)


def _page(**options: Any) -> Any:
    """Return the numbers of a page with sliders, and those it follows them with."""
    tally = tallies(labels(**options).counter.count(TALLIES["patterns"]))
    found = sliders(tally, State(level=0.9, error=0.04, items=150))
    return {"at first": found.numbers, "followed": found.plain()}


def _two_truths() -> karat.Bench:
    return karat.read(SECOND, truth="truth", second_truth="second", systems=["a", "b", "c"])


def _unmet(bench: karat.Bench, *conditions: str, **options: Any) -> dict[str, str]:
    try:
        bench.require(*conditions, **options)
    except AssertionError as error:
        return {"unmet": str(error)}
    return {"unmet": ""}


FURTHER = {
    # Texts, spans, rankings of documents, several answers to one question.
    "texts": lambda: texts().score(measure="CER,WER"),
    "texts, bags": lambda: texts().score(measure="bag-WER,bag-precision,bag-recall,bag-f1"),
    "texts, pages": lambda: texts(cluster="page").score(measure="CER"),
    "texts, groups": lambda: texts(group="page").score(measure="CER", per="group"),
    "texts, compared": lambda: texts().compare(measure="CER", draws=300),
    "texts, no worse": lambda: texts().compare(measure="WER", margin=0.02, draws=300),
    "texts, compared by pages": lambda: texts(cluster="page").compare(measure="WER", draws=300),
    "texts, randomised": lambda: texts().compare(measure="CER", test="randomisation", draws=300),
    "spans": lambda: spans().score(),
    "spans, partial": lambda: spans().score(measure="partial-f1,type-f1,exact-f1"),
    "spans, compared": lambda: spans().compare(measure="strict-f1", draws=300),
    "spans, no worse": lambda: spans().compare(measure="strict-f1", margin=0.1, draws=300),
    "rankings": lambda: runs().retrieval(),
    "rankings, by query": lambda: runs().retrieval(measure="P@5,AP,nDCG@5,RBP(p=0.7)", per="query"),
    "rankings, all": lambda: runs().retrieval(
        measure="P@3,R@5,AP,Rprec,RR,Success@2,nDCG@4,nDCG-exp@4,RBP(p=0.9),Bpref,infAP,Judged@5",
        level=0.9,
    ),
    "rankings, compared": lambda: runs().compare(measure="AP,nDCG@5", draws=300),
    "rankings, t-test": lambda: runs().compare(measure="RR", test="paired-t", draws=300),
    "rankings, randomised": lambda: runs().compare(
        measure="P@5", test="randomisation", baseline="b", draws=300
    ),
    "rankings, no worse": lambda: runs().compare(measure="AP", margin=0.05, draws=300),
    "rankings without truth": lambda: runs().consensus(per="depth", cutoffs=(2, 5)),
    "samples": lambda: samples().score(measure="pass@2,pass@1"),
    "samples, compared": lambda: samples().compare(measure="pass@2", draws=300),
    # A judge of items of which people checked some.
    "judge, a system": lambda: karat.read(SPARSE, judge="c").score(measure="accuracy"),
    "judge, no worse": lambda: karat.read(SPARSE, judge="c").compare(margin=0.1, baseline="b"),
    "judge, grades": lambda: karat.read(GRADED, judge="gpt", truth="human").score(),
    "judge, grades compared": lambda: karat.read(GRADED, judge="gpt", truth="human").compare(),
    "judge, skipped": lambda: karat.read(SPARSE, judge="majority", missing="skip").score(),
    # Wrong labels in other ways.
    "stability, by label": lambda: labels().stability(
        label_error={"cat": 0.1, "dog": 0.02}, draws=300
    ),
    "stability, a range": lambda: labels().stability(label_error=(0.01, 0.1), draws=300),
    "stability, a check": lambda: labels().stability(label_error="3/60", draws=300),
    "stability, a guess": lambda: labels().stability(label_error="0.05+-0.02", draws=300),
    "stability, exactly": lambda: votes().stability(wrong=6, pair=("a", "b")),
    "stability, at most so many": lambda: votes().stability(wrong=8, at_most=True, draws=300),
    "stability, curves": lambda: labels().stability(label_error=0.03, curves=True, draws=300),
    "stability, precision": lambda: votes().stability(
        label_error=0.05, measure="precision", draws=300
    ),
    "stability, recall": lambda: votes().stability(label_error=0.05, measure="recall", draws=300),
    "stability, precision of a class": lambda: labels().stability(
        label_error=0.05, measure="precision[cat]", all_pairs=True, draws=300
    ),
    "stability, recall by label": lambda: labels().stability(
        label_error={"cat": 0.1}, measure="recall[cat]", draws=300
    ),
    "stability, macro": lambda: labels().stability(
        label_error=0.05, measure="macro-recall", draws=300
    ),
    "stability, errors by item": lambda: karat.read(
        LABELS | {"doubt": [0.02 * (place % 5) for place in range(ITEMS)]}, error="doubt"
    ).stability(draws=300),
    "stability, missing": lambda: karat.read(
        LABELS | {"b": [one if place % 4 else None for place, one in enumerate(LABELS["b"])]}
    ).stability(label_error=0.05, draws=300),
    "stability, divergence": lambda: distributions().stability(
        label_error=0.05, measure="divergence", floor=0.02
    ),
    "stability, squares": lambda: grades().stability(
        measure="mean-squared-error", noise=0.4, draws=300
    ),
    "stability, grades off by one": lambda: grades().stability(
        measure="mean-absolute-error", label_error=0.1, draws=300
    ),
    "stability, informed of two": lambda: labels().stability(
        label_error=0.05, model="informed", pair=("a", "b"), draws=300
    ),
    "stability, informed by check": lambda: labels().stability(
        label_error="2/50", model="informed", few=True, draws=300
    ),
    "stability, a column of checks": lambda: _two_truths().stability(
        label_error=0.05, model="informed", draws=300
    ),
    "stability, groups informed": lambda: labels(group=True).stability(
        label_error=0.05, per="group", model="informed", draws=300
    ),
    "two truths": lambda: karat.compare_truths({("truth", "second"): _two_truths()}),
    "two truths, yes and no": lambda: karat.compare_truths(
        {
            ("truth", "again"): karat.read(
                VOTES | {"again": VOTES["d"]}, second_truth="again", systems=["a", "b", "c"]
            )
        },
        measure="f1",
        level=0.9,
    ),
    "mistakes, by class": lambda: karat.read(SECOND, truth="truth", systems=["second"]).mistakes(
        model="per-class"
    ),
    "mistakes, a matrix": lambda: karat.read(SECOND, truth="truth", systems=["second"]).mistakes(
        model="matrix"
    ),
    # Nobody knows the truth.
    "consensus, copies": lambda: karat.read(MANY).consensus(families={"found": ()}, draws=20),
    "consensus, copies by the truth": lambda: karat.read(MANY_WITH_TRUTH).consensus(
        families={"found": ()}, draws=20
    ),
    **{
        f"consensus of six, {name}": (
            lambda name=name: karat.read(MANY).consensus(estimator=name, draws=20)
        )
        for name in ("combined", "one-coin", "pooled", "dawid-skene", "likeliest", "spectral")
    },
    "consensus, without itself": lambda: votes().consensus(leave_out="itself", draws=20),
    "consensus, without the family": lambda: votes().consensus(
        families={"one": ["c", "d"]}, leave_out="family", beta=2.0, draws=20
    ),
    "consensus, by family": lambda: karat.read(MANY).consensus(
        per="family", families={"one": ["a", "f"]}
    ),
    "consensus, by class": lambda: labels().consensus(per="class"),
    "consensus, by group": lambda: labels(group=True).consensus(per="group"),
    "consensus, by group, vote": lambda: votes(group=True).consensus(per="group", estimator="vote"),
    "consensus, cut-offs": lambda: confidences().consensus(per="cutoff", cutoffs=(0.3, 0.7)),
    "consensus, few labels": lambda: karat.read(SPARSE).consensus(draws=20),
    "consensus, labels": lambda: labels().consensus(estimator="dawid-skene", draws=20),
    "consensus, missing": lambda: karat.read(
        VOTES | {"b": [one if place % 4 else None for place, one in enumerate(VOTES["b"])]}
    ).consensus(estimator="vote", draws=20),
    "consensus, items by a vote": lambda: votes().consensus(per="item", estimator="vote"),
    # Other prevalences.
    "skew, unlabelled": lambda: _written(
        UNLABELLED, lambda path: scores().skew(to=str(path), threshold=0.5, draws=100)
    ),
    "skew, unlabelled clusters": lambda: _written(
        UNLABELLED | {"cluster": [f"u{place // 5}" for place in range(300)]},
        lambda path: scores(cluster=True).skew(to=str(path), threshold=0.5, draws=100),
    ),
    "skew, bins": lambda: scores().skew(to=0.1, bins=8, draws=100),
    "skew, bins, range": lambda: scores().skew(low=0.02, high=0.3, bins=6, draws=100),
    "skew, bins, groups": lambda: scores(group=True).skew(to=0.1, per="group", bins=8, draws=100),
    "skew, weights": lambda: scores(weight=True).skew(to=0.1, draws=100),
    "skew, weights, threshold": lambda: scores(weight=True).skew(to=0.1, threshold=1.0, draws=100),
    "skew, groups, range": lambda: scores(group=True).skew(
        low=0.05, high=0.5, per="group", draws=100
    ),
    "skew, groups, clusters": lambda: scores(group=True, cluster=True).skew(
        to=(0.1, 0.4), per="group", draws=100
    ),
    "skew, groups, weights": lambda: scores(group=True, weight=True).skew(
        to=0.1, per="group", draws=100
    ),
    **{
        f"skew, {form}": (
            lambda form=form, time=time: scores().skew(trajectory=form, time=time, draws=60)
        )
        for form, time in (
            ("linear:0.1,0.4", None),
            ("exponential:0.1,0.3", (0.5, 3.0)),
            ("logistic:0.1,0.5,0.4", (0.5, 3.0)),
            ("sine:0.4,0.1", None),
        )
    },
    "skew, a course": lambda: scores().skew(
        trajectory={"time": [0.0, 1.0, 4.0], "skew": [0.1, 0.3, 0.2]}, draws=60
    ),
    **{
        f"skew, prior {prior}": (
            lambda prior=prior: scores().skew(low=0.05, high=0.3, prior=prior, draws=60)
        )
        for prior in ("uniform", "landgrebe", "normal:0.1,0.05")
    },
    "skew, prior of weights": lambda: scores().skew(
        low=0.05, high=0.3, prior={"skew": [0.0, 0.1, 1.0], "weight": [1.0, 3.0, 1.0]}, draws=60
    ),
    **{
        f"skew, choose {goal}": (
            lambda goal=goal: scores().skew(to=(0.05, 0.3), choose=goal, draws=60)
        )
        for goal in ("f1", "recall>=0.8", "precision>=0.4", "utility:2,-3,-1,0")
    },
    "skew, a point": lambda: scores().skew(to=0.05, check=(0.9, 0.8), draws=60),
    "skew, bands and errors": lambda: scores().skew(
        to=0.1, bands=True, label_error=0.03, threshold=0.5, draws=60
    ),
    "skew, beside": lambda: scores().skew(to=0.1, beside={"other": scores(weight=True)}, draws=60),
    "skew, no draws": lambda: scores().skew(to=0.1, draws=0),
    "skew, published, checked": lambda: karat.skew_of_precision(0.9, old=0.3, to=[0.01, 0.2]),
    "annotators": lambda: _by_annotators(draws=60),
    "annotators, images": lambda: _by_annotators(draws=60, cluster="image"),
    "annotators, a level": lambda: _by_annotators(draws=60, level=0.8, seed=3),
    # Scores.
    "score, threshold, groups": lambda: scores(group=True).score(per="group", threshold=0.7),
    "score, weighted areas": lambda: scores(weight=True).score(),
    "score, average precision of clusters": lambda: scores(cluster=True).score(
        measure="average-precision,pr-area@0.1", draws=100
    ),
    "score, distributions": lambda: distributions().score(measure="top-2-accuracy,top-1-accuracy"),
    "score, jeffreys": lambda: labels().score(bound="jeffreys", per="class", side="upper"),
    "score, all measures": lambda: votes().score(
        measure="accuracy,error-rate,precision,recall,specificity,npv,false-discovery-rate,f,iou,"
        "balanced-accuracy,matthews,kappa",
        beta=0.5,
    ),
    "score, averages": lambda: labels().score(
        measure="macro-f1,micro-f1,macro-recall,micro-precision"
    ),
    "score, clusters, more": lambda: votes(cluster=True).score(
        measure="precision,recall,f1,matthews", draws=100
    ),
    "score, groups, more": lambda: votes(group=True).score(
        measure="f1,accuracy", per="group", mean_over="like-these", draws=100
    ),
    "score, groups and clusters": lambda: labels(group=True, cluster=True).score(
        measure="accuracy,macro-f1", per="group", draws=100
    ),
    "score, weighted measures": lambda: votes(weight=True).score(
        measure="accuracy,f1,kappa", draws=100
    ),
    "score, errors as numbers": lambda: grades().stability(
        measure="mean-absolute-error", noise=0.2, all_pairs=True, draws=100
    ),
    # Comparisons.
    **{
        f"compare, {test}": (lambda test=test: votes().compare(test=test, draws=300))
        for test in (
            "exact",
            "mcnemar",
            "mcnemar-midp",
            "exact-midp",
            "barnard",
            "boschloo",
            "bootstrap",
        )
    },
    "compare, jackknife": lambda: labels(cluster=True).compare(test="jackknife"),
    "compare, delong": lambda: scores().compare(test="delong", measure="roc-area"),
    "compare, no worse areas": lambda: scores().compare(measure="roc-area", margin=0.1),
    "compare, no worse by clusters": lambda: labels(cluster=True).compare(margin=0.1, draws=300),
    "compare, no worse F1": lambda: votes().compare(measure="f1", margin=0.1, draws=300),
    "compare, no worse, weights": lambda: labels(weight=True).compare(margin=0.1, draws=300),
    "compare, no worse on other items": lambda: karat.compare_counts(
        [(90, 100), (40, 60)], margin=0.1
    ),
    "compare, areas of clusters": lambda: scores(cluster=True).compare(
        measure="roc-area,average-precision", draws=100
    ),
    "compare, weighted areas": lambda: scores(weight=True).compare(measure="roc-area", draws=100),
    "compare, recall of a class": lambda: labels().compare(
        measure="recall[cat],precision[cat]", draws=300
    ),
    "compare, groups": lambda: labels(group=True).compare(draws=300),
    "compare, distributions": lambda: distributions().compare(measure="top-2-accuracy", draws=300),
    "compare, counts, Barnard": lambda: karat.compare_counts([(9, 10), (4, 12)], test="barnard"),
    "compare, counts, Boschloo": lambda: karat.compare_counts([(9, 10), (4, 12)], test="boschloo"),
    "required": lambda: _unmet(
        labels(),
        "better:a,b",
        "no-worse:b,a,0.05",
        "accuracy>=0.9",
        "recall[cat]>=0.95",
        "error-rate<=0.1",
        "kept>=0.99",
        label_error=0.03,
    ),
    # Planning.
    "plan, figures": lambda: karat.plan(figure=1),
    "plan, second figure": lambda: karat.plan(figure=2, level=0.9),
    "plan, lower with power": lambda: karat.plan(estimate=0.9, lower=0.85, power=0.9),
    "plan, clusters of pairs": lambda: karat.plan(
        alone=[0.1, 0.05], cluster_size=4, correlation=0.1, power=0.8
    ),
    "plan, two areas": lambda: karat.plan(
        area=[0.9, 0.85], prevalence=0.3, score_correlation=0.5, power=0.9
    ),
    # Audits with labels looked up.
    "audit, some labels": lambda: _audited(("a", "b"), 25),
    "audit, best, some labels": lambda: _audited("best", 60, random=0.2),
    "audit, order, all labels": lambda: _audited("order", 500),
    "audit, guided": lambda: _audited(("a", "b"), 30, guide="informed"),
    "audit, new items": lambda: _audited(("a", "b"), 30, new_items=True),
    "audit, a claim that fails": lambda: _audited(("b", "a"), 500),
    "audit, a list": lambda: _audited(("a", "c"), 10).next(8),
    "audit, planned": lambda: (
        labels().audit(claim=["best", ("a", "c")], seed=4).plan(0.05, runs=20, most=200)
    ),
    "audit, planned and guided": lambda: (
        labels().audit(claim=("a", "b"), seed=4, guide="informed").plan(0.1, runs=10, most=200)
    ),
    "audit, second opinion": _second_opinion,
    "audit, by votes": lambda: karat.read(
        {name: column for name, column in LABELS.items() if name != "truth"}
    ).audit(claim=("a", "b"), seed=4),
    # Pages.
    "page": _page,
    "findings": lambda: {
        "score": labels().findings(draws=100).scores.rows(),
    },
    "described": lambda: labels(group=True, cluster=True).describe(),
}
"""By name, as `QUESTIONS`; some answers are plain values."""
