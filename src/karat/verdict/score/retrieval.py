"""How good rankings are: every measure of every run, averaged over queries or query by query."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from karat.doubt.bounds.query_mean import CAUTION, FEW, is_small, query_mean
from karat.doubt.estimates import Estimates
from karat.doubt.interval import Interval
from karat.doubt.query_spread import unit_sums
from karat.errors import OptionError, UnknownNameError
from karat.measure import usual
from karat.measure.of_rankings.judged_share import judged_share
from karat.measure.quantity import Quantity, built_in_name, measure_named
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.table.kinds import score
from karat.tally.facts import Facts
from karat.tally.scores.query_units import QueryUnits
from karat.tally.scores.rankings import Rankings
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import Entry, number_or_none
from karat.words import NOTHING

FIRST = 10
"""The documents that most readers look at."""
EXPONENTIAL = re.compile(r"(ndcg)\(dcg=['\"]exp-log2['\"]\)", re.IGNORECASE)
"""How ir_measures writes nDCG with another gain."""
OF_TREC_EVAL = re.compile(r"([a-z]+?)(?:_cut)?[_.](\d+)", re.IGNORECASE)
"""How trec_eval writes a measure down to a place: ndcg_cut_10, P_5, recall.100."""
RELEVANT_FROM = re.compile(r"\(.*rel=(\d+)")
"""How ir_measures writes the least grade of a relevant document."""


@dataclass(frozen=True, slots=True, repr=False)
class RetrievalResult(Result):
    """Every measure of every run."""

    section: ClassVar[str | None] = "measure"
    found: tuple[Mapping[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per measure and run, and per query if that was requested."""
        return [dict(row) for row in self.found]

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def are_of_rankings(facts: Facts, measure: str | Sequence[str] | None) -> bool:
    """Return whether measures of rankings are requested: by name, or by default."""
    if not facts.holds_rankings:
        return False
    return all(_named_of_ranking(text) for text in _texts(measure))


def _named_of_ranking(text: str) -> bool:
    """Return whether a text names a measure of rankings; those that answers and scores have too are of these."""
    own = built_in_name(re.split("[@(]", text.strip())[0])
    source = measure_named(own).counted_from if own else None
    if source == "ranking":
        return True
    if source not in {None, "boxes"}:  # MAP is that of rankings here, although boxes have mAP
        return False
    try:
        quantity_of_ranking(text)
    except OptionError:
        return False
    return True


def _texts(measure: str | Sequence[str] | None) -> Sequence[str]:
    """Return the names of the measures to compute."""
    if isinstance(measure, str):
        return measure.split(",")
    return measure or usual.OF_RANKINGS


