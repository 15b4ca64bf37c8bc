"""The scores of graphs as a chart."""

from typing import TYPE_CHECKING, Any

from karat.report.pictures import BLUE, GREEN, ORANGE

if TYPE_CHECKING:
    from karat.graphs.compare.result import GraphScores


def chart(result: "GraphScores", canvas: Any) -> None:
    """Draw the wrong labels of each system, by kind, and how many expressions, objects and relations are right."""
    rows = result.summaries()
    canvas.set_size_inches(9, 0.3 * len(rows) + 1.5)
    left, right = canvas.subplots(1, 2, sharey=True)
    places, start = range(len(rows)), [0.0] * len(rows)
    for name, words, color in zip(
        ("dC", "dS", "dR"), ("classes", "merges", "relations"), (BLUE, ORANGE, GREEN), strict=True
    ):
        values = [row[name] for row in rows]
        left.barh(places, values, left=start, color=color, label=f"{words} ({name})", height=0.6)
        start = [one + two for one, two in zip(start, values, strict=True)]
    left.set(
        xlabel="wrong labels of primitives and pairs, all expressions", ylim=(len(rows) - 0.5, -0.5)
    )
    left.set_yticks(places, [str(row["system"]) for row in rows])
    left.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    marks = {
        "expression_rate": ("expressions right", "D"),
        "class_f": ("objects, F", "o"),
        "relation_f": ("relations, F", "s"),
    }
    for (name, (words, mark)), color in zip(marks.items(), (BLUE, ORANGE, GREEN), strict=True):
        known = [(row[name], place) for place, row in enumerate(rows) if row[name] is not None]
        right.plot(*zip(*known, strict=True), mark, color=color, label=words) if known else None
    right.set(xlabel="share", xlim=(0, 1))
    right.grid(axis="x", alpha=0.3)
    right.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
