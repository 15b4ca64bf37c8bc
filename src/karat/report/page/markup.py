"""Pieces of a page. Whatever comes from the data is escaped here, and nowhere else."""

from collections.abc import Sequence
from html import escape
from typing import Any

from karat.report.page.words import FORMS, SIGNS, Said, shortened

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
    return f'<span class="number"{live} data-form="{form}" data-value="{exact}">{escape(FORMS[form](value))}</span>'


def said(found: Said, source: str = "") -> str:
    """Return a sentence with the sign of how firm it is; one with a source is written anew by the page."""
    firmness, text = found
    live = f' data-said="{source}"' if source else ""
    mark = f'<span class="sign" aria-hidden="true">{SIGNS[firmness]}</span>'
    return (
        f'<span class="said {firmness}"{live}>{mark}<span class="aside">{firmness}: </span>'
        f'<span class="words">{escape(text)}</span></span>'
    )


def table(
    name: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1
) -> str:
    """Return a table that scrolls if it is wide, with a button that saves it as CSV.

    The first `words` columns are names, the others numbers.
    """
    columns = "".join(
        f'<th scope="col"{_side(place, words)}>{escape(head)}</th>'
        for place, head in enumerate(heads)
    )
    body = "".join(f"<tr>{_cells(row, words)}</tr>" for row in rows)
    return (
        f'<div class="table"><div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table id="{name}"><caption><span>{escape(caption)}</span></caption><thead><tr>{columns}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        f'<button type="button" class="save" data-table="{name}">Save as CSV</button></div>'
    )


def slider(
    name: str, label: str, text: str, low: float, high: float, value: float, step: float
) -> str:
    """Return a slider with its name and what it says."""
    return (
        f'<p class="slider"><label for="{name}">{label}</label><output for="{name}" id="{name}-said">{text}</output>'
        f'<input type="range" id="{name}" min="{low}" max="{high}" step="{step}" value="{value:.10g}" '
        f'aria-valuetext="{text}"></p>'
    )


def folded(summary: str, body: str) -> str:
    """Return something that opens on demand; in print it is open."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def chart(kind: str, sentence: str, *, source: str = "") -> str:
    """Return a picture that the page draws, and the sentence that reads it."""
    live = f' data-said="{source}"' if source else ""
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
