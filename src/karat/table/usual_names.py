"""What columns are usually called, and which column of a table a usual name means."""

import re
from collections.abc import Sequence

from karat.errors import RoleError, UnknownNameError
from karat.words import listing

USUAL = {
    "item": ("item", "id", "item_id", "sample_id", "question_id", "doc_id", "example_id"),
    "truth": (
        "truth",
        "gold",
        "y_true",
        "target",
        "ground_truth",
        "actual",
        "expected",
        "reference",
        "answer_key",
        "correct_answer",
        "gold_answer",
        "gold_label",
        "gt",
        "true_label",
        "actual_label",
        "correct_label",
        "expected_answer",
        "gold_standard",
        "groundtruth",
        "label_true",
        "reference_answer",
        "true_class",
        "ytrue",
    ),
    "weight": ("weight",),
    "group": ("group", "query", "subject", "task"),
}
SYSTEM = ("system", "model", "annotator", "worker")
ANSWER = ("answer", "label", "score", "prediction")
RIGHT = (
    "correct",
    "is_correct",
    "right",
    "acc",
    "accuracy",
    "exact_match",
    "passed",
    "pass",
    "success",
    "resolved",
)
"""Names for whether an answer was right."""
PROBABILITY = ("p", "probability")
THINGS = ("image", "file", "filename", "sample", "document", "sentence")
NO_ITEM = (
    "model_id",
    "system_id",
    "worker_id",
    "annotator_id",
    "user_id",
    "run_id",
    "group_id",
    "cluster_id",
)
"""Names that end as an item's do, and mean something else."""
CLUSTERS = (
    "cluster",
    "page",
    "image",
    "patient",
    "document",
    "subject",
    "passage",
    "speaker",
    "writer",
    "video",
)
"""Names of what several items come from, so that these are correlated."""
BESIDE = ("run", "seed", "fold", "cluster", "count", "weight", "split")
"""Names that describe an item or a run: a system only if the user names it as one."""


def normalised(name: str) -> str:
    """Return a name as the usual ones are written.

    >>> normalised("Ground truth")
    'ground_truth'
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def is_blank(name: str) -> bool:
    """Return whether a column stands for one without a name at the end of a file.

    >>> is_blank("(column 6)"), is_blank("column 6")
    (True, False)
    """
    return re.fullmatch(r"\(column \d+\)", name) is not None


def looks_like_cluster(name: str) -> bool:
    """Return whether a column is called as what several items come from.

    >>> looks_like_cluster("Patient ID"), looks_like_cluster("pages_read")
    (True, False)
    """
    return normalised(name).removesuffix("_id").removesuffix("_name") in CLUSTERS


def first_called(columns: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the column with the first of the usual names that occurs."""
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault(normalised(column), column)
    for name in usual:
        if name in by_name:
            return by_name[name]
    return None


def only_called(columns: Sequence[str], usual: Sequence[str], role: str, origin: str) -> str | None:
    """Return the one column with a usual name; of several the one with the most usual name, if there is one."""
    candidates = [name for name in columns if normalised(name) in usual]
    if len(candidates) <= 1:
        return candidates[0] if candidates else None
    most_usual = [name for name in candidates if normalised(name) == usual[0]]
    if len(most_usual) != 1:
        raise RoleError(
            f"{origin}: {listing(candidates)} could each be the {role}; settle it with --{role} COL"
        )
    return most_usual[0]


def one_called(
    columns: Sequence[str], usual: Sequence[str], option: str, what: str, origin: str
) -> str:
    """Return the one column with a usual name, or refuse the table."""
    candidates = [name for name in columns if normalised(name) in usual]
    if len(candidates) == 1:
        return candidates[0]
    problem = f"no column of {listing(columns)} says"
    if candidates:
        problem = f"{listing(candidates)} could each say"
    raise RoleError(f"{origin}: {problem} {what}; settle it with {option}")


def require_column(name: str, columns: Sequence[str], option: str, origin: str) -> None:
    """Refuse a column that an option names and the table does not have."""
    if name not in columns:
        hint = UnknownNameError("column", name, columns).message.partition("; ")[2]
        raise RoleError(f"{origin} has no column {name!r}, which {option} names; {hint}")
