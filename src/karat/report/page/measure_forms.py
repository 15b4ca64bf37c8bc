"""In which form the values of a measure are written: shares in per cent, areas and coefficients as they are."""

from dataclasses import dataclass
from typing import Protocol

IN_PERCENT = {"confusion", "counts", "boxes", "texts", "spans", "samples"}
"""What measures are counted from whose values people write in per cent, if these cannot be negative."""


class Traits(Protocol):
    """What the form of a measure depends on."""

    @property
    def counted_from(self) -> str:
        """What it is counted from."""
        ...

    @property
    def low(self) -> float:
        """The least value it can have."""
        ...


@dataclass(frozen=True, slots=True)
class MeasureForms:
    """The names of the forms, as `number` takes them."""

    value: str
    difference: str


PERCENT = MeasureForms("percent", "difference")
PLAIN = MeasureForms("area", "signed")


def forms_of(quantity: Traits) -> MeasureForms:
    """Return the forms of a measure's values and of their differences.

    >>> from karat.measure.quantity import Quantity
    >>> forms_of(Quantity("recall")).value, forms_of(Quantity("roc-area")).value, forms_of(Quantity("kappa")).value
    ('percent', 'area', 'area')
    """
    if quantity.counted_from in IN_PERCENT and quantity.low >= 0:
        return PERCENT
    return PLAIN
