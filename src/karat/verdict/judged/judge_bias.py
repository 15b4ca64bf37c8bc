"""Is a judge more lenient, or stricter, with one system than with the others?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.doubt.tests.holm import holm
from karat.doubt.tests.two_samples import significant, two_samples
from karat.numeric.arrays import FloatArray
from karat.result.probabilities import chance

ERRORS = (
    "wrong, passed: outputs that are wrong by people, and how many of them pass; right, failed: the same of right "
    "ones. p: of the same error for all systems (exact test of one against the others, Holm)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBias:
    """The judge's errors on one system's outputs, and how surprising they are if it errs alike on all."""

    system: str
    wrong: int
    passed: int
    right: int
    failed: int
    others_wrong: int
    others_passed: int
    others_right: int
    others_failed: int
    p_passed: float
    """Adjusted for all systems and both errors; of passing wrong outputs as often as others'."""
    p_failed: float

    def row(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        return {
            "system": self.system,
            "wrong": self.wrong,
            "passed": self.passed,
            "right": self.right,
            "failed": self.failed,
            "p_passed": self.p_passed,
            "p_failed": self.p_failed,
        }

    def line(self) -> dict[str, Any]:
        """Return a row for people to read."""
        return {
            "system": self.system,
            "wrong, passed": f"{self.passed:,}/{self.wrong:,}",
            "p": chance(self.p_passed),
            "right, failed": f"{self.failed:,}/{self.right:,}",
            "p of failing": chance(self.p_failed),
        }

    def warning(self, level: float) -> str | None:
        """Return in words how the judge treats the system otherwise than others; None if it does not."""
        if significant(self.p_passed, level=level):
            kinder = self.passed * self.others_wrong > self.others_passed * self.wrong
            return (
                f"warning: the judge passes {self.passed:,} of {self.wrong:,} wrong outputs of {self.system!r}, and "
                f"{self.others_passed:,} of {self.others_wrong:,} of the others: it is {_word(kinder)} to it. Values "
                "and gains are corrected by each system's own outputs, and take that into account."
            )
        if significant(self.p_failed, level=level):
            kinder = self.failed * self.others_right < self.others_failed * self.right
            return (
                f"warning: the judge fails {self.failed:,} of {self.right:,} right outputs of {self.system!r}, and "
                f"{self.others_failed:,} of {self.others_right:,} of the others: it is {_word(kinder)} to it. Values "
                "and gains are corrected by each system's own outputs, and take that into account."
            )
        return None


def _word(kinder: bool) -> str:
    return "kinder" if kinder else "harsher"


def judge_biases(systems: Sequence[str], errors: FloatArray) -> tuple[JudgeBias, ...]:
    """Return the judge's errors by system, each tested against the others; nothing of a single system.

    errors[system] = (wrong, passed, right, failed). For each system and error the exact test of two shares, its outputs
    against those of all others; Holm's correction over all. Takes outputs as independent.
    """
    if len(systems) < 2:
        return ()
    others = errors.sum(axis=0) - errors
    p_passed = two_samples(errors[:, 1], errors[:, 0], others[:, 1], others[:, 0]).p_value
    p_failed = two_samples(errors[:, 3], errors[:, 2], others[:, 3], others[:, 2]).p_value
    adjusted = holm(np.concatenate([p_passed, p_failed])).reshape(2, -1)
    found = []
    for place, name in enumerate(systems):
        wrong, passed, right, failed = (int(count) for count in errors[place])
        other = [int(count) for count in others[place]]
        found.append(
            JudgeBias(
                system=name,
                wrong=wrong,
                passed=passed,
                right=right,
                failed=failed,
                others_wrong=other[0],
                others_passed=other[1],
                others_right=other[2],
                others_failed=other[3],
                p_passed=float(adjusted[0, place]),
                p_failed=float(adjusted[1, place]),
            )
        )
    return tuple(found)
