"""Whether the ranking is robust to wrong labels."""

from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import (
    chart,
    folded,
    named,
    number,
    paragraphs,
    statement_html,
    table,
)
from karat.report.page.number_forms import rough
from karat.report.page.words import ranks, wrong_in_all
from karat.report.panels.panel import Panel
from karat.verdict.stability.result import StabilityResult
from karat.verdict.whatif import ANY_NUMBER_OF_CLASSES, Sliders

LINES = (
    "The least robust orders, if errors lie by chance: each line falls as more labels are wrong. Where it crosses the "
    "level, the horizontal line, its order is no longer sure enough. The dotted line is the share assumed."
)
EXPRESSIONS = (
    "Each expression of the truth is assumed to be wrong independently, and then to be one that hardly any system "
    "gives. The effect of single wrong objects is shown below."
)
KINDEST = (
    "Errors by chance are the kindest case. Real ones lie where systems contradict the label, and several of them have "
    "the same cause: on three of four re-annotated benchmarks they reversed five times as many orders as chance would, "
    "or more."
)
FORMS = {
    "critical": "rough",
    "tolerated": "count",
    "kept": "chance",
    "tie": "chance",
    "reversed": "chance",
}
HEADS = (
    "better",
    "worse",
    "robust up to (errors by chance)",
    "worst-case flips tolerated",
    "P(order kept)",
    "P(tie)",
    "P(order reversed)",
)


def panel(findings: Findings) -> Panel | None:
    """Return how robust each order and each rank is."""
    sliders = findings.sliders
    if sliders is None or len(findings.order) < 2:
        return None
    result = findings.stability
    in_all = wrong_in_all(findings.numbers["pairs"], findings.assumed)
    body = f"<p>{statement_html(in_all, 'wrong')}</p>"
    body += chart("kept", LINES) + _table(findings) + _informed(findings)
    data: dict[str, Any] = {"grid": [], "ranks": [], "method": ""}
    if result is not None and result.rankings:
        data = _data(findings.order, result)
        sentence = ranks(data["grid"], data["method"], sliders.state.error)
        body += chart("ranks", sentence, source="ranks")
        body += folded("The probabilities behind the picture", _ranks(findings.order, result))
    return Panel(
        name="stability",
        title="Is the ranking robust to wrong labels?",
        html=body + paragraphs(_notes(sliders)),
        text=[in_all[1]],
        tables={"How robust the order of neighbours is to wrong labels": _rows(findings, sliders)},
        data=data,
    )


def _rows(findings: Findings, sliders: Sliders) -> list[dict[str, Any]]:
    """Return how robust each order is, as plain values."""
    rows = []
    for place, pair in enumerate(findings.numbers["pairs"]):
        critical = pair["critical"]
        rows.append(
            {
                "better": findings.order[place],
                "worse": findings.order[place + 1],
                "robust up to (errors by chance)": None if critical is None else rough(critical),
                "worst-case flips tolerated": pair["tolerated"],
                "kept": pair["kept"],
                "tie": pair["tie"],
                "reversed": pair["reversed"],
                "label_error": sliders.state.error,
            }
        )
    return rows


def _table(findings: Findings) -> str:
    rows = []
    for place, pair in enumerate(findings.numbers["pairs"]):
        names = [named(findings.order[place]), named(findings.order[place + 1])]
        cells = [number(pair[key], form, f"pairs.{place}.{key}") for key, form in FORMS.items()]
        rows.append([*names, *cells])
    caption = (
        "How robust the order of neighbours is on these items, if errors lie by chance: the kindest case. The "
        "probabilities are for the share of wrong labels chosen above"
    )
    return table("table-stability", caption, HEADS, rows, words=2)


def _informed(findings: Findings) -> str:
    """Return what is said where errors lie as on re-annotated benchmarks, at the share that the page begins with."""
    result = findings.informed
    if result is None:
        return ""
    rows = []
    for pair in result.pairs:
        names = [named(pair.better), named(pair.worse)]
        chances = [number(value, "chance") for value in (pair.kept, pair.tie, pair.reversed)]
        rows.append([*names, *chances, pair.verdict or "tied"])
    heads = ("better", "worse", "P(order kept)", "P(tie)", "P(order reversed)", "verdict")
    (forecast,) = result.informed
    share = 100 * findings.assumed["error"]
    caption = f"The same if {share:.3g} % of the labels are wrong, where systems contradict them (informed)"
    return table("table-informed", caption, heads, rows, words=2) + paragraphs(
        [forecast.words(), forecast.verdict_words()]
    )


def _data(order: tuple[str, ...], result: StabilityResult) -> dict[str, Any]:
    """Return P(rank) of each system at each share, the best first, in four digits: simulation gives no more."""
    shares = []
    probabilities = []
    for ranking in result.rankings:
        if not isinstance(ranking.label_error, float):
            continue
        shares.append(ranking.label_error)
        places = [ranking.systems.index(name) for name in order]
        probabilities.append(ranking.under_noise.ranks[places].round(4).tolist())
    return {"grid": shares, "ranks": probabilities, "method": result.rankings[0].under_noise.method}


def _ranks(order: tuple[str, ...], result: StabilityResult) -> str:
    """Return a table of how likely each system keeps its rank."""
    heads = ["system"]
    for ranking in result.rankings:
        share = ranking.label_error if isinstance(ranking.label_error, float) else 0.0
        heads.append(f"at {100 * share:.3g} %")
    rows = []
    for name in order:
        row = [named(name)]
        for ranking in result.rankings:
            chances = ranking.under_noise.ranks[ranking.systems.index(name)]
            same_rank = float(chances[ranking.places[name] - 1])
            row.append(number(same_rank, "chance"))
        rows.append(row)
    caption = "Probability that a system has the same rank by the true labels"
    return table("table-ranks", caption, heads, rows)


def _notes(sliders: Sliders) -> list[str]:
    """Return what is assumed of wrong labels."""
    classes = sliders.tallies.classes
    if classes == ANY_NUMBER_OF_CLASSES:
        return [
            EXPRESSIONS,
            "Worst-case flips tolerated: this many wrong expressions cannot change the order, wherever they are.",
        ]
    others = "the other class"
    if classes > 2:
        others = f"any of the {classes - 1:,} other classes, all equally likely"
    return [
        KINDEST,
        f"Each label is assumed to be wrong independently, and then to belong to {others}.",
        "Worst-case flips tolerated: this many wrong labels cannot change the order, wherever they are.",
    ]
