"""Each system's accuracy from a few items with truth and many without."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll
from karat.doubt.consensus.prediction_powered import Powered, powered_accuracy
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.judged.items import JudgedLabels
from karat.verdict.judged.sample import LabelledSample, sample_of

Codes = npt.NDArray[np.int64]
MOST_CLASSES = 50
"""Up to how many classes a judge's errors are counted."""


@dataclass(frozen=True, slots=True)
class PoweredAccuracy:
    """A system's accuracy from a few items with truth and many without."""

    system: str
    estimate: Powered

    @property
    def method(self) -> str:
        """How it was computed, without the numbers."""
        return self.estimate.method.partition(" (")[0]

    def row(self) -> dict[str, Any]:
        """Return it as one row."""
        estimate = self.estimate
        return {
            "system": self.system,
            "checked": estimate.checked,
            "judged": estimate.judged,
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "checked_only": estimate.classical,
            "checked_only_low": estimate.classical_low,
            "checked_only_high": estimate.classical_high,
            "level": estimate.level,
            "method": self.method,
        }

    def line(self) -> dict[str, Any]:
        """Return a row for people to read, the interval of the checked items alone as text."""
        estimate = self.estimate
        return {
            "system": self.system,
            "checked": estimate.checked,
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "checked only": f"[{estimate.classical_low:.4f}, {estimate.classical_high:.4f}]",
            "level": estimate.level,
            "method": self.method,
        }


def powered_accuracies(
    patterns: Patterns, poll: Poll, majority_labels: Codes, level: float
) -> tuple[PoweredAccuracy, ...]:
    """Return each system's accuracy from the few items with truth and the many that only the majority judges."""
    known = patterns.truth != MISSING
    size = poll.classes + 1
    partly_known = known.any() and not known.all()
    if not partly_known or size > MOST_CLASSES or patterns.meaning.truth_sep is not None:
        return ()
    judge = majority_labels[poll.rows]
    accuracies = []
    for place, name in enumerate(patterns.systems):
        answer = np.maximum(poll.codes[poll.rows, place], MISSING)
        both = (answer >= 0) & (judge >= 0)
        few = known & both
        many = ~known & both
        checked = np.zeros((size, size, size))
        judged = np.zeros((size, size))
        np.add.at(checked, (answer[few], judge[few], poll.truth[few]), patterns.number[few])
        np.add.at(judged, (answer[many], judge[many]), patterns.number[many])
        if checked.sum() and judged.sum():
            estimate = powered_accuracy(checked, judged, level=level)
            accuracies.append(PoweredAccuracy(name, estimate))
    return tuple(accuracies)


def checked_sample(
    patterns: Patterns, poll: Poll, majority_labels: Codes, level: float
) -> LabelledSample | None:
    """Return whether the items with truth look like a random sample of all; None where all or none have one."""
    known = patterns.truth != MISSING
    if not known.any() or known.all():
        return None
    answers = poll.codes[poll.rows][:, poll.systems]
    labels = poll.labels
    if poll.votes is not None:
        labels = (f"not {poll.labels[0]}", poll.labels[0])
    nothing_right = np.zeros(answers.shape, bool)
    items = JudgedLabels(
        systems=patterns.systems,
        answers=answers,
        judge=majority_labels[poll.rows],
        judge_right=nothing_right[:, 0],
        right=nothing_right,
        known=known,
        number=patterns.number.astype(float),
        labels=labels,
        skip=True,
        called="the majority",
    )
    return sample_of(
        items.features(),
        noun="item",
        how="with truth",
        checked=items.sampled,
        items=int(patterns.number.sum()),
        level=level,
    )
