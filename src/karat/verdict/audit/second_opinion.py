"""A second opinion on some of the labels: how far two checkers agree, and what the audit says whoever is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np

from karat.doubt.estimate_from_confusion import ConfusionEstimator
from karat.doubt.estimates import IntervalOptions, of_counts
from karat.errors import InputError
from karat.measure.quantity import Quantity
from karat.result import Result
from karat.tally.votes.confusion import Confusion
from karat.verdict.audit import words
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.draws import number_of
from karat.verdict.audit.right_labels import OTHER, UNDECIDABLE, RightLabel
from karat.words import counted

EITHER = RightLabel(UNDECIDABLE, undecidable=True)
"""What two checkers who disagree leave: the worst for each side."""


@dataclass(frozen=True, slots=True)
class CheckerAgreement:
    """How often two checkers gave the same label, and Cohen's kappa; None where it is undefined."""

    both: int
    same: int
    share: float | None
    share_low: float
    share_high: float
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    level: float
    caution: str = ""

    def row(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "both": self.both,
            "same": self.same,
            "share": self.share,
            "share_low": self.share_low,
            "share_high": self.share_high,
            "kappa": self.kappa,
            "kappa_low": self.kappa_low,
            "kappa_high": self.kappa_high,
            "level": self.level,
        }

    def sentence(self) -> str:
        """Return it in words."""
        if self.share is None:
            return "No item has been looked at by both checkers yet."
        items = f"{self.same:,} of {counted(self.both, 'item')}"
        interval = f"[{100 * self.share_low:.3g}, {100 * self.share_high:.3g}] %"
        share = f"{100 * self.share:.3g} %, level {self.level:g}: {interval}"
        kappa = "is undefined: all labels are the same"
        if self.kappa is not None and self.kappa_low is not None and self.kappa_high is not None:
            kappa = f"{self.kappa:.2f} [{self.kappa_low:.2f}, {self.kappa_high:.2f}]"
        return f"The two checkers agree on {items} ({share}); Cohen's kappa {kappa}."


@dataclass(frozen=True, eq=False, repr=False)
class SecondOpinion(Result):
    """The audit by the first checker's labels, by the second's where there are any, and whoever of them is right."""

    first: Audit
    second: Audit
    either: Audit
    """Where the two differ, each side gets the worst: what holds here holds whichever of them is right."""
    agreement: CheckerAgreement

    def audits(self) -> Mapping[str, Audit]:
        """Return the three audits by whose labels they go."""
        return {"first": self.first, "second": self.second, "either": self.either}

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the three audits."""
        rows = []
        for labels, audit in self.audits().items():
            rows += [{"labels": labels, **row} for row in audit.rows()]
        return rows

    def parts(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the rows under a heading."""
        return {f"{self.first.setup.quantity}: who is better, by whose labels?": self.rows()}

    def beside(self) -> Mapping[str, Any]:
        """Return what was fixed, how far the two agree, and the sentences of the three audits."""
        said = {name: list(words.sentences(audit)) for name, audit in self.audits().items()}
        return {
            **self.first.about,
            **self.first.fixed(),
            "agreement": self.agreement.row(),
            "sentences": said,
        }

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        notes = [self.agreement.sentence()]
        if self.agreement.caution:
            notes.append(self.agreement.caution)
        notes += self.said()
        notes.append(
            "Items that only the first checker looked at have the same label in all three; "
            "where the two differ, either counts the worst for each side."
        )
        return (*notes, *self.first.remarks)

    def said(self) -> list[str]:
        """Return what the audit says by each checker, and whoever is right."""
        heads = {
            "first": "If the first checker is right: ",
            "second": "If the second is right: ",
            "either": "Whoever is right, item by item: ",
        }
        notes = []
        for name, audit in self.audits().items():
            said = [one for one in words.sentences(audit) if not one.startswith(words.TO_PRINT)]
            notes += [heads[name] + sentence for sentence in said]
        return notes


def second_opinion(
    first: Audit, labels: Mapping[int, RightLabel], *, level: float = 0.95
) -> SecondOpinion:
    """Return what a second checker's labels change; they are of items that the first has looked at."""
    unknown = [item for item in labels if item not in first.labels]
    if unknown:
        name = first.setup.items.names[unknown[0]]
        raise InputError(
            f"the second opinion has {counted(len(unknown), 'item')} that the first checker did not look at, such as "
            f"{name!r}; name the first checker's list with --apply"
        )
    own = dict(first.labels)
    either = dict(first.labels)
    for item, label in labels.items():
        own[item] = label
        if not _same(label, first.labels[item]):
            either[item] = EITHER
    pairs = [(first.labels[item], label) for item, label in sorted(labels.items())]
    return SecondOpinion(
        first=first,
        second=replace(first, labels=own),
        either=replace(first, labels=either),
        agreement=agreement_of(pairs, level=level),
    )


def agreement_of(
    pairs: Sequence[tuple[RightLabel, RightLabel]], *, level: float = 0.95
) -> CheckerAgreement:
    """Return how far two checkers agree: the share with its exact interval, kappa with that of the delta method."""
    how = IntervalOptions(level=level)
    same = sum(_same(one, other) for one, other in pairs)
    if not pairs:
        return CheckerAgreement(0, 0, None, 0.0, 1.0, None, None, None, level)
    share = of_counts(same, len(pairs), how)
    estimate = ConfusionEstimator(_confusion(pairs), how).estimate(Quantity("kappa"))
    kappa = float(estimate.value[0])
    is_known = not isnan(kappa)
    return CheckerAgreement(
        both=len(pairs),
        same=same,
        share=same / len(pairs),
        share_low=float(share.interval.low[0]),
        share_high=float(share.interval.high[0]),
        kappa=kappa if is_known else None,
        kappa_low=float(estimate.interval.low[0]) if is_known else None,
        kappa_high=float(estimate.interval.high[0]) if is_known else None,
        level=level,
        caution=estimate.interval.caution,
    )


def random_part(seed: str, draws: Sequence[int], number: int) -> list[int]:
    """Return the draws that a second checker looks at, in a random order: any number of the first of them is a sample.

    They are in the order of `number_of(seed, "second", draw)`, whatever their labels are.
    >>> random_part("1", range(1, 21), 4)
    [3, 14, 10, 1]
    """
    return sorted(draws, key=lambda draw: number_of(seed, "second", draw))[:number]


def _same(one: RightLabel, other: RightLabel) -> bool:
    return (one.codes, one.undecidable) == (other.codes, other.undecidable)


def _kind(label: RightLabel) -> str:
    """Return what a label counts as: `(other)` and `(undecidable)` are labels of their own here."""
    if label.undecidable:
        return UNDECIDABLE
    if not label.codes:
        return OTHER
    return " ".join(str(code) for code in sorted(label.codes))


def _confusion(pairs: Sequence[tuple[RightLabel, RightLabel]]) -> Confusion:
    """Return how often each label of the first checker met each of the second."""
    first = [_kind(one) for one, _ in pairs]
    second = [_kind(other) for _, other in pairs]
    names = sorted({*first, *second})
    code_of = {name: code for code, name in enumerate(names)}
    codes = [[code_of[one], code_of[other]] for one, other in zip(first, second, strict=True)]
    cells, number = np.unique(np.array(codes, np.int64), axis=0, return_counts=True)
    return Confusion(tuple(names), cells[:, 0], cells[:, 1], number.astype(np.int64))
