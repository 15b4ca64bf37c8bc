"""Losses under label noise: the measure, and the smallest confidence that is assumed."""

from dataclasses import dataclass
from typing import Any, Literal

from karat.errors import KaratError, OptionError, UnknownNameError
from karat.measure import MEASURES
from karat.measure.measure import Measure
from karat.measure.quantity import Quantity, measure_named
from karat.numeric.arrays import FloatArray

Distance = Literal["absolute", "squared"]
Direction = Literal["reverse", "forward"]
OTHER_ANSWERS = {"numbers", "confidences"}
"""What is counted where answers are not labels."""


def is_loss(text: str) -> bool:
    """Return whether a measure is of numbers or of distributions, not of labels.

    >>> is_loss("cross-entropy"), is_loss("top-3-accuracy"), is_loss("macro-f1"), is_loss("nonsense")
    (True, True, False, False)
    """
    try:
        return Quantity.parse(text).counted_from in OTHER_ANSWERS
    except KaratError:
        return False


def losses() -> list[str]:
    """Return the measures of numbers and distributions for which label noise has a distribution."""
    every = [measure_named(name) for name in MEASURES if is_loss(name)]
    return [one.name for one in every if one.order_under_noise]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A loss, mean error of numbers or divergence of distributions, with the floor that replaces a confidence of 0.

    cross-entropy = KL(truth || answer) = -ln of the confidence in the true label; divergence = KL(answer || truth).
    """

    name: str
    floor: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a measure that is not such a loss, and a floor out of range."""
        self._check_measure()
        if not 0 <= self.floor < 1:
            raise OptionError(
                f"--floor is {self.floor:g}; it is a small confidence in place of 0, such as 1e-6"
            )
        if self.floor and self.of_numbers:
            raise OptionError(f"--floor is for confidences; {self.name} has none")
        if not self.floor and not self.of_numbers and self.direction == "forward":
            raise OptionError(
                f"{self.name} is infinite without a --floor under the zeros of the truth, such as 1e-6"
            )

    def _check_measure(self) -> None:
        measure = self.measure
        if measure.counted_from not in OTHER_ANSWERS:
            raise OptionError(
                f"{self.name} is not a loss of numbers or distributions, as {', '.join(losses())} are; "
                "ask stability about it"
            )
        if measure.order_under_noise is None:
            raise OptionError(
                f"{self.name} has no distribution under label noise; take one of {', '.join(losses())}, "
                "or accuracy"
            )

    @property
    def measure(self) -> Measure:
        """The measure itself."""
        try:
            return Quantity.parse(self.name).traits
        except KaratError:
            raise UnknownNameError("loss", self.name, losses()) from None

    @property
    def of_numbers(self) -> bool:
        """Whether the answers are numbers."""
        return self.measure.counted_from == "numbers"

    @property
    def distance(self) -> Distance:
        """How a number's distance from the truth counts."""
        name: Any = self.measure.order_under_noise
        distance: Distance = name
        return distance

    @property
    def direction(self) -> Direction:
        """Which of the two is compared with the other."""
        name: Any = self.measure.order_under_noise
        direction: Direction = name
        return direction


def mean_errors(loss: Loss, truth: FloatArray, answers: FloatArray) -> list[float | None]:
    """Return each system's mean absolute or squared distance from the truth; a column of answers a system.

    >>> import numpy as np
    >>> mean_errors(Loss(name="mean-squared-error"), np.array([1.0, 2.0]), np.array([[1.0, 3.0], [2.0, 2.0]]))
    [0.0, 2.0]
    """
    return list(loss.measure(truth, answers).mean(axis=0).tolist())
