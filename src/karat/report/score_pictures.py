"""Pictures of scores with their intervals, and of the planning figures."""

from typing import Any

from karat.errors import OptionError
from karat.report.colours import BLUE
from karat.verdict.plan.plans import Figure
from karat.verdict.score.result import ScoreResult

FEW_TRIALS = 50
"""Up to so many trials each share that can be observed is a dot."""


def planning(figure: Figure, canvas: Any) -> None:
    """Draw one line for each number of trials."""
    if figure.number == 1:
        name = "lower"
        title = "Guaranteed lower bound"
    else:
        name = "increase"
        title = "Smallest significant increase"
    canvas.set_size_inches(6, 4.5)
    axes = canvas.add_subplot()
    defined = [row for row in figure.found if row[name] is not None]
    for trials in dict.fromkeys(row["trials"] for row in figure.found):
        rows = [row for row in defined if row["trials"] == trials]
        estimates = [row["estimate"] for row in rows]
        values = [row[name] for row in rows]
        marker = "." if trials <= FEW_TRIALS else ""
        axes.plot(estimates, values, marker=marker, lw=1, label=f"n = {trials}")
    axes.set_xlabel("observed share x/n")
    axes.set_ylabel(title.lower())
    axes.set_title(f"{title}, level {figure.found[0]['level']:g}")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def intervals(result: ScoreResult, canvas: Any) -> None:
    """Draw each system's value as a dot and its interval as a line, the best on top."""
    rows = [row for row in result.rows() if row["value"] is not None]
    if not rows:
        raise OptionError("every value is undefined, so there is nothing to draw")
    quantities = {(row["measure"], row["label"], row.get("group")) for row in rows}
    if len(quantities) > 1:
        raise OptionError(
            "a picture shows one measure of one class and group; name one with --measure"
        )
    canvas.set_size_inches(6.5, 0.24 * len(rows) + 1.1)
    axes = canvas.add_subplot()
    for place, row in enumerate(rows):
        ends = [row["low"], row["high"]]
        axes.plot(ends, [place, place], color=BLUE, lw=2, solid_capstyle="round")
        axes.plot([row["value"]], [place], marker="o", color=BLUE, ms=5)
    axes.set_yticks(range(len(rows)), [str(row["system"]) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"{rows[0]['measure']}, level {rows[0]['level']:g}")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
