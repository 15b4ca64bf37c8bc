"""Is one detector better than another, over the same images?"""

from collections.abc import Mapping

import numpy as np

from karat.boxes.doubt.image_difference import ImageDifference
from karat.boxes.matching.detections import Detections
from karat.boxes.measures.influenced import Influenced
from karat.boxes.questions.score import measured
from karat.doubt.resampling.joint import Joint
from karat.doubt.resampling.ranks import Ranks, ranks
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.compare.compare import pairs_to_compare, verdicts
from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence
from karat.verdict.compare.groups import not_significantly_different
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import number_or_none
from karat.words import counted

ALLOWED = {"auto", "jackknife"}


def compare_boxes(
    tallies: Mapping[str, Detections], quantity: Quantity, options: ComparisonOptions
) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of the systems by one measure, paired over images."""
    if options.test not in ALLOWED:
        raise OptionError(
            f"--test {options.test} is for answers; boxes are compared over images by the jackknife: leave it out"
        )
    systems = tuple(tallies)
    found = [_of_label(measured(quantity, tally), tally, quantity) for tally in tallies.values()]
    values = [number_or_none(one.mean()) for one in found]
    by_system = dict(zip(systems, values, strict=True))
    order = tuple(ranking_by(quantity, by_system))
    pairs = pairs_to_compare(systems, order, options.baseline)
    differences = [ImageDifference.of(found[one], found[other]) for one, other in pairs]
    evidence = _evidence(differences, options)
    comparisons = verdicts(systems, pairs, quantity, values, evidence, options)
    groups = () if options.baseline else not_significantly_different(order, comparisons)
    chances = None
    if options.ranks is not False:
        chances = _ranks(systems, found, options)
    return comparisons, MeasureRanking(quantity, order, by_system, groups, chances, options.level)


def _of_label(found: Influenced, tally: Detections, quantity: Quantity) -> Influenced:
    """Return a value of one class, if that is requested."""
    if quantity.label is None:
        return found
    classes = tally.gallery.classes
    if quantity.label not in classes:
        raise OptionError(
            f"no class is called {quantity.label!r}; there are {', '.join(classes[:12])}"
        )
    place = [classes.index(quantity.label)]
    return Influenced(
        found.value[place], found.by_image[:, place], found.holding[place], found.bias[place]
    )


def _evidence(differences: list[ImageDifference], options: ComparisonOptions) -> Evidence:
    """Return the difference of each pair with its interval and p-value."""
    intervals = [one.interval(level=options.level) for one in differences]
    no_worse = None
    if options.margin is not None:
        first = [one.no_worse(margin=options.margin) for one in differences]
        second = [one.no_worse(margin=options.margin, swapped=True) for one in differences]
        no_worse = (np.array(first), np.array(second))
    images = differences[0].images if differences else 0
    return Evidence(
        np.array([one.gap for one in differences]),
        np.array([one.low for one in intervals]),
        np.array([one.high for one in intervals]),
        np.array([one.p_value for one in intervals]),
        no_worse,
        f"infinitesimal jackknife over {counted(images, 'image')}",
    )


def _ranks(
    systems: tuple[str, ...], found: list[Influenced], options: ComparisonOptions
) -> Ranks | None:
    """Return how often each rank occurs in resamples of the images, each adding what it adds to the first order."""
    images = len(found[0].by_image)
    if images < 2 or any(np.isnan(one.mean()) for one in found):
        return None
    parts = []
    for one in found:
        defined = ~np.isnan(one.value)
        parts.append(one.by_image[:, defined].mean(axis=1))
    random = np.random.default_rng(options.seed)
    drawn = np.empty((options.draws, len(systems)))
    by_image = np.stack(parts, axis=1)
    values = np.array([one.mean() for one in found])
    for start in range(0, options.draws, 100):
        size = min(100, options.draws - start)
        counts = random.multinomial(images, np.full(images, 1 / images), size=size)
        drawn[start : start + size] = values + (counts - 1) @ by_image
    method = f"first-order bootstrap over {counted(images, 'image')} (draws={options.draws}, seed={options.seed})"
    return ranks(Joint(systems, drawn, method))
