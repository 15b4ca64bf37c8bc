"""Every answer about graphs, for a page."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.measure import usual
from karat.questions.page import NO_SLIDERS, Inquiry, ReportOptions, findings
from karat.report.findings import Findings
from karat.tally.counter import Counter
from karat.verdict.score.result import ScoreResult
from karat.verdict.score.scores import FOREIGN
from karat.verdict.whatif import ANY_NUMBER_OF_CLASSES, sliders

if TYPE_CHECKING:
    from karat.graphs.bench import GraphBench


def graph_findings(
    bench: "GraphBench",
    options: ReportOptions,
    *,
    votes: Counter,
    say: Callable[[str], None] | None = None,
) -> Findings:
    """Return every answer about graphs: as a table, and what went wrong inside; `votes` counts the rows voted on."""
    if options.measure is None and bench.unit in {"expression", "formula"}:
        options = replace(options, measure=usual.RIGHT_ANSWERS)
    # The sliders of a page are of rows: there a share of wrong labels is one of wrong expressions.
    answers = findings(bench.counter, options, votes=votes, classes=ANY_NUMBER_OF_CLASSES, say=say)
    if bench.unit == "expression" and answers.sliders is not None:
        tallies = replace(answers.sliders.tallies, classes=ANY_NUMBER_OF_CLASSES)
        answers = replace(answers, sliders=sliders(tallies, answers.sliders.state))
    if answers.scores is not None:
        answers = replace(answers, scores=without_foreign(answers.scores))
    if bench.truth is None:
        return answers
    inquiry = Inquiry(say)
    common = None
    if len(bench.systems) > 1:
        inquiry.say("Do wrong objects in the truth matter?")
        stability = bench.stability(
            label_error=options.label_error,
            level=options.level,
            draws=options.draws,
            seed=options.seed,
        )
        unasked = tuple(each for each in answers.unasked if each != NO_SLIDERS)
        answers = replace(answers, wrong_objects=stability, unasked=unasked)
        common = bench.common_errors()
    inquiry.say("What went wrong inside?")
    return replace(
        answers,
        graphs=bench.graph(),
        confusions=bench.confusions(),
        common=common,
        browser=bench.browse(),
    )


def without_foreign(scores: ScoreResult) -> ScoreResult:
    """Return scores without the warning about labels that the truth lacks: graphs may have such."""
    remarks = tuple(remark for remark in scores.remarks if not remark.endswith(FOREIGN))
    return replace(scores, remarks=remarks)
