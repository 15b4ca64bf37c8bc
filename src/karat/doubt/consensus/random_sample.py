"""Do the labelled items look like a random sample of all of them?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.doubt.tests.holm import holm
from karat.doubt.tests.two_samples import two_samples


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that is known of every item, and how many labelled and other items have it."""

    name: str
    labelled_with: int
    labelled: int
    others_with: int
    others: int

    @property
    def counts(self) -> str:
        """The counts, in words."""
        return (
            f"{self.labelled_with:,} of {self.labelled:,} labelled, "
            f"{self.others_with:,} of {self.others:,} others"
        )


@dataclass(frozen=True, slots=True)
class SampleCheck:
    """The feature in which labelled and other items differ most."""

    feature: Feature
    p_value: float
    """Adjusted for all features that were looked at."""
    features: int


def sample_check(features: Sequence[Feature]) -> SampleCheck | None:
    """Do the labelled items differ from the others? None where there is nothing to compare.

    For each feature the exact test of two shares: under random sampling the number of labelled items that have it is
    hypergeometric. Holm's correction over all features; the one with the smallest p-value is shown.
    >>> found = sample_check([Feature("a = 1", 9, 10, 30, 90), Feature("b = 1", 5, 10, 50, 90)])
    >>> found.feature.name, round(found.p_value, 4)
    ('a = 1', 0.0031)
    """
    known = [one for one in features if one.labelled and one.others]
    if not known:
        return None
    tails = two_samples(
        [one.labelled_with for one in known],
        [one.labelled for one in known],
        [one.others_with for one in known],
        [one.others for one in known],
    )
    place = int(np.argmin(tails.p_value))
    adjusted = holm(tails.p_value)
    return SampleCheck(known[place], float(adjusted[place]), len(known))
