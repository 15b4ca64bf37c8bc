"""Every question that a table allows, asked in turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from karat.errors import KaratError, OptionError
from karat.report.findings import Findings
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter, Facts
from karat.verdict.compare.compare import FEWEST_DRAWS
from karat.verdict.compare.result import Comparisons
from karat.verdict.consensus.cutoffs import Cutoffs, Depths
from karat.verdict.consensus.result import Standing
from karat.verdict.prevalence.result import Skewed
from karat.verdict.prevalence.slider import prevalence_slider
from karat.verdict.score.retrieval import are_rankings
from karat.verdict.score.scores import Scores
from karat.verdict.stability.result import Stability
from karat.verdict.whatif import MOST_SYSTEMS, Sliders, State, Tallies, sliders, tallies

RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Shares of wrong labels at which ranks are simulated."""
ACCURACY = "accuracy"
NO_SLIDERS = "Label errors, and sliders, are for accuracy on independent items that count alike; see karat stability."
RANKINGS = (
    "Is one better than another, and what happens at another class balance? These are rankings of documents by query; "
    "with --using depth=10 (or --threshold) they are yes and no, and can be compared."
)
MOST_ITEMS = 300_000
"""Up to how many items ranks are simulated."""
Say = Callable[[str], None]
"""Who hears which question is being asked."""


class Asked(Protocol):
    """Who can be asked."""

    @property
    def counter(self) -> Counter:
        """Who counts the rows."""

    @property
    def facts(self) -> Facts:
        """What is known of the table."""

    @property
    def score(self) -> Callable[..., Scores]:
        """How good is each system?"""

    @property
    def compare(self) -> Callable[..., Comparisons]:
        """Is one system better than another?"""

    @property
    def consensus(self) -> Callable[..., Standing]:
        """Who is best when there is no truth?"""

    @property
    def skew(self) -> Callable[..., Skewed]:
        """What happens at another class balance?"""

    @property
    def consensus_cutoffs(self) -> Callable[..., Cutoffs]:
        """What are precision and recall at each cut-off of the scores?"""

    @property
    def consensus_depths(self) -> Callable[..., Depths]:
        """What are precision and recall at each depth of the lists?"""

    @property
    def stability(self) -> Callable[..., Stability]:
        """Would the ranking survive errors in the truth?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a report is to be about."""

    measure: str | None = None
    label_error: float = 0.03
    level: float = 0.95
    draws: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, before anything is asked."""
        if not 0 <= self.label_error <= 0.5:
            raise OptionError(
                f"--label-error is {self.label_error:g}; on a page it is a share from 0 to 0.5, such as 0.03"
            )
        if self.draws < FEWEST_DRAWS or self.seed < 0:
            raise OptionError(
                f"--draws is {self.draws} and --seed {self.seed}; take 100 draws or more, and a seed of 0 or more"
            )


def unheard(question: str) -> None:
    """Say nothing."""
    del question


def inquire(
    bench: Asked, wish: Wish, *, scored: Asked | None = None, say: Say = unheard
) -> Findings:
    """Return what can be said of a table; a question that has no answer there is named, with the reason.

    `scored` is the same table before its scores were judged, if they are scores.
    """
    unasked: list[str] = [RANKINGS] * are_rankings(bench.facts)

    def ask(question: str, call: Callable[[], Any]) -> Any:
        say(question)
        try:
            return call()
        except KaratError as error:
            unasked.append(f"{question} {error}")
            return None

    standing = _standing(bench, wish, ask)
    if not bench.facts.has_truth:
        if standing is None:
            raise OptionError(
                f"{bench.facts.origin} has no truth, and nothing to vote on; {bench.facts.untold()}"
            )
        by = f"{standing.f_name} by what all systems say together"
        told = Findings(
            facts=bench.facts, measure=by, level=wish.level, seed=wish.seed, standing=standing
        )
        return replace(told, unasked=tuple(unasked))
    common = {"level": wish.level, "draws": wish.draws, "seed": wish.seed}
    say("How good is each system?")
    scores = bench.score(measure=None if wish.measure is None else [wish.measure], **common)
    measure = str(scores.entries[0].estimates.quantity)
    many = len(bench.facts.systems) > 1 and bench.facts.kind != scores_kind
    counted = _tallies(bench, measure) if many else None
    if many and len(bench.facts.systems) > MOST_SYSTEMS:
        unasked.append(
            f"{len(bench.facts.systems):,} systems are too many to compare two by two; name some: --systems"
        )
        many = False
    comparisons = (
        ask("Is one better than another?", lambda: bench.compare(measure=[measure], **common))
        if many
        else None
    )
    survives = None
    if many and counted is None:
        unasked.append(NO_SLIDERS)
    elif counted is not None and counted.items > MOST_ITEMS:
        unasked.append(
            f"Ranks under label errors are not simulated for more than {MOST_ITEMS:,} items."
        )
    elif many and counted is not None:
        rates = sorted({*RATES, wish.label_error} - {0.0})
        survives = ask(
            "Do errors in the labels matter?", lambda: bench.stability(label_error=rates, **common)
        )
    groups = None
    if "g" in bench.facts.keys and bench.facts.kind != scores_kind:
        groups = ask(
            "Is it the same in every group?",
            lambda: bench.score(measure=[measure], per="group", **common),
        )
    skewed = _skewed(scored, wish, ask)
    return Findings(
        facts=bench.facts,
        measure=measure,
        level=wish.level,
        seed=wish.seed,
        scores=scores,
        standing=standing,
        skewed=skewed,
        prevalence=prevalence_slider(skewed) if skewed else None,
        groups=groups,
        comparisons=comparisons,
        stability=survives,
        sliders=_sliders(counted, wish),
        unasked=tuple(unasked),
    )


def _standing(
    bench: Asked, wish: Wish, ask: Callable[[str, Callable[[], Any]], Any]
) -> Standing | None:
    """Return who is best without a truth, where systems say what can be voted on."""
    facts = bench.facts
    if len(facts.systems) < 3 or facts.kind == scores_kind or {"c", "w"} & set(facts.keys):
        return None
    draws = 0 if facts.has_truth else 200
    question = "Who is best by what all say together?"
    found: Standing | None = ask(
        question, lambda: bench.consensus(level=wish.level, draws=draws, seed=wish.seed)
    )
    return found


def _skewed(
    scored: Asked | None, wish: Wish, ask: Callable[[str, Callable[[], Any]], Any]
) -> Skewed | None:
    """Return what happens at another class balance, where systems give scores."""
    if scored is None:
        return None
    question = "What happens at another class balance?"
    found: Skewed | None = ask(question, lambda: scored.skew(level=wish.level, seed=wish.seed))
    return found


def _sliders(counted: Tallies | None, wish: Wish) -> Sliders | None:
    """Return the numbers that follow the sliders of a page, where they have a closed form."""
    if counted is None:
        return None
    state = State(level=wish.level, error=wish.label_error, items=counted.items)
    return sliders(counted, state)


def _tallies(bench: Asked, measure: str) -> Tallies | None:
    """Return the counts that the page recomputes from, where the ranking is by accuracy."""
    if measure != ACCURACY:
        return None
    return tallies(bench.counter.patterns(keys="cwe"))
