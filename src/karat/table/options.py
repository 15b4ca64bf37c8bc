"""The options that describe a table; what is not given is inferred.

Each option is defined here once, with its type, default and help: Python's `karat.read` and the command line take them
from here (see `karat.table.option_help`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

from karat.errors import ChoiceError, OptionError
from karat.table.option_help import Help
from karat.table.text_forms import kinds_by_system, long_columns, names
from karat.words import NOTHING, any_of

Repeats = Literal["refuse", "first", "majority", "keep"]
REPEATS = [choice for choice in get_args(Repeats) if choice != "refuse"]
"""What several answers of one system for one item may mean."""
MISSING = ("wrong", "skip", "as:LABEL")
CORRECT_OR_TRUTH = (
    "--correct means that each answer is already judged right or wrong; "
    "leave out the options that name or describe a truth"
)


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The roles of columns and the meaning of special values."""

    truth: Annotated[
        str | None,
        Help("COL|FILE|FILE:COL", "The truth: a column of the table or of another file."),
    ] = None
    systems: Annotated[
        Sequence[str] | None,
        Help("A,B,C", "The columns that hold systems' answers.", parse=names),
    ] = None
    item: Annotated[str | None, Help("COL", "The column that names the item.")] = None
    group: Annotated[str | None, Help("COL", "The column that names the item's group.")] = None
    cluster: Annotated[
        str | None,
        Help("COL", "The column of clusters: items that are correlated, such as lines of a page."),
    ] = None
    weight: Annotated[str | None, Help("COL", "The column of importance weights.")] = None
    count: Annotated[
        str | None, Help("COL", "The column of frequencies: how many items a row stands for.")
    ] = None
    run: Annotated[
        str | None, Help("COL", "The column that numbers the runs or seeds of a system.")
    ] = None
    error: Annotated[
        str | None, Help("COL", "The column of the probability that each item's truth is wrong.")
    ] = None
    long: Annotated[
        Sequence[str] | None,
        Help(
            "ITEM,SYSTEM,ANSWER",
            "The table has a row per answer, in these columns.",
            parse=long_columns,
        ),
    ] = None
    repeats: Annotated[
        Repeats,
        Help(
            "WHICH",
            f"What several answers of a system for an item count as: {any_of(REPEATS)}.",
        ),
    ] = "refuse"
    positive: Annotated[Any, Help("LABEL", "The label that precision and recall are about.")] = None
    kinds: Annotated[
        Mapping[str, str] | str,
        Help(
            "[SYSTEM=]KIND",
            "The kind of the answers: {kinds}; may be repeated.",
            parse=kinds_by_system,
            repeated=True,
            flag="kind",
        ),
    ] = field(default_factory=dict)
    """A kind by system; the key "" stands for all. A text is read as on the command line."""
    missing: Annotated[str, Help("WHAT", f"How missing answers count: {any_of(MISSING)}.")] = (
        "wrong"
    )
    nothing: Annotated[
        str, Help("LABEL", "The label of what is not there: something lost or inserted.")
    ] = NOTHING
    truth_sep: Annotated[
        str | None, Help("TEXT", "What separates several right labels of one item.")
    ] = None
    no_truth: Annotated[
        Sequence[str],
        Help(
            "LABEL",
            "A truth that means there is none; may be repeated.",
            parse=tuple,
            repeated=True,
        ),
    ] = ()
    no_answer: Annotated[
        Sequence[str],
        Help(
            "LABEL",
            "An answer that means there is none; may be repeated.",
            parse=tuple,
            repeated=True,
        ),
    ] = ()
    correct: Annotated[
        bool, Help(None, "An answer of 1, true or yes means that the system was right.")
    ] = False
    judge: Annotated[
        str | None,
        Help(
            "majority|NAME",
            "Who judges the items without truth, corrected for its errors on the others: the majority of the systems, "
            "a system, or a column of grades beside those of people (--truth) in a table with a row per output.",
        ),
    ] = None
    duplicate_check: Annotated[bool, Help(None, "Look for items that occur twice.")] = True
    # Those below are set by commands and sources; the command line has no option for them.
    second_truth: str | None = None
    """The column of another truth of the same items, beside the one that counts."""
    grade: str | None = None
    """The column of grades of relevance, where documents were judged; those below 0 were not, but should have been."""
    people: str | None = None
    """The column of people's grades, where a judge's are the answers."""
    source: str | None = None
    """What the source did to what it read, where it did anything."""
    one_by_one: bool = False
    """Whether the systems were counted one by one, so that a row does not show their answers to the same item."""

    def __post_init__(self) -> None:
        """Bring every option into one form, and refuse options that contradict each other."""
        for option in ("systems", "no_truth", "no_answer"):
            value = getattr(self, option)
            if value is not None:
                several = (value,) if isinstance(value, str) else tuple(value)
                object.__setattr__(self, option, several)
        if isinstance(self.long, str):
            object.__setattr__(self, "long", long_columns(self.long))
        if self.positive is not None:
            from karat.table.labels import plain  # noqa: PLC0415 (loads NumPy, which help does not need)

            object.__setattr__(self, "positive", plain(self.positive))
        self._check_values()
        self._check_pairs()

    def _check_values(self) -> None:
        if self.missing not in {"wrong", "skip"} and not self.missing.startswith("as:"):
            raise ChoiceError("--missing", self.missing, MISSING)
        if self.repeats not in get_args(Repeats):
            raise ChoiceError("--repeats", self.repeats, REPEATS)
        if self.truth_sep == "":
            raise OptionError(
                "--truth-sep is empty; name what stands between two labels, for example ' '"
            )

    def _check_pairs(self) -> None:
        if self.weight and self.count:
            raise OptionError(
                "--weight and --count exclude each other: a weight is importance, a count a frequency"
            )
        if self.cluster and self.run:
            raise OptionError(
                "--cluster and --run exclude each other: runs are already clustered by item"
            )
        describes_truth = self.truth is not None or self.no_truth or self.truth_sep
        if self.correct and describes_truth:
            raise OptionError(CORRECT_OR_TRUTH)

    def kind_of(self, system: str) -> str | None:
        """Return the kind that is given for a system's answers, or for those of all systems."""
        return self.kind_by_system.get(system, self.kind_by_system.get(""))

    @property
    def kind_by_system(self) -> Mapping[str, str]:
        """The kinds that are given; the key "" stands for all systems."""
        if isinstance(self.kinds, str):
            return kinds_by_system([self.kinds])
        return self.kinds

    def signature(self) -> dict[str, str]:
        """Return the options that change what is counted and differ from the default."""
        options = {
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
            "grade": self.grade,
            "judge": self.judge,
            "people": self.people,
            "source": self.source,
        }
        return {name: value for name, value in options.items() if value is not None}
