"""The first screen: the ranking, what may be said of neighbours, and how far each doubt goes."""

from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import said
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    SIGNS,
    TEMPLATES,
    Said,
    best,
    few_in_all,
    isolated,
    wrong_in_all,
)
from karat.report.panels.panel import Panel
from karat.report.panels.skew import balance_in_all, few_by_area


def panel(findings: Findings) -> Panel:
    """Return the ranking in words."""
    headline = _headline(findings)
    doubts = _doubts(findings)
    html = (
        f'<p class="headline" data-said="best"><span class="words">{escape(headline)}</span></p>'
        f'<ul class="doubts">{"".join(_doubt(*doubt) for doubt in doubts)}</ul>'
    )
    text = [headline, *(f"{SIGNS[found[0]]} {name}: {found[1]}" for name, found, _ in doubts)]
    return Panel(name="summary", title="How far can this ranking be trusted?", html=html, text=text)


def _headline(findings: Findings) -> str:
    if findings.scores is None:
        vote = TEMPLATES["best without"].format(first=isolated(findings.order[0]))
        pair = findings.facts.meaning.pair
        return f"{vote} {TEMPLATES['right'].format(yes=pair[0])}" if pair else vote
    return best(findings.order, findings.live, findings.level, findings.measure)


def _doubts(findings: Findings) -> list[tuple[str, Said, str]]:
    """Return each doubt: its name, how far it goes, and what the page calls it."""
    pairs = findings.live["pairs"]
    found: list[tuple[str, Said, str]] = []
    if pairs:
        found.append(("Few items", few_in_all(pairs, findings.level), "few"))
    if pairs and findings.tallies is not None:
        found.append(("Wrong labels", wrong_in_all(pairs, findings.supposed), "wrong"))
    if findings.skewed is not None and len(findings.order) > 1:
        found += (
            []
            if pairs or not findings.skewed.gaps
            else [("Few items", few_by_area(findings.skewed), "")]
        )
        found.append(("Class balance", balance_in_all(findings.skewed), ""))
    if findings.standing is not None and findings.scores is None:
        shared = findings.standing.warnings()
        whole = (
            FIRM,
            "No group of systems was found to share its errors, and they agree more than by chance.",
        )
        found.append(
            ("Shared errors", (OPEN, shared[0].removeprefix("warning: ")) if shared else whole, "")
        )
    return [
        *found,
        ("Left out", _left_out(findings), ""),
        *(("Not asked", (OPEN, one), "") for one in findings.unasked),
    ]


def _left_out(findings: Findings) -> Said:
    counts = findings.facts.counts
    whole = counts.unanswered == 0 and not (counts.without_truth or sum(counts.missing.values()))
    sentence = " ".join(findings.facts.remarks() if findings.scores else findings.facts.voted())
    absent = _absent(findings)
    if findings.scores is None:
        return PARTLY, " ".join([f"There is no truth. {sentence}", *absent])
    if absent:
        return PARTLY, " ".join([*absent, sentence])
    if whole:
        return (
            FIRM,
            f"Nothing: every system answered every item, and every item has a truth. {sentence}",
        )
    return PARTLY, sentence


def _absent(findings: Findings) -> list[str]:
    """Return which files of graphs are absent or were not taken as they are."""
    if findings.graphs is not None:
        return [text.removeprefix("warning: ") for text in findings.graphs.warnings()]
    return list(findings.facts.notes[1:]) if "unit" in findings.facts.options else []


def _doubt(name: str, found: Said, source: str) -> str:
    return f"<li><strong>{escape(name)}</strong> {said(found, source)}</li>"
