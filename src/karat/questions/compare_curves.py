"""Is the ROC area, or the average precision, of one system really larger than that of another?"""

from collections.abc import Sequence

from karat.ask.preconditions import require_scores
from karat.measure.quantity import choose
from karat.questions.scored_items import scored_items
from karat.tally.counter import Counter
from karat.verdict.compare.compared import ToCompare
from karat.verdict.compare.compared_curves import ComparedCurves


def compared_curves(counter: Counter, measure: str | Sequence[str]) -> ToCompare:
    """Count all systems' scores of each item, for each measure."""
    facts = require_scores(counter.facts)
    quantities = choose(measure, positive=facts.meaning.positive, scores=True)
    items = scored_items(counter)
    each = tuple(ComparedCurves(items.paired, quantity, items.curves) for quantity in quantities)
    digests = tuple(curve.digest() for curve in items.curves.values())
    cautions = dict.fromkeys(caution for one in each for caution in one.cautions())
    return ToCompare(each, digests, tuple(cautions))
