"""Which items are drawn more often: where a label could turn a claim, and where the model `informed` doubts it."""

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.informed.items import UNCHECKED, LabelledItems
from karat.doubt.label_noise.informed.items import disputes_of as contradictions_of
from karat.doubt.label_noise.informed.likely_labels import LikelyLabels, likely_labels
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray, IntArray
from karat.tally.audit_items import AuditItems
from karat.verdict.audit.disputes import Disputes

INFORMED = "informed"
EVEN, REACH, DOUBT = 0.5, 0.3, 0.2
"""Which parts of the draws are even, by what the worst label would take from the lead, and by what is expected of it.

The even part keeps every item at half of its even chance at the least: a small chance lets single labels weigh much.
"""
USUAL = 100
"""The mean pull: pulls are whole numbers, so that draws are the same on every machine."""


def refuse_guide(items: AuditItems, *, judged: bool, by_vote: bool) -> None:
    """Refuse tables that have no given labels which systems could contradict."""
    reason = ""
    if judged:
        reason = "only right and wrong is known here, no label"
    elif by_vote:
        reason = "there is no truth, and the systems do not contradict their own vote"
    elif items.meaning.truth_sep is not None:
        reason = "a set of right labels has no single label that could be wrong"
    elif (items.given < 0).any():
        reason = "some items have no given label"
    if reason:
        raise OptionError(f"--guide {INFORMED} cannot be used: {reason}; leave it out")


def informed_pulls(found: Disputes, likely: LikelyLabels | None = None) -> IntArray:
    """Return how strongly each item is drawn: whole numbers, USUAL on average over what is disputed, 0 elsewhere.

    They are fixed before the first label and depend on nothing but the table and the claims. Of several pairs the mean
    over those that dispute an item: a sum would leave to each pair a small chance of what it alone disputes.
    """
    likely = likely_labels_of(found) if likely is None else likely
    total = np.zeros(found.kind.shape[1])
    for pair in range(len(found.pairs)):
        here = np.flatnonzero(found.kind[pair] >= 0)
        kind = found.kind[pair, here]
        weight = found.weight[here]
        reach = weight * np.maximum(found.kinds.most[kind], 0.0)
        doubt = weight * np.sqrt(_expected_square(found, likely, pair, here))
        total[here] += EVEN + REACH * _relative(reach) + DOUBT * _relative(doubt)
    disputed = found.disputed
    mean = total[disputed] / (found.kind[:, disputed] >= 0).sum(axis=0)
    pulls = np.zeros(len(total), np.int64)
    pulls[disputed] = np.maximum(1, np.rint(USUAL * _relative(mean)))
    return pulls


def likely_labels_of(found: Disputes) -> LikelyLabels:
    """Return how likely each label is right, by the answers of all systems of the table."""
    items = found.scoring.items
    size = len(items.names)
    labelled = LabelledItems(
        systems=items.systems,
        labels=items.labels,
        given=items.given.astype(np.int64),
        answers=found.scoring.answers().astype(np.int32),
        number=np.ones(size, np.int64),
        right=np.full(size, UNCHECKED),
        group=np.zeros(size, np.int64),
        groups=0,
    )
    return likely_labels(contradictions_of(labelled))


def _expected_square(
    found: Disputes, likely: LikelyLabels, pair: int, here: npt.NDArray[np.intp]
) -> FloatArray:
    """Return the mean square of what the right label of each item takes from the lead, by the model."""
    score = found.scoring
    kind = found.kind[pair, here]
    least = found.kinds.least[kind] ** 2
    most = found.kinds.most[kind] ** 2
    if score.rule.of_class:
        # A label takes something only where it changes whether the item is of the class.
        of_class = likely.chance_of(np.full(len(score.items.given), score.label))[here]
        changes = np.where(score.items.given[here] == score.label, 1 - of_class, of_class)
        return np.asarray(changes * np.maximum(least, most))
    answers = score.answers()
    first = likely.chance_of(answers[:, found.first[pair]])[here]
    second = likely.chance_of(answers[:, found.second[pair]])[here]
    neither = np.maximum(0.0, 1 - first - second)
    return np.asarray(first * least + second * most + neither * found.given[pair, here] ** 2)


def _relative(values: FloatArray) -> FloatArray:
    """Return values with the mean 1; as they are where all of them are 0."""
    mean = float(values.mean()) if len(values) else 0.0
    return values / mean if mean > 0 else values
