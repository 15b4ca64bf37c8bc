"""How robust a ranking is to errors in the truth: the results, and their words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nextafter
from typing import Any

from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.result import Result
from karat.result.base import Row
from karat.result.probabilities import chance, likely, likely_or_none
from karat.verdict.stability.informed_result import HERE, InformedStability
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability

ROBUST_UP_TO = "robust up to (errors by chance)"
FLIPS_TOLERATED = "worst-case flips tolerated"
KINDEST = (
    "Errors by chance are the kindest case: real ones lie where systems contradict the labels, and on three of four "
    "re-annotated benchmarks they reversed five times as many orders or more."
)
BY_CHANCE = {"uniform", "per-class", "matrix"}
"""The models in which a wrong label has nothing to do with what the systems answered."""


@dataclass(frozen=True, slots=True)
class KeptCurve:
    """The probability that an order is kept, against the share of wrong labels."""

    better: str
    worse: str
    rates: tuple[float, ...]
    kept: tuple[float, ...]


@dataclass(frozen=True, slots=True, repr=False)
class StabilityResult(Result):
    """How robust a ranking is to errors in the truth."""

    quantity: Quantity
    pairs: tuple[PairStability, ...]
    rankings: tuple[RankingStability, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    level: float = 0.95
    curves: tuple[KeptCurve, ...] = ()
    things: str = "labels"
    """What is wrong in the truth."""
    few: bool = False
    """Whether the items were resampled, too: the answer is then about items like these."""
    informed: tuple[InformedStability, ...] = ()
    """The results for errors where systems contradict the labels: added to the rows, or in their place."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair and share of wrong labels."""
        return [pair.row() for pair in self.pairs]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return how robust each rank is, and how robust each order is."""
        tables: dict[str, Sequence[Row]] = {}
        for ranking in self.rankings:
            heading = f"{self.quantity}: how robust is each rank {self.on_items}, {ranking.words}?"
            tables[heading] = ranking.rows()
        heading = (
            f"{self.quantity}: how robust is each order to errors in the truth {self.on_items}?"
        )
        tables[heading] = self.lines()
        return tables

    def lines(self) -> list[dict[str, Any]]:
        """Return the pairs as rows of the printed table."""
        return [self._line(pair) for pair in self.pairs]

    def _line(self, pair: PairStability) -> dict[str, Any]:
        """Return a pair as a row of the printed table, with the verdict of the model informed."""
        line = _line(pair)
        verdict = pair.verdict
        for one in self.informed:
            if verdict is None and one.ranking.label_error in {pair.label_error, None}:
                verdict = one.verdict(pair.better, pair.worse)
        if verdict is None and len(self.informed) == 1:
            verdict = self.informed[0].verdict(pair.better, pair.worse)
        if self.informed:
            method = line.pop("method")
            line |= {INFORMED: verdict, "method": method}
        return line

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the whole ranking."""
        rankings = [ranking.about() for ranking in self.rankings]
        beside = {**self.about, "ranking": rankings[0] if len(rankings) == 1 else rankings}
        if self.informed:
            beside["informed"] = [pair.row() for one in self.informed for pair in one.pairs]
            beside["informed_ranking"] = [one.about() for one in self.informed]
        return beside

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        notes = [_whole_words(ranking) for ranking in self.rankings]
        if of_right_answers(self.quantity):
            notes.append("discordant: items that only the better has right : only the worse.")
            share = f"the share of wrong {self.things} up to which the order is kept"
            notes.append(
                f"robust up to: {share} with probability {self.level:g}, if errors occur by chance."
            )
        if any(pair.safe_errors is not None for pair in self.pairs):
            notes.append(
                f"worst-case flips tolerated: this many wrong {self.things} cannot change the order, wherever they are."
            )
        if any(pair.model in BY_CHANCE for pair in self.pairs):
            notes.append(KINDEST)
        notes += [one.words() for one in self.informed]
        if self.informed:
            notes.append(self.informed[0].verdict_words(self.on_items))
        return (*notes, *self.remarks)

    @property
    def on_items(self) -> str:
        """Which items the answer is about."""
        return "on items like these" if self.few else HERE


def _whole_words(ranking: RankingStability) -> str:
    order = ranking.under_noise
    method = order.method
    assumption = f"I{ranking.words[1:]}"
    sentence = (
        f"{assumption}, the whole order is kept with probability {likely(order.kept, method)}"
    )
    if order.best_kept is not None:
        best = ranking.order[0]
        kept = likely(order.best_kept, method)
        sentence += f", and {best!r} stays the sole best with probability {kept}"
    return f"{sentence} ({method})."


def _line(pair: PairStability) -> dict[str, Any]:
    """Return a pair as a row of the printed table."""
    discordant = None
    robust_up_to = None
    if pair.only_better is not None and pair.only_worse is not None:
        discordant = f"{pair.only_better:,}:{pair.only_worse:,}"
        robust_up_to = _robust_up_to(pair)
    error = pair.label_error
    return {
        "better": pair.better,
        "worse": pair.worse,
        "discordant": discordant,
        ROBUST_UP_TO: robust_up_to,
        FLIPS_TOLERATED: pair.safe_errors,
        "order kept": _kept(pair),
        "tie": likely_or_none(pair.tie, pair.method),
        "order reversed": likely_or_none(pair.reversed, pair.method),
        "label_error": error if isinstance(error, float) else None,
        "method": f"{pair.model}, {pair.method}",
    }


def _kept(pair: PairStability) -> str | None:
    """Return the probability that the order is kept; what is rounded to 1 is not printed as 1."""
    if pair.kept == 1 and (pair.tie or pair.reversed):
        return chance(nextafter(1, 0))
    return likely_or_none(pair.kept, pair.method)


def _robust_up_to(pair: PairStability) -> str:
    critical = pair.critical_label_error
    if pair.only_better == pair.only_worse:
        return "tied"
    if critical is None:
        return "unknown"
    return f"{100 * critical:.3g} %"
