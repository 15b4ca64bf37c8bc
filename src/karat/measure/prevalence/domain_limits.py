"""Between which limits is the prevalence of a domain, judging from data sets of that domain?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence
from karat.words import counted


@dataclass(frozen=True, slots=True)
class PrevalenceLimits:
    """The lower and upper limit, the mean and standard deviation they come from, and how many prevalences were seen."""

    low: float
    high: float
    mean: float
    deviation: float
    number: int


def prevalence_limits(
    skews: npt.ArrayLike, *, deviations: float = 3.0, ddof: int = 1
) -> PrevalenceLimits:
    """Which range of prevalences does a domain have, given those of some of its data sets?

    mean ± 3 standard deviations, clipped to [0, 1]; the deviation is that of a sample (ddof = 1). Assumes that the
    data sets are drawn like those to come and that prevalences are about normal: then 99.73 % lie inside. The paper's
    own limits for seven eye-fundus data sets (.023, .235) do not follow from the prevalences it prints, whose mean is
    .125, not .129.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 5.1. doi:10.1007/s10994-013-5432-x
    >>> found = prevalence_limits([0.109, 0.076, 0.184, 0.168, 0.09, 0.126, 0.123])
    >>> round(found.low, 4), round(found.high, 4)
    (0.0076, 0.2427)
    """
    values = check_prevalence("a prevalence", skews).ravel()
    if len(values) <= ddof:
        raise OptionError(
            f"{counted(len(values), 'prevalence')} cannot show how prevalences differ; give two or more"
        )
    if not 0 <= deviations < np.inf:
        raise OptionError(
            f"the limits are {deviations:g} deviations from the mean; give a number from 0 up"
        )
    mean = float(values.mean())
    deviation = float(values.std(ddof=ddof))
    low = max(0.0, mean - deviations * deviation)
    high = min(1.0, mean + deviations * deviation)
    return PrevalenceLimits(low, high, mean, deviation, len(values))
