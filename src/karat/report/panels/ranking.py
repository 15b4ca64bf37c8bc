"""The ranking as a ladder: each system, and what may be said of it and the next one."""

from karat.report.findings import Findings
from karat.report.page.markup import named, number, said
from karat.report.page.words import FIRM, OPEN, PARTLY, SIGNS, few_items, percent, wrong_labels
from karat.report.panels.panel import Panel


def panel(findings: Findings) -> Panel:
    """Return the ladder."""
    steps = "".join(_step(findings, place) for place in range(len(findings.order)))
    html = f'<ol class="ladder">{steps}</ol>{_reading(findings)}'
    return Panel(
        name="ranking", title=f"The ranking by {findings.measure}", html=html, text=_lines(findings)
    )


def _step(findings: Findings, place: int) -> str:
    """Return a system of the ladder, and what stands between it and the next one."""
    name, system = findings.order[place], findings.live["systems"][place]
    path = f"systems.{place}"
    ends = f"{number(system['low'], 'percent', f'{path}.low')} to {number(system['high'], 'percent', f'{path}.high')}"
    row = (
        f'<div class="system"><span class="rank">{findings.rank(place)}</span>{named(name)}'
        f'<span class="value">{number(system["value"], "percent", f"{path}.value")}</span>'
        f'<span class="bar" data-chart="bar" data-place="{place}"></span><span class="ends">{ends}</span></div>'
    )
    return f"<li>{row}{_rung(findings, place)}</li>"


def _rung(findings: Findings, place: int) -> str:
    pairs = findings.live["pairs"]
    if place >= len(pairs):
        return ""
    lines = [
        said(
            few_items(findings.order[place], findings.order[place + 1], pairs[place]),
            f"few.{place}",
        )
    ]
    if findings.tallies is not None:
        lines.append(said(wrong_labels(pairs[place], findings.supposed), f"wrong.{place}"))
    return f'<div class="rung">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


def _lines(findings: Findings) -> list[str]:
    """Return the ladder as lines of text."""
    lines = []
    for place, name in enumerate(findings.order):
        value = findings.live["systems"][place]["value"]
        lines.append(f"- rank {findings.rank(place)}, {name}: {percent(value)}")
        if place < len(findings.live["pairs"]):
            pair = findings.live["pairs"][place]
            firmness, sentence = few_items(name, findings.order[place + 1], pair)
            lines.append(f"  - {SIGNS[firmness]} {sentence}")
            if findings.tallies is not None:
                firmness, sentence = wrong_labels(pair, findings.supposed)
                lines.append(f"  - {SIGNS[firmness]} {sentence}")
    return lines


def _reading(findings: Findings) -> str:
    """Return what the short words mean, for who meets them for the first time."""
    level = f"{findings.level:g}"
    return (
        "<details><summary>How to read this</summary><dl>"
        f"<dt>level</dt><dd>How sure a statement is to be: at {level}, statements made in this way are wrong in at "
        f"most {100 * (1 - findings.level):.3g} of 100 cases.</dd>"
        "<dt>p</dt><dd>How likely so large a difference is, or a larger one, if the two systems were equally good. "
        "Here it is raised to make up for all the pairs that are looked at (Holm). At most 1 - level: the difference "
        "is called real. Otherwise it is <em>undecided</em>, which does not mean that there is none.</dd>"
        "<dt>survives</dt><dd>The labels that count as true may be wrong. Up to this share of wrong labels, anywhere, "
        "the better one by these labels is also the better one by the true labels, with the probability of the "
        "level.</dd>"
        f"<dt>{SIGNS[FIRM]} {SIGNS[PARTLY]} {SIGNS[OPEN]}</dt><dd>firm, partly firm, open</dd></dl></details>"
    )
