"""What a prior is: a distribution of prevalences over a range that users can name, as `normal:MEAN,SD`."""

from collections.abc import Callable
from dataclasses import dataclass

from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """How a prior is written, and its weights of the prevalences from low to high."""

    help: str
    """In one line, which prevalences are likely."""
    distribution: Callable[..., PrevalenceDistribution]
    """Called with the numbers after the colon, and with `low` and `high`."""
    parameters: tuple[str, ...] = ()
    """The numbers after the colon, as help and messages call them."""
    mean_precision: Callable[..., FloatArray] | None = None
    """The mean precision in closed form, called with TPR, FPR, the numbers, `low` and `high`; None: a weighted sum."""
