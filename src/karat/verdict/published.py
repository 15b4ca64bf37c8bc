"""What two published scores let say of an order, with nothing known of who is right where."""

from typing import Any

from karat.doubt.divergence import divergence_bounds, kept_from_scores
from karat.errors import OptionError


def published(counts: list[tuple[int, int]], error: float) -> tuple[dict[str, Any], str]:
    """Return the least and the greatest probability that the order is kept, over every overlap the scores allow."""
    if len(counts) != 2 or counts[0][1] != counts[1][1]:
        raise OptionError("two scores of the same items are needed, such as 85/100 95/100")
    (one, items), (other, _) = sorted(counts)
    found, disputed = kept_from_scores(one, other, items, error), divergence_bounds(one, other, items)
    row = {
        "worse": f"{one}/{items}",
        "better": f"{other}/{items}",
        "label_error": error,
        "kept_low": found.low.kept,
        "kept_high": found.high.kept,
        "disputed_low": disputed.low,
        "disputed_high": disputed.high,
        "method": found.low.method,
    }
    said = f"the order is kept with a probability between {found.low.kept:.4f} and {found.high.kept:.4f}"
    overlap = f"just one of them is right on {disputed.low:,} to {disputed.high:,} items"
    return row, f"If {100 * error:.3g} % of the labels are wrong, {said}: {overlap}, two classes taken for granted."
