"""A picture of one image: what annotators marked, what a system scored, and where the two differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.report.colours import BLUE, ORANGE
from karat.result import Result
from karat.result.base import Row

NEITHER, HIT, MISS, ALARM, UNCOUNTED = range(5)
COLOURS = ("#ffffff", "#000000", ORANGE, BLUE, "#d8d8d8")
"""Of pixels in neither, hits, misses, false alarms, and those that do not count; the colour-blind distinguish them."""
Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PixelPicture(Result):
    """One image, small enough to be drawn, and the counts of all its pixels."""

    name: str
    system: str
    photo: npt.NDArray[np.uint8] | None
    agreement: Values
    """Which share of the annotators marked a pixel."""
    annotators: int
    scores: Values
    is_mask: bool
    outcome: npt.NDArray[np.int64]
    threshold: float
    chosen: str
    """How the threshold was chosen, in words; nothing where it was given, or where there is none."""
    at_least: int
    hits: int
    misses: int
    alarms: int
    alike: tuple[str, ...] = ()
    """Which files were taken for the same image."""

    def rows(self) -> Sequence[Row]:
        """Return what was counted at the threshold."""
        return [
            {
                "image": self.name,
                "system": self.system,
                "threshold": None if self.is_mask else self.threshold,
                "at_least": self.at_least,
                "hits": self.hits,
                "misses": self.misses,
                "false_alarms": self.alarms,
                "iou": self.iou,
            }
        ]

    def notes(self) -> Sequence[str]:
        """Return which files were taken for the same image."""
        return self.alike

    @property
    def iou(self) -> float | None:
        """The intersection over the union of truth and answer."""
        either = self.hits + self.misses + self.alarms
        return self.hits / either if either else None

    def paint(self, canvas: Any) -> None:
        """Draw the panels side by side: the photograph if there is one, agreement, scores, outcome."""
        panels = [self._agreement, self._scores, self._outcome]
        if self.is_mask:
            panels.remove(self._scores)
        if self.photo is not None:
            panels.insert(0, self._photo)
        height, width = self.agreement.shape
        canvas.set_size_inches(4.4 * len(panels), 4.4 * min(2.0, height / width) + 1.5)
        for axes, draw in zip(
            canvas.subplots(1, len(panels), squeeze=False)[0], panels, strict=True
        ):
            draw(axes, canvas)
            axes.set_xticks([])
            axes.set_yticks([])
            axes.set_anchor("N")  # all images at one height, whatever stands below them

    def _photo(self, axes: Any, canvas: Any) -> None:
        del canvas
        axes.imshow(self.photo, cmap="gray")
        axes.set_title(self.name, fontsize=9)

    def _agreement(self, axes: Any, canvas: Any) -> None:
        shown = axes.imshow(self.agreement, cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
        title = "truth"
        if self.annotators > 1:
            title = f"agreement of {self.annotators} annotators"
            canvas.colorbar(shown, ax=axes, location="bottom", shrink=0.8, label="share who marked")
        axes.set_title(title, fontsize=9)

    def _scores(self, axes: Any, canvas: Any) -> None:
        shown = axes.imshow(self.scores, cmap="gray_r", interpolation="nearest")
        canvas.colorbar(shown, ax=axes, location="bottom", shrink=0.8, label="score")
        axes.set_title(f"{self.system}: scores", fontsize=9)

    def _outcome(self, axes: Any, canvas: Any) -> None:
        from matplotlib.colors import ListedColormap  # noqa: PLC0415 (optional)
        from matplotlib.patches import Patch  # noqa: PLC0415

        del canvas
        colours = ListedColormap(COLOURS)
        axes.imshow(self.outcome, cmap=colours, vmin=0, vmax=4, interpolation="nearest")
        names = {
            HIT: f"{self.hits:,} hits",
            MISS: f"{self.misses:,} misses",
            ALARM: f"{self.alarms:,} false alarms",
        }
        if (self.outcome == UNCOUNTED).any():
            names[UNCOUNTED] = "do not count"
        signs = [Patch(color=COLOURS[which], label=text) for which, text in names.items()]
        axes.legend(
            handles=signs,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.02),
            ncols=len(signs),
            frameon=False,
            fontsize=7,
        )
        axes.set_title(self._title(), fontsize=9)

    def _title(self) -> str:
        parts = [self.system]
        if not self.is_mask:
            parts.append(f"from {self.threshold:g} on{self.chosen}")
        if self.annotators > 1:
            parts.append(f"marked by {self.at_least} or more")
        return ", ".join(parts)


def outcomes(truth: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return what each pixel is: in neither, hit, miss or false alarm.

    >>> outcomes(np.array([False, True, True, False]), np.array([False, True, False, True])).tolist()
    [0, 1, 2, 3]
    """
    return np.select([truth & marked, truth, marked], [HIT, MISS, ALARM], NEITHER)


def smaller(values: Values, times: int) -> Values:
    """Return an image with the mean of so many by so many pixels in place of each such square."""
    if times == 1:
        return values
    squares = _squares(values, times)
    return np.asarray(np.nanmean(squares, axis=(1, 3)))


def smaller_outcome(outcome: npt.NDArray[np.int64], times: int) -> npt.NDArray[np.int64]:
    """Return an image with what is most frequent in each square, of hits, misses and false alarms; thin lines stay."""
    if times == 1:
        return outcome
    squares = [_squares((outcome == which).astype(float), times) for which in (HIT, MISS, ALARM)]
    stacked = np.stack([np.nansum(square, axis=(1, 3)) for square in squares])
    most = stacked.argmax(axis=0) + 1
    uncounted = _squares((outcome == UNCOUNTED).astype(float), times)
    rest = np.where(np.nanmean(uncounted, axis=(1, 3)) > 0.5, UNCOUNTED, NEITHER)
    return np.where(stacked.any(axis=0), most, rest)


def _squares(values: Values, times: int) -> Values:
    height, width = values.shape
    padding = ((0, -height % times), (0, -width % times))
    padded = np.pad(values, padding, constant_values=np.nan)
    rows, columns = padded.shape
    return padded.reshape(rows // times, times, columns // times, times)
