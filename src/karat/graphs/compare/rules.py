"""The rules by which graphs are compared: the semantics, and what becomes of sets of labels."""

import re
from dataclasses import dataclass
from typing import get_args

from karat.errors import ChoiceError, OptionError
from karat.graphs.options import LABELS, RuleOptions, Semantics


@dataclass(frozen=True, kw_only=True)
class Rules(RuleOptions):
    """What a difference is.

    `paper`: merges are `*`, and the pairs that an absent primitive begins are `?` (or nothing, without `absent_edges`);
    `lgeval`: as LgEval 0.3.8 in its evaluate mode. `inherit` closes both graphs first. In `undirected` graphs an edge
    has no direction and every pair counts once. `labels` is how sets of labels are compared: `all` of them are
    compared, as many differing as must be changed at the least; the `best` of each by its confidence; `top:K`, the
    truth's where it is among the best K; or `expected`, the distance where each label is drawn by its confidence.
    """

    def __post_init__(self) -> None:
        if self.semantics not in get_args(Semantics):
            raise ChoiceError("--semantics", self.semantics, get_args(Semantics))
        if self.semantics == "lgeval" and (self.undirected or not self.absent_edges):
            raise OptionError(
                "LgEval has no undirected graphs and no ? edges; use these options with paper semantics"
            )
        known = self.labels in {"all", "best", "expected"}
        if not known and not re.fullmatch(r"top:[1-9]\d*", self.labels):
            raise ChoiceError("--labels", self.labels, LABELS)
        changed = self.semantics == "lgeval" or self.inherit or self.undirected
        if self.labels == "expected" and changed:
            raise OptionError(
                "--labels expected is for directed graphs as written, by paper semantics"
            )

    @property
    def most(self) -> int | None:
        """How many labels may hold the right one."""
        if not self.labels.startswith("top:"):
            return None
        return int(self.labels.removeprefix("top:"))

    @property
    def marks_absent(self) -> bool:
        """Whether pairs of a primitive that a graph lacks have the label `?` there."""
        return self.semantics == "paper" and self.absent_edges

    def options(self) -> dict[str, str]:
        """Return the rules as a signature has them."""
        options: dict[str, str] = {"semantics": self.semantics}
        if self.inherit:
            options["inherit"] = "yes"
        if not self.absent_edges:
            options["absent_edges"] = "_"
        if self.undirected:
            options["undirected"] = "yes"
        if self.labels != "all":
            options["labels"] = self.labels
        return options
