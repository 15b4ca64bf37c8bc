"""What happens at another prevalence, at every position of the page's slider."""

from karat.questions.prevalence import curves_of, skew, tables_by_name
from karat.tally.counter import Counter
from karat.verdict.prevalence.question import PrevalenceQuestion
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider import PrevalenceSlider, positions, prevalence_slider
from karat.verdict.prevalence.slider_positions import places

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
    in_data = skew(
        tables_by_name(counter, None), PrevalenceQuestion(deployments=(), level=level, seed=seed)
    )
    facts = counter.facts
    known = None
    if facts.counts.items * len(facts.systems) <= MOST_SCORES:
        table = curves_of(counter)
        # Thresholds are counted items: neither clusters nor weights.
        thresholds_count_items = (
            not {"c", "w"} & set(facts.keys) and len(facts.systems) <= MOST_THRESHOLDS
        )
        known = places(
            table,
            positions(in_data.own, to),
            level=level,
            seed=seed,
            threshold=threshold,
            thresholds_of=table.curves if thresholds_count_items else {},
        )
    return in_data, prevalence_slider(in_data, known, to=to)
