"""Would the ranking of each group of items be the same by the right labels?"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from karat.errors import ChoiceError, OptionError
from karat.measure.losses import is_loss
from karat.measure.quantity import Quantity
from karat.questions.known_labels import NOTHING, Knowledge
from karat.questions.remarks import unusual_labels
from karat.questions.stability import (
    informed_question,
    prepared,
    stability_by_measure,
    with_given,
)
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.votes.patterns import Patterns, patterns
from karat.verdict.score.scores import check_labels, labels_of
from karat.verdict.stability.groups_result import GroupedStabilityResult, GroupStability
from karat.verdict.stability.informed import (
    InformedGroups,
    informed_by_group,
)
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability
from karat.verdict.stability.result import StabilityResult
from karat.verdict.stability.stability import NoiseOptions, classes_of
from karat.verdict.stability.stability import stability as stability_of_shares


def stability_per(
    counter: Counter,
    measure: str,
    noise_options: NoiseOptions,
    *,
    per: str,
    given: Any,
    noise: float | None,
    floor: float,
    curves: bool,
    knowledge: Knowledge,
) -> StabilityResult:
    """Return the stability of the ranking over all items, or of that of each group."""
    if per == "total":
        return stability_by_measure(
            counter,
            measure,
            noise_options,
            given=given,
            noise=noise,
            floor=floor,
            curves=curves,
            knowledge=knowledge,
        )
    if per != "group":
        raise ChoiceError("--per", per, ["total", "group"])
    if is_loss(measure) or noise is not None or floor:
        raise OptionError(f"--per group is for measures of labels; {measure} is none")
    if curves:
        raise OptionError("a picture is of one ranking; leave --per group out, or ask for numbers")
    return stability_by_group(counter, measure, noise_options, given=given, knowledge=knowledge)


def stability_by_group(
    counter: Counter,
    measure: str,
    noise_options: NoiseOptions,
    *,
    given: Any = None,
    knowledge: Knowledge = NOTHING,
) -> GroupedStabilityResult:
    """Return how likely the orders within each group stay as they are."""
    if "g" not in counter.facts.keys:
        raise OptionError("there are no groups; name their column with --group COL")
    if noise_options.wrong is not None:
        raise OptionError("--wrong is of the whole table, not of a group; leave --per group out")
    if knowledge.checked:
        raise OptionError(
            "labels that were checked item by item are not split by group; "
            "put them into a column of the table and name it with --checked COL"
        )
    facts, quantity, noise_options = prepared(counter, measure, noise_options)
    rows = counter.count(patterns, keys="eg")
    check_labels([quantity], labels_of(rows))
    # A group in which not all labels occur has as many classes as the table.
    by_chance = replace(noise_options, classes=_classes(rows, noise_options))
    if noise_options.model == INFORMED:
        by_chance = replace(by_chance, few=False)
    groups = dict(_groups(rows))
    pairs: dict[str, list[PairStability]] = {}
    rankings: dict[str, list[RankingStability]] = {}
    for name, group in groups.items():
        pairs[name], rankings[name] = stability_of_shares(group, quantity, by_chance)
    informed = _informed(counter, quantity, noise_options, pairs, knowledge)
    found = []
    for name, group in groups.items():
        own = tuple(one.groups[name] for one in informed)
        if noise_options.model == INFORMED:
            pairs[name] = [pair for one in own for pair in one.pairs]
            rankings[name] = [one.ranking for one in own if noise_options.pair is None]
        result = StabilityResult(
            quantity,
            tuple(pairs[name]),
            tuple(rankings[name]),
            level=noise_options.level,
            few=noise_options.few,
            informed=own,
        )
        found.append(GroupStability(group=name, items=int(group.number.sum()), result=result))
    options = {**with_given(facts, given), **knowledge.signed(), "per": "group"}
    return GroupedStabilityResult(
        quantity,
        tuple(pair for name in groups for pair in pairs[name]),
        groups=tuple(found),
        together=informed,
        few=noise_options.few,
        level=noise_options.level,
        about=about("stability", [str(quantity)], noise_options, options, [rows.digest()], facts),
        remarks=(*noise_options.label_errors.words, *facts.remarks(), *unusual_labels(facts, rows)),
    )


def _classes(rows: Patterns, noise_options: NoiseOptions) -> int | None:
    """Return the number of classes of every group; shares by label move within the labels that occur."""
    if noise_options.label_errors.by_label:
        return None
    return noise_options.classes or classes_of(rows)


def _groups(rows: Patterns) -> Iterator[tuple[str, Patterns]]:
    """Yield the patterns with truth of every group, in the order of their names."""
    has_truth = rows.truth >= 0
    names = rows.keys["g"].astype(str)
    for name in np.unique(names[has_truth]).tolist():
        chosen = has_truth & (names == name)
        keys = {key: column[chosen] for key, column in rows.keys.items() if key != "g"}
        yield (
            name,
            replace(
                rows,
                truth=rows.truth[chosen],
                answers=rows.answers[chosen],
                number=rows.number[chosen],
                keys=keys,
            ),
        )


def _informed(
    counter: Counter,
    quantity: Quantity,
    noise_options: NoiseOptions,
    pairs: Mapping[str, list[PairStability]],
    knowledge: Knowledge,
) -> tuple[InformedGroups, ...]:
    """Return the answer of the model informed, where it was requested or can be added to the rows."""
    question = informed_question(counter, quantity, noise_options, knowledge)
    return () if question is None else informed_by_group(question, pairs)
