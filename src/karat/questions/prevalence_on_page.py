"""What happens at another prevalence, at every position of the page's slider."""

from karat.questions.prevalence import curves_of, skew, tables_by_name
from karat.tally.counter import Counter
from karat.verdict.prevalence.area_resamples import enough_draws
from karat.verdict.prevalence.places import PrevalencePlaces, fields_of, places
from karat.verdict.prevalence.question import PrevalenceQuestion
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider import PrevalenceSlider, positions, prevalence_slider

MOST_SCORES = 2_000_000
"""Up to so many scores, of all systems together, a page has intervals at every prevalence: some seconds."""
MOST_THRESHOLDS = 30
"""Up to so many systems have thresholds."""


def prevalence_for_page(
    counter: Counter,
    *,
    level: float,
    seed: int,
    to: float | None = None,
    threshold: float | None = None,
) -> tuple[PrevalenceResult, PrevalenceSlider]:
    """Return areas and orders in the data, and what is known at each position of the slider."""
    tables = tables_by_name(counter, None)
    in_data = skew(tables, PrevalenceQuestion(fields=(), level=level, seed=seed))
    known = _known(counter, in_data, seed=seed, to=to, threshold=threshold)
    return in_data, prevalence_slider(in_data, known, to=to)


def _known(
    counter: Counter,
    in_data: PrevalenceResult,
    *,
    seed: int,
    to: float | None,
    threshold: float | None,
) -> PrevalencePlaces | None:
    """Return intervals, warnings and thresholds at each prevalence; None where they would take long."""
    facts = counter.facts
    if facts.counts.items * len(facts.systems) > MOST_SCORES:
        return None
    prevalences = positions(in_data.own, to)
    asking = PrevalenceQuestion(
        fields=fields_of(prevalences),
        level=in_data.level,
        draws=enough_draws(in_data.level),
        seed=seed,
    )
    result = skew(tables_by_name(counter, None), asking)
    curves = {}
    # Thresholds are counted items: neither clusters nor weights.
    if not {"c", "w"} & set(facts.keys) and len(facts.systems) <= MOST_THRESHOLDS:
        curves = dict(curves_of(counter).curves)
    return places(result, prevalences, curves, threshold=threshold)
