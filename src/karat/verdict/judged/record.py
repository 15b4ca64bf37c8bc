"""What is known of a judge: how often it is right, on whose outputs it errs, and on which sample that was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.result.base import Row
from karat.tally.facts import Facts
from karat.verdict.judged.graded import GradedOutputs
from karat.verdict.judged.items import JudgedItems
from karat.verdict.judged.judge_bias import ERRORS, JudgeBias, judge_biases
from karat.verdict.judged.sample import LabelledSample, sample_of
from karat.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRecord:
    """A judge's record on the checked items."""

    judge: str
    noun: str
    right: int
    checked: int
    size: str
    """How many items and systems there are, in words."""
    sample: LabelledSample
    errors: tuple[JudgeBias, ...] = ()
    """Its errors on each system's outputs, where it grades outputs."""
    level: float = 0.95

    def row(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        row: dict[str, Any] = {"name": self.judge, "right": self.right, "checked": self.checked}
        if self.errors:
            row["errors"] = [one.row() for one in self.errors]
        return row

    def tables(self) -> Mapping[str, Sequence[Row]]:
        """Return the judge's errors by system."""
        if not self.errors:
            return {}
        return {f"the errors of the judge {self.judge!r}": [one.line() for one in self.errors]}

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must know of the judge and the sample."""
        warnings = []
        for one in self.errors:
            warning = one.warning(self.level)
            if warning:
                warnings.append(warning)
        notes = [*warnings, self.sample.words()]
        if self.errors:
            notes.append(ERRORS)
        record = f"The judge is right on {self.right:,} of {self.checked:,} checked {self.noun}s."
        return (*notes, record, self.size)


def record_of(judge: str, judged: JudgedItems, facts: Facts, level: float) -> JudgeRecord:
    """Return the record of a judge."""
    right, checked = judged.record()
    items = counted(facts.counts.items, "item")
    size = f"{items}, {counted(len(judged.systems), 'system')}"
    errors: tuple[JudgeBias, ...] = ()
    if isinstance(judged, GradedOutputs):
        errors = judge_biases(judged.systems, judged.errors())
        noun = "output"
        how = "graded by people"
        of = judged.outputs
        size += f", {counted(of, 'output')}"
    else:
        noun = "item"
        how = "with truth"
        of = facts.counts.items
        missing = sum(facts.counts.missing.values())
        size += f"; {counted(facts.counts.without_truth, 'item')} without truth"
        if missing:
            size += (
                f"; {counted(missing, 'answer')} missing among those with truth, counted as wrong"
            )
    sample = sample_of(
        judged.features(), noun=noun, how=how, checked=judged.sampled, items=of, level=level
    )
    return JudgeRecord(
        judge=judge,
        noun=noun,
        right=right,
        checked=checked,
        size=f"{size}.",
        sample=sample,
        errors=errors,
        level=level,
    )
