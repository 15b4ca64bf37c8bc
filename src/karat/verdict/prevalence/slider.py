"""Areas under precision-recall curves at every prevalence of the page's slider, and curves to draw."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.measure.prevalence.pr_curve import WORST, RocStretches, areas, losses, rises
from karat.measure.prevalence.thinned_curve import thinned
from karat.numeric.arrays import FloatArray
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider_positions import PrevalencePlaces

LOW, HIGH = 1e-4, 0.99
"""The ends of the slider, unless the prevalence of the data lies beyond."""
STEPS = 40
"""At each of its positions the page has intervals, which are resampled."""
PLACES = 12
"""Areas that are equal to so many places share a rank."""
DRAWN = 1e-4
"""How far the area of a drawn curve may be off."""
DRAWN_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrevalenceSlider:
    """What the page shows at each prevalence of its slider, the best system in the data first."""

    systems: tuple[str, ...]
    prevalences: FloatArray
    """One for each position of the slider, then that requested, if one was; the last is that of the data."""
    areas: FloatArray
    """A row for each system, a column for each prevalence."""
    least: FloatArray
    """The area below which no system can fall."""
    room: FloatArray
    """One minus that, with all its digits."""
    curves: tuple[RocStretches, ...]
    """Each system's ROC curve, in few points and digits."""
    turns: tuple[tuple[float, float], ...]
    """Where on the slider two systems change places: the prevalence, and their area."""
    known: PrevalencePlaces | None = None
    """Intervals, warnings and thresholds at each of the prevalences."""
    start: int = -1
    """At which of the prevalences the page begins."""

    @property
    def begins_elsewhere(self) -> bool:
        """Whether the page begins at a prevalence that was requested."""
        return self.start >= 0

    @property
    def own(self) -> float:
        """The prevalence of the data."""
        return float(self.prevalences[-1])

    @property
    def position(self) -> float:
        """Where on the slider, from 0 to STEPS, the page begins: evenly in logit."""
        return self._position(self.start)

    @property
    def own_position(self) -> float:
        """Where on the slider the prevalence of the data lies."""
        return self._position(-1)

    def _position(self, place: int) -> float:
        low, high = _logit(self.prevalences.min()), _logit(self.prevalences.max())
        at = _logit(self.prevalences[place])
        return float(min(1.0, (at - low) / (high - low)) * STEPS)

    def at(self, place: int) -> dict[str, Any]:
        """Return every system's area and rank at one of the prevalences, and the areas of chance and at worst."""
        column = self.areas[:, place]
        least = float(self.least[place])
        room = float(self.room[place])
        systems = []
        for name, area in zip(self.systems, column.tolist(), strict=True):
            rank = 1 + int((column > area).sum())
            system = {"area": area, "rank": rank, "normalised": (area - least) / room}
            systems.append({**system, **self._known(name, place)})
        prevalence = float(self.prevalences[place])
        return {
            "prevalence": prevalence,
            "random": prevalence,
            "least": least,
            "warning": "" if self.known is None else self.known.warnings[place],
            "systems": systems,
        }

    def _known(self, system: str, place: int) -> dict[str, Any]:
        """Return the interval of a system's area at one of the prevalences, and what its threshold does."""
        if self.known is None:
            return {}
        low, high = self.known.ends[system][place]
        known: dict[str, Any] = {"low": low, "high": high}
        if system in self.known.thresholds:
            known |= self.known.thresholds[system][place]
        return known


def prevalence_slider(
    result: PrevalenceResult, known: PrevalencePlaces | None = None, *, to: float | None = None
) -> PrevalenceSlider:
    """Return areas, ranks and curves for each position of the slider, and for a prevalence that was requested."""
    prevalences = positions(result.own, to)
    low, high = float(prevalences[0]), float(prevalences[STEPS])
    curves = {
        name: thinned(rises(curve), low=low, high=high) for name, curve in result.curves.items()
    }
    values = {name: areas(curve, prevalences).round(PLACES) for name, curve in curves.items()}
    order = sorted(curves, key=lambda name: -values[name][-1])
    turns = []
    for turn in result.pair_orders:
        for prevalence in turn.skews:
            if low <= prevalence <= high:
                area = float(areas(curves[turn.first], prevalence))
                turns.append((prevalence, round(area, 5)))
    return PrevalenceSlider(
        systems=tuple(order),
        prevalences=prevalences,
        areas=np.array([values[name] for name in order]),
        least=areas(WORST, prevalences),
        room=losses(WORST, prevalences),
        curves=tuple(_drawn(curves[name], low, high) for name in order),
        turns=tuple(turns),
        known=known,
        start=-1 if to is None else STEPS + 1,
    )


def ends(*prevalences: float) -> tuple[float, float]:
    """Return the prevalences at both ends of the slider, given that of the data and others that it must reach.

    >>> ends(0.1), ends(1e-6)
    ((0.0001, 0.99), (1e-06, 0.99))
    """
    return min(LOW, *prevalences), max(HIGH, *prevalences)


def positions(own: float, to: float | None = None) -> FloatArray:
    """Return the prevalence at each position of the slider, evenly in logit, that requested, and that of the data."""
    wanted = [own] if to is None else [to, own]
    low, high = ends(*wanted)
    logits = np.linspace(_logit(low), _logit(high), STEPS + 1)
    prevalences = 1 / (1 + np.exp(-logits))
    prevalences[[0, -1]] = low, high
    return np.append(prevalences, wanted)


def _logit(share: Any) -> Any:
    return np.log(share) - np.log1p(-share)


def _drawn(curve: RocStretches, low: float, high: float) -> RocStretches:
    """Return a curve that looks the same, in few points and digits."""
    few = thinned(curve, low=low, high=high, within=DRAWN)
    columns = (few.r0, few.f0, few.r1, few.f1)
    return RocStretches(*(_rounded(column) for column in columns))


def _rounded(values: FloatArray) -> FloatArray:
    """Return the values in so many digits: small rates matter where positives are rare."""
    return np.array([float(f"{value:.{DRAWN_DIGITS}g}") for value in values.tolist()])
