"""Systems on the line of their values, with a bar over those that do not differ significantly.

As critical-difference diagrams do, with exact pairwise tests in place of one distance for all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.errors import OptionError
from karat.report.colours import DIM
from karat.verdict.compare.measure_ranking import MeasureRanking

BAR_STEP, NAME_STEP = 0.45, 0.7
"""How far a bar lies below the one before it, and a name below the one above it."""
FIRST_BAR, ABOVE_NAMES = 0.5, 0.9


def on_a_line(ranking: MeasureRanking, canvas: Any) -> None:
    """Draw the line, the bars and the names."""
    values = {name: value for name in ranking.order if (value := ranking.values[name]) is not None}
    if not values:
        raise OptionError("every value is undefined, so there is nothing to draw")
    groups = [members for members in ranking.groups if len(members) > 1]
    rows = (len(values) + 1) // 2
    canvas.set_size_inches(10, 0.9 + 0.16 * len(groups) + 0.24 * rows)
    axes = canvas.add_subplot()
    _bars(axes, groups, values)
    highest_name = -ABOVE_NAMES - BAR_STEP * len(groups)
    ends = _ends(values)
    for name in _names(ranking, values, highest_name):
        name.draw(axes, ends)
    axes.plot(ends, [0, 0], color="black", lw=1)
    axes.set(xlim=ends, ylim=(highest_name - NAME_STEP * rows, 0.4))
    axes.xaxis.set_ticks_position("top")
    axes.spines[["left", "right", "bottom", "top"]].set_visible(False)
    axes.set_yticks([])
    axes.set_title(f"{ranking.quantity}; bars join what is not significantly different", fontsize=9)


def _ends(values: Mapping[str, float]) -> tuple[float, float]:
    """Return where the line begins and ends: somewhat beyond the values."""
    least, most = min(values.values()), max(values.values())
    margin = 0.08 * ((most - least) or 0.01)
    return least - margin, most + margin


def _bars(axes: Any, groups: Sequence[Sequence[str]], values: Mapping[str, float]) -> None:
    for level, members in enumerate(groups):
        own = [values[name] for name in members if name in values]
        height = -FIRST_BAR - BAR_STEP * level
        axes.plot([min(own), max(own)], [height, height], color="black", lw=3)


@dataclass(frozen=True, slots=True)
class _Name:
    """A system's name, at one end of a line that leads down from its value."""

    name: str
    value: float
    depth: float
    at_right: bool

    def draw(self, axes: Any, ends: tuple[float, float]) -> None:
        end = ends[1] if self.at_right else ends[0]
        axes.plot([self.value, self.value, end], [0, self.depth, self.depth], color=DIM, lw=0.8)
        axes.plot([self.value], [0], marker="o", color="black", ms=4)
        text = f" {self.name} {self.value:.3f} "
        side = "left" if self.at_right else "right"
        axes.text(end, self.depth, text, ha=side, va="center", fontsize=8)


def _names(ranking: MeasureRanking, values: Mapping[str, float], highest: float) -> list[_Name]:
    """Return the names: the better half at the end of the good values, the others at the other end."""
    rows = (len(values) + 1) // 2
    names = []
    for place, (name, value) in enumerate(values.items()):
        is_better_half = place < rows
        # As far down as the system is from its end of the ranking: so no two lines cross.
        row = place if is_better_half else len(values) - 1 - place
        at_right = is_better_half != ranking.quantity.lower_is_better
        names.append(_Name(name, value, highest - NAME_STEP * row, at_right))
    return names
