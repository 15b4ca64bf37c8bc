"""Would a ranking of graphs be the same by a truth without errors? Wrong are objects and relations, never strokes."""

from dataclasses import dataclass, replace
from typing import Any

from karat.ask.label_errors import parse_label_errors
from karat.bench import Bench
from karat.doubt.label_noise.correlated_errors import every_label, shared_label
from karat.errors import OptionError
from karat.graphs.compare.table import NUMBER, OWNER, GraphTable
from karat.graphs.compare.unit_rows import NO_OBJECT
from karat.graphs.errors.correlated_truth import FIRM
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.votes.patterns import patterns
from karat.verdict.stability.correlated_errors import (
    ErrorsOfClusters,
    curves_of_correlated_errors,
    stability_of_correlated_errors,
)
from karat.verdict.stability.result import StabilityResult
from karat.verdict.stability.stability import NoiseOptions

OWNER_ROLES = {"cluster": OWNER, "count": NUMBER}
"""The columns of rows that are wrong together, where one object or relation is wrong."""
STAYS_AN_OBJECT = (
    "An object whose class is wrong in the truth stays an object: "
    "who has none there does not become right."
)


@dataclass(frozen=True, slots=True)
class WhatErrs:
    """What may be wrong in a truth, and what that means for the rows of a unit."""

    things: str
    meaning: str
    all_must_be_right: bool = False
    """Whether a row is right only if all that may be wrong in it is right."""


WHAT_ERRS = {
    "expression": WhatErrs(
        "objects",
        "An object that is wrong in the truth has another class there, and its strokes and relations as given.",
        all_must_be_right=True,
    ),
    "primitive": WhatErrs(
        "objects",
        "An object that is wrong in the truth has another class, in all its strokes at once.",
    ),
    "pair": WhatErrs(
        "relations",
        "A relation that is wrong in the truth is another one, or none, in all pairs of its strokes at once.",
    ),
}
"""What is wrong of a truth by which units are ranked."""


def claimed_classes(answers: GraphTable) -> dict[str, list[Any]]:
    """Return the systems' classes of the truth's objects; one that lacks the object claims none of their classes."""
    claimed = {}
    for name in answers.systems:
        answered = answers.columns[name]
        claimed[name] = [None if label == NO_OBJECT else label for label in answered]
    return claimed


def object_stability(counter: Counter, **options: Any) -> StabilityResult:
    """Return what a ranking by objects is robust to: each object is wrong by itself."""
    result = Bench(counter).stability(**options)
    rankings = tuple(replace(whole, things="objects") for whole in result.rankings)
    remarks = (*result.remarks, STAYS_AN_OBJECT)
    return replace(result, rankings=rankings, things="objects", remarks=remarks)


def correlated_stability(
    counter: Counter,
    by_owner: Counter,
    what: WhatErrs,
    labels: frozenset[str],
    *,
    label_error: Any = None,
    measure: str = "accuracy",
    threshold: float | None = None,
    curves: bool = False,
    level: float = 0.95,
    **options: Any,
) -> StabilityResult:
    """Return what a ranking of expressions, primitives or pairs is robust to: all rows of an object are wrong at once.

    `by_owner` counts the rows with what each is wrong with; `labels` are those that may be true.
    """
    quantity = Quantity.parse(measure)
    if not of_right_answers(quantity) or threshold is not None:
        raise OptionError(
            "correlated errors have a distribution for accuracy only; "
            "ask for other measures with --unit object"
        )
    facts = counter.facts
    errors = parse_label_errors(label_error, level=level).among(facts.meaning.label)
    noise_options = NoiseOptions(label_errors=errors, level=level, **options)
    rows = counter.count(patterns)
    owned = by_owner.count(patterns, keys="c")
    clusters = every_label(owned, FIRM) if what.all_must_be_right else shared_label(owned, FIRM)
    classes = noise_options.classes or max(2, len(labels))
    distribution = ErrorsOfClusters(
        clusters, labels, what.things, classes, noise_options.draws, noise_options.seed
    )
    pairs, rankings = stability_of_correlated_errors(rows, distribution, noise_options)
    signed = dict(facts.options)
    if label_error is not None:
        signed["label_error"] = str(label_error)
    digests = [rows.digest(), owned.digest()]
    return StabilityResult(
        quantity,
        tuple(pairs),
        tuple(rankings),
        about("stability", [measure], noise_options, signed, digests, facts),
        (*errors.words, what.meaning, *facts.remarks()),
        level,
        curves_of_correlated_errors(distribution, pairs) if curves else (),
        what.things,
    )
