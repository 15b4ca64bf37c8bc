"""Write docs/measures.md from the index of measures: what each answers, its formula, its source and its interval."""

import inspect
import re
from pathlib import Path

import numpy as np

from karat.measure import MEASURES
from karat.measure.cells import Cells
from karat.measure.measure import Measure
from karat.measure.quantity import measure_named
from karat.measure.share import Share
from karat.measure.totals import Totals

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"
HEAD = """# Every measure

What each measure answers, its formula, its range and its interval. `--measure` takes one or several, separated by
commas, in upper or lower case.

*interval* is the method of the 95 % interval of one system on independent items that count once each; for measures of
labels and scores `--cluster` puts a jackknife in its place, and `--weight` a bootstrap. [The page of
coverage](coverage.md) shows how far each holds. Measures without an interval are for `karat stability`, which needs
none. Numbers in brackets are those of [the references](#references); `karat cite NAME` prints that of one measure.

This page is made from the docstrings of the measures by `python scripts/measures_page.py`.
"""
ROOMS = {
    "confusion": (
        "Of labels and of yes and no",
        (
            "Counted from how often each answer met each truth. Those of one class are written `recall[cat]`, "
            "their mean over the classes of the truth `macro-recall`, all classes pooled `micro-recall`; of a yes/no "
            "table they are those of the positive class."
        ),
    ),
    "curve": ("Of scores", "Counted from the positives and negatives at each score."),
    "confidences": (
        "Of distributions over labels",
        "Counted from the confidence in every label, item by item.",
    ),
    "numbers": ("Of numbers", "Counted from every distinct pair of truth and answer."),
    "ranking": (
        "Of ranked lists",
        "Counted from the places of the judged documents, query by query, and averaged over queries.",
    ),
    "texts": (
        "Of texts",
        (
            "Counted from the edits of each text, summed over all; the mean of the texts' own values is written "
            "`macro-CER`. See [recognised text](sources/text.md)."
        ),
    ),
    "spans": (
        "Of entities in documents",
        (
            "Counted from the matches of each document, summed over all; the mean of the documents' own values is "
            "written `macro-partial-f1`. By type: `--per class` of single entities. See "
            "[entities](sources/entities.md)."
        ),
    ),
    "samples": (
        "Of several samples an item",
        (
            "Counted from how many samples of each item are right, and averaged over items. See [language "
            "models](sources/language-models.md)."
        ),
    ),
    "boxes": (
        "Of boxes in images",
        (
            "Counted from the boxes of each image and class that match a true box, from the surest on. See "
            "[boxes](sources/boxes.md)."
        ),
    ),
    "counts": ("Of bare counts", "For `karat score 42/100`, where no table is at hand."),
}
"""What measures are counted from, in the order of the page."""
WITHIN_RANGE = "cut at the ends of the range"
INTERVALS = {
    "exact": "exact (Clopper-Pearson), or `--bound wilson`, `jeffreys`",
    "exact, delta": "of one class exact (Clopper-Pearson), or `--bound wilson`, `jeffreys`; of a mean by the delta "
    "method",
    "exact, dirichlet, delta": "of F1 of one class exact, by the hits among all that are true or answered; of another "
    "weight from a Dirichlet distribution; of a mean by the delta method",
    "delta": "delta method",
    "binormal score": "binormal score with DeLong's variance, or `--bound delong`",
    "infinitesimal jackknife": "infinitesimal jackknife on log odds",
    "bootstrap": "bootstrap within positives and negatives",
    "t over items": f"Student's t over items, {WITHIN_RANGE}",
    "t over queries": f"Student's t over queries, {WITHIN_RANGE}",
    "ratio": "of a ratio of sums, allowing for skewed units (Hall's transformation of Student's t)",
    "over images": "infinitesimal jackknife over images, corrected for few of them",
    "": "",
}
"""How an interval is made, by a short name of the method."""
OF_CURVES = {
    "delong": "binormal score",
    "steps": "infinitesimal jackknife",
    "prevalence": "bootstrap",
    "resampled": "t over items",
}


def page() -> str:
    """Return the page."""
    by_source: dict[str, list[Measure]] = {source: [] for source in ROOMS}
    for name in MEASURES.built_in:
        one = measure_named(name)
        by_source[one.counted_from].append(one)
    parts = [HEAD]
    references: list[str] = []
    for source, (title, words) in ROOMS.items():
        parts.append(f"## {title}\n\n{words}\n")
        parts.append(table(by_source[source], references))
    parts.append(listed(references))
    return "\n".join(parts)


def table(measures: list[Measure], references: list[str]) -> str:
    """Return a Markdown table of measures; references that are not listed yet are added."""
    lines = [
        "| measure | what it answers | formula | range | interval | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in measures:
        question, formula, reference = described(one)
        method = INTERVALS[interval(one)]
        number = linked(reference, references)
        cells = (written(one), question, formula, span(one), method, number)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def linked(reference: str, references: list[str]) -> str:
    """Return the number of a reference, as a link to the list at the end of the page."""
    if not reference:
        return ""
    if reference not in references:
        references.append(reference)
    number = references.index(reference) + 1
    return f"[\\[{number}\\]](#reference-{number})"


def listed(references: list[str]) -> str:
    """Return the references, in the order in which the tables name them."""
    lines = ["## References\n"]
    for number, reference in enumerate(references, start=1):
        lines.append(f'{number}. <a id="reference-{number}"></a>{reference}')
    return "\n".join(lines) + "\n"


def described(one: Measure) -> tuple[str, str, str]:
    """Return the question of a measure, its formula and its reference, from its docstring."""
    text = inspect.getdoc(one) or ""
    question, _, rest = text.partition("\n\n")
    rest = re.split(r"\n>>> ", rest)[0]
    formula, _, reference = rest.partition("Reference: ")
    formula = re.sub(
        r"\s*Returned (is|are) [^.]*\.", "", formula
    )  # what only a caller of the formula must know
    formula = formula.replace("; NaN where", "; undefined where").replace(
        "NaN where", "Undefined where"
    )
    return " ".join(question.split()), " ".join(formula.split()), " ".join(reference.split())


def written(one: Measure) -> str:
    """Return how a measure is written, with its parameter and its other names."""
    names = [one.name]
    if one.parameter is not None:
        names.append(one.parameter.form.format(one.parameter.name))
    names += one.aliases
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def span(one: Measure) -> str:
    """Return the range of a measure, and which end is the good one."""
    ends = f"{one.low:g} to {'∞' if np.isinf(one.high) else f'{one.high:g}'}"
    return f"{ends}, lower is better" if one.lower_is_better else ends


def interval(one: Measure) -> str:
    """Return the short name of the method by which one system's interval is made."""
    if one.over_units:
        return "ratio"
    if one.counted_from == "boxes":
        return "over images"
    if one.counted_from == "ranking":
        return "t over queries"
    if one.counted_from == "curve":
        return OF_CURVES[one.bounded_by]
    if one.counted_from == "confusion":
        return of_labels(one)
    return "exact" if one.counted_from in {"confidences", "counts"} and one.high == 1 else ""


def of_labels(one: Measure) -> str:
    """Return the short name for a measure of labels: what its formula returns decides."""
    ones = np.ones(2)
    measured = one(Totals(("a", "b"), ones, 2 * ones, 2 * ones, np.array(4.0)))
    if isinstance(measured, Cells):
        return "exact, dirichlet, delta"
    if isinstance(measured, Share):
        return "exact, delta" if one.per_class else "exact"
    return "delta"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
