"""The table of answers: what `karat read` understood, ready to be counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.engine import Engine, OpenedSource, Stored
from karat.table.distinct_rows import Rows
from karat.table.labels import Labels
from karat.table.options import TableOptions


@dataclass(frozen=True, slots=True)
class Use:
    """What one column of the data is used for, and why."""

    column: str
    role: str
    kind: str
    filled: int | None
    distinct: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is, and how much is missing."""

    items: int
    without_truth: int
    missing: Mapping[str, int]
    """System to the number of items with truth that it did not answer."""
    unanswered: int | None = 0
    """Items of the truth file that the table does not have; None where tallies were added, which no longer show it."""


@dataclass(frozen=True, slots=True)
class Table:
    """One row per thing that was judged: its truth, and each system's answer, in the engine as `answers`."""

    engine: Engine
    relation: OpenedSource
    """What was read, before answers were gathered from it."""
    rows: Rows
    """Where answers are counted: in `answers`, or in the different ones among them, which have no names of items."""
    origin: str
    systems: tuple[str, ...]
    stored: tuple[Stored, ...]
    """How each system's answers are stored."""
    kind: str
    labels: Labels
    keys: tuple[str, ...]
    """Which of g (group), c (cluster), w (weight), n (count), r (run), e (error) and u (second truth) there are."""
    has_truth: bool
    counts: Counts
    uses: tuple[Use, ...]
    notes: tuple[str, ...]
    reading: TableOptions
    coded: tuple[str, ...] | None = None
    """The labels that answers are numbers of, where the likeliest label of a distribution was taken."""
    shares: tuple[str, ...] | None = None
    """The labels of which q0_0, q0_1, ... hold each system's confidence, where it is known of every label."""
    threshold: float | None = None
    """From which score on an answer is yes, where scores are judged as yes or no."""
    images: Any = None
    """The folders of single images, if the rows were counted from images."""
