"""karat tells how far a benchmark's ranking can be trusted when its gold standard is not pure gold.

`read` and `from_predictions` take a table of answers and return a `Bench`, which has a method for each question.
`read_graphs` does so for label graphs, `read_boxes` for boxes in images. The other functions are for counts and
published numbers.
"""

# Nothing is imported here, not even typing: a program that is interrupted before its first line shows a traceback.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from karat.bench import Bench, from_predictions, read, read_checked
    from karat.boxes import read_boxes
    from karat.errors import KaratError
    from karat.formulas import (
        critical_error,
        difference_of_pairs,
        difference_of_shares,
        holm,
        interval,
        items_for_bound,
        items_for_increase,
        items_for_pair,
        kendall,
        mcnemar,
        order_kept,
        precision_at,
        two_samples,
    )
    from karat.graphs import convert_graphs, read_graphs
    from karat.questions.compare_counts import compare_counts
    from karat.questions.plan import plan
    from karat.questions.published import skew_of_precision, stability_of_scores
    from karat.questions.score_counts import score_counts
    from karat.questions.several_truths import compare_truths
    from karat.scorers import scorer
    from karat.version import __version__

_HOMES = {
    "Bench": "karat.bench",
    "KaratError": "karat.errors",
    "__version__": "karat.version",
    "compare_counts": "karat.questions.compare_counts",
    "compare_truths": "karat.questions.several_truths",
    "convert_graphs": "karat.graphs",
    "critical_error": "karat.formulas",
    "difference_of_pairs": "karat.formulas",
    "difference_of_shares": "karat.formulas",
    "from_predictions": "karat.bench",
    "holm": "karat.formulas",
    "interval": "karat.formulas",
    "items_for_bound": "karat.formulas",
    "items_for_increase": "karat.formulas",
    "items_for_pair": "karat.formulas",
    "kendall": "karat.formulas",
    "mcnemar": "karat.formulas",
    "order_kept": "karat.formulas",
    "plan": "karat.questions.plan",
    "precision_at": "karat.formulas",
    "read": "karat.bench",
    "read_boxes": "karat.boxes",
    "read_checked": "karat.bench",
    "read_graphs": "karat.graphs",
    "score_counts": "karat.questions.score_counts",
    "scorer": "karat.scorers",
    "skew_of_precision": "karat.questions.published",
    "stability_of_scores": "karat.questions.published",
    "two_samples": "karat.formulas",
}
"""Where each public name lives; the modules themselves may move."""

__all__ = [
    "Bench",
    "KaratError",
    "__version__",
    "compare_counts",
    "compare_truths",
    "convert_graphs",
    "critical_error",
    "difference_of_pairs",
    "difference_of_shares",
    "from_predictions",
    "holm",
    "interval",
    "items_for_bound",
    "items_for_increase",
    "items_for_pair",
    "kendall",
    "mcnemar",
    "order_kept",
    "plan",
    "precision_at",
    "read",
    "read_boxes",
    "read_checked",
    "read_graphs",
    "score_counts",
    "scorer",
    "skew_of_precision",
    "stability_of_scores",
    "two_samples",
]


def __getattr__(name: str) -> object:
    """Load what is asked for only then, so that importing karat costs next to nothing."""
    if name in _HOMES:
        from importlib import import_module  # noqa: PLC0415

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, also those that are not loaded yet."""
    return sorted(__all__)
