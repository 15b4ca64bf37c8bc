"""What went wrong inside structured outputs: labels, objects, relations, and who shares which errors."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from karat.graphs.errors.result import WORDS, CommonErrors, Confusions
from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, paragraphs, statement_html, table
from karat.report.page.words import OPEN
from karat.report.panels.panel import Panel
from karat.result.base import Row

LABELS = {"dBn_mean": "dB_n", "dBn_sd": "sd", "dE_mean": "dE", "dE_sd": "sd of dE"}
SUMS = ("dC", "dS", "dR", "dL", "dB")
RATES = {
    "Objects": {"object": "", "class": " with class"},
    "Relations": {"relation_place": "", "relation": " with label"},
}
WHOLE = {
    "files": "files",
    "expression_rate": "all right",
    "at_most_1": "≤ 1 error",
    "at_most_2": "≤ 2",
    "at_most_3": "≤ 3",
    "structure_rate": "structure right",
}
COMPETITION = {
    "Expressions by the measures of CROHME 2012": {
        "files": "files",
        "EXP": "EXP",
        "trees": "trees",
        **{name: name for name in ("STRUCT", "REL-1", "REL-2", "REL-3")},
    },
    "Strokes and symbols by the measures of CROHME 2012": {
        "truth_nodes": "strokes",
        "ST_Rec": "ST_Rec",
        "object_truth": "symbols",
        "SYM_Seg": "SYM_Seg",
        "object_right": "found",
        "SYM_Rec": "SYM_Rec",
    },
}
"""Columns by table; a number of things comes before the rates of them."""
COMMON = {
    "same_error": "same error",
    "other_error": "both wrong, differently",
    "only_first": "only the first",
    "only_second": "only the second",
}
MOST = 10
"""The most frequent confusions of each system that are shown."""


def panel(findings: Findings) -> Panel | None:
    """Return distances, objects and relations, whole expressions, confusions and common errors of graphs."""
    graphs = findings.graphs
    if graphs is None:
        return None
    rows = graphs.summaries()
    sentence = _sentence(rows[0])
    warnings = graphs.warnings()
    notes = [note for note in graphs.notes() if note not in warnings]
    body = [f"<p>{statement_html((OPEN, text.removeprefix('warning: ')))}</p>" for text in warnings]
    body.append(f"<p>{escape(sentence)}</p>")
    body.append(_labels(rows))
    for what, names in RATES.items():
        body.append(_rates(rows, what, names))
    body.append(_whole(rows))
    body.append(_competition(rows))
    body.append(_confusions(findings.confusions))
    body.append(_common(findings.common))
    body.append(paragraphs(notes))
    return Panel(
        name="graphs",
        title="What went wrong inside?",
        html="".join(body),
        text=[*warnings, sentence, *notes],
        tables=graphs.parts(),
    )


def _sentence(best: Row) -> str:
    """Return which kind of label the best system has most often wrong."""
    wrong = best["dB"]
    if not wrong:
        return f"{best['system']} has no label wrong."
    counts = {
        "classes of primitives": best["dC"],
        "merges and splits": best["dS"],
        "relations": best["dR"] - best["absent_pairs"],
        "pairs of primitives that one of the graphs lacks": best["absent_pairs"],
    }
    worst = max(counts, key=lambda name: counts[name])
    share = 100 * counts[worst] / wrong
    return (
        f"Of the wrong labels of {best['system']}, {share:.0f} % are {worst} "
        f"({counts[worst]:,} of {wrong:,})."
    )


def _cells(row: Row, names: Iterable[str], form: str) -> list[str]:
    return [number(row[name], form) for name in names]


def _labels(rows: Sequence[Row]) -> str:
    heads = ("system", *LABELS.values(), *SUMS)
    cells = []
    for row in rows:
        shares = _cells(row, LABELS, "percent")
        sums = _cells(row, SUMS, "count")
        cells.append([named(row["system"]), *shares, *sums])
    caption = "Wrong labels: shares by expression (mean, standard deviation), then sums: classes, merges, relations"
    return table("table-graph-labels", caption, heads, cells)


def _rates(rows: Sequence[Row], what: str, names: Mapping[str, str]) -> str:
    """Return a table of recall and precision, without labels and with them."""
    first = next(iter(names))
    columns = {f"{first}_truth": "in the truth", f"{first}_found": "in the output"}
    for name, words in names.items():
        columns[f"{name}_recall"] = f"recall{words}"
        columns[f"{name}_precision"] = f"precision{words}"
    return _shares(f"table-graph-{what.lower()}", what, rows, columns)


def _whole(rows: Sequence[Row]) -> str:
    return _shares("table-graph-expressions", "Expressions", rows, WHOLE)


def _competition(rows: Sequence[Row]) -> str:
    tables = []
    for place, (caption, columns) in enumerate(COMPETITION.items(), 1):
        tables.append(_shares(f"table-graph-crohme-{place}", caption, rows, columns))
    return "".join(tables)


def _shares(name: str, caption: str, rows: Sequence[Row], columns: Mapping[str, str]) -> str:
    """Return a table of shares and of the numbers of which they are shares, a line for each system."""
    cells = []
    for row in rows:
        line = [named(row["system"])]
        for column in columns:
            is_count = isinstance(row[column], int)
            line.append(number(row[column], "count" if is_count else "percent"))
        cells.append(line)
    return table(name, caption, ["system", *columns.values()], cells)


def _confusions(confusions: Confusions | None) -> str:
    """Return the most frequent confusions, folded."""
    if confusions is None:
        return ""
    shown: Counter[tuple[str, str]] = Counter()
    cells = []
    for row in confusions.rows():
        key = (row["unit"], row["system"])
        shown[key] += 1
        if shown[key] <= MOST:
            unit = escape(WORDS[row["unit"]])
            truth = named(str(row["truth"]))
            output = named(str(row["output"]))
            count = number(row["number"], "count")
            cells.append([named(row["system"]), unit, truth, output, count])
    if not cells:
        return ""
    heads = ("system", "of", "truth", "read as", "number")
    caption = f"The {MOST} most frequent confusions of each"
    body = table("table-graph-confusions", caption, heads, cells, words=4)
    return folded("Which labels are read as which", body)


def _common(common: CommonErrors | None) -> str:
    """Return which errors the systems share, folded."""
    if common is None:
        return ""
    cells = []
    for row in common.rows():
        unit = escape(WORDS[row["unit"]])
        counts = _cells(row, COMMON, "count")
        cells.append([named(row["first"]), named(row["second"]), unit, *counts])
    heads = ("first", "second", "of", *COMMON.values())
    body = table("table-graph-common", "Errors that systems share", heads, cells, words=3)
    notes = paragraphs(common.notes())
    return folded("Which errors the systems share", body + notes)
