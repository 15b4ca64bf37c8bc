"""Who is best by what all say together, whether there is a truth or not."""

from html import escape
from typing import Any

import numpy as np

from karat.report.findings import Findings
from karat.report.page.markup import chart, named, number, said, table
from karat.report.page.words import OPEN
from karat.report.panels.panel import Panel
from karat.verdict.consensus.result import Standing, plain

MOST_MATRIX = 60
"""Up to how many systems the page shows who agrees with whom."""


def panel(findings: Findings) -> Panel | None:
    """Return the ranking without truth, the truth beside it, and who agrees with whom."""
    standing = findings.standing
    if standing is None:
        return None
    body = "".join(
        f"<p>{said((OPEN, text.removeprefix('warning: ')))}</p>" for text in standing.warnings()
    )
    body += _pictures(standing) + _table(standing)
    notes = _notes(standing, findings.facts.voted())
    body += "".join(f"<p>{escape(note)}</p>" for note in notes)
    return Panel(
        name="consensus",
        title="Who is best by what all say together, without a truth?",
        html=body,
        text=[*standing.warnings(), *notes],
        tables=standing.parts(),
        data=_data(standing),
    )


def _notes(standing: Standing, elsewhere: tuple[str, ...]) -> list[str]:
    """Return what a reader must know that stands nowhere else on the page."""
    rest = {*standing.warnings(), *elsewhere}
    return [note for note in standing.notes() if note not in rest]


def _pictures(standing: Standing) -> str:
    body = ""
    if standing.beside_truth is not None:
        text = "Each dot is a system: to the right the better one by all, upwards the better one by the truth."
        body += chart("both", text)
    if _shows_matrix(standing):
        text = "How often every two systems give the same answer: the stronger the colour, the more often."
        body += chart("agreement", f"{text} Groups that share errors stand together.")
    return body


def _shows_matrix(standing: Standing) -> bool:
    return standing.agreement.observed is not None and len(standing.agreement.names) <= MOST_MATRIX


def _table(standing: Standing) -> str:
    truth = standing.beside_truth
    heads = ["system", "retrieved", "precision", "recall", standing.f_name]
    heads += ["true precision", "true recall"] if standing.told else []
    heads += [] if truth is None else [f"true {truth.quantity}", "true rank"]
    rows = []
    for one in standing.systems:
        cells = [
            number(plain(one.retrieved), "count"),
            *(number(x, "percent") for x in (one.precision, one.recall, one.f)),
        ]
        if standing.told:
            told = standing.told.get(one.system)
            cells += (
                ["", ""]
                if told is None
                else [number(x, "percent") for x in (told.precision, told.recall)]
            )
        if truth is not None and one.system in truth.values:
            cells += [
                number(truth.values[one.system], "percent"),
                number(truth.ranks[one.system], "count"),
            ]
        elif truth is not None:
            cells += ["", ""]
        rows.append([named(one.system), *cells])
    judge = (
        f"; true: by {standing.told_by}"
        if standing.told
        else ""
        if truth is None
        else "; true: by the truth"
    )
    return table(
        "table-consensus",
        f"By the {standing.estimator} of all systems, as counted{judge}",
        heads,
        rows,
    )


def _data(standing: Standing) -> dict[str, Any]:
    observed, truth = standing.agreement.observed, standing.beside_truth
    names = standing.agreement.names
    order = standing.by_family()
    found: dict[str, Any] = {"names": [names[place] for place in order]}
    if observed is not None and _shows_matrix(standing):
        observed = observed[order][:, order]
        found["observed"] = [
            [None if np.isnan(cell) else round(float(cell), 4) for cell in row] for row in observed
        ]
    if truth is not None:
        found["points"] = [
            [one.system, one.value, truth.values[one.system]]
            for one in standing.systems
            if one.system in truth.values
        ]
        found["by"] = [f"{standing.f_name} by all", f"{truth.quantity} by the truth"]
    return found
