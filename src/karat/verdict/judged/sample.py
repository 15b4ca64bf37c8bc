"""Whether the checked items look like a random sample, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from karat.doubt.consensus.random_sample import Feature, SampleCheck, sample_check
from karat.doubt.tests.two_samples import significant
from karat.result.probabilities import p_words
from karat.words import counted


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """The checked items among all, and the feature in which they differ most from the others."""

    noun: str
    """What was sampled, such as item; `how` says of which of them more is known, such as with truth."""
    how: str
    checked: int
    items: int
    check: SampleCheck | None
    level: float

    @property
    def looks_random(self) -> bool:
        """Whether no feature differs significantly."""
        return self.check is None or not significant(self.check.p_value, level=self.level)

    def words(self) -> str:
        """Return what is taken for granted, and what speaks for it or against it."""
        checked = f"{counted(self.checked, self.noun)} {self.how}"
        taken = f"{checked} are taken for a random sample of all {self.items:,}"
        if self.check is None:
            return f"The {taken}."
        feature = self.check.feature
        found = f"{feature.name} on {feature.counts}; {p_words(self.check.p_value)}"
        looked = counted(self.check.features, "share")
        if self.looks_random:
            return (
                f"The {taken}. Nothing contradicts this: of {looked} compared, the most different is that {found} "
                "(Holm)."
            )
        return (
            f"warning: the {taken}, and do not look like one: {found} (Holm over {looked}). Values and gains lean "
            f"towards such {self.noun}s; label some at random."
        )

    def row(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        row: dict[str, Any] = {"checked": self.checked, "items": self.items}
        if self.check is not None:
            feature = self.check.feature
            row |= {
                "looks_random": self.looks_random,
                "feature": feature.name,
                "checked_with": feature.labelled_with,
                "checked_of": feature.labelled,
                "others_with": feature.others_with,
                "others_of": feature.others,
                "p_adjusted": self.check.p_value,
                "features": self.check.features,
            }
        return row


def sample_of(
    features: Sequence[Feature],
    *,
    noun: str,
    how: str,
    checked: int,
    items: int,
    level: float,
) -> LabelledSample:
    """Return whether the checked items look like a random sample of all."""
    return LabelledSample(noun, how, checked, items, sample_check(features), level)
