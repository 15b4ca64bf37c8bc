"""The scores of graphs as a chart."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.report.pictures import BLUE, GREEN, ORANGE

if TYPE_CHECKING:
    from karat.graphs.compare.result import GraphScores

KINDS = (("dC", "classes", BLUE), ("dS", "merges", ORANGE), ("dR", "relations", GREEN))
"""Kinds of wrong labels: column, words, colour."""
SHARES = (
    ("expression_rate", "expressions right", "D", BLUE),
    ("class_f", "objects, F", "o", ORANGE),
    ("relation_f", "relations, F", "s", GREEN),
)
"""Shares of what is right: column, words, marker, colour."""


def chart(result: "GraphScores", canvas: Any) -> None:
    """Draw the wrong labels of each system, by kind, and how many expressions, objects and relations are right."""
    rows = result.summaries()
    canvas.set_size_inches(9, 0.3 * len(rows) + 1.5)
    left, right = canvas.subplots(1, 2, sharey=True)
    _draw_wrong_labels(left, rows)
    _draw_shares(right, rows)
    for axes in (left, right):
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)


def _draw_wrong_labels(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw a bar for each system, in which the kinds of wrong labels follow each other."""
    places = range(len(rows))
    starts = [0.0] * len(rows)
    for name, words, colour in KINDS:
        values = [row[name] for row in rows]
        axes.barh(places, values, left=starts, color=colour, label=f"{words} ({name})", height=0.6)
        starts = [start + value for start, value in zip(starts, values, strict=True)]
    axes.set_xlabel("wrong labels of primitives and pairs, all expressions")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(places, [str(row["system"]) for row in rows])


def _draw_shares(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    for name, words, marker, colour in SHARES:
        known = [(row[name], place) for place, row in enumerate(rows) if row[name] is not None]
        if known:
            values, places = zip(*known, strict=True)
            axes.plot(values, places, marker, color=colour, label=words)
    axes.set(xlabel="share", xlim=(0, 1))
    axes.grid(axis="x", alpha=0.3)
