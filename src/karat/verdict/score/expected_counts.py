"""Estimates where the truth is uncertain item by item: expected counts take the place of counts."""

from collections.abc import Mapping, Sequence

import numpy as np

from karat.doubt.estimates import IntervalOptions
from karat.doubt.label_noise.uncertain_truth import UncertainTruth
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.table.labels import Labels
from karat.tally.facts import Facts
from karat.tally.votes.confusion import Confusion
from karat.verdict.score.result import Entry
from karat.verdict.score.scores import ScoredSystem

EXPECTED = (
    "Counts are expected ones: each truth is wrong with its own probability, and then all other classes of the truth "
    "are equally likely. Approximate: recall and F are those of the expected counts, and the interval takes the labels "
    "to be wrong independently of each other and of the systems."
)


def check_expected(facts: Facts, how: IntervalOptions, per: str) -> None:
    """Refuse options that have no meaning for expected counts."""
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


def expected(
    tallies: Mapping[str, Confusion],
    meaning: Labels,
    quantities: Sequence[Quantity],
    how: IntervalOptions,
) -> list[ScoredSystem]:
    """Return every requested quantity of every system from its expected counts."""
    classes = set(meaning.pair or ())
    for tally in tallies.values():
        classes |= {tally.labels[code] for code in set(tally.truth)}
    scored = []
    for system, tally in tallies.items():
        estimator = UncertainTruth(tally, classes, how)
        entries = tuple(Entry(system, estimator.estimate(quantity)) for quantity in quantities)
        known = np.isin(tally.answer, tally.truth).any()
        foreign = not known and tally.missing < tally.total
        scored.append(ScoredSystem(entries, tally.digest(), tally.labels, foreign))
    return scored
