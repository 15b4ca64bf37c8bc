"""F: precision and recall in one number."""

from karat.measure.cells import Cells
from karat.measure.measure import Parameter, measure
from karat.measure.totals import Totals


@measure(
    "confusion",
    per_class=True,
    parameter=Parameter(name="beta", form="f{}", default=1.0),
    order_under_noise="f",
    aliases=("dice",),
)
def f(totals: Totals, *, beta: float = 1.0) -> Cells:
    """How good are precision and recall together?

    F_b = (1+b²) P R / (b² P + R), recall weighing b times as much as precision, per class. F1 is Dice's coefficient.
    Reference: van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7.
    """
    missed = totals.truth - totals.hits
    false = totals.answered - totals.hits
    return Cells(totals.hits, missed, false, beta)
