"""How robust the ranking of each group is to errors in the truth: the result, and its words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from karat.result.base import Row
from karat.result.probabilities import likely, likely_or_none
from karat.verdict.stability.informed import InformedGroups
from karat.verdict.stability.informed_result import SAFE, InformedStability
from karat.verdict.stability.orders import INFORMED, RankingStability
from karat.verdict.stability.result import BY_CHANCE, KINDEST, StabilityResult


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStability:
    """How robust the ranking of one group is."""

    group: str
    items: int
    result: StabilityResult


@dataclass(frozen=True, slots=True, repr=False)
class GroupedStabilityResult(StabilityResult):
    """How robust the ranking of each group is to errors in the truth; its pairs are those of all groups."""

    groups: tuple[GroupStability, ...] = ()
    together: tuple[InformedGroups, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per group, pair and share of wrong labels."""
        rows = []
        for one in self.groups:
            rows += [{"group": one.group, **pair.row()} for pair in one.result.pairs]
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a line for each group: its whole ranking, or the pair where only one was requested."""
        if (
            any(one.result.rankings or one.result.informed for one in self.groups)
            and self._all_pairs()
        ):
            heading = f"{self.quantity}: how robust is the ranking of each group {self.on_items}?"
            return {heading: [line for one in self.groups for line in _lines(one)]}
        heading = f"{self.quantity}: how robust is the order in each group {self.on_items}?"
        lines = []
        for one in self.groups:
            lines += [{"group": one.group, **line} for line in one.result.lines()]
        return {heading: lines}

    def _all_pairs(self) -> bool:
        """Return whether more than one pair of systems was requested."""
        return any(len({(p.better, p.worse) for p in one.result.pairs}) > 1 for one in self.groups)

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the whole ranking of each group."""
        beside: dict[str, Any] = dict(self.about)
        beside["ranking"] = [
            {"group": one.group, "items": one.items, **ranking.about()}
            for one in self.groups
            for ranking in one.result.rankings
        ]
        if self.together:
            beside["informed"] = [
                {"group": name, **pair.row()}
                for together in self.together
                for name, one in together.groups.items()
                for pair in one.pairs
            ]
            beside["informed_ranking"] = [
                {"group": name, **one.about()}
                for together in self.together
                for name, one in together.groups.items()
            ]
            beside["reversed_pairs"] = [one.reversed_pairs.about() for one in self.together]
        return beside

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        notes = []
        if any(pair.model in BY_CHANCE and pair.kept is not None for pair in self.pairs):
            notes.append(KINDEST)
        notes += [_words(one) for one in self.together]
        if self.together:
            first = next(iter(self.together[0].groups.values()))
            notes.append(first.verdict_words(self.on_items))
        return (*notes, *self.remarks)


def _lines(one: GroupStability) -> Iterator[dict[str, Any]]:
    """Yield a line for each share of wrong labels: how robust the ranking of a group is."""
    found = one.result
    by_chance = [ranking for ranking in found.rankings if ranking.model != INFORMED]
    several = max(len(by_chance), len(found.informed)) > 1
    # A check gives errors by chance their share, and decides the unknowns of the model informed: one line for both.
    for ranking, informed in zip_longest(by_chance, found.informed):
        first = informed.ranking if ranking is None else ranking
        line: dict[str, Any] = {"group": one.group, "items": one.items, "best": _best(first)}
        if several:
            line["label_error"] = first.label_error
        if ranking is not None:
            order = ranking.under_noise
            line["order kept (chance)"] = likely(order.kept, order.method)
            line["best kept (chance)"] = likely_or_none(order.best_kept, order.method)
        if informed is not None:
            line |= _informed(informed)
        yield line


def _best(ranking: RankingStability) -> str:
    tied = ranking.under_noise.best_kept is None
    return f"{ranking.order[0]} (tied)" if tied else ranking.order[0]


def _informed(one: InformedStability) -> dict[str, Any]:
    count = one.reversed_pairs
    orders = [pair for pair in one.pairs if pair.verdict is not None]
    safe = sum(pair.verdict == SAFE for pair in orders)
    order = one.ranking.under_noise
    return {
        "best kept (informed)": likely_or_none(order.best_kept, order.method),
        "orders reversed": count.expected,
        f"{100 * count.level:g} %": f"{count.low:,} to {count.high:,} of {count.of:,}",
        "safe": f"{safe:,} of {len(orders):,}",
    }


def _words(one: InformedGroups) -> str:
    """Return what is forecast of all groups together."""
    count = one.reversed_pairs
    first = next(iter(one.groups.values()))
    words = (
        f"Informed: {first.ranking.words}, as on re-annotated benchmarks, {count.expected:.3g} of all {count.of:,} "
        f"orders in {len(one.groups):,} groups are expected to be reversed ({count.low:,} to {count.high:,} with "
        f"probability {count.level:g})"
    )
    if first.checked:
        return (
            f"{words}, after {first.checked:,} checked labels of which {first.wrong:,} were wrong; "
            "labels checked in one group say something about all others, too."
        )
    return (
        f"{words}. Only a check can show which ones: look up the labels of items drawn at random."
    )
