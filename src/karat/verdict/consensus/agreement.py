"""How far the systems agree, and whose errors are correlated."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll
from karat.doubt.consensus.correlated_systems import CorrelatedSystems, FamilyEvidence
from karat.measure.consensus.agreement_coefficients import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from karat.measure.consensus.given_labels import given_labels

Codes = npt.NDArray[np.int64]
MOST_PAIRED = 20_000_000
"""Rows times pairs of systems up to which the agreement of every pair is computed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """How far the systems agree, and whose errors are correlated."""

    alpha: float | None
    fleiss: float | None
    cohen: Mapping[tuple[str, str], float | None]
    """Of every two systems; none where they are too many."""
    names: tuple[str, ...]
    only_chosen: bool = False
    """Whether every item was chosen by somebody: where all say no there is no row, and agreement cannot be judged."""
    families: tuple[tuple[str, ...], ...] = ()
    """Clusters of correlated systems."""
    evidence: tuple[FamilyEvidence, ...] = ()
    """What shows each of them, and those that cannot be told from others."""
    looked: bool = False
    """Whether correlated errors were tested."""
    observed: npt.NDArray[np.float64] | None = None
    """How often every two systems agree."""

    @property
    def mean_cohen(self) -> float | None:
        """The mean of Cohen's kappa over all pairs of systems in which it is defined: Light's kappa."""
        known = [kappa for kappa in self.cohen.values() if kappa is not None]
        return sum(known) / len(known) if known else None

    def family_evidence(self) -> list[dict[str, Any]]:
        """Return the evidence as rows, with the names of the systems."""
        rows = []
        for one in self.evidence:
            row: dict[str, Any] = {
                "systems": self.named(one.systems),
                "by": one.by,
                "excess": float(one.excess),
                "low": float(one.low),
                "high": float(one.high),
            }
            if one.otherwise:
                row["or"] = self.named(one.otherwise)
            rows.append(row)
        return rows

    def named(self, places: tuple[int, ...]) -> list[str]:
        """Return the names of systems."""
        return [self.names[place] for place in places]

    def coefficients(self) -> dict[str, Any]:
        """Return how far the systems agree beyond chance, by every coefficient."""
        pairs = []
        for (one, other), kappa in self.cohen.items():
            pairs.append({"first": one, "second": other, "kappa": kappa})
        return {
            "krippendorff_alpha": self.alpha,
            "fleiss_kappa": self.fleiss,
            "cohen_kappa": self.mean_cohen,
            "cohen_kappa_of_pairs": pairs,
        }


def agreement_of(poll: Poll, correlated: CorrelatedSystems | None) -> Agreement:
    """Return how far the systems agree, and whose errors are correlated."""
    codes = poll.codes_of_systems
    names = tuple(poll.voters[place] for place in poll.systems)
    given = given_labels(codes, poll.number)
    fleiss = None
    if (codes >= 0).all() and len(names) > 1:
        fleiss = fleiss_kappa(given)
    somebody_chose_each = not (codes == 0).all(axis=1).any()
    agreement = Agreement(
        alpha=krippendorff_alpha(given),
        fleiss=fleiss,
        cohen=_cohen(codes, poll.number, names),
        names=names,
        only_chosen=poll.votes is not None and somebody_chose_each,
    )
    if correlated is None:
        return agreement
    return replace(
        agreement,
        families=_families(correlated.families, names),
        evidence=correlated.evidence,
        looked=True,
        observed=correlated.observed,
    )


def _families(codes: Codes, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the families of more than one system."""
    families = []
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        if len(members) > 1:
            families.append(tuple(names[place] for place in members))
    return tuple(families)


def _cohen(
    codes: Codes, number: Codes, names: tuple[str, ...]
) -> dict[tuple[str, str], float | None]:
    """Return Cohen's kappa of every two systems, where that is quick."""
    pairs = list(combinations(range(len(names)), 2))
    if len(pairs) * len(codes) > MOST_PAIRED:
        return {}
    kappas = {}
    for one, other in pairs:
        kappa = cohen_kappa(codes[:, one], codes[:, other], number)
        kappas[names[one], names[other]] = kappa
    return kappas