def entries(rows: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Return measures of rankings as scores."""
    scores = []
    for row in rows:
        estimates = _estimates(row)
        scores.append(Entry(row["system"], estimates, rank=row["rank"]))
    return tuple(scores)


def _estimates(row: Mapping[str, Any]) -> Estimates:
    value = np.array([np.nan if row["value"] is None else row["value"]])
    low = np.array([row["low"]])
    high = np.array([row["high"]])
    interval = Interval(low, high, row["level"], row["method"])
    quantity = Quantity.parse(row["measure"], counted_from="ranking")
    return Estimates(quantity, (None,), value, interval)


def check_rankings(facts: Facts) -> None:
    """Refuse a table that holds no ranked lists, and options that mean nothing for them."""
    if facts.kind != score:
        raise OptionError(
            f"{facts.origin} holds no scores to rank by; these answers are {facts.kind}"
        )
    idle = _idle(facts)
    if idle:
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
        return Quantity.parse(_as_karat_writes(text), counted_from="ranking")
    except (OptionError, UnknownNameError):
        grade = RELEVANT_FROM.search(text)
        if grade:
            raise OptionError(
                f"{text!r}: the grade from which on a document is relevant is one for all measures; "
                f"say it with --using relevant={grade.group(1)}"
            ) from None
        raise OptionError(
            f"{text!r} is not a measure of rankings that karat has: P@10, R@100, AP, Rprec, RR, nDCG@10, "
            "Success@5, RBP(p=0.8), Bpref, infAP, Judged@10"
        ) from None


def _as_karat_writes(text: str) -> str:
    """Return a measure with another gain by its own name, and one as trec_eval writes it with its number behind @.

    >>> _as_karat_writes("nDCG(dcg='exp-log2')@10"), _as_karat_writes("ndcg_cut_10"), _as_karat_writes("P.5")
    ('nDCG-exp@10', 'ndcg@10', 'P@5')
    """
    text = EXPONENTIAL.sub(r"\1-exp", text.strip())
    match = OF_TREC_EVAL.fullmatch(text)
    return "@".join(match.groups()) if match else text


def ranked(quantity: Quantity, rankings: Rankings) -> FloatArray:
    """Return the measure of each query's ranking; NaN where it is undefined."""
    values: FloatArray = quantity.traits(rankings, **quantity.arguments)
    return values


def _idle(facts: Facts) -> str | None:
    """Return the first given option that has no meaning for rankings."""
    given = {
        "--repeats keep": facts.options.get("repeats") == "keep",
        "--run": "r" in facts.keys,
        "--count": "n" in facts.keys,
        "--error": "e" in facts.keys,
        "--missing": facts.meaning.missing != "wrong",
        "--nothing": facts.meaning.nothing != NOTHING,
    }
    for option, is_given in given.items():
        if is_given:
            return option
    return None


def digests(runs: Mapping[str, Rankings], units: QueryUnits | None = None) -> list[str]:
    """Return the hashes of what was counted."""
    found = [rankings.digest() for rankings in runs.values()]
    if units is not None:
        found.append(units.digest())
    return found


def retrieval(
    runs: Mapping[str, Rankings],
    measures: Sequence[Quantity],
    *,
    level: float,
    units: QueryUnits | None = None,
) -> tuple[Mapping[str, Any], ...]:
    """Return the mean of each measure over the queries where it is defined, from the best run to the worst."""
    rows: list[Mapping[str, Any]] = []
    for measure in measures:
        found = {name: _over_queries(runs[name], measure, units, level=level) for name in runs}
        means = {name: over.mean for name, over in found.items()}
        for name, rank in ranking_by(measure, means).items():
            interval = found[name].interval
            row = {
                "rank": rank,
                "system": name,
                "measure": str(measure),
                "queries": found[name].queries,
                "value": means[name],
                "low": float(interval.low),
                "high": float(interval.high),
                "level": level,
                "method": interval.method,
            }
            rows.append(row)
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _OverQueries:
    """The mean of a measure over the queries where it is defined."""

    mean: float | None
    interval: Interval
    queries: int


def _over_queries(
    rankings: Rankings, measure: Quantity, units: QueryUnits | None, *, level: float
) -> _OverQueries:
    values = ranked(measure, rankings)
    is_defined = ~np.isnan(values)
    defined = values[is_defined]
    if units is not None:
        units = units.of([rankings.queries[place] for place in np.flatnonzero(is_defined)])
    interval = query_mean(defined, level=level, low=measure.low, high=measure.high, units=units)
    sums = unit_sums(defined[:, None], units)
    mean = float(sums.mean()[0]) if len(sums.weight) else None
    return _OverQueries(mean, interval, len(defined))


def few_queries(
    rows: Sequence[Mapping[str, Any]], units: QueryUnits | None = None
) -> tuple[str, ...]:
    """Return a caution where means rest on few queries, or on few clusters of them."""
    fewest = min((row["queries"] for row in rows), default=FEW)
    if is_small(fewest, None):
        return (CAUTION,)
    if units is not None and is_small(len(units.queries), units):
        return (CAUTION,)
    return ()


def by_query(
    runs: Mapping[str, Rankings], measures: Sequence[Quantity]
) -> tuple[Mapping[str, Any], ...]:
    """Return each measure of each run for every query; None where it is undefined."""
    rows: list[Mapping[str, Any]] = []
    for measure in measures:
        for name, rankings in runs.items():
            values = ranked(measure, rankings)
            for place, query in enumerate(rankings.queries):
                row = {
                    "system": name,
                    "measure": str(measure),
                    "query": query,
                    "relevant": int(rankings.relevant[place]),
                    "retrieved": int(rankings.retrieved[place]),
                    "value": number_or_none(float(values[place])),
                }
                rows.append(row)
    return tuple(rows)


def without_relevant(runs: Mapping[str, Rankings]) -> tuple[str, ...]:
    """Return a sentence on how many queries have no relevant document, if any."""
    number = max(int((rankings.relevant == 0).sum()) for rankings in runs.values())
    if not number:
        return ()
    return (
        f"Queries without a relevant document: {number:,}; all measures but P and Judged leave them out.",
    )


def few_judged(runs: Mapping[str, Rankings]) -> tuple[str, ...]:
    """Return how many of the first documents were judged, where it is not all: a run outside the pool has fewer."""
    shares: dict[str, float] = {}
    for name, rankings in runs.items():
        if rankings.judged is not None:
            shares[name] = float(_defined(judged_share(rankings, cut=FIRST)).mean())
    if not shares or min(shares.values()) == 1:
        return ()
    fewest = min(shares, key=lambda name: shares[name])
    most = max(shares, key=lambda name: shares[name])
    known = f"{100 * shares[fewest]:.0f} % are judged for {fewest!r}"
    if shares[most] > shares[fewest]:
        known += f", {100 * shares[most]:.0f} % for {most!r}"
    remark = (
        f"Of the first {FIRST} documents of a query {known}; the rest count as irrelevant, so that a run "
        "with fewer judged ones may be better than its numbers."
    )
    return (remark,)


def _defined(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(values[~np.isnan(values)])
