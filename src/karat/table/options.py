"""What a user may say about a table; what is not said is inferred."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from karat.errors import OptionError
from karat.table.labels import plain
from karat.words import NOTHING

Repeats = Literal["refuse", "first", "majority", "keep"]
CORRECT_OR_TRUTH = "--correct says that the answers are right or wrong already; leave what you say of the truth out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The roles of columns and the meaning of special values."""

    truth: str | None = None
    systems: tuple[str, ...] | None = None
    item: str | None = None
    group: str | None = None
    cluster: str | None = None
    weight: str | None = None
    count: str | None = None
    run: str | None = None
    error: str | None = None
    """The column that holds how likely each item's truth is wrong."""
    second_truth: str | None = None
    """The column of another truth of the same items, beside the one that counts."""
    long: tuple[str, str, str] | None = None
    repeats: Repeats = "refuse"
    positive: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    """A kind by system; the key "" speaks for all."""
    missing: str = "wrong"
    nothing: str = NOTHING
    truth_sep: str | None = None
    no_truth: tuple[str, ...] = ()
    no_answer: tuple[str, ...] = ()
    correct: bool = False
    """Whether an answer says that the system was right: the truth of every item is yes."""
    duplicate_check: bool = True
    source: str | None = None
    """What the source did to what it read, where it did anything."""

    def __post_init__(self) -> None:
        """Read a single name as one name, and refuse what cannot be meant."""
        for option in ("systems", "no_truth", "no_answer"):
            if isinstance(said := getattr(self, option), str):
                object.__setattr__(self, option, (said,))
        if isinstance(self.kinds, str):
            object.__setattr__(self, "kinds", {"": self.kinds})
        if self.positive is not None:
            object.__setattr__(self, "positive", plain(self.positive))
        self._check()

    def _check(self) -> None:
        if self.missing not in {"wrong", "skip"} and not self.missing.startswith("as:"):
            raise OptionError(f"--missing is {self.missing!r}; it takes wrong, skip or as:LABEL")
        if self.repeats not in {"refuse", "first", "majority", "keep"}:
            raise OptionError(f"--repeats is {self.repeats!r}; it takes first, majority or keep")
        if self.weight and self.count:
            raise OptionError(
                "--weight and --count exclude each other: a weight is importance, a count a frequency"
            )
        if self.cluster and self.run:
            raise OptionError(
                "--cluster and --run exclude each other: runs already hang together by item"
            )
        if self.correct and (self.truth or self.no_truth or self.truth_sep):
            raise OptionError(CORRECT_OR_TRUTH)
        if self.truth_sep == "":
            raise OptionError(
                "--truth-sep is empty; name what stands between two labels, for example ' '"
            )

    def signature(self) -> dict[str, str]:
        """Return the options that change what is counted and differ from the default."""
        said = {
            "positive": self.positive,
            "missing": None if self.missing == "wrong" else self.missing,
            "nothing": None if self.nothing == NOTHING else self.nothing,
            "truth_sep": self.truth_sep,
            "no_truth": "|".join(self.no_truth) or None,
            "no_answer": "|".join(self.no_answer) or None,
            "correct": "yes" if self.correct else None,
            "repeats": None if self.repeats == "refuse" else self.repeats,
            "weight": self.weight,
            "count": self.count,
            "cluster": self.cluster,
            "group": self.group,
            "run": self.run,
            "error": self.error,
            "second_truth": self.second_truth,
            "source": self.source,
        }
        return {name: value for name, value in said.items() if value is not None}
