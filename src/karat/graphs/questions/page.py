"""Every answer about graphs, for a page."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from karat.questions.page import NO_SLIDERS, Say, Wish, inquire, unheard
from karat.report.findings import Findings
from karat.verdict.whatif import ANY_NUMBER_OF_CLASSES

if TYPE_CHECKING:
    from karat.graphs.bench import GraphBench


def graph_findings(
    bench: "GraphBench", by_row: "GraphBench", *, say: Say | None = None, **wish: Any
) -> Findings:
    """Return every answer about graphs: as a table (`by_row`), and what went wrong inside."""
    say = say or unheard
    wanted = Wish(**wish)
    findings = inquire(by_row, wanted, say=say)
    if bench.unit == "expression" and findings.tallies is not None:
        tallies = replace(findings.tallies, classes=ANY_NUMBER_OF_CLASSES)
        findings = replace(findings, tallies=tallies)
    if bench.truth is None:
        return findings
    common = None
    if len(bench.systems) > 1:
        say("Do wrong objects in the truth matter?")
        stability = bench.stability(
            label_error=wanted.label_error,
            level=wanted.level,
            draws=wanted.draws,
            seed=wanted.seed,
        )
        unasked = tuple(each for each in findings.unasked if each != NO_SLIDERS)
        findings = replace(findings, erring=stability, unasked=unasked)
        common = bench.common_errors()
    say("What went wrong inside?")
    return replace(
        findings,
        graphs=bench.graph(),
        confusions=bench.confusions(),
        common=common,
        browser=bench.browse(),
    )
