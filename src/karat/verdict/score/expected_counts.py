"""How good each system is where the truth is uncertain item by item: expected counts in the place of counts."""

from collections.abc import Sequence

import numpy as np

from karat.doubt.estimate import How
from karat.doubt.label_noise.uncertain_truth import UncertainTruth
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.tally.counter import Counter
from karat.verdict.score.scores import Entry, Scored

EXPECTED = (
    "Counts are expected ones: each truth is wrong with its own probability, and then any other class of the truth "
    "alike. Approximate: recall and F are those of the expected counts, and the interval takes the labels to be wrong "
    "independently of each other and of the systems."
)


def expected(counter: Counter, wanted: Sequence[Quantity], how: How, per: str) -> list[Scored]:
    """Return every wanted quantity of every system from its expected counts."""
    facts = counter.facts
    if {"c", "w", "r"} & set(facts.keys) or per == "group":
        raise OptionError(
            "with --error items are drawn one by one; leave --cluster, --weight, --run and groups out"
        )
    if facts.meaning.truth_sep is not None:
        raise OptionError(
            "a truth that is a set of labels has no single label that could be wrong; leave --error out"
        )
    if how.bound != "exact":
        raise OptionError(
            f"--bound {how.bound} is of whole counts; with --error intervals are drawn, so leave it out"
        )
    tallies = {system: counter.confusion(system, keys="e") for system in facts.systems}
    classes = {
        *(facts.meaning.pair or ()),
        *(one.labels[k] for one in tallies.values() for k in set(one.truth)),
    }
    found = []
    for system, tally in tallies.items():
        estimator = UncertainTruth(tally, classes, how)
        entries = tuple(Entry(system, estimator.estimate(quantity)) for quantity in wanted)
        foreign = not np.isin(tally.answer, tally.truth).any() and tally.missing < tally.total
        found.append(Scored(entries, tally.digest(), tally.labels, foreign))
    return found
