"""An audit: the verdict on each claim after the labels looked up so far, and which items come next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from karat.ask.checked_lists import CheckedRow
from karat.doubt.audit.wrong_share import WrongShare, certain_share, wrong_share
from karat.errors import InputError, OptionError, UnknownNameError
from karat.result import Result
from karat.table.labels import plain
from karat.verdict.audit import words
from karat.verdict.audit.corrected import CorrectedTable, corrected_table
from karat.verdict.audit.details import new_items_row, pair_details, share_row
from karat.verdict.audit.lists import (
    AuditList,
    FieldsOf,
    add_label,
    labels_of_rows,
    next_entries,
    no_fields,
)
from karat.verdict.audit.pair_verdict import OPEN, REFUTED, SETTLED, CheckCounts, PairVerdict
from karat.verdict.audit.plan import AuditPlan, plan_of
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.samples import RandomSamples, samples
from karat.verdict.audit.setup import AuditSetup
from karat.verdict.audit.walk import Walk

if TYPE_CHECKING:
    from karat.verdict.audit.second_opinion import SecondOpinion


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """Claims about a ranking, and the labels that were looked up so far; `next` names the items to look at now."""

    setup: AuditSetup
    labels: Mapping[int, RightLabel] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    fields_of: FieldsOf = no_fields

    @cached_property
    def walk(self) -> Walk:
        """The labels counted, in the order of their draws."""
        return Walk(self.setup, self.labels).go()

    @cached_property
    def samples(self) -> RandomSamples:
        """The labels that are an even sample of the disputed items, and of all."""
        return samples(self.walk)

    def next(self, budget: int = 60, *, blind: bool = False) -> AuditList:
        """Return the next items to look at: those still blank first; `blind` leaves the given labels out."""
        if budget < 1:
            raise OptionError(f"--budget is {budget}; a list has at least one item")
        entries = next_entries(self.walk, budget, blind=blind, fields_of=self.fields_of)
        remarks = (*words.of_list(self, len(entries)), *self.remarks)
        return AuditList(entries, {**self.about, **self.fixed()}, remarks)

    def apply(self, labels: Mapping[Any, Any] | Sequence[CheckedRow]) -> "Audit":
        """Return the audit with more labels: right labels by item, or the rows of checked lists."""
        if not isinstance(labels, Mapping):
            return replace(self, labels=labels_of_rows(self.setup, labels, self.labels))
        known = dict(self.labels)
        place_of = {name: place for place, name in enumerate(self.setup.items.names)}
        drawn = set(self.setup.draws.item.tolist())
        for item, label in labels.items():
            name = plain(item)
            if name not in place_of:
                raise UnknownNameError("item", name, place_of)
            place = place_of[name]
            if place not in drawn:
                raise InputError(
                    f"the item {name!r} was not drawn: no claim disputes it. Labels count only for items of a list"
                )
            if label is None or not plain(label).strip():
                continue
            where = f"item {name!r}"
            add_label(self.setup, known, place, self.setup.reader.read(plain(label), where), where)
        return replace(self, labels=known)

    def second(self, labels: Mapping[Any, Any] | Sequence[CheckedRow]) -> "SecondOpinion":
        """Return what a second checker's labels of the same items change, and how far the two checkers agree."""
        from karat.verdict.audit.second_opinion import second_opinion  # noqa: PLC0415 (it holds audits)

        others = replace(self, labels={}).apply(labels)
        return second_opinion(self, others.labels)

    def plan(self, label_error: float, *, runs: int = 200, most: int = 2000) -> AuditPlan:
        """Return how many checks the audit will take, if this share of the disputed labels is wrong."""
        planned = plan_of(self.setup, label_error, runs=runs, most=most)
        return replace(planned, about={**self.about, **self.fixed()}, remarks=self.remarks)

    def corrected(self) -> CorrectedTable:
        """Return the table with the right labels in place of the given ones, where they were looked up."""
        return corrected_table(self.setup, self.labels)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each pair of each claim."""
        return [self._row(place) for place in range(len(self.walk.rows))]

    def pair_verdict(self, place: int) -> PairVerdict:
        """Return the verdict so far on the pair of a row."""
        walk = self.walk
        found = walk.verdicts[place]
        if found is not None:
            return found
        pair = walk.rows[place][1]
        capital = float(walk.capitals.capital[pair])
        return PairVerdict(OPEN, True, walk.counts[pair], capital, self.setup.needed)

    def claim_verdict(self, claim: int) -> str:
        """Return what may be said of a claim as a whole: settled, refuted, or open."""
        if self.walk.refuted[claim]:
            return REFUTED
        found = [self.walk.verdicts[place] for place in self.places(claim)]
        if all(one is not None and one.holds for one in found):
            return SETTLED
        return OPEN

    def places(self, claim: int) -> list[int]:
        """Return the places of a claim's rows."""
        return [place for place, (of, _) in enumerate(self.walk.rows) if of == claim]

    def _row(self, place: int) -> dict[str, Any]:
        first, second = self.setup.disputes.pairs[self.walk.rows[place][1]]
        found = self.pair_verdict(place)
        better, worse = (first, second) if found.first_is_better else (second, first)
        return {
            "better": better,
            "worse": worse,
            "checked": found.count.checked,
            "wrong": found.count.wrong,
            "capital": found.capital,
            "needed": found.needed,
            "verdict": found.verdict,
            "risk": self.setup.risk,
        }

    def parts(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the rows under a heading."""
        return {f"{self.setup.quantity}: who is better by the right labels?": self.rows()}

    def fixed(self) -> dict[str, Any]:
        """Return what is fixed before the first label."""
        setup = self.setup
        return {
            "audit": {
                "measure": str(setup.quantity),
                "claims": [claim.text for claim in setup.claims],
                "risk": setup.risk,
                "seed": setup.seed,
                "random": float(setup.random),
                "guide": setup.guide,
                "list": setup.list_hash,
                "items": len(setup.items.names),
                "disputed": len(setup.disputes.disputed),
                "given": "vote" if setup.by_vote else "truth",
            }
        }

    def beside(self) -> Mapping[str, Any]:
        """Return what was fixed, each claim as a whole, the share of wrong labels, and every bet."""
        whole: dict[str, Any] = {**self.about, **self.fixed()}
        pairs = range(len(self.setup.disputes.pairs))
        whole["checked"] = len(self.walk.counted)
        whole["waiting"] = self.waiting
        whole["claims"] = [self._claim(place) for place in range(len(self.setup.claims))]
        whole["label_error"] = share_row(self.of_disputed(), "disputed")
        if self.setup.random:
            whole["label_error_of_table"] = share_row(self.of_table(), "table")
        if self.setup.new_items:
            whole["new_items"] = [new_items_row(self.walk, pair) for pair in pairs]
        whole["pairs"] = [pair_details(self.walk, pair, self.of_pair(pair)) for pair in pairs]
        whole["sentences"] = list(words.sentences(self))
        return whole

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        return (*words.sentences(self), *words.remarks(self), *self.remarks)

    @property
    def waiting(self) -> int:
        """How many labels do not count yet, because a draw before them is blank."""
        return self.walk.waiting()

    def of_disputed(self) -> WrongShare:
        """Return the share of wrong labels among all disputed items that have one."""
        return self._wrong(self.setup.disputes.disputed, self.samples.of_disputed)

    def of_table(self) -> WrongShare:
        """Return the share of wrong labels among all items, by the draws that went to all of them."""
        return self._wrong(np.arange(len(self.setup.items.names)), self.samples.of_all)

    def of_pair(self, pair: int) -> WrongShare:
        """Return the share of wrong labels among the items that one pair disputes."""
        disputed = np.flatnonzero(self.setup.disputes.kind[pair] >= 0)
        return self._wrong(disputed, self.walk.counts[pair])

    def _wrong(self, places: npt.NDArray[np.intp], count: CheckCounts) -> WrongShare:
        labelled = int((self.setup.items.given[places] >= 0).sum())
        if self.setup.guide:
            return certain_share(labelled, count.compared, count.wrong, count.undecidable)
        # Undecidable labels of items without a given one say nothing; counted, they only widen the interval.
        unknown = min(count.undecidable, count.compared - count.wrong)
        return wrong_share(labelled, count.compared, count.wrong, unknown, risk=self.setup.risk)

    def _claim(self, claim: int) -> dict[str, Any]:
        own = [self.walk.rows[place][1] for place in self.places(claim)]
        said = self.setup.claims[claim]
        return {
            "claim": said.text,
            "pairs": [list(pair) for pair in said.pairs],
            "tied": [list(pair) for pair in said.tied],
            "verdict": self.claim_verdict(claim),
            "capital_against": float(self.walk.opposite.capital[own].mean()),
            "needed": self.setup.needed,
        }
