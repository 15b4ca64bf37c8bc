"""What went wrong inside structured outputs: labels, objects, relations, and who shares which errors."""

from html import escape
from typing import Any

from karat.graphs.compare.result import GraphScores
from karat.graphs.errors.result import WORDS, CommonErrors, Confusions
from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, said, table
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
    "expression_rate": "all right",
    "at_most_1": "≤ 1 error",
    "at_most_2": "≤ 2",
    "at_most_3": "≤ 3",
    "structure_rate": "structure right",
}
COMPETITION = ("EXP", "ST_Rec", "SYM_Seg", "SYM_Rec", "STRUCT", "REL-1", "REL-2", "REL-3")
MOST = 10
"""So many confusions of each system are shown."""


def panel(findings: Findings) -> Panel | None:
    """Return distances, objects and relations, whole expressions, confusions and common errors of graphs."""
    graphs = findings.graphs
    if graphs is None:
        return None
    rows = graphs.summaries()
    sentence = _sentence(rows)
    body = "".join(
        f"<p>{said((OPEN, text.removeprefix('warning: ')))}</p>" for text in graphs.warnings()
    )
    body += f"<p>{escape(sentence)}</p>{_labels(rows)}{_objects(rows)}{_whole(rows)}{_competition(rows)}"
    body += _confusions(findings.confusions) + _common(findings.common)
    return Panel(
        name="graphs",
        title="What went wrong inside?",
        html=body + "".join(f"<p>{escape(note)}</p>" for note in _notes(graphs)),
        text=[*graphs.warnings(), sentence, *_notes(graphs)],
        tables=graphs.parts(),
    )


def _notes(graphs: GraphScores) -> list[str]:
    return [note for note in graphs.notes() if note not in graphs.warnings()]


def _sentence(rows: list[dict[str, Any]]) -> str:
    """Return which kind of label is most often wrong."""
    best = rows[0]
    words = {
        "classes of primitives": best["dC"],
        "merges and splits": best["dS"],
        "relations": best["dR"] - best["absent_pairs"],
        "pairs of primitives that one of the graphs lacks": best["absent_pairs"],
    }
    if not best["dB"]:
        return f"{best['system']} has no label wrong."
    worst = max(words, key=lambda name: words[name])
    share, counts = 100 * words[worst] / best["dB"], f"{words[worst]:,} of {best['dB']:,}"
    return f"Of the wrong labels of {best['system']}, {share:.0f} % are {worst} ({counts})."


def _labels(rows: list[dict[str, Any]]) -> str:
    heads = ("system", *LABELS.values(), *SUMS)
    cells = [
        [
            named(row["system"]),
            *(number(row[name], "percent") for name in LABELS),
            *_counts(row, SUMS),
        ]
        for row in rows
    ]
    caption = "Wrong labels: shares by expression (mean, standard deviation), then sums: classes, merges, relations"
    return table("table-graph-labels", caption, heads, cells)


def _counts(row: Row, names: tuple[str, ...]) -> list[str]:
    return [number(row[name], "count") for name in names]


def _objects(rows: list[dict[str, Any]]) -> str:
    return "".join(_rates(rows, what, names) for what, names in RATES.items())


def _rates(rows: list[dict[str, Any]], what: str, names: dict[str, str]) -> str:
    """Return a table of recall and precision, without labels and with them."""
    heads = [
        "system",
        *(f"{kind}{words}" for words in names.values() for kind in ("recall", "precision")),
    ]
    cells = [
        [named(row["system"]), *(number(row[f"{name}_{kind}"], "percent")
                                 for name in names for kind in ("recall", "precision"))]
        for row in rows
    ]  # fmt: skip
    return table(f"table-graph-{what.lower()}", what, heads, cells)


def _whole(rows: list[dict[str, Any]]) -> str:
    cells = [
        [named(row["system"]), *(number(row[name], "percent") for name in WHOLE)] for row in rows
    ]
    return table("table-graph-expressions", "Expressions", ("system", *WHOLE.values()), cells)


def _competition(rows: list[dict[str, Any]]) -> str:
    cells = [
        [named(row["system"]), *(number(row[name], "percent") for name in COMPETITION)]
        for row in rows
    ]
    return table(
        "table-graph-crohme", "By the measures of CROHME 2012", ("system", *COMPETITION), cells
    )


def _confusions(found: Confusions | None) -> str:
    """Return the most frequent confusions, folded."""
    if found is None:
        return ""
    number_of: dict[tuple[str, str], int] = {}
    cells = []
    for row in found.rows():
        key = row["unit"], row["system"]
        number_of[key] = number_of.get(key, 0) + 1
        if number_of[key] <= MOST:
            words = [named(str(row[name])) for name in ("truth", "output")]
            cells.append(
                [
                    named(row["system"]),
                    escape(WORDS[row["unit"]]),
                    *words,
                    number(row["number"], "count"),
                ]
            )
    heads = ("system", "of", "truth", "read as", "number")
    body = table(
        "table-graph-confusions",
        f"The {MOST} most frequent confusions of each",
        heads,
        cells,
        words=4,
    )
    return folded("Which labels stand for which", body) if cells else ""


def _common(found: CommonErrors | None) -> str:
    """Return who shares which errors, folded."""
    if found is None:
        return ""
    names = ("same_error", "other_error", "only_first", "only_second")
    cells = [
        [
            named(row["first"]),
            named(row["second"]),
            escape(WORDS[row["unit"]]),
            *_counts(row, names),
        ]
        for row in found.rows()
    ]
    heads = (
        "first",
        "second",
        "of",
        "wrong alike",
        "both wrong, otherwise",
        "only the first",
        "only the second",
    )
    body = table("table-graph-common", "Errors that systems share", heads, cells, words=3)
    notes = "".join(f"<p>{escape(note)}</p>" for note in found.notes())
    return folded("Which errors the systems share", body + notes)
