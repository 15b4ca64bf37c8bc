"""What right labels are assumed to be when an audit is planned: of labelled items, and of those without a label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat.doubt.audit.forecast import Errors, errors_at
from karat.numeric.arrays import BoolArray
from karat.verdict.audit.disputes import Disputes
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup

Agreement = tuple[int, ...]


def planned_errors(found: Disputes, share: float, places: Sequence[int]) -> Errors:
    """Return how likely the right label of an item takes the most, or gives the most, in each of some pairs.

    This share of the labels that a pair disputes is wrong. An item without a label has none that could be wrong: it
    speaks for the first system, for the second or for neither as often as labelled items do.
    """
    errors = errors_at(found.kinds, share, len(places))
    blank = found.scoring.items.given < 0
    for row, place in enumerate(places):
        of_blank = found.kind[place][blank]
        for kind in np.unique(of_blank[of_blank >= 0]).tolist():
            part = float(blank[found.kind[place] == kind].mean())
            for_second, for_first = _as_labelled(found, place, kind, ~blank)
            errors.up[row, kind] += part * (for_second - errors.up[row, kind])
            errors.down[row, kind] += part * (for_first - errors.down[row, kind])
    return errors


def _as_labelled(
    found: Disputes, place: int, kind: int, labelled: BoolArray
) -> tuple[float, float]:
    """Return how often labelled items that can count as much speak for the second system of a pair, and for the first.

    An item without a label adds nothing by now: what its right label can take or give is what it can count.
    """
    most, least = found.kinds.most, found.kinds.least
    some = np.flatnonzero(labelled & (found.kind[place] >= 0))
    given = found.given[place][some]
    lowest = given - most[found.kind[place][some]]
    highest = given - least[found.kind[place][some]]
    alike = np.isclose(lowest, -most[kind]) & np.isclose(highest, -least[kind])
    if not alike.any():
        return 0.5, 0.5
    for_second = np.isclose(given, lowest)[alike]
    for_first = np.isclose(given, highest)[alike]
    return float(for_second.mean()), float(for_first.mean())


@dataclass(frozen=True, slots=True, eq=False)
class LabelSimulation:
    """Right labels of all items of an audit's claims, drawn again and again."""

    setup: AuditSetup
    share: float
    claimed: tuple[int, ...]
    """The places of the systems that claims are about."""
    disputed: frozenset[int]
    examples: Mapping[Agreement, Sequence[int]]
    """The labelled items that are disputed, by which systems agree on them."""

    @classmethod
    def of(cls, setup: AuditSetup, share: float) -> "LabelSimulation":
        """Return the simulation at a share of wrong labels."""
        found = setup.disputes
        claimed = tuple(sorted({*found.first.tolist(), *found.second.tolist()}))
        examples: dict[Agreement, list[int]] = {}
        for place in found.disputed.tolist():
            if setup.items.given[place] >= 0:
                examples.setdefault(_agreement(setup, place, claimed), []).append(place)
        return cls(setup, share, claimed, frozenset(found.disputed.tolist()), examples)

    def labels(self, random: np.random.Generator) -> dict[int, RightLabel]:
        """Return a right label of every item that may be drawn: mostly the given one.

        Of this share of the disputed labels it is the answer of another claimed system. Where there is no label, the
        same systems are right as on some labelled item on which they agree and disagree alike.
        """
        labels = {}
        for place in np.unique(self.setup.draws.item).tolist():
            label = self.setup.reader.given(place)
            if place in self.disputed:
                if self.setup.items.given[place] < 0:
                    label = self._as_labelled(place, random)
                elif random.random() < self.share:
                    label = self._another(place, label, random)
            labels[place] = label
        return labels

    def _another(self, place: int, given: RightLabel, random: np.random.Generator) -> RightLabel:
        """Return another answer of a claimed system, or the given label where there is none."""
        others = [code for code in self._answers(place, self.claimed) if code not in given.codes]
        return self._one_of(others, random) if others else given

    def _as_labelled(self, place: int, random: np.random.Generator) -> RightLabel:
        """Return the answer of a system that is right on a labelled item like this one; no label where none is."""
        right: Sequence[int] = self.claimed
        examples = self._like(place)
        if examples:
            example = examples[int(random.integers(len(examples)))]
            codes = self.setup.reader.given(example).codes
            answers = self.setup.items.answers[example]
            right = [system for system in self.claimed if int(answers[system]) in codes]
        found = self._answers(place, right)
        return self._one_of(found, random) if found else RightLabel("")

    def _like(self, place: int) -> Sequence[int]:
        """Return the labelled items on which the same systems agree as on this one, or nearly the same."""
        if not self.examples:
            return ()
        own = _agreement(self.setup, place, self.claimed)
        if own in self.examples:
            return self.examples[own]
        return self.examples[min(self.examples, key=lambda other: _apart(own, other))]

    def _answers(self, place: int, systems: Sequence[int]) -> list[int]:
        codes = self.setup.items.answers[place, list(systems)].tolist()
        return [code for code in codes if code >= 0]

    def _one_of(self, codes: Sequence[int], random: np.random.Generator) -> RightLabel:
        chosen = codes[int(random.integers(len(codes)))]
        return RightLabel(self.setup.items.labels[chosen], frozenset({chosen}))


def _agreement(setup: AuditSetup, place: int, claimed: Sequence[int]) -> Agreement:
    """Return for each claimed system the first that gave the same answer; -1 where it gave none."""
    codes = setup.items.answers[place, list(claimed)].tolist()
    return tuple(codes.index(code) if code >= 0 else -1 for code in codes)


def _apart(one: Agreement, other: Agreement) -> int:
    """Return how many systems differ in whom they agree with."""
    return sum(mine != theirs for mine, theirs in zip(one, other, strict=True))
