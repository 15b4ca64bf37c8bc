"""Answers that miss by more or less: how far a number is from the truth, how unlikely a distribution held it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError, UnknownNameError
from karat.measure import LOSSES

NUMBERS = {*LOSSES[:2]}
"""Losses of answers that are numbers; the others are of distributions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A loss, and the confidence that stands for none: mean error of numbers, or divergence of distributions.

    cross-entropy = KL(truth || answer) = -ln of the confidence in the true label; divergence = KL(answer || truth).
    """

    name: str
    floor: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.name not in LOSSES:
            raise UnknownNameError("loss", self.name, LOSSES)
        if not 0 <= self.floor < 1:
            raise OptionError(
                f"--floor is {self.floor:g}; it is a small confidence that stands for none, such as 1e-6"
            )
        if self.name == "divergence" and not self.floor:
            raise OptionError(
                "divergence is infinite without a --floor under the zeros of the truth, such as 1e-6"
            )
        if self.floor and self.name in NUMBERS:
            raise OptionError(f"--floor is for confidences; {self.name} has none")

    @property
    def of_numbers(self) -> bool:
        """Whether the answers are numbers."""
        return self.name in NUMBERS

    @property
    def distance(self) -> Literal["absolute", "squared"]:
        """How a number's distance from the truth counts."""
        return "absolute" if self.name == "mean-absolute-error" else "squared"

    @property
    def direction(self) -> Literal["reverse", "forward"]:
        """Which of the two is compared with the other."""
        return "reverse" if self.name == "cross-entropy" else "forward"


def mean_errors(
    loss: Loss, truth: npt.NDArray[np.float64], answers: npt.NDArray[np.float64]
) -> list[float | None]:
    """Return each system's mean absolute or squared distance from the truth; a column of answers a system.

    >>> mean_errors(Loss(name="mean-squared-error"), np.array([1.0, 2.0]), np.array([[1.0, 3.0], [2.0, 2.0]]))
    [0.0, 2.0]
    """
    gaps = np.abs(answers - truth[:, None])
    return list((gaps if loss.distance == "absolute" else gaps**2).mean(axis=0).tolist())
