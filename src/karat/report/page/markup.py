"""Pieces of a page. Whatever comes from the data is escaped here, and nowhere else."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from karat.report.page.number_forms import FORMS
from karat.report.page.words import SIGNS, Statement, shortened

COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]|\bkarat [a-z]+ [A-Z-]")
"""Options and commands, which a reader of a page may not have."""
LONGEST = 300
"""So much of a name is in its tooltip."""


def named(name: str) -> str:
    """Return a name that is isolated from the text around it.

    >>> named("<script>")
    '<bdi class="name" title="&lt;script&gt;">&lt;script&gt;</bdi>'
    """
    return f'<bdi class="name" title="{escape(name[:LONGEST])}">{escape(shortened(name))}</bdi>'


def number(value: Any, form: str, path: str = "") -> str:
    """Return a number with its exact value behind it; one with a path is recomputed by the page."""
    live = f' data-live="{path}"' if path else ""
    exact = "" if value is None else escape(str(value))
    text = escape(FORMS[form](value))
    return f'<span class="number"{live} data-form="{form}" data-value="{exact}">{text}</span>'


def statement_html(statement: Statement, source: str = "") -> str:
    """Return a sentence with the sign of how firm it is; one with a source is rewritten by the page."""
    firmness, text = statement
    live = f' data-sentence="{source}"' if source else ""
    text = without_advice(text)
    mark = f'<span class="sign" aria-hidden="true">{SIGNS[firmness]}</span>'
    return (
        f'<span class="statement {firmness}"{live}>{mark}<span class="unseen">{firmness}: </span>'
        f'<span class="words">{escape(text)}</span></span>'
    )


def headline(text: str, source: str) -> str:
    """Return a large sentence that is rewritten by the page."""
    return f'<p class="headline" data-sentence="{source}"><span class="words">{escape(text)}</span></p>'


def paragraphs(texts: Iterable[str]) -> str:
    """Return each text as a paragraph.

    >>> paragraphs(["a < b", "c"])
    '<p>a &lt; b</p><p>c</p>'
    """
    shown = [without_advice(text) for text in texts]
    return "".join(f"<p>{escape(text)}</p>" for text in shown if text)


def without_advice(text: str) -> str:
    """Return a text without sentences that only people at a command line can follow.

    >>> without_advice("Groups are pooled; --per group reports them separately.")
    'Groups are pooled.'
    >>> without_advice("Two labels differ. karat audit TABLE finds more.")
    'Two labels differ.'
    """
    parts = re.split(r"(?<=[.;]) ", text)
    kept = " ".join(part for part in parts if COMMAND_LINE.search(part) is None)
    return f"{kept[:-1]}." if kept.endswith(";") else kept


def table(
    name: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1
) -> str:
    """Return a table that scrolls if it is wide, with a button that saves it as CSV.

    The first `words` columns are names, the others numbers.
    """
    columns = []
    for place, head in enumerate(heads):
        columns.append(f'<th scope="col"{_side(place, words)}>{escape(head)}</th>')
    body = "".join(f"<tr>{_cells(row, words)}</tr>" for row in rows)
    return (
        f'<div class="table"><div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table id="{name}"><caption><span>{escape(caption)}</span></caption>'
        f"<thead><tr>{''.join(columns)}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
        f'<button type="button" class="save" data-table="{name}">Save as CSV</button></div>'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Where a slider begins and ends, where it stands, and its smallest step."""

    low: float
    high: float
    value: float
    step: float


def slider(name: str, label: str, text: str, scale: Scale) -> str:
    """Return a slider with its name and its value in words."""
    return (
        f'<p class="slider"><label for="{name}">{label}</label>'
        f'<output for="{name}" id="{name}-text">{text}</output>'
        f'<input type="range" id="{name}" min="{scale.low}" max="{scale.high}" step="{scale.step}" '
        f'value="{scale.value:.10g}" aria-valuetext="{text}"></p>'
    )


def folded(summary: str, body: str) -> str:
    """Return a part of the page that opens on demand; in print it is open."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def chart(kind: str, sentence: str, *, source: str = "") -> str:
    """Return a picture that the page draws, and the sentence that reads it."""
    live = f' data-sentence="{source}"' if source else ""
    return (
        f'<figure class="chart"><div class="drawing" data-chart="{kind}"></div>'
        f'<figcaption{live}><span class="words">{escape(sentence)}</span></figcaption></figure>'
    )


def _cells(row: Sequence[str], words: int) -> str:
    first, *rest = row
    cells = "".join(f"<td{_side(place, words)}>{cell}</td>" for place, cell in enumerate(rest, 1))
    return f'<th scope="row">{first}</th>{cells}'


def _side(place: int, words: int) -> str:
    return "" if place < words else ' class="right"'
