"""Who is best by all systems together, whether there is a truth or not."""

import math
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import chart, named, number, paragraphs, statement_html, table
from karat.report.page.words import OPEN
from karat.report.panels.panel import Panel
from karat.verdict.consensus.result import ConsensusResult, System, plain

MOST_MATRIX = 60
"""Up to how many systems the page shows who agrees with whom."""


def panel(findings: Findings) -> Panel | None:
    """Return the ranking without truth, the truth beside it, and who agrees with whom."""
    consensus = findings.consensus
    if consensus is None:
        return None
    warnings = consensus.warnings()
    notes = _notes(consensus, findings.facts.voted())
    body = ""
    for warning in warnings:
        text = warning.removeprefix("warning: ")
        body += f"<p>{statement_html((OPEN, text[:1].upper() + text[1:]))}</p>"
    body += _pictures(consensus)
    body += _table(consensus)
    body += paragraphs(notes)
    return Panel(
        name="consensus",
        title="Who is best by all systems together, without a truth?",
        html=body,
        text=[*warnings, *notes],
        tables=consensus.parts(),
        data=_data(consensus),
    )


def _notes(consensus: ConsensusResult, elsewhere: tuple[str, ...]) -> list[str]:
    """Return the notes that stand nowhere else on the page."""
    others = {*consensus.warnings(), *elsewhere}
    return [note for note in consensus.notes() if note not in others]


def _pictures(consensus: ConsensusResult) -> str:
    body = ""
    if consensus.truth_comparison is not None:
        text = "Each dot is a system: further right is better by all systems, further up is better by the truth."
        body += chart("both", text)
    if _shows_matrix(consensus):
        text = (
            "How often every two systems give the same answer: the stronger the colour, the more often. "
            "Systems with correlated errors stand together."
        )
        body += chart("agreement", text)
    return body


def _shows_matrix(consensus: ConsensusResult) -> bool:
    agreement = consensus.agreement
    return agreement.observed is not None and len(agreement.names) <= MOST_MATRIX


def _table(consensus: ConsensusResult) -> str:
    truth = consensus.truth_comparison
    heads = ["system", "answers", consensus.ranks_by]
    if consensus.has_precision:
        heads = ["system", "retrieved", "precision", "recall", consensus.f_name]
    caption = f"Estimated from the answers of all systems ({consensus.estimator}), as counted"
    if consensus.true_rates:
        heads += ["true precision", "true recall"]
        caption += f"; true: by {consensus.truth_source}"
    elif truth is not None:
        caption += "; true: by the truth"
    if truth is not None:
        heads += [f"true {truth.quantity}", "true rank"]
    rows = [
        [*_own_cells(one, consensus), *_true_cells(one, consensus)] for one in consensus.systems
    ]
    return table("table-consensus", caption, heads, rows)


def _own_cells(one: System, consensus: ConsensusResult) -> list[str]:
    """Return what the answers of all systems say of one."""
    if not consensus.has_precision:
        return [named(one.system), number(one.answers, "count"), number(one.value, "percent")]
    cells = [named(one.system), number(plain(one.retrieved), "count")]
    cells += [number(share, "percent") for share in (one.precision, one.recall, one.f)]
    return cells


def _true_cells(one: System, consensus: ConsensusResult) -> list[str]:
    """Return what the truth says; cells that it leaves open are empty."""
    cells: list[str] = []
    if consensus.true_rates:
        rates = consensus.true_rates.get(one.system)
        if rates is None:
            cells += ["", ""]
        else:
            cells += [number(rates.precision, "percent"), number(rates.recall, "percent")]
    truth = consensus.truth_comparison
    if truth is None:
        return cells
    if one.system not in truth.values:
        return [*cells, "", ""]
    value = number(truth.values[one.system], "percent")
    rank = number(truth.ranks[one.system], "count")
    return [*cells, value, rank]


def _data(consensus: ConsensusResult) -> dict[str, Any]:
    """Return what the pictures show."""
    order = consensus.by_family()
    names = consensus.agreement.names
    data: dict[str, Any] = {"names": [names[place] for place in order]}
    observed = consensus.agreement.observed
    if observed is not None and _shows_matrix(consensus):
        in_order = observed[order][:, order]
        data["observed"] = [[_rounded(share) for share in row] for row in in_order]
    truth = consensus.truth_comparison
    if truth is not None:
        known = [one for one in consensus.systems if one.system in truth.values]
        data["points"] = [[one.system, one.value, truth.values[one.system]] for one in known]
        data["by"] = [f"{consensus.ranks_by} by all", f"{truth.quantity} by the truth"]
    return data


def _rounded(share: float) -> float | None:
    return None if math.isnan(share) else round(float(share), 4)
