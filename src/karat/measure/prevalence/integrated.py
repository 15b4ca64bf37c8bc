"""The area under the precision-recall curve where only a range is known for the prevalence, and its limits."""

from dataclasses import dataclass

from karat.measure.prevalence.distribution import PrevalenceDistribution, precision_over
from karat.measure.prevalence.pr_curve import WORST, RocCurve, areas, joined, losses, rises
from karat.measure.prevalence.precision_at import Achievable, against_minimum
from karat.measure.prevalence.priors.uniform import uniform


def area_over(curve: RocCurve, prevalences: PrevalenceDistribution) -> float:
    """What is the area under the curve of mean precision against recall?

    The mean over the prevalences of the area at each: the order of the two integrals does not matter.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 18, exact. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> round(area_over(roc_of([0.8], [0.2]), uniform(0.0, 0.5)), 4)
    0.4832
    """
    return prevalences.mean(areas(joined(rises(curve)), prevalences.pi))


def integrated_area(curve: RocCurve, *, low: float, high: float) -> float:
    """What is the area under the curve of mean precision, if any prevalence from low to high is as likely as any other?

    The closed form of the area at one prevalence, by Gauss-Legendre over prevalences.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section C.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> round(integrated_area(roc_of([], []), low=0.2, high=0.6), 12)
    0.4
    """
    return area_over(curve, uniform(low, high))


def minimum_over(prevalences: PrevalenceDistribution) -> float:
    """How small can the area be over these prevalences?

    The mean of 1 + (1 - pi) ln(1 - pi) / pi; over a range, eq 20.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 9. doi:10.1007/s10994-013-5432-x
    >>> round(minimum_over(uniform(0.0, 0.5)), 4)
    0.1424
    """
    return prevalences.mean(areas(WORST, prevalences.pi))


def random_over(prevalences: PrevalenceDistribution) -> float:
    """What area has a classifier that scores at random? The mean of the prevalences.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 10. doi:10.1007/s10994-013-5432-x
    >>> round(random_over(uniform(0.2, 0.6)), 12)
    0.4
    """
    return prevalences.mean(prevalences.pi)


def achievable_over(
    precision: float, recall: float, prevalences: PrevalenceDistribution
) -> Achievable:
    """Can any system have this mean precision at this recall over these prevalences?

    Possible if it is at least the mean of pi R / (pi R + 1 - pi).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 8. doi:10.1007/s10994-013-5432-x
    >>> achievable_over(0.2, 1.0, uniform(0.0, 0.5)).possible
    False
    """
    minimum = float(precision_over(recall, 1.0, prevalences))
    return against_minimum(precision, recall, minimum)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegratedArea:
    """The area over a range of prevalences, its limits, what chance has, and the areas at both ends of the range."""

    low: float
    high: float
    area: float
    minimum: float
    normalised: float | None
    random: float
    at_low: float
    at_high: float
    weight: str


def integrated(curve: RocCurve, prevalences: PrevalenceDistribution) -> IntegratedArea:
    """How good is a system over these prevalences, and how much does that depend on the prevalence?

    Normalised is (area - minimum) / (1 - minimum), None where nothing can be won; at_low and at_high are the areas at
    the ends of the range.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 21. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> found = integrated(roc_of([0.8], [0.2]), uniform(0.0, 0.5))
    >>> round(found.area, 4), round(found.normalised, 4), found.at_low, round(found.at_high, 4)
    (0.4832, 0.3975, 0.0, 0.7632)
    """
    parts = joined(rises(curve))
    area = prevalences.mean(areas(parts, prevalences.pi))
    minimum = minimum_over(prevalences)
    # 1 - minimum, summed from losses: all its digits where the minimum is close to 1
    room = prevalences.mean(losses(WORST, prevalences.pi))
    at_low, at_high = areas(parts, [prevalences.low, prevalences.high]).tolist()
    return IntegratedArea(
        low=prevalences.low,
        high=prevalences.high,
        area=area,
        minimum=minimum,
        normalised=(area - minimum) / room if room > 0 else None,
        random=random_over(prevalences),
        at_low=at_low,
        at_high=at_high,
        weight=prevalences.name,
    )
