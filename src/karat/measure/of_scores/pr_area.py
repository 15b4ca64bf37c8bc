"""The area under the precision-recall curve, at any prevalence."""

from karat.measure.measure import Parameter, measure
from karat.measure.prevalence.pr_curve import pr_area as area_at
from karat.measure.prevalence.pr_curve import roc
from karat.tally.scores.curve import Curve


@measure("curve", bounded_by="prevalence", parameter=Parameter(name="pi", form="pr-area@{}"))
def pr_area(curve: Curve, *, pi: float | None = None) -> float:
    """How large is the mean precision over all recalls, where a share pi of the items is positive?

    The area under the precision-recall curve by Davis and Goadrich's interpolation, at the prevalence pi; without one,
    at that of the data. `karat skew --to` has it with whatever else changes with the prevalence.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    """
    if pi is None:
        positives = float(curve.positive.sum())
        pi = positives / (positives + float(curve.negative.sum()))
    return float(area_at(roc(curve), pi=pi))
