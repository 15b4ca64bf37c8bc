"""Results as pictures, SVG or PNG, drawn by Matplotlib."""

import io
from collections.abc import Callable
from typing import Any

from karat.errors import OptionError
from karat.report.colours import BLUE, GREEN, ORANGE
from karat.report.comparison_pictures import matrix
from karat.report.consensus_pictures import consensus, cutoffs
from karat.report.level_pictures import agreement
from karat.report.prevalence_pictures import AgainstPrevalence, against, fields, groups, moved
from karat.report.score_pictures import intervals, planning
from karat.report.stability_pictures import robustness
from karat.result import Result
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.consensus.cutoffs import Cutoffs
from karat.verdict.consensus.result import ConsensusResult
from karat.verdict.plan.plans import Figure
from karat.verdict.prevalence.agreement_result import AgreementLevels
from karat.verdict.prevalence.groups_result import GroupedPrevalenceResult
from karat.verdict.prevalence.published import PublishedPrecision
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.score.result import ScoreResult
from karat.verdict.stability.result import StabilityResult

__all__ = ["BLUE", "GREEN", "ORANGE", "pdf", "png", "svg"]

Painter = Callable[[Any, Any], None]
"""What draws a result on a canvas."""
PAINTERS: dict[type[Result], Painter] = {
    Figure: planning,
    ComparisonResult: matrix,
    StabilityResult: robustness,
    ConsensusResult: consensus,
    Cutoffs: cutoffs,
    ScoreResult: intervals,
    PrevalenceResult: fields,
    GroupedPrevalenceResult: groups,
    AgainstPrevalence: against,
    PublishedPrecision: moved,
    AgreementLevels: agreement,
}
DRAWN = "score, compare, stability, consensus, skew, graph and plan --figure"
STYLE: Any = {
    "svg.hashsalt": "karat",  # the same result gives the same bytes
    "svg.fonttype": "none",
    "font.size": 9,
    "text.parse_math": False,  # a dollar sign in a name begins no formula
}


def svg(result: Result) -> bytes:
    """Return a picture that scales."""
    return _drawn(result, "svg", {"Date": None})


def png(result: Result) -> bytes:
    """Return a picture of dots."""
    return _drawn(result, "png", {"Software": None})


def pdf(result: Result) -> bytes:
    """Return a picture for print."""
    return _drawn(result, "pdf", {"CreationDate": None, "Producer": None, "Creator": None})


def _drawn(result: Result, form: str, metadata: dict[str, None]) -> bytes:
    paint = _painter(result)
    try:
        import matplotlib as mpl  # noqa: PLC0415 (optional)
        from matplotlib.figure import Figure as Canvas  # noqa: PLC0415
    except ImportError:
        raise OptionError("pictures need Matplotlib: pip install matplotlib") from None
    out = io.BytesIO()
    with mpl.rc_context(STYLE):
        canvas = Canvas(layout="constrained")
        paint(canvas)
        canvas.savefig(out, format=form, dpi=150, metadata=metadata)
    return out.getvalue()


def _painter(result: Result) -> Callable[[Any], None]:
    """Return what draws a result: its own `paint`, or that of its kind."""
    own: Callable[[Any], None] | None = getattr(result, "paint", None)
    if own is not None:
        return own
    for kind, paint in PAINTERS.items():
        if isinstance(result, kind) and _holds_a_picture(result):
            return lambda canvas: paint(result, canvas)
    raise OptionError(f"there is no picture of this result; there are pictures of {DRAWN}")


def _holds_a_picture(result: Result) -> bool:
    """Return whether a result holds what is drawn of its kind."""
    if isinstance(result, ComparisonResult) and len(result.rankings) > 1:
        raise OptionError("a picture shows one measure; name one with --measure")
    if isinstance(result, ComparisonResult):
        return bool(result.rankings)
    if isinstance(result, PublishedPrecision):
        return bool(result.deployments)
    if isinstance(result, StabilityResult):
        return bool(result.curves)
    return True
