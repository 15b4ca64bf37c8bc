"""Who is best by all systems together, whether there is a truth or not."""

import math
from html import escape
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import chart, named, number, said, table
from karat.report.page.words import OPEN
from karat.report.panels.panel import Panel
from karat.verdict.consensus.result import ConsensusResult, System, plain

MOST_MATRIX = 60
"""Up to how many systems the page shows who agrees with whom."""


def panel(findings: Findings) -> Panel | None:
    """Return the ranking without truth, the truth beside it, and who agrees with whom."""
    standing = findings.standing
    if standing is None:
        return None
    warnings = standing.warnings()
    notes = _notes(standing, findings.facts.voted())
    body = ""
    for warning in warnings:
        body += f"<p>{said((OPEN, warning.removeprefix('warning: ')))}</p>"
    body += _pictures(standing)
    body += _table(standing)
    for note in notes:
        body += f"<p>{escape(note)}</p>"
    return Panel(
        name="consensus",
        title="Who is best by all systems together, without a truth?",
        html=body,
        text=[*warnings, *notes],
        tables=standing.parts(),
        data=_data(standing),
    )


def _notes(standing: ConsensusResult, elsewhere: tuple[str, ...]) -> list[str]:
    """Return the notes that stand nowhere else on the page."""
    others = {*standing.warnings(), *elsewhere}
    return [note for note in standing.notes() if note not in others]


def _pictures(standing: ConsensusResult) -> str:
    body = ""
    if standing.beside_truth is not None:
        text = "Each dot is a system: further right is better by all systems, further up is better by the truth."
        body += chart("both", text)
    if _shows_matrix(standing):
        text = (
            "How often every two systems give the same answer: the stronger the colour, the more often. "
            "Systems with correlated errors stand together."
        )
        body += chart("agreement", text)
    return body


def _shows_matrix(standing: ConsensusResult) -> bool:
    agreement = standing.agreement
    return agreement.observed is not None and len(agreement.names) <= MOST_MATRIX


def _table(standing: ConsensusResult) -> str:
    truth = standing.beside_truth
    heads = ["system", "retrieved", "precision", "recall", standing.f_name]
    caption = f"By the {standing.estimator} of all systems, as counted"
    if standing.told:
        heads += ["true precision", "true recall"]
        caption += f"; true: by {standing.told_by}"
    elif truth is not None:
        caption += "; true: by the truth"
    if truth is not None:
        heads += [f"true {truth.quantity}", "true rank"]
    rows = [_cells(one, standing) for one in standing.systems]
    return table("table-consensus", caption, heads, rows)


def _cells(one: System, standing: ConsensusResult) -> list[str]:
    """Return a row of the table; cells that the truth leaves open are empty."""
    cells = [named(one.system), number(plain(one.retrieved), "count")]
    cells += [number(share, "percent") for share in (one.precision, one.recall, one.f)]
    if standing.told:
        rates = standing.told.get(one.system)
        if rates is None:
            cells += ["", ""]
        else:
            cells += [number(rates.precision, "percent"), number(rates.recall, "percent")]
    truth = standing.beside_truth
    if truth is None:
        return cells
    if one.system not in truth.values:
        return [*cells, "", ""]
    value = number(truth.values[one.system], "percent")
    rank = number(truth.ranks[one.system], "count")
    return [*cells, value, rank]


def _data(standing: ConsensusResult) -> dict[str, Any]:
    """Return what the pictures show."""
    order = standing.by_family()
    names = standing.agreement.names
    data: dict[str, Any] = {"names": [names[place] for place in order]}
    observed = standing.agreement.observed
    if observed is not None and _shows_matrix(standing):
        in_order = observed[order][:, order]
        data["observed"] = [[_rounded(share) for share in row] for row in in_order]
    truth = standing.beside_truth
    if truth is not None:
        known = [one for one in standing.systems if one.system in truth.values]
        data["points"] = [[one.system, one.value, truth.values[one.system]] for one in known]
        data["by"] = [f"{standing.f_name} by all", f"{truth.quantity} by the truth"]
    return data


def _rounded(share: float) -> float | None:
    return None if math.isnan(share) else round(float(share), 4)
