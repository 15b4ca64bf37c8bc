"""What changed since an earlier report."""

from collections.abc import Sequence

from karat.report.findings import Findings
from karat.report.page.markup import named, number, paragraphs, table
from karat.report.page.measure_forms import PERCENT, MeasureForms
from karat.report.page.words import isolated
from karat.report.panels.panel import Panel
from karat.verdict.change import NOTE, Change
from karat.verdict.compare.comparison import BETTER, WORSE
from karat.words import counted

MOST_NAMES = 12
HEADS = ("system", "then", "now", "difference", "from", "to", "rank then", "rank now", "verdict")
FORMS = {
    "old": "value",
    "new": "value",
    "difference": "difference",
    "low": "difference",
    "high": "difference",
    "old_rank": "count",
    "new_rank": "count",
    "verdict": "text",
}


def panel(findings: Findings) -> Panel | None:
    """Return every system then and now, and what turned over."""
    change = findings.change
    if change is None:
        return None
    sentences = _sentences(change)
    rows = []
    for one in change.systems:
        plain = one.row()
        cells = [number(plain[key], _form(form, findings.forms)) for key, form in FORMS.items()]
        rows.append([named(one.system), *cells])
    caption = f"{findings.measure} then and now"
    if findings.forms == PERCENT:
        caption += "; differences in percentage points"
    body = paragraphs(sentences)
    if rows:
        body += table("table-change", caption, HEADS, rows)
    return Panel(
        name="change",
        title="What changed, and is that more than doubt?",
        html=body + paragraphs([NOTE]),
        text=[*sentences, NOTE],
        tables={caption: [one.row() for one in change.systems]} if rows else {},
    )


def _form(kind: str, forms: MeasureForms) -> str:
    """Return the form of a column: values and differences are written as the measure's are."""
    return {"value": forms.value, "difference": forms.difference}.get(kind, kind)


def _sentences(change: Change) -> list[str]:
    """Return what changed in words."""
    sentences = [_in_all(change)]
    if change.old_first == change.new_first:
        sentences.append(f"{isolated(change.new_first)} was first and still is.")
    else:
        sentences.append(
            f"{isolated(change.new_first)} is first now; then it was {isolated(change.old_first)}."
        )
    if change.reversed:
        pairs = [f"{isolated(first)} and {isolated(second)}" for first, second in change.reversed]
        sentences.append(f"Significantly the other way round: {_some(pairs)}.")
    if change.newly_settled or change.no_longer_settled:
        sentences.append(
            f"Orders of two systems that are settled now and were not: {change.newly_settled:,}; that were settled and "
            f"are not now: {change.no_longer_settled:,}."
        )
    if change.added:
        sentences.append(f"New: {_some([isolated(name) for name in change.added])}.")
    if change.removed:
        sentences.append(f"Gone: {_some([isolated(name) for name in change.removed])}.")
    return sentences


def _in_all(change: Change) -> str:
    """Return how many systems changed by more than doubt."""
    verdicts = [one.verdict for one in change.systems]
    better = verdicts.count(BETTER)
    worse = verdicts.count(WORSE)
    return (
        f"Since {isolated(change.origin)} ({change.old_items:,} items then, {change.new_items:,} now): "
        f"{counted(len(verdicts), 'system')} in both reports. Better by more than doubt: {better:,}; worse: {worse:,}; "
        f"the change may be chance: {len(verdicts) - better - worse:,}."
    )


def _some(names: Sequence[str]) -> str:
    """Return names, and how many more there are."""
    rest = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {rest:,} more" if rest > 0 else "")
