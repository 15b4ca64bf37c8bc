"""How good rankings are: every measure of every run, averaged over queries or query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from karat.doubt.bounds.query_mean import query_mean
from karat.doubt.estimates import Estimates
from karat.doubt.interval import Interval
from karat.errors import OptionError, UnknownNameError
from karat.measure import MEASURES, usual
from karat.measure.quantity import Quantity, measure_named
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.table.kinds import score
from karat.tally.facts import Facts
from karat.tally.scores.rankings import Rankings
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import Entry
from karat.words import NOTHING


@dataclass(frozen=True, slots=True)
class Retrieval(Result):
    """Every measure of every run."""

    section: ClassVar[str | None] = "measure"
    found: tuple[Mapping[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per measure and run, and per query if that was wanted."""
        return [dict(row) for row in self.found]

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def asks_of_rankings(facts: Facts, measure: str | Sequence[str] | None) -> bool:
    """Return whether measures of rankings are wanted: those of a query, or none in particular."""
    if not facts.holds_rankings:
        return False
    return all(_named_of_ranking(text) for text in _texts(measure))


def _named_of_ranking(text: str) -> bool:
    """Return whether a text names a measure of rankings by its own name, with a cut or without."""
    own = text.strip().partition("@")[0].lower()
    of_rankings = [name for name in MEASURES if measure_named(name).counted_from == "ranking"]
    return own in {name.lower() for name in of_rankings}


def _texts(measure: str | Sequence[str] | None) -> Sequence[str]:
    """Return the names of the measures to compute."""
    if isinstance(measure, str):
        return measure.split(",")
    return measure or usual.OF_RANKINGS


def entries(rows: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Return measures of rankings as scores."""
    return tuple(Entry(row["system"], _estimates(row), rank=row["rank"]) for row in rows)


def _estimates(row: Mapping[str, Any]) -> Estimates:
    value = np.array([np.nan if row["value"] is None else row["value"]])
    interval = Interval(
        np.array([row["low"]]), np.array([row["high"]]), row["level"], row["method"]
    )
    quantity = Quantity.parse(row["measure"], counted_from="ranking")
    return Estimates(quantity, (None,), value, interval)


def check_rankings(facts: Facts) -> None:
    """Refuse a table that holds no ranked lists, and options that mean nothing for them."""
    if facts.kind != score:
        raise OptionError(
            f"{facts.origin} holds no scores to rank by; these answers are {facts.kind}"
        )
    if idle := _idle(facts):
        raise OptionError(
            f"a ranking has every document once, and those without a score not at all; leave {idle} out"
        )


def requested_measures(measure: str | Sequence[str] | None) -> list[Quantity]:
    """Return the measures of ranked lists that a text or several name; the usual ones by default."""
    return [quantity_of_ranking(text) for text in _texts(measure)]


def quantity_of_ranking(text: str) -> Quantity:
    """Return the measure of rankings that a text names.

    >>> str(quantity_of_ranking("p@10")), str(quantity_of_ranking("recall@5"))
    ('P@10', 'R@5')
    """
    try:
        return Quantity.parse(text.strip(), counted_from="ranking")
    except (OptionError, UnknownNameError):
        raise OptionError(
            f"{text!r} is no measure of a ranking that karat has: P@10, R@100, AP, RR"
        ) from None


def ranked(quantity: Quantity, rankings: Rankings) -> FloatArray:
    """How good is the ranking of each query? NaN where a measure is undefined."""
    values: FloatArray = quantity.traits(rankings, **quantity.arguments)
    return values


def _idle(facts: Facts) -> str | None:
    """Return the first option that was said and means nothing for rankings."""
    said = {
        "--repeats keep": facts.options.get("repeats") == "keep",
        "--run": "r" in facts.keys,
        "--cluster": "c" in facts.keys,
        "--weight": "w" in facts.keys,
        "--count": "n" in facts.keys,
        "--error": "e" in facts.keys,
        "--missing": facts.meaning.missing != "wrong",
        "--nothing": facts.meaning.nothing != NOTHING,
    }
    return next((option for option, is_said in said.items() if is_said), None)


def digests(runs: Mapping[str, Rankings]) -> list[str]:
    """Return the hashes of what was counted."""
    return [rankings.digest() for rankings in runs.values()]


def retrieval(
    runs: Mapping[str, Rankings], measures: Sequence[Quantity], *, level: float
) -> tuple[Mapping[str, Any], ...]:
    """Return the mean of each measure over the queries where it is defined, from the best run to the worst."""
    found: list[Mapping[str, Any]] = []
    for measure in measures:
        values = {name: _defined(ranked(measure, rankings)) for name, rankings in runs.items()}
        means = {name: float(own.mean()) if len(own) else None for name, own in values.items()}
        for name, rank in ranking_by(measure, means).items():
            interval = query_mean(values[name], level=level, low=measure.low, high=measure.high)
            found.append(
                {
                    "rank": rank,
                    "system": name,
                    "measure": str(measure),
                    "queries": len(values[name]),
                    "value": means[name],
                    "low": float(interval.low),
                    "high": float(interval.high),
                    "level": level,
                    "method": interval.method,
                }
            )
    return tuple(found)


def by_query(
    runs: Mapping[str, Rankings], measures: Sequence[Quantity]
) -> tuple[Mapping[str, Any], ...]:
    """Return each measure of each run for every query; None where it is undefined."""
    return tuple(
        {
            "system": name,
            "measure": str(measure),
            "query": query,
            "relevant": int(rankings.relevant[place]),
            "retrieved": int(rankings.retrieved[place]),
            "value": None if np.isnan(value) else float(value),
        }
        for measure in measures
        for name, rankings in runs.items()
        for place, (query, value) in enumerate(
            zip(rankings.queries, ranked(measure, rankings), strict=True)
        )
    )


def without_relevant(runs: Mapping[str, Rankings]) -> tuple[str, ...]:
    """Return in words how many queries have nothing to find."""
    number = max(int((rankings.relevant == 0).sum()) for rankings in runs.values())
    if not number:
        return ()
    return (f"Queries without a relevant document: {number:,}; R, AP and RR leave them out.",)


def _defined(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(values[~np.isnan(values)])
